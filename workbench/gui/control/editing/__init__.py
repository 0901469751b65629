"""Rows of the table of actions that are about the source."""
