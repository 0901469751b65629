"""The document: the one place where text changes, with its file. No observers, no Qt."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from workbench.disk.atomic import remove_file
from workbench.editing.change import ChangeOrigin, DocumentChange
from workbench.editing.history import Entry, History, Typed
from workbench.editing.keeping.document_file import DocumentFile
from workbench.editing.keeping.journal_records import Edited, Recovery
from workbench.editing.keeping.merge import Conflict, merge
from workbench.editing.keeping.states import KeptState, read_state
from workbench.editing.keeping.storage import DiskState, disk_state
from workbench.editing.keeping.unsaved_journal import take_unsaved
from workbench.editing.undoable import First, Undoable
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)
_IDS_OF_A_ROOM = 1_000_000_000


class Document(Undoable):
    """An undoable text and its file.

    The text changes by commands and by what comes from the disk, both through the one write path of ``Undoable``:
    a change is planned, recorded in the journal, and only then seen by anyone. The file is read once, and written
    over only while it still holds what was read or saved last; where another program has changed it, both versions
    are merged over what they have in common, as one change that can be undone.

    What is in the text and not in the file is in the journal: of the file where there is one, else of the session.
    Opening takes up what an earlier session left: edits that are in the file can be undone, others are *recovery*.

    *conflicts*: what the last merge could not decide; both sides stand in the text.
    *recovery*: unsaved edits of a session that was cut off, to be taken over or given up.

    *instead_of*: the document that is shown no longer. No step has an id that one of its steps ever had, so that what
    somebody still knows of those is never taken for this document's. *room*: the same beside documents that stay open;
    each of those has the ids of a room of its own, from 0 on, and no document ever needs more than one.
    """

    def __init__(
        self,
        file: DocumentFile,
        clock: Callable[[], float] = time.monotonic,
        instead_of: Document | None = None,
        wanted: FileKind | None = None,
        room: int = 0,
    ) -> None:
        super().__init__(file.source, file.record, clock, First(_free_id(instead_of, room), wanted))
        self._file = file
        self._pending_file: Path | None = None
        self.conflicts: tuple[Conflict, ...] = ()
        self.recovery: Recovery | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        journal_dir: Path | None = None,
        instead_of: Document | None = None,
        wanted: FileKind | None = None,
        room: int = 0,
    ) -> Document:
        """The document in the file at *path*, read as *wanted*, else as its content says; raises CannotRead.

        *instead_of* is closed once the file has been read: it may hold the journal of the same file.
        """
        file = DocumentFile.open(path, journal_dir)
        document = cls(file, instead_of=instead_of, wanted=wanted, room=room)
        if instead_of is not None:
            instead_of.close()
        left = file.left()
        document.recovery, document._pending_file = left.pending, left.pending_file
        if left.saved is not None:
            document._history.restore(_entries(left.saved.base.text, left.saved.edits))
        return document

    @classmethod
    def from_text(
        cls, text: str, journal_dir: Path | None = None, instead_of: Document | None = None, room: int = 0
    ) -> Document:
        """A document with *text* that is in no file yet."""
        return cls(DocumentFile(None, SourceText(text), None, journal_dir), instead_of=instead_of, room=room)

    @classmethod
    def restore(cls, journal: Path, instead_of: Document | None = None, room: int = 0) -> Document:
        """The document that was never saved when its session was cut off; raises CannotRead.

        It goes on in the same *journal*, is as unsaved as it was, and can be undone to its beginning.
        """
        left, going_on = take_unsaved(journal)
        document = cls(DocumentFile.unsaved(left.base, going_on), instead_of=instead_of, room=room)
        document._history.restore(_entries(left.base.text, left.edits))
        document.snapshot = derive(left.base.with_text(left.text), _free_id(instead_of, room))
        return document

    @property
    def path(self) -> Path | None:
        """Where it is saved; None before the first time."""
        return self._file.path

    @property
    def is_dirty(self) -> bool:
        """True when the text differs from what was loaded or saved last."""
        return self.snapshot.text != self._file.source.text

    def save(self, path: Path | None = None) -> None:
        """Write the text to *path* (None: where it came from).

        Raises CannotSave, and ChangedOnDisk when another program changed the file; then
        nothing is lost, neither here nor there.
        """
        self._file.save(self.snapshot.source, path)
        self._history.end_burst()

    @property
    def trouble(self) -> str:
        """Why the text would not survive a crash at the moment; empty where it would."""
        return self._file.trouble

    def try_again(self) -> None:
        """Make the text safe from a crash where it was not and that is possible by now."""
        self._file.try_again()

    def check_disk(self) -> DiskState:
        """Whether the file still holds what was loaded or saved last."""
        if self.path is None or self._file.digest is None:
            return DiskState.SAME
        return disk_state(self.path, self._file.digest)

    def take_from_disk(self) -> DocumentChange | None:
        """Bring what changed in the file into the document, as one change that can be undone.

        Unsaved changes stay: both are merged. What cannot be merged stands in the text with
        both sides, and in ``conflicts``. None when the text is the same already.
        Raises CannotRead.
        """
        base, ours = self._file.source.text, self.snapshot.text
        theirs = self._file.reload(ours)
        merged = merge(base, ours, theirs.text)
        self.conflicts = merged.conflicts
        return self._replace_text(merged.text, ChangeOrigin.DISK, _("Reload from disk"), theirs)

    def restore_state(self, state: KeptState) -> DocumentChange | None:
        """Make the text what it was in *state*, as one change that can be undone; None when it is already.

        Saved, it is those bytes again. Raises CannotRead.
        """
        then = SourceText.decode(read_state(state))
        like = then.with_text(self.snapshot.text)
        return self._replace_text(then.text, ChangeOrigin.RECOVERY, _("Restore an earlier state"), like)

    def recover(self) -> DocumentChange | None:
        """Take over the unsaved edits of the session that was cut off; None when they are in the text already."""
        recovery = self.recovery
        if recovery is None:
            return None
        merged = merge(recovery.text_after(recovery.saved), self.snapshot.text, recovery.text)
        self.conflicts = merged.conflicts
        label, origin = _("Restore unsaved changes"), ChangeOrigin.RECOVERY
        change = self._replace_text(merged.text, origin, label, self.snapshot.source)
        self.discard_recovery()
        return change

    def discard_recovery(self) -> None:
        """Give up the unsaved edits of the session that was cut off; where they stay, they are offered again."""
        self.recovery = None
        if self._pending_file is not None:
            try:
                remove_file(self._pending_file)
            except OSError as error:
                log.warning("Could not remove %s: %s", self._pending_file.name, error)

    def close(self) -> None:
        """Give up what is unsaved. What was saved can still be undone when the file is opened again."""
        self._file.give_up()


def hand_over(document: Document) -> Path | None:
    """Leave what is unsaved of *document* to whoever opens it next, as a crash would; where it is kept. Raises OSError.

    Nothing is to be done to the document afterwards but to close it.
    """
    return document._file.hand_over()


def _free_id(before: Document | None, room: int) -> int:
    """The first number that no step of *before* ever had in its id, nor one of a document in another *room*."""
    return before.snapshot.names.next_id if before is not None else room * _IDS_OF_A_ROOM + 1


def _entries(text: str, edits: tuple[Edited, ...]) -> tuple[Entry, ...]:
    """The *edits* that an earlier session made to *text* as undo entries; typing in one place is joined."""
    history = History(clock=_standing_still)
    for edited in edits:
        entry = Entry(edited.label, edited.change.invert(text))
        if edited.is_typing:
            history.record_typing(entry, Typed(edited.change))
        else:
            history.record(entry)
        text = edited.change.apply(text)
    return history.entries


def _standing_still() -> float:
    return 0.0


def began_with(document: Document) -> str:
    """The text that *document* was loaded or saved with last; of one that was never saved, what it began with."""
    return document._file.source.text
