"""Versions of the open document: what is compared, and what is to be shown of it."""
