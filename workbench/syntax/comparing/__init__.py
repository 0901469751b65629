"""Two rows of things, two texts or two sentences side by side: what belongs together, and what differs."""
