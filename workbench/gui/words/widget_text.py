"""The text that a text widget of Qt is given for a text of the document, and the way back for what somebody wrote.

Some characters would mean something to the widget; it is given a stand-in of one unit for each. What it gives back is
lossy, so it is never taken as a whole: only what a person changed in it is.
"""

from __future__ import annotations

import re

from workbench.regex import regex
from workbench.syntax.change import smallest_change

# What QTextDocument would take for something else than a letter: control characters, its own marks for lines and
# frames (U+2028, U+2029, U+FDD0, U+FDD1), marks that turn the direction of what follows, a byte order mark, the
# place of an object, and halves of a wide character, which stand for bytes that are no UTF-8. Each gets a stand-in of
# one unit, so that counting stays the same.
_ODD = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\u2028-\u202e\u2066-\u2069\ufdd0\ufdd1\ufeff\ufffc\ud800-\udfff]")
_HIDDEN = "\u200b"
_UNKNOWN = "\ufffd"
_END = regex(r"\r\n|\r")


def shown(text: str) -> str:
    """*text* as the widget is given it."""
    if "\r" in text:
        text = _END.sub("\n", text)
    return _ODD.sub(_stand_in, text)


def rewritten(text: str, raw: str) -> str:
    """*text* with what somebody changed in the widget that was given it; line ends as LF.

    *raw*: what the widget holds now, as ``QTextDocument.toRawText`` gives it. ``toPlainText`` would lose spaces that
    do not break.
    """
    exact = _END.sub("\n", text)
    return smallest_change(shown(exact), raw.replace("\u2029", "\n")).apply(exact)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0xFEFF:
        return _HIDDEN
    return "␤" if code in (0x2028, 0x2029) else _UNKNOWN
