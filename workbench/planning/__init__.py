"""From a goal to a running playbook, and what runs teach for the next one."""
