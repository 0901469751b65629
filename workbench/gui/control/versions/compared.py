"""What is shown of two versions, made ready on a thread beside the window; what it is made of is found on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from workbench.errors import WorkbenchError
from workbench.i18n import _, ngettext, numeral
from workbench.model.layout.program import Layout, layout_program
from workbench.model.program import StepId
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.comparing import compare_versions
from workbench.model.versions.differences import Differences, Fate, Fates, Hunk, HunkKind, StepChange
from workbench.model.versions.single import SingleChange, single_changes
from workbench.pages.version_words import fate_words, part_line, place_words, sign_of, summary_of
from workbench.syntax.comparing.words import pieces_of
from workbench.syntax.text import SourceText, split_lines

_LONGEST_WORDS = 2_000
_LONGEST_TITLE = 200
Stretches = tuple[tuple[int, int], ...]
"""Parts of a text, in code points, half-open."""


class LinePair(NamedTuple):
    """A line of both versions: which line that is, from 0, and -1 where one has none.

    *change*: in which of the single changes it is; -1 where both are the same.
    """

    old: int
    new: int
    change: int


@dataclass(frozen=True, slots=True)
class ChartMark:
    """What became of a step, for one of the flowcharts. *words*: what stands beside the sign.

    *texts*: its words, and those of the other version; equal where they did not change. *change*: see ``LinePair``.
    """

    fates: Fates
    words: str
    texts: tuple[str, str]
    change: int

    @property
    def sign(self) -> str:
        """The sign of what became of it."""
        return sign_of(self.fates)

    @property
    def differing(self) -> Stretches:
        """The parts of its words that the other version does not have."""
        own, other = self.texts
        return () if own == other else differing(other, own)[1]


@dataclass(frozen=True)
class Compared:
    """Two versions with all that is to be shown of them.

    *changes*: what can be taken back by itself. *pairs*: the lines of both, side by side. *layouts*, *marks*: of the
    flowchart before and of the one now.
    """

    differences: Differences
    changes: tuple[SingleChange, ...]
    pairs: tuple[LinePair, ...]
    lines: tuple[Sequence[str], Sequence[str]]
    layouts: tuple[Layout, Layout]
    marks: tuple[Mapping[StepId, ChartMark], Mapping[StepId, ChartMark]]
    summary: tuple[str, ...]

    @cached_property
    def rows(self) -> dict[int, int]:
        """By the place of a change, the first of *pairs* that belongs to it."""
        found: dict[int, int] = {}
        for row, pair in enumerate(self.pairs):
            if pair.change >= 0:
                found.setdefault(pair.change, row)
        return found

    def steps(self, change: int) -> tuple[tuple[StepId, ...], tuple[StepId, ...]]:
        """The steps that a change is about, before and now."""
        steps = self.changes[change].steps
        old = tuple(each.old.step.id for each in steps if each.old is not None)
        return old, tuple(each.new.step.id for each in steps if each.new is not None)


def compared(old: Snapshot, new: Snapshot) -> Compared:
    """*old* and *new*, ready to be shown."""
    differences = compare_versions(old, new)
    changes = single_changes(differences)
    lines = split_lines(old.text), split_lines(new.text)
    layouts = layout_program(old), layout_program(new)
    return Compared(
        differences,
        changes,
        tuple(_pairs(changes, lines)),
        lines,
        layouts,
        _marks(changes),
        summary_of(differences),
    )


def snapshot_of(source: SourceText, like: Snapshot) -> Snapshot:
    """*source*, read as the person has said that *like* is to be read."""
    return derive(source, wanted=like.deriver.wanted, chapters=like.deriver.chapters)


def compared_with(read: Callable[[], SourceText], new: Snapshot, known: Snapshot | None) -> Compared | WorkbenchError:
    """What *read* gives compared with *new*, or why that cannot be. *known*: what it gave the last time."""
    try:
        source = read()
    except WorkbenchError as error:
        return error
    is_known = known is not None and known.source == source and known.deriver.wanted is new.deriver.wanted
    return compared(known if known is not None and is_known else snapshot_of(source, new), new)


def _pairs(changes: Sequence[SingleChange], lines: tuple[Sequence[str], Sequence[str]]) -> Iterator[LinePair]:
    hunks = sorted(
        ((hunk.new.start, hunk.old.start, at, hunk) for at, each in enumerate(changes) for hunk in each.hunks),
        key=lambda one: (one[3].lines[1], one[3].lines[0]),
    )
    old = new = 0
    for _start, _was, change, hunk in hunks:
        while new < hunk.lines[1] - 1:
            yield LinePair(old, new, -1)
            old, new = old + 1, new + 1
        was, now = len(split_lines(hunk.was)), len(split_lines(hunk.now))
        for one, other in zip_longest(range(old, old + was), range(new, new + now), fillvalue=-1):
            yield LinePair(one, other, change)
        old, new = old + was, new + now
    while new < len(lines[1]):
        yield LinePair(old, new, -1)
        old, new = old + 1, new + 1


def _marks(changes: Sequence[SingleChange]) -> tuple[dict[StepId, ChartMark], dict[StepId, ChartMark]]:
    before: dict[StepId, ChartMark] = {}
    now: dict[StepId, ChartMark] = {}
    for at, change in enumerate(changes):
        for step in change.steps:
            was, is_now = (_words_of(each) for each in (step.old, step.new))
            if step.old is not None:
                texts = was, is_now if step.new is not None else was
                before[step.old.step.id] = ChartMark(step.fates, _mark_words(step, is_now=False), texts, at)
            if step.new is not None:
                texts = is_now, was if step.old is not None else is_now
                now[step.new.step.id] = ChartMark(step.fates, _mark_words(step, is_now=True), texts, at)
    return before, now


def _words_of(standing: object) -> str:
    step = getattr(standing, "step", None)
    return "" if step is None else plain_text(step)[:_LONGEST_WORDS]


def _mark_words(change: StepChange, *, is_now: bool) -> str:
    """What became of a step, with the place where it stands in the other version."""
    words = fate_words(change.fates)
    if change.old is None or change.new is None or change.fates.isdisjoint({Fate.MOVED, Fate.REORDERED}):
        return words
    text = _("{fates}, from {place}") if is_now else _("{fates}, to {place}")
    own, other = (change.new.address, change.old.address) if is_now else (change.old.address, change.new.address)
    book, _colon, number = other.rpartition(":")
    return text.format(fates=words, place=number if own.rpartition(":")[0] == book else other)


def differing(old: str, new: str) -> tuple[Stretches, Stretches]:
    """The stretches of *old* and of *new* that the other one does not have."""
    was: list[tuple[int, int]] = []
    now: list[tuple[int, int]] = []
    at = there = 0
    for piece in pieces_of(old, new):
        if not piece.is_shared:
            was += [(at, at + len(piece.was))] if piece.was else []
            now += [(there, there + len(piece.now))] if piece.now else []
        at, there = at + len(piece.was), there + len(piece.now)
    return tuple(was), tuple(now)


class ToldChange(NamedTuple):
    """A change in words: the *sign* and *place*, what became of it (*fates*), and *text*, what it is about."""

    sign: str
    place: str
    fates: str
    text: str

    @property
    def line(self) -> str:
        """All of it."""
        return "  ".join(filter(None, (self.sign, self.place, self.fates, self.text)))


def told_change(change: SingleChange) -> ToldChange:
    """*change* in words: its first step or part says what it is about."""
    if change.parts and not _is_of_steps(change):
        part = change.parts[0]
        return ToldChange(sign_of(part.fates), "", part_line(part), "")
    if change.steps:
        return _told_steps(change.steps)
    first = change.hunks[0]
    sign = "≠" if first.was and first.now else "+" if first.now else "−"
    fates = _("only layout") if change.kind is HunkKind.LAYOUT else _("text around the steps")
    place = _("line {n}").format(n=numeral(first.lines[1] if first.now else first.lines[0]))
    return ToldChange(sign, place, fates, _first_words(first))


def _is_of_steps(change: SingleChange) -> bool:
    """Whether steps changed by themselves, and did not come or go with their playbook."""
    whole = frozenset({Fate.ADDED, Fate.REMOVED})
    return bool(change.steps) and not any(part.fates & whole for part in change.parts)


def _told_steps(steps: Sequence[StepChange]) -> ToldChange:
    first = next((each for each in steps if not each.fates.isdisjoint({Fate.MOVED, Fate.REORDERED})), steps[0])
    text = " ".join(first.standing.text.split())[:_LONGEST_TITLE]
    if more := len(steps) - 1:
        words = ngettext("and {count} more step", "and {count} more steps", more).format(count=numeral(more))
        text = f"{text} ({words})"
    return ToldChange(sign_of(first.fates), place_words(first), fate_words(first.fates), text)


def _first_words(hunk: Hunk) -> str:
    lines = (line.strip() for line in split_lines(hunk.now or hunk.was))
    return next((line for line in lines if line), "")[:_LONGEST_TITLE]
