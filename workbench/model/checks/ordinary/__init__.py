"""What is doubtful in ordinary markdown: only what its author would agree to."""
