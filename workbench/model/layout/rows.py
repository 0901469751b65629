"""The fragments of one list of a playbook; after an edit only those of the steps that changed are made anew.

Long chains of steps stand in columns of about equal height, with ways from one to the next.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from workbench.model.decisions import chains, continues_chain
from workbench.model.layout.folds import NOTHING_FOLDED, Folds
from workbench.model.layout.pieces import HALF, Stub, stretches, stub_fragment
from workbench.model.layout.shapes import GAP, Fragment, Route
from workbench.model.layout.steplists import loose_fragments
from workbench.model.layout.tree import entry_fragment, fragment_of, note_fragment
from workbench.model.meaning import RouteKind
from workbench.model.program import Playbook, Step, StepId, prompt_id
from workbench.syntax.differences import Window, windows_between

_STEPS = attrgetter("steps")
RowKey = tuple[int, str, str]
"""A list of a playbook: the place of that among all of the file, its name, and that of the list."""


@dataclass(slots=True)
class Row:
    """The fragments of one list as they were made last. *target*: the step that triggers lead to.

    *is_loose*: made without an order. *is_read*: nothing leads from one to the next.
    """

    steps: tuple[Step, ...] = ()
    fragments: tuple[Fragment, ...] = ()
    folds: Folds = NOTHING_FOLDED
    target: StepId | None = None
    is_loose: bool = False
    is_read: bool = False


def rows_not_shown(known: Mapping[RowKey, Row], playbooks: Sequence[Playbook], shown: set[int]) -> dict[RowKey, Row]:
    """Those of *known* that are used again when the other playbooks are shown again."""
    names = {place: playbook.name for place, playbook in enumerate(playbooks) if place not in shown}
    return {key: row for key, row in known.items() if names.get(key[0]) == key[1]}


def row_of_triggers(playbook: Playbook, folds: Folds, known: Row | None) -> Row:
    """The triggers: entries below one another, each with its own way to the first step."""
    triggers = playbook.triggers
    target = playbook.steps[0].id if playbook.steps else prompt_id(playbook) if playbook.is_prompt else None
    if known is not None and known.steps == triggers and known.folds == folds and known.target == target:
        return known
    places = range(len(triggers))
    made = [entry_fragment(triggers, index, target, folds) for index in places]
    return Row(triggers, tuple(made), folds, target)


def row_of_notes(playbook: Playbook, folds: Folds, known: Row | None) -> Row:
    """The notes: nothing leads to them, and nothing from them."""
    notes = playbook.notes
    if known is not None and known.steps == notes and known.folds == folds:
        return known
    return Row(notes, tuple([note_fragment(note, folds) for note in notes]), folds)


def row_of_steps(playbook: Playbook, folds: Folds, known: Row | None) -> Row:
    """The steps, one below the other; the fragments of *known* where neither steps nor folding changed."""
    steps = playbook.steps
    if not playbook.is_ordered:
        is_same = known is not None and known.is_loose and (known.steps, known.folds) == (steps, folds)
        return known if is_same and known else Row(steps, loose_fragments(steps, folds), folds, is_loose=True)
    if playbook.is_chapter and not playbook.is_carried_out:
        return _row_of_texts(steps, folds, known)
    if known is None or known.is_loose or known.is_read:
        return Row(steps, tuple(_fragments(steps, folds)), folds)
    if known.folds == folds and known.steps == steps:
        return known
    if known.folds != folds or folds.left_out:  # a stub grows and shrinks with what stands beside it
        return Row(steps, _refolded(steps, folds, known), folds)
    return Row(steps, _exchanged(steps, folds, known, windows_between(known.steps, steps)), folds)


def _row_of_texts(steps: tuple[Step, ...], folds: Folds, known: Row | None) -> Row:
    """What is only read: nothing leads from one to the next."""
    if known is not None and known.is_read and (known.steps, known.folds) == (steps, folds):
        return known
    fragments = tuple(_fragments(steps, folds))
    for fragment in fragments:
        fragment.ends = True
    return Row(steps, fragments, folds, is_read=True)


def _exchanged(steps: tuple[Step, ...], folds: Folds, known: Row, windows: Sequence[Window]) -> tuple[Fragment, ...]:
    """The fragments of *known* with those exchanged that show steps in *windows*, or chains that reach into them."""
    starts = list(accumulate(map(len, map(_STEPS, known.fragments)), initial=0))
    fragments: list[Fragment] = []
    done = 0
    limits = (*(window.old.start for window in windows[1:]), len(known.steps) + 1)
    for window, limit in zip(windows, limits, strict=True):
        begin = _chain_start(known.steps, starts, window.old.start)
        growth = window.new.stop - window.old.stop
        end, stop = _to_chain_end(steps, starts, bisect_left(starts, window.old.stop), growth, limit)
        if begin < done or starts[end] >= limit:
            # a chain reaches from one window into the next
            return _exchanged(steps, folds, known, (_whole(windows),))
        first = starts[begin] + window.new.start - window.old.start
        fragments += known.fragments[done:begin]
        fragments += [fragment_of(chain, folds) for chain in chains(steps[first:stop])]
        done = end
    return (*fragments, *known.fragments[done:])


def _whole(windows: Sequence[Window]) -> Window:
    """One window from the first of *windows* to the last."""
    first, last = windows[0], windows[-1]
    return Window(range(first.old.start, last.old.stop), range(first.new.start, last.new.stop))


def _chain_start(steps: tuple[Step, ...], starts: list[int], index: int) -> int:
    """The fragment with which to begin where the step *index* changes: the one before, and the chain it is in."""
    begin = max(0, bisect_left(starts, index) - 1) if index else 0
    while starts[begin] > 0 and continues_chain(steps[starts[begin] - 1], steps[starts[begin]]):
        begin -= 1
    return begin


def _to_chain_end(new: tuple[Step, ...], starts: list[int], end: int, growth: int, limit: int) -> tuple[int, int]:
    """The first old fragment from *end* on that begins a chain in the new steps too, and where it begins there.

    Looks no further than to the old step *limit*, from where on steps stand elsewhere.
    """
    while end < len(starts) - 1 and starts[end] < limit:
        stop = starts[end] + growth
        if stop == 0 or not continues_chain(new[stop - 1], new[stop]):
            break
        end += 1
    return end, starts[end] + growth


def _fragments(steps: tuple[Step, ...], folds: Folds) -> Iterator[Fragment]:
    """One fragment for each chain, and one for each stretch of steps that are left out."""
    for stretch, is_left_out in stretches(steps, folds):
        yield stub_fragment(stretch, folds) if is_left_out else fragment_of(stretch, folds)


def _refolded(steps: tuple[Step, ...], folds: Folds, known: Row) -> tuple[Fragment, ...]:
    """The fragments of *known* where neither the steps nor what is shown of them changed."""
    by_first = {fragment.steps[0].id: fragment for fragment in known.fragments}
    changed = known.folds.difference(folds)
    fragments: list[Fragment] = []
    for stretch, is_left_out in stretches(steps, folds):
        old = by_first.get(stretch[0].id)
        is_same = old is not None and old.steps == stretch and isinstance(old.drawable, Stub) is is_left_out
        if is_same and old and changed.isdisjoint(step.id for root in stretch for step in root.walk()):
            fragments.append(old)
        else:
            fragments += _fragments(stretch, folds)
    return tuple(fragments)


_COLUMN_GAP = 64.0
_COLUMN_HEIGHT = 12_000.0
_LEFT = attrgetter("spine")
_RIGHT = attrgetter("right")


@dataclass(frozen=True, slots=True)
class Column:
    """A stretch of a playbook's fragments that stand below one another: half-open range, spine, left, width."""

    first: int
    last: int
    spine: float
    left: float
    width: float


