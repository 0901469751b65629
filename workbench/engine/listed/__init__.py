"""Runs of step lists: a model and its tools, turn by turn, under the enforcer."""
