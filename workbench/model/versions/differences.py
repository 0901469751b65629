"""What differs between two versions of a playbook: its parts, its steps, and the lines of its text.

``comparing.compare_versions`` finds them. What is told of steps and parts says what a reader wants to know; the *hunks*
are exact: made all together they lead from the old text to the new one, and each can be made or taken back by itself.
Every difference of a step belongs to at least one of them.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from workbench.model.program import Agent, Playbook, Program, Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.comparing.words import Piece, pieces_of
from workbench.syntax.text import Span


class Fate(enum.Enum):
    """What became of a step or a part. *MOVED*: it stands in another one now; *REORDERED*: elsewhere in the same."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    REORDERED = "reordered"


class About(enum.Enum):
    """What of a step or a part differs."""

    TITLE = "title"
    DESCRIPTION = "description"
    METADATA = "metadata"
    MODE = "mode"
    ORDER = "order"
    CARRIED_OUT = "carried_out"
    KIND = "kind"
    PYTHON = "python"
    TICKED = "ticked"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What differs. *name*: which key of the metadata, or which field; None where it is not there."""

    about: About
    name: str
    was: object
    now: object


@dataclass(frozen=True, slots=True)
class Standing:
    """A step in one of the texts. *line*: from 1; *parent*: the address of what it stands in; *text*: its words."""

    step: Step
    address: str
    line: int
    parent: str
    text: str


Fates: TypeAlias = frozenset[Fate]


@dataclass(frozen=True, slots=True)
class StepChange:
    """A step that is not what it was, or not where it was; *old* or *new* is None where it is not there."""

    fates: Fates
    old: Standing | None
    new: Standing | None
    fields: tuple[FieldChange, ...] = ()

    @property
    def standing(self) -> Standing:
        """Where it is; where it was if it is gone."""
        standing = self.new or self.old
        assert standing is not None
        return standing

    @property
    def words(self) -> tuple[Piece, ...]:
        """Its words, piece by piece."""
        return pieces_of(self.old.text if self.old else "", self.new.text if self.new else "")


Part: TypeAlias = Program | Agent | Playbook


@dataclass(frozen=True, slots=True)
class PartChange:
    """The file as a whole, an agent or a playbook that is not what it was. *lines*: of its headings, 0 without one."""

    fates: Fates
    old: Part | None
    new: Part | None
    fields: tuple[FieldChange, ...] = ()
    lines: tuple[int, int] = (0, 0)

    @property
    def part(self) -> Part:
        """What it is; what it was if it is gone."""
        part = self.new or self.old
        assert part is not None
        return part


class HunkKind(enum.Enum):
    """What a hunk is about: LAYOUT changes no word; TEXT is around the steps."""

    STEPS = "steps"
    TEXT = "text"
    LAYOUT = "layout"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Whole lines that differ: *old* in the old text, *new* in the new one, either may be empty.

    *lines*: the first line in both, from 1. *steps*: which changes of steps are in it, by their places.
    """

    old: Span
    new: Span
    was: str
    now: str
    lines: tuple[int, int]
    kind: HunkKind
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Differences:
    """All that differs between the snapshots *old* and *new*, each in the order of the text."""

    old: Snapshot
    new: Snapshot
    parts: tuple[PartChange, ...]
    steps: tuple[StepChange, ...]
    hunks: tuple[Hunk, ...]

    @property
    def is_same(self) -> bool:
        """Whether the texts are the same."""
        return not self.hunks

    @property
    def is_only_layout(self) -> bool:
        """Whether nothing differs but blanks and numbering, so that both mean the same."""
        is_layout = bool(self.hunks) and all(hunk.kind is HunkKind.LAYOUT for hunk in self.hunks)
        return is_layout and not self.parts and not self.steps

    @cached_property
    def change(self) -> TextChange:
        """What makes the new text of the old one."""
        return self.accepting(self.hunks)

    def accepting(self, hunks: Iterable[Hunk]) -> TextChange:
        """What makes only *hunks* in the old text."""
        return TextChange(tuple(TextEdit(hunk.old, hunk.now) for hunk in _in_order(hunks)))

    def taking_back(self, hunks: Iterable[Hunk]) -> TextChange:
        """What takes only *hunks* back in the new text."""
        return TextChange(tuple(TextEdit(hunk.new, hunk.was) for hunk in _in_order(hunks)))


def _in_order(hunks: Iterable[Hunk]) -> list[Hunk]:
    """*hunks* in the order of the text, also where lines of several went from one place."""
    return sorted(hunks, key=lambda hunk: (hunk.old.start, hunk.new.start))
