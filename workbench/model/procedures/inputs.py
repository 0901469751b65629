"""Inputs that a procedure declares, in a chapter such as *Inputs* or *Parameters*: one list item each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.model.markdown.lowering import item_text
from workbench.model.procedures.placeholder_forms import canonical
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.secrets import is_secret_name
from workbench.syntax.blocks import Block, BlockKind

_CHAPTERS = regex(
    r"(?:\W*\d[\d.]*[.)]?\s*)?(?:(?:required|optional|run(?:time)?|user|key|sop|workflow)\s+)*"
    r"(?:inputs?|parameters?|arguments?|variables?|placeholders?|eingaben?|parameter|paramètres|parámetros|entradas)"
    r"(?:\s+(?:required|needed|variables?|parameters?))?\W*",
    re.IGNORECASE,
)
_ITEM = regex(
    r"[*_]?(?:\((?P<before>required|optional)[^)]*\)[ \t]*)?"
    r"(?:\*\*(?P<bold>[^*\n]{1,60}?):?\*\*|`(?P<code>[^`\n]{1,60})`"
    r"|(?P<plain>[A-Za-z][\w-]{1,40}(?=[ \t]*[:(]|[ \t]+[–—-][ \t])))"
    r"[ \t]*(?:\((?P<how>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))?[ \t]*(?:[:–—-]|$)?[ \t]*(?P<about>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = regex(r"^[`<\[{$]+|[`>\]}]+$")
_NAME = regex(r"[A-Za-z][\w-]*(?:[ _-][\w-]+){0,4}")
_DEFAULT = regex(
    r"\bdefaults?(?:[ \t]+value)?(?:[ \t]*[:=]|[ \t]+(?:to|is))[ \t]*"
    r"(?P<value>`[^`]*`|\"[^\"]*\"|'[^']*'|“[^”]*”|[^\s,;()]+(?=[,;)]|$))",
    re.IGNORECASE,
)
_QUOTES = "`\"'“”"


@dataclass(frozen=True, slots=True)
class Declared:
    """An input. *title*: as written, without marks around it. *default*: empty where none is said."""

    name: str
    title: str
    description: str
    is_required: bool
    default: str


def declared_inputs(document: Queries) -> tuple[Declared, ...]:
    """The inputs that *document* declares, in order; each once, and none that is secret by its name."""
    found: dict[str, Declared] = {}
    for block in _items(document.blocks):
        item = block.item
        assert item is not None
        declared = declared_in(item_text(block, item))
        if declared is not None and not is_secret_name(declared.name):
            found.setdefault(declared.name, declared)
    return tuple(found.values())


def _items(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """The list items directly below a heading that says that there are inputs; up to text that begins another list."""
    is_inside = False
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            is_inside = _CHAPTERS.fullmatch(block.title.strip("*_` ")) is not None
        elif is_inside and block.kind is BlockKind.ITEM:
            yield block


def declared_in(text: str) -> Declared | None:
    """The input that the list item *text* declares: ``**desk** (required): which desk``; None where it is prose."""
    match = _ITEM.match(text)
    if match is None:
        return None
    title = _MARKS.sub("", (match["bold"] or match["code"] or match["plain"]).strip("` ")).strip()
    if not _NAME.fullmatch(title):
        return None
    how, about = (match["how"] or "").strip(), match["about"].strip().rstrip("*_").strip()
    said = f"{match['before'] or ''} {how}".lower()
    is_about = not match["how"] or "required" in said or "optional" in said or "default" in said
    default = _DEFAULT.search(how) or _DEFAULT.search(about)
    return Declared(
        canonical(title),
        title,
        about if is_about else f"({how}) {about}".strip(),
        "required" in said and "optional" not in said and "not required" not in said,
        default["value"].strip(_QUOTES) if default is not None else "",
    )
