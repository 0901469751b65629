"""Changes of a text as values: edits that are made together, undone, joined, and asked where something went."""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from workbench.syntax.differences import common_ends
from workbench.syntax.text import Span

_MANY_EDITS = 8
"""Beyond this many edits, one look at all of them is cheaper than one at each."""
_REST = 1 << 62
"""More code points than any text has: what stands for all that comes behind the last edit."""


class Side(enum.Enum):
    """To which side of an insertion a position sticks."""

    BEFORE = enum.auto()
    AFTER = enum.auto()


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace *span* by *insert*."""

    span: Span
    insert: str


@dataclass(frozen=True, slots=True)
class TextChange:
    """Sorted, disjoint edits against one text, all counted in that text, and made together.

    A change is a value: it can be applied, undone without being remembered (``invert``),
    joined with what comes after it (``compose``), and asked where something went
    (``map_position``). It knows what it takes out only by its place, so that it can be made
    before the text is at hand; whoever needs the old words hands the text in.

    These laws hold for every text and every change of it: ``c.invert(t).apply(c.apply(t)) == t``;
    ``c.compose(d).apply(t) == d.apply(c.apply(t))``; positions keep their order.

    Idea: the change sets of CodeMirror 6, reduced to what one document needs.
    Raises ValueError when edits overlap.
    """

    edits: tuple[TextEdit, ...]
    _ends: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _shifts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ordered = self.edits
        if _first_overlap(ordered) is not None:
            ordered = tuple(sorted(ordered, key=lambda edit: (edit.span.start, edit.span.end)))
            if (place := _first_overlap(ordered)) is not None:
                raise ValueError(f"edits overlap at {place}")
            object.__setattr__(self, "edits", ordered)
        # where each edit ends and how far all before it push, so that mapping need not walk through them
        growth = (len(edit.insert) - len(edit.span) for edit in ordered)
        object.__setattr__(self, "_ends", tuple(edit.span.end for edit in ordered))
        object.__setattr__(self, "_shifts", tuple(accumulate(growth, initial=0)))

    @property
    def is_empty(self) -> bool:
        """True when applying it gives back every text unchanged, by construction."""
        return not any(len(edit.span) or edit.insert for edit in self.edits)

    def apply(self, text: str) -> str:
        """*text* with all edits made. Raises ValueError where an edit reaches beyond the end of *text*."""
        if self._ends and self._ends[-1] > len(text):
            raise ValueError(f"an edit ends at {self._ends[-1]}, and the text at {len(text)}")
        parts: list[str] = []
        done = 0
        for edit in self.edits:
            parts += (text[done : edit.span.start], edit.insert)
            done = edit.span.end
        parts.append(text[done:])
        return "".join(parts)

    def portions(self, text: str) -> Iterator[TextChange]:
        """This change of *text* as changes to be made one after the other, the last in the text first.

        What follows them looks at each by itself: a step that moves from one end of a long
        text to the other touches two small windows, not all that lies between.
        """
        edits = [edit for edit in self.edits if edit.insert != edit.span.of(text)]
        if len(edits) <= _MANY_EDITS:
            for edit in reversed(edits):
                yield TextChange((edit,))
            return
        start, end = edits[0].span.start, edits[-1].span.end
        inner = TextChange(tuple([TextEdit(edit.span.shifted(-start), edit.insert) for edit in edits]))
        yield TextChange((TextEdit(Span(start, end), inner.apply(text[start:end])),))

    @property
    def new_spans(self) -> tuple[Span, ...]:
        """Where each insert stands in the text after this change."""
        starts = (edit.span.start + shift for edit, shift in zip(self.edits, self._shifts, strict=False))
        return tuple([Span(at, at + len(edit.insert)) for at, edit in zip(starts, self.edits, strict=True)])

    def invert(self, text: str) -> TextChange:
        """The change that leads from ``apply(text)`` back to *text*."""
        back: list[TextEdit] = []
        for edit, shift in zip(self.edits, self._shifts, strict=False):
            start, end = edit.span.start, edit.span.end
            back.append(TextEdit(Span(start + shift, start + shift + len(edit.insert)), text[start:end]))
        return TextChange(tuple(back))

    def compose(self, later: TextChange) -> TextChange:
        """The change with ``compose(later).apply(text) == later.apply(apply(text))``.

        Needs neither text: it walks over this change in pieces (kept, dropped, new), and
        *later* keeps or drops the pieces that are still there.
        """
        pieces = _pieces(self)
        output = _Output()
        done = 0
        for edit in later.edits:
            _take(pieces, edit.span.start - done, output, is_kept=True)
            _take(pieces, len(edit.span), output, is_kept=False)
            output.new.append(edit.insert)
            done = edit.span.end
        while pieces[0].kept < _REST:
            _pass(pieces.popleft(), output)
        output.flush()
        return TextChange(tuple(output.edits))

    def map_position(self, position: int, side: Side = Side.AFTER) -> int:
        """Where *position* lies after this change.

        An insertion exactly at *position* pushes it right only if *side* is AFTER. Where
        text is replaced, positions inside go to the start of what replaces it, its first
        position stays, and its end goes behind what replaces it. So with ``b`` replaced by
        ``xyz`` in ``abc``, 1 stays 1 and 2 becomes 4; with ``bcd`` taken out of ``abcde``, 1, 2
        and 3 become 1, and 4 too.

        Raises ValueError where *position* is negative. How long the text is, a change does
        not know: behind its last edit everything moves alike.
        """
        if position < 0:
            raise ValueError(f"there is no position {position}")
        # several edits may meet at one position: in “ab”, taking out “a”, inserting at 1, taking out “b”
        first = bisect_left(self._ends, position)
        shift = self._shifts[first]
        for index in range(first, len(self.edits)):
            edit = self.edits[index]
            start, end = edit.span.start, edit.span.end
            if start > position or (start == end and side is Side.BEFORE):
                break
            if end > position:
                return start + shift
            shift += len(edit.insert) - (end - start)
        return position + shift


def _first_overlap(edits: tuple[TextEdit, ...]) -> int | None:
    """Where the first of *edits* begins that does not stand behind the one before it, or None."""
    end = 0
    for edit in edits:
        if edit.span.start < end:
            return edit.span.start
        end = edit.span.end
    return None


@dataclass(slots=True)
class _Piece:
    """A stretch of the first change: *kept* or *dropped* old code points, or new text from *done* on."""

    kept: int = 0
    dropped: int = 0
    new: str = ""
    done: int = 0

    @property
    def left(self) -> int:
        """How many code points of the text between the two changes it still is."""
        return self.kept or len(self.new) - self.done


@dataclass(slots=True)
class _Output:
    """Collects edits against the old text; neighbouring deletions and insertions become one edit."""

    position: int = 0
    dropped: int = 0
    new: list[str] = field(default_factory=list)
    edits: list[TextEdit] = field(default_factory=list)

    def keep(self, count: int) -> None:
        """Leave *count* old code points alone."""
        self.flush()
        self.position += count

    def flush(self) -> None:
        """Close the edit that is being collected."""
        insert = "".join(self.new)
        if self.dropped or insert:
            self.edits.append(TextEdit(Span(self.position, self.position + self.dropped), insert))
        self.position += self.dropped
        self.dropped, self.new = 0, []


def _pieces(change: TextChange) -> deque[_Piece]:
    """*change* as a row of pieces, with an endless kept one at its end."""
    pieces: deque[_Piece] = deque()
    done = 0
    for edit in change.edits:
        pieces += (_Piece(kept=edit.span.start - done), _Piece(dropped=len(edit.span)), _Piece(new=edit.insert))
        done = edit.span.end
    pieces.append(_Piece(kept=2 * _REST))
    return pieces


def _take(pieces: deque[_Piece], count: int, output: _Output, *, is_kept: bool) -> None:
    """Move *count* code points of the text between the two changes to *output*, or drop them."""
    while count:
        piece = pieces[0]
        size = min(count, piece.left)
        if piece.kept:
            _take_kept(piece, size, output, is_kept=is_kept)
        elif piece.new:
            output.new += [piece.new[piece.done : piece.done + size]] if is_kept else []
            piece.done += size
        else:
            _pass(piece, output)
        count -= size
        if not piece.left:
            pieces.popleft()


def _take_kept(piece: _Piece, size: int, output: _Output, *, is_kept: bool) -> None:
    if is_kept:
        output.keep(size)
    else:
        output.dropped += size
    piece.kept -= size


def _pass(piece: _Piece, output: _Output) -> None:
    """Take over a whole *piece* as the first change made it."""
    if piece.kept:
        output.keep(piece.kept)
    output.dropped += piece.dropped
    output.new.append(piece.new[piece.done :])


def changed_window(change: TextChange) -> tuple[Span, Span]:
    """The smallest span that holds every edit: in the old text, and in the new text."""
    if not change.edits:
        return Span(0, 0), Span(0, 0)
    start = change.edits[0].span.start
    end = change.edits[-1].span.end
    growth = sum(len(edit.insert) - len(edit.span) for edit in change.edits)
    return Span(start, end), Span(start, end + growth)


def smallest_change(old: str, new: str) -> TextChange:
    """One edit between the common prefix and the common suffix of *old* and *new*."""
    if old == new:
        return TextChange(())
    start, tail = common_ends(old, new)
    return TextChange((TextEdit(Span(start, len(old) - tail), new[start : len(new) - tail]),))
