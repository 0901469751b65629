"""Two versions of a playbook: which step of one is which of the other, and what differs."""
