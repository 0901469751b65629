"""Prose that names steps by number ("step 5"), and the edits that keep it true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workbench.editing.own_numbers import OwnNumbers, names_another, written_numbers
from workbench.i18n import ngettext
from workbench.model.program import Playbook, Step, StepId
from workbench.model.sentences.step_mentions import LONGEST_NUMBER, step_mentions
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span

_HINT = regex(r"steps?[ \t]+\d")
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
    numbers = dict(_numbered(playbook.steps))
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
        originals = dict(_numbering(was)) if copied else {}
        numbers = {step: number for number, step in _numbering(now)}
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


def _numbering(playbook: Playbook) -> Iterator[tuple[tuple[int, ...], StepId]]:
    """The numbered steps of *playbook*: in an ordinary file only those that its author numbered."""
    return written_numbers(playbook.steps) if playbook.is_chapter else _numbered(playbook.steps)


def _numbered(steps: tuple[Step, ...], above: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], StepId]]:
    """Every step with the number a reader would call it by."""
    items = [step for step in steps if step.item is not None]
    for own, step in zip(_own_numbers(items), items, strict=True):
        number = (*above, own)
        yield number, step.id
        yield from _numbered(step.children, number)


def _own_numbers(steps: Sequence[Step]) -> Sequence[int]:
    """The written numbers where they tell the steps of a list apart, else their places (``1. 1. 1.``, two lists)."""
    written = [
        int(step.item.marker[:-1]) if step.item and step.item.is_ordered else place
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
