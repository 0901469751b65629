"""What a run has done, for whoever has to answer for it: as JSON lines, as a page, and checked against its chain."""
