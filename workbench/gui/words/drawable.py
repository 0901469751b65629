"""Text that Qt can draw."""

from __future__ import annotations

import re

# bytes that are not UTF-8 live in the text as lone surrogates, which Qt cannot draw
_UNDRAWABLE = re.compile("[\ud800-\udfff]")


def drawable(text: str) -> str:
    """*text* with a stand-in for bytes that are not characters."""
    return _UNDRAWABLE.sub("\ufffd", text)


def drawable_line(text: str) -> str:
    """The same on one line."""
    return drawable(text.replace("\n", " "))
