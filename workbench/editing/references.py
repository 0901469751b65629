"""Prose that names steps by number ("step 5"), and the edits that keep it true.

People number each chapter from one, and say *step 2* of any of them. A program's playbooks are procedures of their own,
so there a number means the own list; only what names another playbook does not. In an ordinary file it does where

- the own chapter has exactly one step of that number, written before it (``2.`` or *Step 2: Rest*),
- nothing stands before *step* that could name something else: *from step 2*, but not *from Playbook step 2*,
- it is no title (*Step 2: Rest*), no part of a step (*step 2b*) and no range (*steps 2-5*), of which one end would go,
- and nothing else in the file has that number; where another chapter's list does, it must at least be said as a way
  to go: *continue with step 2*.

All else is left alone: a number that is not put right is seen, one that is made wrong is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.i18n import ngettext
from workbench.model.program import Playbook, Step, StepId
from workbench.model.sentences.step_mentions import LONGEST_NUMBER, step_mentions
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.heading_words import step_title
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span

_HINT = regex(r"steps?[ \t]+\d")
Number = tuple[int, ...]
_PROSE = frozenset({BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.COMMENT})


@dataclass(frozen=True, slots=True)
class Reference:
    """A number in prose. *span*: of the number in the whole text; *step*: what it means, if there is such a step."""

    span: Span
    number: str
    step: StepId | None


def references(snapshot: Snapshot, playbook: Playbook) -> tuple[Reference, ...]:
    """All numbers of steps that the prose of *playbook* mentions, in source order."""
    if not _mentions_numbers(snapshot.text):
        return ()
    found = [
        (snapshot.block_starts[index], snapshot.blocks[index].text, span)
        for index in _blocks_of(snapshot, playbook)
        for span in _mentions(snapshot.blocks[index])
    ]
    if not found:
        return ()
    meant = _reader(snapshot, playbook)
    return tuple(Reference(span.shifted(start), span.of(text), meant(text, span)) for start, text, span in found)


def _reader(snapshot: Snapshot, playbook: Playbook) -> Callable[[str, Span], StepId | None]:
    """What tells which step of *playbook* is meant by the number at a span of a text."""
    if playbook.is_chapter:
        own = OwnNumbers.of(snapshot, playbook)
        return lambda text, span: own.meant(text, span, _parts(span.of(text)))
    numbers = dict(_numbered(snapshot, playbook.steps))
    others = [each for each in snapshot.program.playbooks if each is not playbook]
    names = {name.lower() for each in others for name in (each.name, each.title)}

    def in_program(text: str, span: Span) -> StepId | None:
        return None if names_another(text, span.start, names) else numbers.get(_parts(span.of(text)))

    return in_program


def _mentions_numbers(text: str) -> bool:
    """False where *text* surely mentions no step by number: most texts, and looking closer takes long."""
    return _HINT.search(text.lower()) is not None


@dataclass(frozen=True, slots=True)
class Outdated:
    """Mentions that a command made wrong.

    *fixes*: edits of the new text that put right those whose step has another number now.
    *lost*: how many mean a step that is gone, or that stands in another playbook.
    """

    fixes: tuple[TextEdit, ...] = ()
    lost: int = 0


def outdated(before: Snapshot, after: Snapshot, copied: frozenset[StepId]) -> Outdated:
    """The mentions in *after* that do not mean the steps they meant in *before*, which it follows.

    What *copied* steps mention means what it means where they were copied from. Whatever else
    is new in *after* was written by somebody, and is taken at its word.
    """
    pairs = _changed(before, after)
    meant = _meant(before, [was for was, _now in pairs])
    if not meant:
        return Outdated()
    fixes: list[TextEdit] = []
    lost = 0
    for index, (was, now) in enumerate(pairs):
        originals = dict(_numbering(before, was)) if copied else {}
        numbers = {step: number for number, step in _numbering(after, now)}
        for mention in references(after, now):
            place = after.step_at(mention.span.start)
            written = _parts(mention.number)
            step = originals.get(written) if place in copied else _taken(meant.get(place or index), mention)
            if step is not None and step not in numbers:
                lost += 1
            elif step is not None and numbers[step] != written:
                fixes.append(TextEdit(mention.span, _like(mention.number, numbers[step])))
    return Outdated(tuple(fixes), lost)


def lost_mentions(count: int) -> str:
    """A sentence that tells of *count* mentions that no number can put right."""
    return ngettext(
        "One reference no longer points to a step. Please update it.",
        "{count} references no longer point to a step. Please update them.",
        count,
    )


def _changed(before: Snapshot, after: Snapshot) -> list[tuple[Playbook, Playbook]]:
    """The playbooks that differ, before and after; none where playbooks came or went, which renumbers nothing."""
    old, new = before.program.playbooks, after.program.playbooks
    if len(old) != len(new):
        return []
    return [(was, now) for was, now in zip(old, new, strict=True) if was is not now]


def _meant(before: Snapshot, playbooks: Sequence[Playbook]) -> dict[StepId | int, list[Reference]]:
    """The mentions by the step (else the index of the playbook) that they stand in, the last one first."""
    found: dict[StepId | int, list[Reference]] = {}
    for index, playbook in enumerate(playbooks):
        for mention in reversed(references(before, playbook)):
            found.setdefault(before.step_at(mention.span.start) or index, []).append(mention)
    return found


def _taken(waiting: list[Reference] | None, mention: Reference) -> StepId | None:
    """The step that *mention* meant: the first of those *waiting* is the same one, unless it was rewritten."""
    same = waiting.pop() if waiting else None
    return same.step if same is not None and same.number == mention.number else None


def _blocks_of(snapshot: Snapshot, playbook: Playbook) -> range:
    for placed in snapshot.structure.placed:
        if placed.playbook is playbook:
            return range(placed.start, placed.stop)
    return range(0)


def _mentions(block: Block) -> Iterator[Span]:
    """Where numbers of steps stand in *block*; not in fences and comments."""
    if block.kind not in _PROSE or "tep" not in block.text.lower():
        return
    hidden = [match.span() for match in COMMENT.finditer(block.text)] if "<!--" in block.text else []
    hidden += [(span.start, span.end) for item in _items(block) for span in item]
    for number in step_mentions(block.text):
        if not any(low <= number.start() < high for low, high in hidden):
            yield Span(number.start(), number.end())


def _items(block: Block) -> Iterator[tuple[Span, ...]]:
    """The fences of each item of *block*."""
    waiting = [block.item] if block.item else []
    while waiting:
        item = waiting.pop()
        yield item.fences
        waiting += item.children


def _numbering(snapshot: Snapshot, playbook: Playbook) -> Iterator[tuple[tuple[int, ...], StepId]]:
    """The numbered steps of *playbook*: in an ordinary file only those that its author numbered."""
    number = written_numbers if playbook.is_chapter else _numbered
    return number(snapshot, playbook.steps)


def _numbered(snapshot: Snapshot, steps: Sequence[Step], above: Number = ()) -> Iterator[tuple[Number, StepId]]:
    """Every step with the number a reader would call it by."""
    items = [step for step in steps if step.item is not None]
    for own, step in zip(_own_numbers(snapshot, items), items, strict=True):
        number = (*above, own)
        yield number, step.id
        yield from _numbered(snapshot, step.children, number)


def _own_numbers(snapshot: Snapshot, steps: Sequence[Step]) -> Sequence[int]:
    """The written numbers where they tell the steps of a list apart, else their places (``1. 1. 1.``, two lists)."""
    written = [
        int(snapshot.marker(step)[:-1]) if step.item and step.item.is_ordered else place
        for place, step in enumerate(steps, 1)
    ]
    is_rising = all(low < high for low, high in pairwise(written))
    return written if is_rising else range(1, len(steps) + 1)


def _parts(number: str) -> tuple[int, ...]:
    """The parts of *number*; none where one is longer than that of any step, and perhaps than Python reads."""
    parts = number.split(".")
    return tuple([int(part) for part in parts]) if max(map(len, parts)) <= LONGEST_NUMBER else ()


def _like(written: str, number: tuple[int, ...]) -> str:
    """*number* with as many digits as *written* shows where it pads them."""
    width = len(written.split(".", maxsplit=1)[0]) if written.startswith("0") else 1
    return ".".join(f"{part:0{width}d}" for part in number)


_LEAD = regex(
    r"(?P<before>\S+\s+)?[*_`\"'(]*(?<!\w)steps?[ \t]+(?:\d[\d.]*(?:[ \t]*,[ \t]*|[ \t]+(?:and|or|to)[ \t]+))*\Z"
)
_JOINED = regex(r"\d[ \t]*(?:,|[ \t]and|[ \t]or)[ \t]+\Z")
_ENDING = regex(r"[.:;,!?)\]|/>–—-]+[*_`\"']*\Z")
_BEHIND = regex(
    r"[*_]*(?:[a-z]\b|[+:–—→-]|[ \t]*(?:[-–—→]+|\.\.+)[ \t]*(?:step[ \t]+)?\d)|\)?[*_]*[ \t]*[:–—]"
    r"|[ \t]+(?:data|results?|outputs?|findings?|logs?|metrics|references?|sections?|guides?|files?|pages?)\b",
    re.IGNORECASE,
)
_GOING = regex(
    r"\b(?:go|goes|going|continue|proceed|return|jump|skip|move|loop|come|get)"
    r"(?:[ \t]+(?:back|on|ahead|directly|straight|again|down|up|over))*[ \t]+(?:to|at|with)[ \t]+\Z"
    r"|\brepeat[ \t]+(?:from[ \t]+)?\Z"
)
_PLAIN_WORDS = frozenset(
    """in at from to of see per by via with and or after before until till through than as is are was on for during into
    since under repeat repeating skip skipping perform performing do doing redo complete completing finish finishing
    follow following if when unless while the""".split()
)
_FAR = 120
"""How far back the words before a number are looked at."""


@dataclass(frozen=True, slots=True)
class OwnNumbers:
    """What numbers mean in one chapter. *own*: the steps that have one alone; *others*, *titled*: taken elsewhere."""

    own: Mapping[Number, StepId]
    others: frozenset[int]
    titled: frozenset[int]

    @classmethod
    def of(cls, snapshot: Snapshot, chapter: Playbook) -> OwnNumbers:
        """Those of *chapter*."""
        found: dict[Number, list[StepId]] = {}
        for number, step in written_numbers(snapshot, chapter.steps):
            found.setdefault(number, []).append(step)
        own = {number: steps[0] for number, steps in found.items() if len(steps) == 1}
        elsewhere = [each for each in snapshot.program.playbooks if each is not chapter]
        others = {number[0] for each in elsewhere for number, _step in written_numbers(snapshot, each.steps)}
        mine = {step.block for root in chapter.steps for step in root.walk() if step.item is None}
        titled = {number for block in snapshot.blocks if block not in mine for number in _titled(block)}
        return cls(own, frozenset(others), frozenset(titled))

    def meant(self, text: str, span: Span, number: Number) -> StepId | None:
        """The step that the *number* at *span* of *text* plainly means, or None."""
        step = self.own.get(number)
        lead = _lead(text, span.start)
        if step is None or lead is None or number[0] in self.titled or _BEHIND.match(text, span.end):
            return None
        return step if number[0] not in self.others or _GOING.search(lead) else None


def names_another(text: str, at: int, names: Iterable[str]) -> bool:
    """True where the words before the number at *at* end with one of *names*, in small letters: *Billing step 2*."""
    lead = text[max(0, at - _FAR) : at].lower()
    said = lead[: max(lead.rfind("step"), 0)].rstrip(" \t*_`\"'(")
    return any(said.endswith(name) and not said[: -len(name)][-1:].isalnum() for name in names if name)


def _lead(text: str, at: int) -> str | None:
    """The words before *step* and the number at *at*, in small letters; None where they could name something else."""
    low = max(0, at - _FAR)
    words = text[low:at].lower()
    found = _LEAD.search(words)
    if found is None:
        return None
    before = (found["before"] or "").strip()
    start = found.start() + len(found["before"] or "")
    if before in ("and", "or") and (again := _JOINED.search(words[:start])):
        return _lead(text, low + again.start())
    if not before or _ENDING.search(before):
        return words[:start]
    return words[:start] if before.lstrip("([{*_`\"'") in _PLAIN_WORDS else None


def written_numbers(snapshot: Snapshot, steps: Sequence[Step], above: Number = ()) -> Iterator[tuple[Number, StepId]]:
    """The steps that have a number written before them, with those that they stand in."""
    items = [step for step in steps if step.item is not None and step.item.is_ordered]
    markers = [snapshot.marker(step) for step in items]
    are_alike = len(items) > 1 and len(set(markers)) == 1
    for place, (step, marker) in enumerate(zip(items, markers, strict=True), 1):
        number = (*above, place if are_alike else int(marker[:-1]))
        yield number, step.id
        yield from written_numbers(snapshot, step.children, number)
    for step in steps:
        if step.item is None and step.children:
            titled = next(iter(_titled(step.block)), None)
            yield from written_numbers(snapshot, step.children, (*above, titled) if titled is not None else above)
        if step.item is None:
            yield from (((*above, number), step.id) for number in _titled(step.block))


def _titled(block: Block) -> Iterator[int]:
    """The number of the step that a heading or a bold line begins."""
    if block.kind is BlockKind.HEADING:
        title = block.title
    elif block.kind is BlockKind.PARAGRAPH and block.text[:2] in ("**", "__"):
        title = block.text[:_FAR].strip()
    else:
        return
    said = step_title(title)
    if said is not None and said.number.isdecimal():
        yield int(said.number)
