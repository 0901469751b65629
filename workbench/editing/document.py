"""The document: the one place where text changes. No observers, no Qt."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.editing import storage
from workbench.editing.change import DocumentChange, difference, ids_to_restore
from workbench.editing.chosen import topmost
from workbench.editing.commands import Command, EditText, MoveSteps, Place, Refusal
from workbench.editing.document_file import DocumentFile, Earlier
from workbench.editing.edit_journal import Recovery
from workbench.editing.history import Entry, History
from workbench.editing.merge import Conflict, line_change, merge
from workbench.editing.outcome import Plan
from workbench.editing.plan import plan, refusal_of
from workbench.editing.verbs.move import home_of
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, advance, derive
from workbench.syntax.text import SourceText, TextChange


class DiskState(enum.Enum):
    """How the file on disk compares with what was loaded or saved last."""

    SAME = enum.auto()
    CHANGED = enum.auto()
    MISSING = enum.auto()


class Document:
    """Text, history and file of one open document.

    *snapshot*: what it is now. *conflicts*: what the last merge with the disk could not
    decide; both sides stand in the text. *recovery*: unsaved edits of a session that was cut
    off, to be taken over or given up.
    """

    def __init__(self, file: DocumentFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._history = History(clock)
        self._returns: tuple[int, tuple[StepId, ...], Place] | None = None
        self._pending_file: Path | None = None
        self.snapshot: Snapshot = derive(file.source)
        self.conflicts: tuple[Conflict, ...] = ()
        self.recovery: Recovery | None = None

    @classmethod
    def open(cls, path: Path, journal_dir: Path | None = None) -> Document:
        """The document in the file at *path*; raises CannotRead."""
        file = DocumentFile.open(path, journal_dir)
        document = cls(file)
        document._take_over(file.earlier())
        return document

    @classmethod
    def from_text(cls, text: str, path: Path | None = None) -> Document:
        """A document with *text* that is in no file yet."""
        return cls(DocumentFile(path, SourceText(text), None, None))

    def _take_over(self, earlier: Earlier) -> None:
        self.recovery, self._pending_file = earlier.pending, earlier.pending_file
        if earlier.saved is not None:
            self._history.restore(_entries(earlier.saved))

    @property
    def path(self) -> Path | None:
        """Where it is saved; None before the first time."""
        return self._file.path

    @property
    def is_dirty(self) -> bool:
        """True when the text differs from what was loaded or saved last."""
        return self.snapshot.text != self._file.source.text

    @property
    def history(self) -> History:
        """What can be undone and redone."""
        return self._history

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

    def can(self, command: Command) -> Refusal | None:
        """Why *command* cannot be done now, or None."""
        return refusal_of(self.snapshot, command)

    def execute(self, command: Command, selection: tuple[StepId, ...] = ()) -> DocumentChange | Refusal:
        """Do *command*; undo will bring back *selection*. Without an effect, nothing is recorded."""
        planned = self._way_back(command) or plan(self.snapshot, command)
        if isinstance(planned, Refusal):
            return planned
        if planned.is_empty:
            return self._unchanged(selection)
        home = self._home(command)
        after = planned.after or advance(self.snapshot, planned.change, planned.carried)
        chosen = _selected(command, planned, after, selection)
        entry = self._inverse(planned.change, after, planned.label, (selection, chosen))
        change = self._become(after, planned.change, "edit", chosen, planned.label)
        if isinstance(command, EditText) and not command.label:
            self._history.record_typing(entry, planned.change)
        else:
            self._history.record(entry)
        self._returns = (after.revision, command.steps, home) if isinstance(command, MoveSteps) and home else None
        return change

    def _home(self, command: Command) -> Place | None:
        if not isinstance(command, MoveSteps):
            return None
        return home_of(self.snapshot, topmost(self.snapshot, command.steps))

    def _way_back(self, command: Command) -> Plan | None:
        """A plan for moving steps back to where the very last command took them from: the exact inverse.

        A move out of a list gives up how that list was spaced, so the text alone cannot tell.
        """
        latest = self._history.latest
        if not isinstance(command, MoveSteps) or self._returns is None or latest is None:
            return None
        if self._returns != (self.snapshot.revision, command.steps, command.place):
            return None
        return Plan(latest.change, latest.label, latest.carried)

    def undo(self) -> DocumentChange | None:
        """Take back the latest change; None when there is none."""
        entry = self._history.take_undo()
        if entry is None:
            return None
        change, inverse = self._go(entry, "undo")
        self._history.add_redo(inverse)
        return change

    def redo(self) -> DocumentChange | None:
        """Do again what was undone last; None when there is nothing."""
        entry = self._history.take_redo()
        if entry is None:
            return None
        change, inverse = self._go(entry, "redo")
        self._history.add_undo(inverse)
        return change

    def _go(self, entry: Entry, origin: str) -> tuple[DocumentChange, Entry]:
        after = advance(self.snapshot, entry.change, entry.carried)
        inverse = self._inverse(entry.change, after, entry.label, (entry.leaving, entry.selection))
        return self._become(after, entry.change, origin, entry.selection, entry.label), inverse

    def _inverse(
        self,
        change: TextChange,
        after: Snapshot,
        label: str,
        selections: tuple[tuple[StepId, ...], tuple[StepId, ...]],
    ) -> Entry:
        before = self.snapshot
        return Entry(label, change.invert(before.text), ids_to_restore(before, after), *selections)

    def _become(
        self, after: Snapshot, change: TextChange, origin: str, selection: tuple[StepId, ...], label: str
    ) -> DocumentChange:
        """Make *after* the present, and keep the change safe."""
        before, self.snapshot = self.snapshot, after
        self._returns = None
        self._file.record(change, label)
        there = tuple(step for step in selection if after.has(step))
        return DocumentChange(before, after, change, *difference(before, after), origin, there, label)

    def _unchanged(self, selection: tuple[StepId, ...]) -> DocumentChange:
        nothing: frozenset[StepId] = frozenset()
        return DocumentChange(
            self.snapshot, self.snapshot, TextChange(()), nothing, nothing, nothing, "edit", selection
        )

    def save(self, path: Path | None = None) -> None:
        """Write the text to *path* (None: where it came from).

        Raises CannotSave, and ChangedOnDisk when another program changed the file; then
        nothing is lost, neither here nor there.
        """
        self._file.save(self.snapshot.source, path)
        self._history.end_burst()

    def check_disk(self) -> DiskState:
        """Whether the file still holds what was loaded or saved last."""
        if self.path is None or self._file.digest is None:
            return DiskState.SAME
        found = storage.disk_digest(self.path)
        if found is None:
            return DiskState.MISSING
        return DiskState.SAME if found == self._file.digest else DiskState.CHANGED

    def take_from_disk(self) -> DocumentChange | None:
        """Bring what changed in the file into the document, as one change that can be undone.

        Unsaved changes stay: both are merged. What cannot be merged stands in the text with
        both sides, and in ``conflicts``. None when the text is the same already.
        Raises CannotRead.
        """
        base, ours = self._file.source.text, self.snapshot.text
        theirs = self._file.reload()
        merged = merge(base, ours, theirs.text)
        self.conflicts = merged.conflicts
        if self.is_dirty:
            self._file.record(line_change(theirs.text, ours), _("Unsaved changes"))
        return self._replace_text(merged.text, "disk", _("Take over changes from the disk"), theirs)

    def recover(self) -> DocumentChange | None:
        """Take over the unsaved edits of the session that was cut off; None when they are in the text already."""
        recovery = self.recovery
        if recovery is None:
            return None
        merged = merge(recovery.text_after(recovery.saved), self.snapshot.text, recovery.text)
        self.conflicts = merged.conflicts
        change = self._replace_text(merged.text, "recovery", _("Recover unsaved changes"), self.snapshot.source)
        self.discard_recovery()
        return change

    def discard_recovery(self) -> None:
        """Give up the unsaved edits of the session that was cut off."""
        self.recovery = None
        if self._pending_file is not None:
            self._pending_file.unlink(missing_ok=True)

    def _replace_text(self, text: str, origin: str, label: str, like: SourceText) -> DocumentChange | None:
        change = line_change(self.snapshot.text, text)
        if change.is_empty:
            return None
        after = advance(self.snapshot, change)
        if (like.bom, like.encoding) != (after.source.bom, after.source.encoding):
            after = replace(after, source=like.with_text(text))
        self._history.record(self._inverse(change, after, label, ((), ())))
        return self._become(after, change, origin, (), label)

    def close(self) -> None:
        """Give up what is unsaved. What was saved can still be undone when the file is opened again."""
        if self.is_dirty:
            self._file.forget()


def _selected(
    command: Command, planned: Plan, after: Snapshot, selection: tuple[StepId, ...]
) -> tuple[StepId, ...]:
    """What is to be selected after *command*: what it made or moved."""
    if planned.heads:
        found = (after.step_at(head) for head in planned.heads)
        return tuple(step for step in found if step is not None)
    return tuple(step for step in selection if after.has(step))


def _entries(earlier: Recovery) -> Sequence[Entry]:
    """The saved edits of an earlier session as undo entries; typing that goes on in one place is joined."""
    history = History(clock=lambda: 0.0)
    text = earlier.base.text
    for edited in earlier.edits[: earlier.saved]:
        entry = Entry(edited.label, edited.change.invert(text))
        if edited.label == _("Typing"):
            history.record_typing(entry, edited.change)
        else:
            history.record(entry)
        text = edited.change.apply(text)
    return history.entries
