"""The file behind a document: what was read from it, and the journal of what is not in it yet."""

from __future__ import annotations

import logging
from pathlib import Path

from workbench.disk.files import Kind, absolute, is_there, look_at
from workbench.editing.keeping import storage
from workbench.editing.keeping.edit_journal import EditJournal, Left, look_for_left
from workbench.editing.keeping.journal_records import Edited
from workbench.editing.keeping.states import Reason, has_state, keep_state, move_states, states_beside
from workbench.editing.keeping.unsaved_journal import UnsavedJournal
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.syntax.comparing.lines import line_change
from workbench.syntax.text import SourceText

log = logging.getLogger(__name__)


class DocumentFile:
    """Path, last known content and journal of one document. *path* is None before the first save."""

    def __init__(self, path: Path | None, source: SourceText, digest: str | None, journal_dir: Path | None) -> None:
        self.path = path
        self.source = source
        self.digest = digest
        self._journal_dir = journal_dir
        self._states_dir = states_beside(journal_dir) if journal_dir is not None else None
        self._journal: EditJournal | UnsavedJournal | None = self._new_journal()

    @classmethod
    def open(cls, path: Path, journal_dir: Path | None) -> DocumentFile:
        """The file at *path*; raises CannotRead."""
        loaded = storage.load(path)
        return cls(path, loaded.source, loaded.digest, journal_dir)

    @classmethod
    def unsaved(cls, source: SourceText, journal: UnsavedJournal) -> DocumentFile:
        """No file yet; *journal* goes on."""
        file = cls(None, source, None, None)
        file._journal_dir, file._journal = journal.directory, journal
        file._states_dir = states_beside(journal.directory)
        return file

    def _new_journal(self) -> EditJournal | UnsavedJournal | None:
        if self._journal_dir is None:
            return None
        if self.path is None or self.digest is None:
            return UnsavedJournal(self._journal_dir, self.source)
        return EditJournal(self._journal_dir, self.path, self.source, self.digest)

    def left(self) -> Left:
        """What earlier sessions left: edits that are in the file by now, and unsaved ones to be offered."""
        if not isinstance(self._journal, EditJournal) or self._journal_dir is None or self.path is None:
            return Left()
        left = look_for_left(self._journal_dir, self.path, self.source)
        if left.saved is not None:
            self._journal.go_on_in(left.saved)
        return left

    def record(self, edited: Edited) -> None:
        """Keep a change safe from a crash."""
        if self._journal is not None:
            self._journal.append(edited)

    @property
    def trouble(self) -> str:
        """Why changes are not safe from a crash at the moment; empty while they are, or need not be."""
        return self._journal.trouble if self._journal is not None else ""

    def try_again(self) -> None:
        """Keep the changes safe that could not be, where that is possible by now."""
        if self._journal is not None and self._journal.trouble:
            self._journal.try_again()

    def save(self, source: SourceText, path: Path | None) -> None:
        """Write *source* to *path* (None: where it came from); raises CannotSave and ChangedOnDisk."""
        target = path or self.path
        if target is None:
            raise CannotSave(_("This document has no file yet. Choose a file name to save it."))
        is_same = self.path is not None and absolute(target) == absolute(self.path)
        expected = self.digest if is_same else _present(target)
        self._keep_found(target)
        data = source.encode()
        self.digest = storage.save(target, data, expected)
        self.source = source
        if self._states_dir is not None:
            keep_state(self._states_dir, target, data, Reason.SAVED)
        if not is_same:
            earlier, self.path = self._journal, target
            self._journal = self._new_journal()
            if earlier is not None and isinstance(self._journal, EditJournal):
                self._journal.take_over(earlier, source, self.digest)
                earlier.remove()
        elif isinstance(self._journal, EditJournal):
            self._journal.mark_saved(source, self.digest)

    def _keep_found(self, target: Path) -> None:
        """Keep what *target* holds before it is written over, unless it is a state that was kept already.

        A file that has another name by now brings its states along.
        """
        if self._states_dir is None:
            return
        if self.path is not None and absolute(target) != absolute(self.path) and not is_there(self.path):
            move_states(self._states_dir, self.path, target)
        if look_at(target).kind is not Kind.FILE:
            return
        try:
            data = storage.load(target).data
        except CannotRead:
            return  # saving says why
        if not has_state(self._states_dir, target, data):
            keep_state(self._states_dir, target, data, Reason.FOUND)

    def reload(self, text: str) -> SourceText:
        """What the file holds now, taken as the state that a save may replace; raises CannotRead.

        *text*: what the document holds. The journal leads from there to what is in the file now.
        """
        assert self.path is not None
        loaded = storage.load(self.path)
        self.source, self.digest = loaded.source, loaded.digest
        if self._states_dir is not None:
            keep_state(self._states_dir, self.path, loaded.data, Reason.OUTSIDE)
        if isinstance(self._journal, EditJournal):
            self._journal.follow(line_change(text, loaded.source.text), loaded.source, loaded.digest)
        return loaded.source

    def give_up(self) -> None:
        """Forget what is in no file; what is in this one can still be undone by whoever opens it next."""
        if isinstance(self._journal, EditJournal):
            self._journal.give_up()
        else:
            self.forget()

    def hand_over(self) -> Path | None:
        """Leave what is in no file to whoever opens the document next; None where nothing is kept. Raises OSError."""
        return self._journal.hand_over() if self._journal is not None else None

    def forget(self) -> None:
        """Remove the journal: what it holds was given up or stands elsewhere."""
        if self._journal is not None:
            self._journal.remove()


def _present(target: Path) -> str | None:
    """What stands at *target* now, which the person wants to be written over. Raises CannotSave."""
    try:
        return storage.disk_digest(target)
    except CannotRead as error:
        raise CannotSave(_("Could not save “{name}”. {reason}").format(name=target.name, reason=error)) from error
