"""The guide: its pages as values, which topic is explained where, and where words are found."""
