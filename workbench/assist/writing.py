"""What somebody is in the middle of writing, told from the text before the caret: an item, a setting, a call."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.masking import top_level
from workbench.syntax.text import Span

ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
SETTING = regex(r"[ \t]*(?P<key>[a-z_]*)(?::(?P<value>[ \t]*[\w.-]*))?$")
DOTTED = regex(r"[^\W\d][\w.]*$")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call whose closing bracket is not written yet. *name*: of what is called; *argument*: which one is written.

    *keyword*: the name before its ``=``, empty where there is none. *start*: where the name stands.
    """

    name: str
    argument: int
    keyword: str
    start: int


def call_at(before: str) -> OpenCall | None:
    """The innermost call that is open at the end of *before*; None where none is."""
    masked = top_level(before)
    at = masked.rfind("(")
    name = DOTTED.search(before, 0, at) if at > 0 else None
    if name is None:
        return None
    inside = masked[at + 1 :].rsplit('"', 1)[0] if masked.count('"', at) % 2 else masked[at + 1 :]
    argument = inside.count(",")
    written = before[at + 1 :].rpartition(",")[2].strip() if argument else before[at + 1 :].strip()
    keyword, is_named, _value = written.partition("=")
    return OpenCall(name.group(), argument, keyword.strip().lstrip("$") if is_named else "", name.start())


def setting_owner(document: Queries, offset: int) -> bool | None:
    """Whether a line at *offset* can be a setting: of an agent (true), of a playbook (false), or of nobody (None).

    Settings stand directly below a heading, above every step.
    """
    index = document.block_index_at(max(0, offset - 1))
    while index >= 0 and document.blocks[index].kind in (BlockKind.PARAGRAPH, BlockKind.BLANK):
        index -= 1
    if index < 0 or document.blocks[index].kind is not BlockKind.HEADING or document.blocks[index].level > 2:
        return None
    return document.blocks[index].level == 1


def word_at(text: str, offset: int) -> Span:
    """The word that *offset* stands in, a dollar sign before it included; empty where it stands in none."""
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    if start > 0 and text[start - 1] == "$":
        start -= 1
    elif text[offset : offset + 1] == "$" and start == end:
        return word_at(text, offset + 1)
    return Span(start, end)
