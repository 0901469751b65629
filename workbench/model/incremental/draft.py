"""The next revision in the making: the blocks before a change, of which windows have been exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, NumberedBlocks
from workbench.syntax.change import TextChange
from workbench.syntax.differences import Window, kept, part

_FEW = 1_000
"""From here on it is quicker to list all ids anew than to exchange those that may be elsewhere."""


@dataclass(frozen=True, slots=True)
class Rescan:
    """Which blocks an edit replaced: old ``[first, last_old)`` became *fresh*; the others are kept."""

    first: int
    last_old: int
    fresh: tuple[Block, ...]

    def splice(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """All blocks after the edit."""
        return blocks[: self.first] + self.fresh + blocks[self.last_old :]

    def splice_starts(self, starts: list[int]) -> list[int]:
        """``block_starts`` after the edit, made from those before it."""
        begin = starts[self.first] if self.first < len(starts) else starts[-1]
        fresh = list(accumulate((len(block.text) for block in self.fresh), initial=begin))
        growth = fresh[-1] - starts[self.last_old]
        kept = starts[self.last_old :]
        return starts[: self.first] + fresh[:-1] + ([start + growth for start in kept] if growth else kept)


class Draft:
    """A revision in the making.

    *blocks* and their *starts* are those after all edits that have been taken in; those outside of the windows are as
    they were read, and some have another number by now (``finished_blocks`` has them as they are). *text*: what the
    numbers are taken in of, and nothing else. *ids* and *roots* are what is known of the blocks: where one is fresh,
    its ids are empty and its root is None until they are filled in. *numbered*: blocks outside of the windows of which
    some have another number, and are the same otherwise.
    """

    def __init__(self, before: Snapshot) -> None:
        self.before = before
        self.text = before.text
        blocks = before.blocks
        if isinstance(blocks, NumberedBlocks) and not blocks.is_whole:
            self.blocks, self._stale = blocks.read, bytearray(blocks.stale)
        else:
            self.blocks, self._stale = tuple(blocks), bytearray(len(blocks))
        self.starts = list(before.block_starts)
        self.ids: list[tuple[StepId, ...]] = list(before.block_ids)
        self.roots: list[Step | None] = list(before.roots)
        self.windows: tuple[Window, ...] = ()
        self._renumbered = range(0)

    def renumber(self, runs: Sequence[range], change: TextChange) -> None:
        """Make *change*, which gives items in the blocks *runs* other numbers with as many digits, and nothing else.

        To be done before anything is exchanged. A number says nothing of what its step is or means.
        """
        for run in runs:
            self._stale[run.start : run.stop] = b"\1" * len(run)
        self._renumbered = range(runs[0].start, runs[-1].stop)
        self.text = change.apply(self.text)

    def finished_blocks(self, text: str) -> Sequence[Block]:
        """All blocks, of which *text* is made."""
        if not any(self._stale):
            return self.blocks
        return NumberedBlocks(self.blocks, bytes(self._stale), text, self.starts)

    @property
    def numbered(self) -> tuple[Window, ...]:
        """The stretches of blocks, as they were and as they are, in which nothing but numbers is another."""
        reach, found = self._renumbered, []
        for old, new in kept(self.windows, len(self.before.blocks)):
            start, stop = max(old.start, reach.start), min(old.stop, reach.stop)
            if start < stop:
                by = new.start - old.start
                found.append(Window(range(start, stop), range(start + by, stop + by)))
        return tuple(found)

    def exchange(self, result: Rescan) -> None:
        """Replace the blocks that an edit touched."""
        window = slice(result.first, result.last_old)
        self.windows = exchanged(self.windows, result.first, result.last_old, len(result.fresh))
        self.starts = result.splice_starts(self.starts)
        self.blocks = result.splice(self.blocks)
        self._stale[window] = bytes(len(result.fresh))
        self.ids[window] = [()] * len(result.fresh)
        self.roots[window] = [None] * len(result.fresh)

    @property
    def fresh(self) -> Iterator[int]:
        """The indices of all blocks that came."""
        return (index for window in self.windows for index in window.new)

    def find_roots(self) -> None:
        """Take the steps again of fresh blocks that only stand elsewhere now; their ids have to be known."""
        before = self.before
        for index in [index for index in self.fresh if self.roots[index] is None]:
            ids = self.ids[index]
            was = before.where.get(ids[0]) if ids else None
            if was is not None and before.blocks[was] is self.blocks[index] and before.block_ids[was] == ids:
                self.roots[index] = before.roots[was]

    def where(self) -> Mapping[StepId, int]:
        """For each id the index of its block."""
        count = sum(len(window.new) for window in self.windows)
        if any(window.growth for window in self.windows) or count > _FEW:
            return {step_id: index for index, names in enumerate(self.ids) for step_id in names}
        where = dict(self.before.where)
        for window in self.windows:
            for ids in self.before.block_ids[part(window.old)]:
                for step_id in ids:
                    del where[step_id]
        for index in self.fresh:
            where.update(dict.fromkeys(self.ids[index], index))
        return where


def exchanged(windows: tuple[Window, ...], first: int, last: int, count: int) -> tuple[Window, ...]:
    """*windows* (in order, apart) after the blocks [first, last) as they are now became *count* others.

    Edits are made one after the other, and each counts in blocks as they are by then; windows
    count the old blocks as they were before all edits, and the new ones as they are after all.
    So what lies above an edit is where it was, and what lies below moves by what the edit
    adds: after ``a b c d`` became ``a x b c d`` (window 1..1 → 1..2), exchanging ``d``, which
    is the fifth block by now, makes the window 3..4 → 4..5. Windows that meet become one, so
    that what was exchanged twice counts once.
    """
    above = [window for window in windows if window.new.stop < first]
    meeting = [window for window in windows if window.new.stop >= first and window.new.start <= last]
    below = [window for window in windows if window.new.start > last]
    start = min([first, *(window.new.start for window in meeting)])
    stop = max([last, *(window.new.stop for window in meeting)])
    shift = sum(window.growth for window in above)
    old = range(start - shift, stop - shift - sum(window.growth for window in meeting))
    growth = count - (last - first)
    joined = Window(old, range(start, stop + growth))
    return (*above, joined, *(window.moved(growth) for window in below))
