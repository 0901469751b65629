"""YAML and JSON as trees of nodes with spans: read without constructing anything, never raising."""
