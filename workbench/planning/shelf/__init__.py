"""Playbooks that were generated, kept to be found and used again."""
