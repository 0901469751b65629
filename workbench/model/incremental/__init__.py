"""The next revision from the one before: only what a change touched is scanned, lowered and named again.

``advancing.advance`` is the door. ``snapshot.derive`` says what must come out, in a few lines;
tests hold both to the same answer for any text and any change, ids aside.
"""
