"""Text of files, tools and people as Qt may show it: as text, whatever it holds."""

from __future__ import annotations

import re
from html import escape

from workbench.visible import visible

# bytes that are not UTF-8 live in the text as lone surrogates, which Qt cannot draw
_UNDRAWABLE = re.compile("[\ud800-\udfff]")
_WIDEST_TIP = 100


def drawable(text: str) -> str:
    """*text* with a stand-in for bytes that are not characters, and a sign for each character that nobody would see."""
    return _UNDRAWABLE.sub("\ufffd", visible(text))


def drawable_line(text: str) -> str:
    """The same on one line."""
    return drawable(" ".join(text.splitlines()))


def tip(text: str) -> str:
    """*text* for a tooltip. Qt takes one for markup that looks like it, and wraps no other: so what it could take for
    markup, or what is too long for a line, becomes markup that says just that text.
    """
    shown = drawable(text)
    if "<" not in shown and "&" not in shown and all(len(line) <= _WIDEST_TIP for line in shown.splitlines()):
        return shown
    return f'<p style="white-space: pre-wrap">{escape(shown)}</p>'


def menu_text(text: str) -> str:
    """*text* for a menu or a button, where “&” marks a key."""
    return drawable_line(text).replace("&", "&&")
