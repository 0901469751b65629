"""Keeping a step list: what may be called now, what counts, and when a step is done."""
