"""Ordinary markdown: what of it is a procedure, and what its steps are."""
