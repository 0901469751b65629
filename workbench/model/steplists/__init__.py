"""Step lists: typed lists of steps with expected tools, kept as YAML or JSON."""
