"""Files of other programs: which they are, and what stands in them, as far as it is shown."""
