"""The program that a run carries out: its code, what its triggers watch, and who is in it. Nothing here happens."""
