"""How fast everything is: medians of CPU time, and ratios to others measured in the same run."""
