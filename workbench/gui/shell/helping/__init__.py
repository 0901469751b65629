"""The Help menu and F1: what is explained where, and the dialogs that say what this program is."""
