"""What keys add in lists: Enter goes on with the list, Tab indents, both as text that can be taken back."""

from __future__ import annotations

import re

_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?P<marker>[-*+]|(?P<number>\d+)(?P<sign>[.)]))(?P<blank>[ \t]+)(?P<words>.*)$")
_INDENT = re.compile(r"[ \t]*")
DEFAULT_INDENT = "  "


def after_enter(line: str, column: int) -> str | None:
    """What Enter at *column* of *line* adds behind the new line's start; None where nothing helps.

    On an item without words there is nothing to go on with: see ``ends_list``.
    """
    item = _ITEM.match(line)
    if item is None:
        indent = _INDENT.match(line)
        return indent.group() if indent and indent.group() and column >= len(indent.group()) else None
    if column < item.start("words") or not item["words"].strip():
        return None
    marker = f"{int(item['number']) + 1}{item['sign']}" if item["number"] else item["marker"]
    return item["indent"] + marker + item["blank"]


def ends_list(line: str, column: int) -> bool:
    """True where Enter on *line* should take away an empty item instead of adding one."""
    item = _ITEM.match(line)
    return item is not None and not item["words"].strip() and column >= item.start("words")


def indented(line: str) -> str:
    """*line* one level deeper."""
    indent = _INDENT.match(line)
    unit = "\t" if indent and indent.group().startswith("\t") else DEFAULT_INDENT
    return unit + line


def dedented(line: str) -> str:
    """*line* one level less deep."""
    if line.startswith("\t"):
        return line[1:]
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, len(DEFAULT_INDENT)) :]
