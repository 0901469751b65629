"""Step lists as text: YAML and JSON cut into blocks that cover it exactly."""
