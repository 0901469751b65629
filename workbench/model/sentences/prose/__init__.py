"""What sentences mean that were written for people, and not in the language."""
