"""Goals of the window: what is wanted, the cycles that make playbooks of it, and how their plans are edited."""
