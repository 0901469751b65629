"""Where everything stands: from step ids to spans, lines, numbers, addresses, and back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count, repeat
from typing import TYPE_CHECKING

from workbench.model.meaning import StepKind
from workbench.model.program import (
    PlacedPlaybook,
    Playbook,
    Program,
    Section,
    SectionKind,
    Step,
    StepId,
    Structure,
)
from workbench.model.sentences.step_mentions import LONGEST_NUMBER
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.lines import title_span
from workbench.syntax.text import LineIndex, SourceText, Span

if TYPE_CHECKING:
    from workbench.model.markdown.step_counts import Counted

_FEW = 32
"""How many steps in one block are walked through rather than looked up."""
_PREFIXES = {SectionKind.TRIGGERS: "T", SectionKind.NOTES: "N"}


@dataclass(frozen=True, eq=False)
class Queries:
    """One revision of a document, with every question about positions answered.

    Steps hold no absolute position, or else typing in the first line would make all of them
    new. A step is found by two look-ups, id → block (*where*) and block → offset
    (*block_starts*, with the length of the text as a last element), and its own spans are added
    to that. So everything here is in code points of the whole text.

    There are two ways to name a step: its id, which survives edits and means nothing to a
    person, and its address (``Main:02.01``), which a person reads in the text and any edit
    above may change. *block_ids*: per block the ids of its steps in the order of
    ``ItemNode.walk``.

    What takes a ``StepId`` raises KeyError where this revision has no such step (``find``, ``has``
    and what takes an address or an offset answer None or False instead).
    """

    revision: int
    source: SourceText
    blocks: Sequence[Block]
    block_starts: Sequence[int]
    block_ids: tuple[tuple[StepId, ...], ...]
    structure: Structure
    where: Mapping[StepId, int]

    @property
    def roots(self) -> tuple[Step | None, ...]:
        """Per block the step that it means, None where it is not drawn."""
        return self.structure.roots

    @property
    def text(self) -> str:
        """The whole text."""
        return self.source.text

    @property
    def program(self) -> Program:
        """What the text means."""
        return self.structure.program

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets ⇄ lines of the text."""
        return LineIndex.of(self.text)

    def find(self, step_id: StepId) -> Step | None:
        """The step with *step_id*, or None where it is not (or not drawn) in this revision."""
        index = self.where.get(step_id)
        root = self.roots[index] if index is not None else None
        if root is None or root.id == step_id:
            return root
        found = self._lineage(root, step_id)
        return found[-1] if found else None

    def has(self, step_id: StepId) -> bool:
        """True when the step is in this revision."""
        return self.find(step_id) is not None

    def step(self, step_id: StepId) -> Step:
        """The step with *step_id*. Raises KeyError where there is none."""
        step = self.find(step_id)
        if step is None:
            raise KeyError(step_id)
        return step

    def root(self, step_id: StepId) -> Step:
        """The top-level step that *step_id* is or stands in. Raises KeyError where there is none."""
        root = self._block_root(step_id)
        above = self._above.get(root.id) if self._above else None
        return above[0] if above else root

    def _block_root(self, step_id: StepId) -> Step:
        root = self.roots[self.where[step_id]]
        if root is None:
            raise KeyError(step_id)
        return root

    @cached_property
    def _above(self) -> Mapping[StepId, tuple[Step, ...]]:
        """The steps over several blocks above each step that stands in one, from the top-level one down."""
        found: dict[StepId, tuple[Step, ...]] = {}
        for playbook in self.program.playbooks:
            for root in playbook.steps if playbook.is_chapter else ():
                if root.children and root.is_spread:
                    found.update(_lines_below(root))
        return found

    def lineage(self, step_id: StepId) -> tuple[Step, ...]:
        """The steps from the top-level one down to *step_id*. Raises KeyError where there is none."""
        root = self._block_root(step_id)
        found = self._lineage(root, step_id)
        if not found:
            raise KeyError(step_id)
        return (*self._above.get(root.id, ()), *found) if self._above else found

    def _lineage(self, root: Step, step_id: StepId) -> tuple[Step, ...]:
        if len(self.block_ids[self.where[step_id]]) > _FEW:
            return _lineages(root).get(step_id, ())
        return _lineage(root, step_id)

    def parent(self, step_id: StepId) -> Step | None:
        """The step that *step_id* is nested in, or None at top level."""
        lineage = self.lineage(step_id)
        return lineage[-2] if len(lineage) > 1 else None

    def placed_playbook(self, step_id: StepId) -> PlacedPlaybook:
        """The playbook that *step_id* stands in, with its range of blocks. Raises KeyError where it is in none."""
        index = self.where[step_id]
        placed = self.placed_at_block(index)
        if placed is None:
            raise KeyError(step_id)
        return placed

    def placed_at_block(self, index: int) -> PlacedPlaybook | None:
        """The playbook that takes the block *index*, or None between playbooks."""
        for placed in self.structure.placed:
            if placed.start <= index < placed.stop:
                return placed
        return None

    def placed_named(self, address: str) -> PlacedPlaybook | None:
        """The playbook with *address*, with its range of blocks."""
        found = self.program.addressed(address) if "." in address else None
        wanted = found.address if found is not None else address
        return next((placed for placed in self.structure.placed if placed.playbook.address == wanted), None)

    def playbook_of(self, step_id: StepId) -> Playbook:
        """The playbook that *step_id* stands in."""
        return self.placed_playbook(step_id).playbook

    def section_of(self, step_id: StepId) -> Section:
        """The section that *step_id* stands in. Raises KeyError where there is none."""
        root, sections = self.root(step_id), self.playbook_of(step_id).sections
        return next(each for each in sections if root in each.steps)  # in C: no list of all places for one of them

    def siblings(self, step_id: StepId) -> tuple[Step, ...]:
        """The steps of the same list, the step itself included."""
        parent = self.parent(step_id)
        if parent is not None:
            return parent.children
        section = self.section_of(step_id)
        playbook = self.playbook_of(step_id)
        return playbook.steps if section.kind is SectionKind.STEPS else section.steps

    @cached_property
    def _top_places(self) -> dict[StepId, tuple[Section, int]]:
        """The section of every top-level step, and its place in the list, from 1; 0 where it has no number."""
        places: dict[StepId, tuple[Section, int]] = {}
        for placed in self.structure.placed:
            counts: dict[SectionKind, int] = {}
            for section in placed.playbook.sections:
                first = counts.get(section.kind, 0) + 1
                numbered = [step.id for step in section.steps if step.kind is not StepKind.RAW]
                if len(numbered) < len(section.steps):
                    places.update(dict.fromkeys([step.id for step in section.steps], (section, 0)))
                places.update(zip(numbered, zip(repeat(section), count(first), strict=False), strict=False))
                counts[section.kind] = first + len(numbered) - 1
        return places

    def _first_part(self, root: Step) -> str:
        """The number of the top-level step *root*, empty for a raw block."""
        section, ordinal = self._top_places[root.id]
        if not ordinal:
            return ""
        prefix = _PREFIXES.get(section.kind)
        return f"{prefix}{ordinal}" if prefix else f"{ordinal:02d}"

    def number(self, step_id: StepId) -> str:
        """``02.01``; ``T1`` for a trigger, ``N1`` for a note, empty for a raw block."""
        lineage = self.lineage(step_id)
        first = self._first_part(lineage[0])
        if lineage[-1].kind is StepKind.RAW:
            return ""
        rest = [f"{above.numbered.index(step) + 1:02d}" for above, step in zip(lineage, lineage[1:], strict=False)]
        return ".".join([first, *rest])

    def address(self, step_id: StepId) -> str:
        """``Main:02.01``: what events, logs and the command line use."""
        return f"{self.playbook_of(step_id).address}:{self.number(step_id)}"

    @cached_property
    def counted(self) -> Mapping[StepId, Counted]:
        """For each step of a chapter, how its list is counted."""
        from workbench.model.markdown.step_counts import counted_steps  # noqa: PLC0415 - no program has chapters

        return counted_steps(self.program)

    def at_address(self, address: str) -> Step | None:
        """The step at ``Main:02.01``, or None."""
        name, _, number = address.rpartition(":")
        placed = self.placed_named(name)
        if placed is None or not number:
            return None
        first, *rest = number.split(".")
        wanted = first.zfill(2) if first.isdecimal() else first.upper()
        step = self._roots_by_number.get((placed.playbook.address, wanted))
        for part in rest:
            place = int(part) if part.isdecimal() and len(part) <= LONGEST_NUMBER else 0
            if step is None or not 0 < place <= len(step.numbered):
                return None
            step = step.numbered[place - 1]
        return step

    @cached_property
    def _roots_by_number(self) -> dict[tuple[str, str], Step]:
        """The top-level steps by playbook and number."""
        found: dict[tuple[str, str], Step] = {}
        for placed in self.structure.placed:
            for section in placed.playbook.sections:
                for step in section.steps:
                    found.setdefault((placed.playbook.address, self._first_part(step)), step)
        return found

    def marker(self, step: Step) -> str:
        """What stands before the words of *step*: ``-``, ``12.``; empty where it is no list item.

        Ask here and not the step: a number says nothing of its step, which stays what it is where only that changes.
        """
        return step.item.marker(self.blocks[self.where[step.id]].text) if step.item is not None else ""

    def block_start(self, step_id: StepId) -> int:
        """Where the block starts that the step stands in."""
        return self.block_starts[self.where[step_id]]

    def owned_span(self, step_id: StepId) -> Span:
        """The whole lines that move with the step: the comments directly above, its words, its children."""
        step = self.step(step_id)
        if step.is_spread:
            return self._spread_span(step)
        inner = step.item.owned if step.item else Span(0, len(step.block.text))
        return inner.shifted(self.block_start(step_id))

    def _spread_span(self, step: Step) -> Span:
        """The blocks of *step*, without blank lines at their end."""
        first = self.where[step.id]
        last = first + step.blocks
        while last > first + 1 and self.blocks[last - 1].kind is BlockKind.BLANK:
            last -= 1
        return Span(self.block_starts[first], self.block_starts[last])

    def head_span(self, step_id: StepId) -> Span:
        """The words on the step's first line, without marker and trailing comment."""
        step = self.step(step_id)
        inner = step.item.head if step.item else _words_of(step)
        return inner.shifted(self.block_start(step_id))

    def text_span(self, step_id: StepId) -> Span:
        """All the step's own words, continuation lines included."""
        step = self.step(step_id)
        if step.is_spread and step.kind is StepKind.RAW:
            return self._spread_span(step)
        inner = step.item.text if step.item else _words_of(step)
        return inner.shifted(self.block_start(step_id))

    def line(self, step_id: StepId) -> int:
        """The 1-based line that the step's words begin on."""
        return self.lines.line(self.head_span(step_id).start) + 1

    def block_index_at(self, offset: int) -> int:
        """The block that holds *offset*; the last one at the end of the text, -1 in an empty text."""
        return min(bisect_right(self.block_starts, offset) - 1, len(self.blocks) - 1)

    def step_at(self, offset: int) -> StepId | None:
        """The innermost step whose lines cover *offset*."""
        index = self.block_index_at(offset)
        step = self.roots[index] if index >= 0 else None
        if step is None:
            return self._spread_at(index)
        inner = offset - self.block_starts[index]
        while (deeper := step.child_at(inner)) is not None:
            step = deeper
        return step.id

    def _spread_at(self, index: int) -> StepId | None:
        """The innermost step over several blocks that takes the block *index*."""
        placed = self.placed_at_block(index)
        if placed is None or not placed.playbook.is_chapter:
            return None
        for at in range(index - 1, placed.start, -1):
            step = self.roots[at]
            if step is not None and at + step.blocks > index:
                return step.id
        return None

    def steps_within(self, span: Span) -> tuple[StepId, ...]:
        """The steps whose words begin in *span*, in source order."""
        if not self.blocks:
            return ()
        found: list[StepId] = []
        for index in range(max(0, self.block_index_at(span.start)), len(self.blocks)):
            start = self.block_starts[index]
            if start >= span.end:
                break
            if self.roots[index] is not None:
                found += [one for one, head in self.heads_in_block(index) if span.start <= head < span.end]
        return tuple(found)

    def heads_in_block(self, index: int) -> Iterator[tuple[StepId, int]]:
        """Ids of a block and the absolute offsets of their words, in source order."""
        return heads_of(self.blocks[index], self.block_ids[index], self.block_starts[index])

    def playbook_span(self, address: str) -> Span:
        """From the heading of the playbook with *address* to the end of its last block. Raises KeyError for no such."""
        placed = self.placed_named(address)
        if placed is None:
            raise KeyError(address)
        return Span(self.block_starts[placed.start], self.block_starts[placed.stop])