def columns_of(
    fragments: tuple[Fragment, ...], heights: list[float], x: float, top: float
) -> tuple[list[Column], list[float]]:
    """Columns of about equal height, and for each fragment its top."""
    sums = list(accumulate(heights, initial=0.0))
    limit = max(_COLUMN_HEIGHT, (sums[-1] * 400.0) ** 0.5)
    columns: list[Column] = []
    tops: list[float] = []
    first = 0
    while first < len(fragments) or not columns:
        last = min(len(fragments), max(first + 1, bisect_right(sums, sums[first] + limit) - 1))
        left = max(map(_LEFT, fragments[first:last]), default=HALF)
        right = max(map(_RIGHT, fragments[first:last]), default=HALF)
        left, right = max(left, HALF), max(right, HALF)
        columns.append(Column(first, last, x + left, x, left + right))
        shift = top - sums[first]
        tops += [value + shift for value in sums[first:last]]
        x += left + right + _COLUMN_GAP
        first = last
        if not fragments:
            break
    return columns, tops


def notes_column(notes: tuple[Fragment, ...], first: int, above: Column) -> Column:
    """The column of *notes*, below the last column *above* of steps and not part of the way through it."""
    left, right = max(fragment.spine for fragment in notes), max(fragment.right for fragment in notes)
    spine = max(above.spine, above.left + left)
    return Column(first, first + len(notes), spine, spine - left, left + right)


def wraps_between(
    columns: list[Column], tops: list[float], heights: list[float], fragments: tuple[Fragment, ...]
) -> list[Route]:
    """The way from the foot of each column to the head of the next."""
    routes: list[Route] = []
    for column, following in zip(columns, columns[1:], strict=False):
        last = column.last - 1
        if fragments[last].ends:
            continue
        low = tops[last] + heights[last]
        high = tops[following.first] - GAP / 2
        lane = column.left + column.width + _COLUMN_GAP / 2
        points = (
            (column.spine, low),
            (lane, low),
            (lane, high),
            (following.spine, high),
            (following.spine, high + GAP / 2),
        )
        routes.append(
            Route(RouteKind.NEXT, points, fragments[last].steps[-1].id, fragments[following.first].steps[0].id)
        )
    return routes
