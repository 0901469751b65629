"""Two versions side by side: flowcharts, text, and what can be taken back; versions to choose from."""
