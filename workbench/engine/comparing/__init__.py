"""Two runs side by side: what each did at each step, and where they part."""
