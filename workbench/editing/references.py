"""Prose that names steps by number ("step 5"), and the edits that keep it true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.model.program import Playbook, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.lines import COMMENT
from workbench.syntax.text import Span, TextEdit

_MENTION = re.compile(
    r"\bsteps?[ \t]+(?P<numbers>\d+(?:\.\d+)*(?:(?:[ \t]*,[ \t]*|[ \t]+(?:and|or|to)[ \t]+)\d+(?:\.\d+)*)*)",
    re.IGNORECASE,
)
_HINT = re.compile(r"steps?[ \t]+\d")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_PROSE = frozenset({BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.COMMENT})


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
        (Span(start, end), snapshot.text[start:end])
        for index in _blocks_of(snapshot, playbook)
        for start, end in _mentions(snapshot.blocks[index], snapshot.block_starts[index])
    ]
    if not found:
        return ()
    numbers = {tuple(number): step for number, step in _numbered(playbook.steps)}
    return tuple(Reference(span, text, numbers.get(_parts(text))) for span, text in found)


def _mentions_numbers(text: str) -> bool:
    """False where *text* surely mentions no step by number: most texts, and looking closer takes long."""
    return _HINT.search(text.lower()) is not None


def reference_fixes(before: Snapshot, after: Snapshot, playbook: Playbook) -> tuple[TextEdit, ...]:
    """The edits of *after* that let the prose of *playbook* mean the steps it meant in *before*."""
    meant = references(before, playbook)
    now = next((one for one in after.program.playbooks if one.name == playbook.name), None)
    if now is None or not any(reference.step for reference in meant):
        return ()
    numbers = {step: number for number, step in _numbered(now.steps)}
    fixes: list[TextEdit] = []
    for old, new in _pairs(before, after, meant, references(after, now)):
        number = numbers.get(old.step) if old.step else None
        if number and number != _parts(new.number):
            fixes.append(TextEdit(new.span, _like(old.number, number)))
    return tuple(fixes)


def _pairs(
    before: Snapshot, after: Snapshot, meant: tuple[Reference, ...], written: tuple[Reference, ...]
) -> Iterator[tuple[Reference, Reference]]:
    """The same mention in both revisions: by the step it stands in, in order within it."""
    free: dict[StepId | None, list[Reference]] = {}
    for reference in reversed(written):
        free.setdefault(after.step_at(reference.span.start), []).append(reference)
    for reference in meant:
        same = free.get(before.step_at(reference.span.start))
        if same:
            yield reference, same.pop()


def _blocks_of(snapshot: Snapshot, playbook: Playbook) -> range:
    for placed in snapshot.structure.placed:
        if placed.playbook is playbook:
            return range(placed.start, placed.stop)
    return range(0)


def _mentions(block: Block, start: int) -> Iterator[tuple[int, int]]:
    """Where numbers of steps stand in *block*, absolute; not in fences and comments."""
    if block.kind not in _PROSE or "tep" not in block.text.lower():
        return
    hidden = [match.span() for match in COMMENT.finditer(block.text)] if "<!--" in block.text else []
    hidden += [(span.start, span.end) for item in _items(block) for span in item]
    for mention in _MENTION.finditer(block.text):
        for number in _NUMBER.finditer(block.text, mention.start("numbers"), mention.end("numbers")):
            if not any(low <= number.start() < high for low, high in hidden):
                yield start + number.start(), start + number.end()


def _items(block: Block) -> Iterator[tuple[Span, ...]]:
    """The fences of each item of *block*."""
    waiting = [block.item] if block.item else []
    while waiting:
        item = waiting.pop()
        yield item.fences
        waiting += item.children


def _numbered(steps: tuple[Step, ...], above: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], StepId]]:
    """Every step with the number a reader would call it by: the one written, else its place."""
    place = 0
    for step in steps:
        if step.item is None:
            continue
        place += 1
        own = int(step.item.marker[:-1]) if step.item.is_ordered else place
        number = (*above, own)
        yield number, step.id
        yield from _numbered(step.children, number)


def _parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _like(written: str, number: tuple[int, ...]) -> str:
    """*number* with as many digits as *written* shows where it pads them."""
    width = len(written.split(".", maxsplit=1)[0]) if written.startswith("0") else 1
    return ".".join(f"{part:0{width}d}" for part in number)
