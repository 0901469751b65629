"""Findings about what nobody can read: bytes that are not UTF-8, and characters that are not seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from workbench.i18n import _
from workbench.model.checks.context import replacement, warning
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import SURROGATES, Span
from workbench.visible import hidden

_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32), 127])
_DIRECTIONS = frozenset("\u061c\u200e\u200f")
_BREAKS = regex("[\x0b\x0c\x85\u2028\u2029]")
_BYTES = regex(r"[\udc80-\udcff](?:[^\r\n]*[\udc80-\udcff])?")
_TAGS, _FIRST_TAG, _LAST_TAG = 0xE0000, 0xE0020, 0xE007E
_ORDER = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NAMED = 3
_LONGEST = 200


def check_characters(document: Queries) -> Iterator[Diagnostic]:
    """All findings of this kind, for texts of every format."""
    text, starts = document.text, document.block_starts
    has_controls = _has_controls(text)
    if text.isascii() and not has_controls:
        return
    found = [
        span.shifted(starts[at])
        for at, block in enumerate(document.blocks)
        if has_controls or not block.text.isascii()
        for span in (_odd_in(block.text) if at else _odd_at_start(block.text))
    ]
    damaged = [span for span in found if SURROGATES.search(text, span.start, span.end)]
    yield from _not_utf8(text, damaged)
    unseen = [span for span in found if SURROGATES.search(text, span.start, span.end) is None]
    runs_left = bool(unseen) and any(unicodedata.bidirectional(each) in ("R", "AL") for each in set(text))
    for span in unseen:
        if not (runs_left and _DIRECTIONS.issuperset(span.of(text))):
            yield _hidden(span.of(text), span)


def _has_controls(text: str) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    return len(data.translate(None, _CONTROLS)) < len(data)


@lru_cache(maxsize=65_536)
def _odd_in(text: str) -> tuple[Span, ...]:
    """Where *text*, which begins a line, holds something that cannot be read."""
    # only the beginning of a file may be a byte order mark
    return tuple([span.shifted(-1) for span in _odd_at_start(f"\n{text}")])


def _odd_at_start(text: str) -> tuple[Span, ...]:
    """Where *text*, with which a file begins, holds something that cannot be read."""
    spans = [Span(start, end) for start, end in hidden(text.replace("\r", "\n"))]
    unseen = [span for span in spans if SURROGATES.search(text, span.start, span.end) is None]
    return (*(Span(*match.span()) for match in _BYTES.finditer(text)), *unseen)


def _not_utf8(text: str, damaged: list[Span]) -> Iterator[Diagnostic]:
    """Bytes of another encoding; the first finding offers to read all of them as what they most often are."""
    edits = [TextEdit(span, letters) for span in damaged if (letters := _western(span.of(text)))]
    fixes = (Fix(_("Read all such bytes as Western European letters (Windows-1252)"), tuple(edits)),) if edits else ()
    message = _("This is not UTF-8. The bytes are kept as they are, but nobody can read them as letters.")
    for at, span in enumerate(damaged):
        yield warning("not-utf8", message, span, *(fixes if at == 0 else ()))


def _western(text: str) -> str:
    """*text* with the letters that its bytes are in Windows-1252; empty where one is no letter there."""
    try:
        return SURROGATES.sub(lambda byte: bytes([ord(byte[0]) - 0xDC00]).decode("cp1252"), text)
    except ValueError:
        return ""


def _hidden(found: str, span: Span) -> Diagnostic:
    codes = list(dict.fromkeys(f"U+{ord(each):04X}" for each in found))
    names = ", ".join(codes[:_NAMED]) + (" …" if len(codes) > _NAMED else "")
    said = "".join(chr(ord(each) - _TAGS) for each in found if _FIRST_TAG <= ord(each) <= _LAST_TAG)
    if said:
        message = _("Hidden text, which nobody sees and a model reads: “{text}”.")
    elif _ORDER.isdisjoint(found):
        message = _("Hidden characters: {codes}. Nobody sees them.")
    else:
        message = _("Hidden characters: {codes}. They change the order in which the line is shown.")
    insert = " " if _BREAKS.search(found) else ""
    fix = replacement(_("Remove the hidden characters"), span, insert)
    return warning("hidden-character", message.format(codes=names, text=said[:_LONGEST]), span, fix)
