"""The chapters of a procedure as they were before an edit: most edits leave all but one of them as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.model.program import PlacedPlaybook, Playbook, Step, StepId, Structure
from workbench.syntax.blocks import Block


@dataclass(frozen=True, slots=True)
class Earlier:
    """What *blocks* with *ids* meant. *chapters*: those that a heading begins, by it."""

    blocks: Sequence[Block]
    ids: Sequence[tuple[StepId, ...]]
    structure: Structure
    chapters: Mapping[Block, PlacedPlaybook]

    @property
    def is_generous(self) -> bool:
        """True where lists were done because nothing else was."""
        return self.structure.is_generous

    def chapter(
        self, blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]]
    ) -> tuple[Playbook, Sequence[Step | None]] | None:
        """The chapter that stood in *blocks* with *ids*, and what each of them meant; None where it was another."""
        placed = self.chapters.get(blocks[0])
        if placed is None:
            return None
        part = slice(placed.start, placed.stop)
        if self.blocks[part] != blocks or self.ids[part] != tuple(ids):
            return None
        return placed.playbook, self.structure.roots[part]


def earlier_of(blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]], structure: Structure) -> Earlier:
    """What can be taken again of *structure*, which is what *blocks* with *ids* mean."""
    chapters = {
        blocks[placed.start]: placed
        for placed in structure.placed
        if not placed.playbook.is_implied and placed.start < placed.stop
    }
    return Earlier(blocks, ids, structure, chapters)
