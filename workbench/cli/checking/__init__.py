"""``workbench check``: findings for people and for machines."""
