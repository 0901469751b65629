"""Changes of a text as values: edits that are made together, undone, joined, and asked where something went."""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from operator import add, itemgetter, sub

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


@dataclass(frozen=True, slots=True, init=False, repr=False)
class TextChange:
    """Sorted, disjoint edits against one text, all counted in that text, and made together.

    A change is a value: it can be applied, undone without being remembered (``invert``),
    joined with what comes after it (``compose``), and asked where something went
    (``map_position``). It knows what it takes out only by its place, so that it can be made
    before the text is at hand; whoever needs the old words hands the text in.

    These laws hold for every text and every change of it: ``c.invert(t).apply(c.apply(t)) == t``;
    ``c.compose(d).apply(t) == d.apply(c.apply(t))``; positions keep their order.

    It is kept in columns: where each edit *starts* and *ends*, and what it *inserts*. A step that goes to the other end
    of a long list changes the number of every line between, and ten thousand edits are only made when somebody asks.

    Idea: the change sets of CodeMirror 6, reduced to what one document needs.
    Raises ValueError when edits overlap.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    inserts: tuple[str, ...]
    _known_shifts: tuple[int, ...] | None = field(compare=False)
    _edits: tuple[TextEdit, ...] | None = field(compare=False)

    def __init__(self, edits: Iterable[TextEdit]) -> None:
        ordered = tuple(edits)
        if _first_overlap(ordered) is not None:
            ordered = tuple(sorted(ordered, key=lambda edit: (edit.span.start, edit.span.end)))
            if (place := _first_overlap(ordered)) is not None:
                raise ValueError(f"edits overlap at {place}")
        starts, ends = (tuple([getattr(edit.span, name) for edit in ordered]) for name in ("start", "end"))
        _fill(self, starts, ends, tuple([edit.insert for edit in ordered]), ordered)

    @classmethod
    def of_columns(cls, starts: Iterable[int], ends: Iterable[int], inserts: Iterable[str]) -> TextChange:
        """The change with the edits that *starts*, *ends* and *inserts* are the columns of, which are in order."""
        change = cls.__new__(cls)
        _fill(change, tuple(starts), tuple(ends), tuple(inserts), None)
        return change

    @property
    def _shifts(self) -> tuple[int, ...]:
        """How far all before each edit push, so that mapping need not walk through them; and all together."""
        shifts = self._known_shifts
        if shifts is None:
            growth = map(sub, map(len, self.inserts), map(sub, self.ends, self.starts))
            shifts = tuple(accumulate(growth, initial=0))
            object.__setattr__(self, "_known_shifts", shifts)
        return shifts

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """The edits, in the order of the text."""
        edits = self._edits
        if edits is None:
            edits = tuple(map(TextEdit, map(Span, self.starts, self.ends), self.inserts))
            object.__setattr__(self, "_edits", edits)
        return edits

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.edits!r})"

    def only(self, places: Collection[int]) -> TextChange:
        """The change that makes the edits at *places* among these, in their order, and no others."""
        if len(places) > _MANY_EDITS:
            take = itemgetter(*places)
            return TextChange.of_columns(take(self.starts), take(self.ends), take(self.inserts))
        starts, ends = ([column[at] for at in places] for column in (self.starts, self.ends))
        return TextChange.of_columns(starts, ends, [self.inserts[at] for at in places])

    @property
    def is_empty(self) -> bool:
        """True when applying it gives back every text unchanged, by construction."""
        return self.starts == self.ends and not any(self.inserts)

    @property
    def growth(self) -> int:
        """How much longer the text becomes."""
        return self._shifts[-1]

    def apply(self, text: str) -> str:
        """*text* with all edits made. Raises ValueError where an edit reaches beyond the end of *text*."""
        if self.ends and self.ends[-1] > len(text):
            raise ValueError(f"an edit ends at {self.ends[-1]}, and the text at {len(text)}")
        return _made_in(text, self, Span(0, len(text)), range(len(self.starts)))

    def portions(self, text: str) -> Iterator[TextChange]:
        """This change of *text* as changes to be made one after the other, the last in the text first.

        What follows them looks at each by itself: a step that moves from one end of a long
        text to the other touches two small windows, not all that lies between.
        """
        columns = zip(self.starts, self.ends, self.inserts, strict=True)
        real = [index for index, (start, end, insert) in enumerate(columns) if text[start:end] != insert]
        if len(real) <= _MANY_EDITS:
            for at in reversed(real):
                yield self.only((at,))
            return
        start, end = self.starts[real[0]], self.ends[real[-1]]
        yield TextChange.of_columns(
            (start,), (end,), (_made_in(text, self, Span(start, end), range(real[0], real[-1] + 1)),)
        )

    def new_span(self, at: int) -> Span:
        """Where the insert of the edit at place *at* stands in the text after this change."""
        start = self.starts[at] + self._shifts[at]
        return Span(start, start + len(self.inserts[at]))

    @property
    def new_spans(self) -> tuple[Span, ...]:
        """Where each insert stands in the text after this change."""
        return tuple(map(self.new_span, range(len(self.starts))))

    def invert(self, text: str) -> TextChange:
        """The change that leads from ``apply(text)`` back to *text*."""
        starts = tuple(map(add, self.starts, self._shifts))
        old = [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]
        return TextChange.of_columns(starts, tuple(map(add, starts, map(len, self.inserts))), old)

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
        return TextChange(output.edits)

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
        first = bisect_left(self.ends, position)
        shift = self._shifts[first]
        for index in range(first, len(self.starts)):
            start, end = self.starts[index], self.ends[index]
            if start > position or (start == end and side is Side.BEFORE):
                break
            if end > position:
                return start + shift
            shift += len(self.inserts[index]) - (end - start)
        return position + shift


def _fill(
    change: TextChange,
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    inserts: tuple[str, ...],
    edits: tuple[TextEdit, ...] | None,
) -> None:
    for name, value in zip(change.__slots__, (starts, ends, inserts, None, edits), strict=True):
        object.__setattr__(change, name, value)


def _made_in(text: str, change: TextChange, span: Span, places: range) -> str:
    """*span* of *text* with the edits of *change* at *places*, which lie in there, made."""
    inside = slice(places.start, places.stop)
    starts, ends = (span.start, *change.ends[inside]), (*change.starts[inside], span.end)
    parts = [""] * (2 * len(starts) - 1)
    parts[::2] = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    parts[1::2] = change.inserts[inside]
    return "".join(parts)


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
    if not change.starts:
        return Span(0, 0), Span(0, 0)
    start, end = change.starts[0], change.ends[-1]
    return Span(start, end), Span(start, end + change.growth)


def smallest_change(old: str, new: str) -> TextChange:
    """One edit between the common prefix and the common suffix of *old* and *new*."""
    if old == new:
        return TextChange(())
    start, tail = common_ends(old, new)
    return TextChange((TextEdit(Span(start, len(old) - tail), new[start : len(new) - tail]),))
