"""The differences of two versions as single changes: each can be made or taken back, and leaves all others as they are.

A hunk is whole lines that differ, so two steps that were changed one below the other are one hunk, and a step that has
moved is in two. What a person takes for one change is found here: hunks are cut where another step begins, and what
belongs to the same step is put together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from workbench.model.program import Playbook, StepId
from workbench.model.snapshot import Snapshot
from workbench.model.versions.differences import Differences, Fate, Fates, Hunk, HunkKind, PartChange, StepChange
from workbench.syntax.text import Span, split_lines

_ELSEWHERE = frozenset({Fate.ADDED, Fate.REMOVED, Fate.MOVED, Fate.REORDERED})
_COME_OR_GONE = frozenset({Fate.ADDED, Fate.REMOVED})
Anchor = int
"""A change with a line of its own: the place of a step among those of the differences; behind them that of a part."""


@dataclass(frozen=True, slots=True)
class SingleChange:
    """What is made or taken back at once. *hunks*: its lines, in order, of which ``Differences.hunks`` may have more
    in one. *steps*, *parts*: what became of which steps and parts; neither where only text around them differs.
    """

    hunks: tuple[Hunk, ...]
    steps: tuple[StepChange, ...] = ()
    parts: tuple[PartChange, ...] = ()

    @property
    def kind(self) -> HunkKind:
        """What it is about."""
        kinds = {hunk.kind for hunk in self.hunks}
        return next(kind for kind in (HunkKind.STEPS, HunkKind.TEXT, HunkKind.LAYOUT) if kind in kinds)


def single_changes(differences: Differences) -> tuple[SingleChange, ...]:
    """All that differs as single changes, in the order of the text; their hunks are the whole difference."""
    cutting = _Cutting(differences)
    pieces = [piece for hunk in differences.hunks for piece in cutting.pieces(hunk)]
    groups = _together(pieces)
    return tuple(_single(differences, [pieces[at] for at in group], cutting) for group in groups)


def _together(pieces: Sequence[Hunk]) -> list[list[int]]:
    """Which of *pieces* belong to the same step, or are the same lines gone here and come there; each by its place."""
    leader = list(range(len(pieces)))

    def first_of(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    seen: dict[int, int] = {}
    of_steps = [(seen.setdefault(step, at), at) for at, piece in enumerate(pieces) for step in piece.steps]
    for pair in (*of_steps, *_carried(pieces)):
        one, other = sorted(map(first_of, pair))
        leader[other] = one
    groups: dict[int, list[int]] = {}
    for at in range(len(pieces)):
        groups.setdefault(first_of(at), []).append(at)
    return list(groups.values())


def _carried(pieces: Sequence[Hunk]) -> Iterator[tuple[int, int]]:
    """Where the same lines have gone and come, once each: whoever takes back one of both would have them twice, or lose
    them.
    """
    gone, came = (
        Counter(text for hunk in pieces if not other_of(hunk) and (text := one_of(hunk).strip()))
        for one_of, other_of in ((_was, _now), (_now, _was))
    )
    places = {hunk.now.strip(): at for at, hunk in enumerate(pieces) if not hunk.was}
    for at, hunk in enumerate(pieces):
        text = hunk.was.strip()
        if not hunk.now and gone[text] == 1 == came[text]:
            yield at, places[text]


def _was(hunk: Hunk) -> str:
    return hunk.was


def _now(hunk: Hunk) -> str:
    return hunk.now


def _single(differences: Differences, hunks: Sequence[Hunk], cutting: _Cutting) -> SingleChange:
    steps = sorted({step for hunk in hunks for step in hunk.steps})
    parts = [part for part in differences.parts if any(cutting.holds(hunk, part) for hunk in hunks)]
    return SingleChange(tuple(hunks), tuple(differences.steps[step] for step in steps), tuple(parts))


@dataclass
class _Cutting:
    """Cuts the hunks of *differences* where a change with a line of its own begins."""

    differences: Differences
    old: Mapping[Anchor, int] = field(init=False)
    new: Mapping[Anchor, int] = field(init=False)

    def __post_init__(self) -> None:
        one = self.differences
        parts = {len(one.steps) + at: part.lines for at, part in enumerate(one.parts)}
        whole = _whole_playbooks(one.parts)
        old = {at: (each.old.step.id, each.old.line, each.fates) for at, each in enumerate(one.steps) if each.old}
        new = {at: (each.new.step.id, each.new.line, each.fates) for at, each in enumerate(one.steps) if each.new}
        self.old = {**_own_lines(one.old, old, whole), **{at: lines[0] for at, lines in parts.items() if lines[0]}}
        self.new = {**_own_lines(one.new, new, whole), **{at: lines[1] for at, lines in parts.items() if lines[1]}}

    def holds(self, hunk: Hunk, part: PartChange) -> bool:
        """Whether the heading of *part* stands in *hunk*, or the beginning of the file where it has none."""
        sides = zip((max(1, line) for line in part.lines), hunk.lines, (hunk.was, hunk.now), strict=True)
        return any(start <= line < start + len(split_lines(text)) for line, start, text in sides)

    def pieces(self, hunk: Hunk) -> tuple[Hunk, ...]:
        """*hunk*, cut where steps and parts begin; as it is where that would join lines, or cross."""
        was, now = split_lines(hunk.was), split_lines(hunk.now)
        is_whole = all(not lines or lines[-1].endswith(("\n", "\r")) for lines in (was, now))
        if not hunk.steps or not is_whole:
            return (hunk,)
        mark = "#" if self.differences.new.program.format.is_steplist else "<!--"
        old, new = _lines_in(self.old, hunk.lines[0], was, mark), _lines_in(self.new, hunk.lines[1], now, mark)
        both = sorted((old[at], new[at]) for at in old.keys() & new.keys())
        if any(one[1] >= other[1] or one[0] == other[0] for one, other in pairwise(both)):
            return (hunk,)
        cuts = _cuts(both, sorted({*old.values()}), sorted({*new.values()}), (len(was), len(now)))
        return tuple(self._shared_out(hunk, list(_between(hunk, cuts, was, now)))) if len(cuts) > 2 else (hunk,)

    def _shared_out(self, hunk: Hunk, pieces: list[Hunk]) -> Iterator[Hunk]:
        """*pieces* of *hunk*, each with the steps that have a line in it; others stand with the last one."""
        found: list[list[int]] = [[] for _piece in pieces]
        for at in hunk.steps:
            change = self.differences.steps[at]
            lines = (change.old.line if change.old else 0, change.new.line if change.new else 0)
            places = [place for place, piece in enumerate(pieces) if _has_line(piece, lines)]
            for place in places or [len(pieces) - 1]:
                found[place].append(at)
        for piece, steps in zip(pieces, found, strict=True):
            yield replace(piece, steps=tuple(steps), kind=HunkKind.STEPS if steps else HunkKind.TEXT)


def _whole_playbooks(parts: Sequence[PartChange]) -> frozenset[int]:
    """The identities of the steps that came or went with their playbook."""
    return frozenset(
        id(step)
        for change in parts
        if isinstance(change.part, Playbook) and change.fates & _COME_OR_GONE
        for section in change.part.sections
        for top in section.steps
        for step in top.walk()
    )


def _own_lines(
    snapshot: Snapshot, found: Mapping[Anchor, tuple[StepId, int, Fates]], whole: frozenset[int]
) -> dict[Anchor, int]:
    """The lines of those steps that do not go along with another one, or with their playbook."""
    carrying = {step for step, _line, fates in found.values() if fates & _ELSEWHERE}
    return {
        at: line
        for at, (step, line, _fates) in found.items()
        if id(snapshot.step(step)) not in whole and not any(o.id in carrying for o in snapshot.lineage(step)[:-1])
    }


def _lines_in(anchors: Mapping[Anchor, int], first: int, lines: Sequence[str], mark: str) -> dict[Anchor, int]:
    """Which of *anchors* stand in *lines*, the first of which has the number *first*; counted from 0.

    Comments directly above, lines that begin with *mark*, belong to them.
    """
    found = {}
    for at, line in anchors.items():
        place = line - first
        if 0 <= place < len(lines):
            while place > 0 and lines[place - 1].lstrip().startswith(mark):
                place -= 1
            found[at] = place
    return found


def _cuts(
    both: Sequence[tuple[int, int]], old: Sequence[int], new: Sequence[int], ends: tuple[int, int]
) -> list[tuple[int, int]]:
    """Where lists of lines are cut, as (in old, in new): each piece begins with a line of *old* or *new*.

    *both*: lines that begin the same change. Between two of them stands first what is only in *old*, then the rest.
    """
    cuts: list[tuple[int, int]] = []
    for here, beyond in pairwise(((-1, -1), *both, ends)):
        cuts += [here] if here[0] >= 0 else []
        gone = [at for at in old if here[0] < at < beyond[0]]
        came = [at for at in new if here[1] < at < beyond[1]]
        cuts += [(at, came[0] if came else beyond[1]) for at in gone]
        cuts += [(beyond[0], at) for at in came]
    # what stands before the first of them belongs to it
    return [(0, 0), *[*dict.fromkeys(cuts)][1:], ends]


def _between(hunk: Hunk, cuts: Sequence[tuple[int, int]], was: list[str], now: list[str]) -> Iterator[Hunk]:
    """The pieces of *hunk* between *cuts* that are not empty."""
    old, new = (list(accumulate(map(len, lines), initial=0)) for lines in (was, now))
    for (first, low), (last, high) in pairwise(cuts):
        if (first, low) != (last, high):
            yield Hunk(
                Span(hunk.old.start + old[first], hunk.old.start + old[last]),
                Span(hunk.new.start + new[low], hunk.new.start + new[high]),
                "".join(was[first:last]),
                "".join(now[low:high]),
                (hunk.lines[0] + first, hunk.lines[1] + low),
                hunk.kind,
            )


def _has_line(piece: Hunk, lines: tuple[int, int]) -> bool:
    sides = zip(lines, piece.lines, (piece.was, piece.now), strict=True)
    return any(start <= line < start + len(split_lines(text)) for line, start, text in sides)
