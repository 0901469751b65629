"""The commands about versions of a file: what differs, and what it was."""
