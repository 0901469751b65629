"""Undo and redo: inverse changes, computed from the old text, in bounded memory."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from workbench.model.incremental.identity import Carried
from workbench.model.program import StepId
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span

BURST_PAUSE_S = 1.0
MOST_ENTRIES = 10_000
MOST_CHARACTERS = 64_000_000


@dataclass(frozen=True, slots=True)
class _Burst:
    """Where and when typing went on last. *windows*: what the latest edits left in the text, one for each caret.

    *made*: see ``Typed``.
    """

    windows: tuple[Span, ...]
    at_s: float
    made: frozenset[StepId]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to take back (or to do again).

    *change* leads there; *carried* gives the steps that reappear their old ids; *selection*
    is what is selected then, *leaving* what was selected when the entry was made.
    """

    label: str
    change: TextChange
    carried: tuple[Carried, ...] = ()
    selection: tuple[StepId, ...] = ()
    leaving: tuple[StepId, ...] = ()

    @property
    def size(self) -> int:
        """How many characters it keeps alive."""
        return sum(map(len, self.change.inserts))


@dataclass(frozen=True, slots=True)
class Typed:
    """A change that was typed. *made*: the ids of all steps in the blocks that it made anew."""

    change: TextChange
    made: frozenset[StepId] = frozenset()


class History:
    """What can be undone and redone. Saving does not touch it, so undo goes back past a save.

    An entry is not a command that knows how to take itself back, but a change of the text that leads back, computed
    from the text as it was before. So nothing can be forgotten in a hand-written undo, and undo gives the same bytes.
    Whoever undoes takes an entry off one pile, applies it, and puts its inverse on the other one: ``take_undo`` and
    ``add_redo`` go together, as do ``take_redo`` and ``add_undo``.

    Typing is joined to one entry (a burst) while it goes on where it was last, at one caret or several, within lines,
    and without a pause of ``BURST_PAUSE_S``. A save ends the burst, so that undo can stop at what was saved.

    Memory is bounded by the text that the entries keep alive; the oldest go first, the newest never does.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._undo: deque[Entry] = deque()
        self._size = 0
        self._redo: list[Entry] = []
        self._burst: _Burst | None = None

    @property
    def undo_label(self) -> str:
        """What undo would take back, or empty."""
        return self._undo[-1].label if self._undo else ""

    @property
    def redo_label(self) -> str:
        """What redo would do again, or empty."""
        return self._redo[-1].label if self._redo else ""

    @property
    def latest(self) -> Entry | None:
        """The entry that undo would take back."""
        return self._undo[-1] if self._undo else None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All that can be undone, oldest first."""
        return tuple(self._undo)

    def record(self, entry: Entry) -> None:
        """Remember the inverse of a change that was just made; what could be redone is gone."""
        self._redo.clear()
        self.add_undo(entry)

    def record_typing(self, entry: Entry, typed: Typed) -> None:
        """Remember the inverse of what was *typed*, joined to the latest entry while typing goes on in one place."""
        now = self._clock()
        burst, latest = self._burst, self.latest
        if burst is None or latest is None or not _goes_on(burst, typed.change, entry.change, now):
            self.record(entry)
            made = typed.made
        else:
            made = burst.made | typed.made
            change, carried = entry.change.compose(latest.change), _joined(latest, entry, burst.made)
            self.take_undo()
            self.add_undo(replace(latest, change=change, carried=carried, leaving=entry.leaving))
        if _is_within_a_line(typed.change, entry.change):
            self._burst = _Burst(typed.change.new_spans, now, made)

    def end_burst(self) -> None:
        """Let the next typing begin an entry of its own."""
        self._burst = None

    def take_undo(self) -> Entry | None:
        """The entry to undo, taken off; follow with ``add_redo``."""
        self.end_burst()
        if not self._undo:
            return None
        entry = self._undo.pop()
        self._size -= entry.size
        return entry

    def take_redo(self) -> Entry | None:
        """The entry to redo, taken off; follow with ``add_undo``."""
        return self._redo.pop() if self._redo else None

    def add_undo(self, entry: Entry) -> None:
        """Put back what a redo made undoable again."""
        self.end_burst()
        self._undo.append(entry)
        self._size += entry.size
        while len(self._undo) > 1 and (self._size > MOST_CHARACTERS or len(self._undo) > MOST_ENTRIES):
            self._size -= self._undo.popleft().size

    def add_redo(self, entry: Entry) -> None:
        """Put what an undo made redoable."""
        self._redo.append(entry)

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take over *entries* (oldest first) from an earlier session, before anything is recorded."""
        for entry in entries:
            self.add_undo(entry)


def _joined(earlier: Entry, later: Entry, made: frozenset[StepId]) -> tuple[Carried, ...]:
    """The ids to restore when both entries are undone at once.

    Blocks that the earlier change *made* are not in the older text; all others that the later one replaced are.
    """
    others = (one for one in later.carried if made.isdisjoint(one.ids))
    return (*(Carried(earlier.change.map_position(one.start), one.ids) for one in others), *earlier.carried)


def _is_within_a_line(change: TextChange, inverse: TextChange) -> bool:
    if not change.starts:
        return False
    return not any("\n" in insert or "\r" in insert for insert in change.inserts + inverse.inserts)


def _goes_on(burst: _Burst, change: TextChange, inverse: TextChange, now_s: float) -> bool:
    """True when *change* is typing within lines that touches the end of what was typed last, at every caret."""
    if not _is_within_a_line(change, inverse) or now_s - burst.at_s >= BURST_PAUSE_S:
        return False
    if len(burst.windows) != len(change.starts):
        return False
    rows = zip(burst.windows, change.starts, change.ends, strict=True)
    return all(window.end in (start, end) for window, start, end in rows)