def heads_of(block: Block, ids: Sequence[StepId], start: int) -> Iterator[tuple[StepId, int]]:
    """The ids of *block* (at *start*) with the offsets where their words begin."""
    if block.item is not None:
        for step_id, item in zip(ids, block.item.walk(), strict=True):
            yield step_id, start + item.content_start
    elif ids:
        yield ids[0], start


def _words_of(step: Step) -> Span:
    """The words of a step that is no list item."""
    if step.block.kind is BlockKind.HEADING and step.kind is not StepKind.RAW:
        return title_span(step.block) or Span(0, len(step.block.text))
    return Span(0, len(step.block.text))


@lru_cache(maxsize=16_384)
def _lines_below(root: Step) -> Mapping[StepId, tuple[Step, ...]]:
    """The steps over several blocks above each one below *root*; kept, as an edit leaves most headings alone."""
    found: dict[StepId, tuple[Step, ...]] = {}
    _look_below(root, (root,), found)
    return found


def _look_below(step: Step, line: tuple[Step, ...], found: dict[StepId, tuple[Step, ...]]) -> None:
    if step.is_spread:
        for child in step.children:
            found[child.id] = line
            _look_below(child, (*line, child), found)


@lru_cache(maxsize=8)
def _lineages(root: Step) -> Mapping[StepId, tuple[Step, ...]]:
    """The way from *root* down to each step below it; kept for a few large ones, as commands ask for all of it."""
    found: dict[StepId, tuple[Step, ...]] = {root.id: (root,)}
    for step in root.walk():
        for child in step.children:
            found[child.id] = (*found[step.id], child)
    return found


def _lineage(step: Step, step_id: StepId) -> tuple[Step, ...]:
    if step.id == step_id:
        return (step,)
    for child in step.children:
        below = _lineage(child, step_id)
        if below:
            return (step, *below)
    return ()
