"""Which numbers in the prose of a procedure plainly mean steps of the chapter that they stand in.

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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from workbench.model.program import Playbook, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import step_title
from workbench.syntax.text import Span

Number = tuple[int, ...]

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
        for number, step in written_numbers(chapter.steps):
            found.setdefault(number, []).append(step)
        own = {number: steps[0] for number, steps in found.items() if len(steps) == 1}
        elsewhere = [each for each in snapshot.program.playbooks if each is not chapter]
        others = {number[0] for each in elsewhere for number, _step in written_numbers(each.steps)}
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


def written_numbers(steps: tuple[Step, ...], above: Number = ()) -> Iterator[tuple[Number, StepId]]:
    """The steps that have a number written before them, with those that they stand in."""
    items = [step for step in steps if step.item is not None and step.item.is_ordered]
    are_alike = len(items) > 1 and len({step.item.marker for step in items if step.item}) == 1
    for place, step in enumerate(items, 1):
        assert step.item is not None
        number = (*above, place if are_alike else int(step.item.marker[:-1]))
        yield number, step.id
        yield from written_numbers(step.children, number)
    for step in steps:
        if step.item is None and step.children:
            titled = next(iter(_titled(step.block)), None)
            yield from written_numbers(step.children, (*above, titled) if titled is not None else above)
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
