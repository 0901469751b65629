"""Two sentences side by side: which stretches of words they share, and which differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from workbench.regex import regex

_WORD = regex(r"\w+|\s+|[^\w\s]")
_LONG = 4_000
"""So many words are compared one by one; of longer texts, only what stands at both ends is taken for the same."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch: what it *was*, and what it is *now*. One of them may be empty; where they are equal, it is shared."""

    was: str
    now: str

    @property
    def is_shared(self) -> bool:
        """Whether it stands in both."""
        return self.was == self.now


def pieces_of(old: str, new: str) -> tuple[Piece, ...]:
    """*old* and *new* in pieces: all that they were, joined, are *old*, and all that they are now, *new*.

    A blank between two words that differ counts to them, so that what is read as one change is one.
    """
    pieces: list[Piece] = []
    for was, now in _stretches(_WORD.findall(old), _WORD.findall(new)):
        before = pieces[-1] if pieces else None
        is_blank = was == now and was.isspace()
        if before is not None and not before.is_shared and (is_blank or was != now):
            pieces[-1] = Piece(before.was + was, before.now + now)
        else:
            pieces.append(Piece(was, now))
    return tuple(_without_shared_end(pieces))


def _stretches(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    if len(old) + len(new) > _LONG:
        yield "".join(old), "".join(new)
        return
    for _tag, first, last, low, high in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield "".join(old[first:last]), "".join(new[low:high])


def _without_shared_end(pieces: list[Piece]) -> Iterator[Piece]:
    """*pieces*, with the blanks at the end of one that differs set apart again."""
    for piece in pieces:
        was, now = piece.was, piece.now
        both = was[len(was.rstrip()) :]
        if piece.is_shared or not both or not now.endswith(both):
            yield piece
        else:
            size = len(both)
            yield Piece(was[: len(was) - size], now[: len(now) - size])
            yield Piece(both, both)
