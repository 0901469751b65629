"""What happens in a run against what was planned, and what is done where the two differ."""
