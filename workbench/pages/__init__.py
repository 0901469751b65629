"""Runs told in words and on pages that need nothing else: for the terminal, for the window, and to be passed on."""
