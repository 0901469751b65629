"""A text that changes by commands only, and can be taken back step by step. No file, no observers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.editing.change import ChangeOrigin, DocumentChange, difference, fresh_ids, ids_to_restore
from workbench.editing.commands import Command, EditText, MoveSteps, Place, Refusal
from workbench.editing.edit_plan import EditPlan
from workbench.editing.geometry.siblings import topmost
from workbench.editing.history import Entry, History, Typed
from workbench.editing.keeping.journal_records import Edited
from workbench.editing.keeping.merge import line_change
from workbench.editing.plan import plan, refusal_of
from workbench.editing.verbs.move import home_of
from workbench.model.derivers import Chapters
from workbench.model.incremental.advancing import advance
from workbench.model.kinds import FileKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange
from workbench.syntax.text import SourceText

Selections = tuple[tuple[StepId, ...], tuple[StepId, ...]]
Recorder = Callable[[Edited], None]


@dataclass(frozen=True, slots=True)
class _Departure:
    """Where the very last command moved *steps* from. *revision*: right after it."""

    revision: int
    steps: tuple[StepId, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class First:
    """How the first snapshot is made. *first_id*: the first free number. *wanted*: the kind that was chosen."""

    first_id: int = 1
    wanted: FileKind | None = None


_FIRST = First()


class Undoable:
    """The one write path: *snapshot* is what the text is now; *record* hears of every change before anyone else."""

    def __init__(
        self, source: SourceText, record: Recorder, clock: Callable[[], float] = time.monotonic, first: First = _FIRST
    ) -> None:
        self.snapshot: Snapshot = derive(source, first.first_id, first.wanted)
        self._record = record
        self._history = History(clock)
        self._departure: _Departure | None = None

    @property
    def can_undo(self) -> bool:
        """True when there is something to take back."""
        return bool(self._history.undo_label)

    @property
    def can_redo(self) -> bool:
        """True when there is something to do again."""
        return bool(self._history.redo_label)

    @property
    def undo_label(self) -> str:
        """What undo takes back."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo does again."""
        return self._history.redo_label

    def read_as(self, wanted: FileKind | None, chapters: Chapters = ()) -> None:
        """Read the text as a file of the kind *wanted* from now on; None: as its content says. No step keeps its id.

        *chapters*: which chapters of a procedure are carried out, as the person says.
        """
        before = self.snapshot
        after = derive(before.source, before.names.next_id, wanted, chapters)
        self.snapshot = replace(after, revision=before.revision + 1)
        self._departure = None

    def can(self, command: Command) -> Refusal | None:
        """Why *command* cannot be done now, or None."""
        return refusal_of(self.snapshot, command)

    def execute(self, command: Command, selection: tuple[StepId, ...] = ()) -> DocumentChange | Refusal:
        """Do *command*; undo will bring back *selection*. Without an effect, nothing is recorded."""
        planned = self._way_back(command) or plan(self.snapshot, command)
        if isinstance(planned, Refusal):
            return planned
        if planned.is_empty:
            return _unchanged(self.snapshot, selection)
        departure = _departure_of(self.snapshot, command)
        after = planned.after or advance(self.snapshot, planned.change, planned.carried)
        if after.text == self.snapshot.text:
            return _unchanged(self.snapshot, selection)
        chosen = _selected(planned, after, selection)
        entry = self._inverse(planned.change, after, planned.label, (selection, chosen))
        is_typing = isinstance(command, EditText) and not command.label
        if is_typing:
            self._history.record_typing(entry, Typed(planned.change, fresh_ids(after)))
        else:
            self._history.record(entry)
        self._record(Edited(planned.change, planned.label, is_typing))
        origin = ChangeOrigin.TYPING if is_typing else ChangeOrigin.EDIT
        change = self._become(after, planned.change, origin, chosen, planned.label)
        self._departure = departure
        return replace(change, reference_fixes=planned.reference_fixes, lost_references=planned.lost_references)

    def _way_back(self, command: Command) -> EditPlan | None:
        """A plan for moving steps back to where the very last command took them from: the exact inverse.

        A move out of a list gives up how that list was spaced, so the text alone cannot tell.
        """
        latest = self._history.latest
        if not isinstance(command, MoveSteps) or latest is None or self._departure is None:
            return None
        if self._departure != _Departure(self.snapshot.revision, command.steps, command.place):
            return None
        return EditPlan(latest.change, latest.label, latest.carried)

    def undo(self) -> DocumentChange | None:
        """Take back the latest change; None when there is none."""
        entry = self._history.take_undo()
        if entry is None:
            return None
        change, inverse = self._go(entry, ChangeOrigin.UNDO)
        self._history.add_redo(inverse)
        return change

    def redo(self) -> DocumentChange | None:
        """Do again what was undone last; None when there is nothing."""
        entry = self._history.take_redo()
        if entry is None:
            return None
        change, inverse = self._go(entry, ChangeOrigin.REDO)
        self._history.add_undo(inverse)
        return change

    def _go(self, entry: Entry, origin: ChangeOrigin) -> tuple[DocumentChange, Entry]:
        after = advance(self.snapshot, entry.change, entry.carried)
        inverse = self._inverse(entry.change, after, entry.label, (entry.leaving, entry.selection))
        self._record(Edited(entry.change, entry.label))
        return self._become(after, entry.change, origin, entry.selection, entry.label), inverse

    def _replace_text(self, text: str, origin: ChangeOrigin, label: str, like: SourceText) -> DocumentChange | None:
        """Make *text* the text by the smallest change in lines; None when it is already.

        *like*: what the journal leads to, in the encoding that the text is to have.
        """
        if text != like.text:
            self._record(Edited(line_change(like.text, text), label))
        change = line_change(self.snapshot.text, text)
        if change.is_empty:
            return None
        after = advance(self.snapshot, change)
        if (like.bom, like.encoding) != (after.source.bom, after.source.encoding):
            after = replace(after, source=like.with_text(text))
        self._history.record(self._inverse(change, after, label, ((), ())))
        return self._become(after, change, origin, (), label)

    def _inverse(self, change: TextChange, after: Snapshot, label: str, selections: Selections) -> Entry:
        before = self.snapshot
        return Entry(label, change.invert(before.text), ids_to_restore(before, after), *selections)

    def _become(
        self, after: Snapshot, change: TextChange, origin: ChangeOrigin, selection: tuple[StepId, ...], label: str
    ) -> DocumentChange:
        """Make *after* the present."""
        before, self.snapshot = self.snapshot, after
        self._departure = None
        there = tuple(step for step in selection if after.has(step))
        return DocumentChange(before, after, change, *difference(before, after), origin, there, label)


def _departure_of(snapshot: Snapshot, command: Command) -> _Departure | None:
    """Where *command* takes steps from, if it moves neighbours out of one place."""
    if not isinstance(command, MoveSteps) or snapshot.program.format.is_steplist:
        return None
    home = home_of(snapshot, topmost(snapshot, command.steps))
    return _Departure(snapshot.revision + 1, command.steps, home) if home else None


def _unchanged(snapshot: Snapshot, selection: tuple[StepId, ...]) -> DocumentChange:
    nothing: frozenset[StepId] = frozenset()
    return DocumentChange(snapshot, snapshot, TextChange(()), nothing, nothing, nothing, ChangeOrigin.EDIT, selection)


def _selected(planned: EditPlan, after: Snapshot, selection: tuple[StepId, ...]) -> tuple[StepId, ...]:
    """What is to be selected after a command: what it made or moved, else what was."""
    if planned.heads:
        found = (after.step_at(head) for head in planned.heads)
        return tuple(step for step in found if step is not None)
    return tuple(step for step in selection if after.has(step))
