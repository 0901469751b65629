"""The document of the window: every change goes through here, and every view hears of it once."""

from __future__ import annotations

import dataclasses
import itertools
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import Command, Refusal
from workbench.editing.document import Document
from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.background import LaterTurns
from workbench.gui.control.file_watch import FileWatch
from workbench.model.derivers import Chapters
from workbench.model.kinds import FileKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

log = logging.getLogger(__name__)
ReadingOf = Callable[[Path], tuple[FileKind | None, Chapters]]
"""What the person has said that a file is, and which of its chapters are carried out."""


@dataclass(frozen=True, slots=True)
class FileState:
    """How the document stands to its file. *path* is None for one that was never saved.

    *is_open*: false while the welcome page shows. *is_dirty*: also while a field holds words that were not applied.
    *disk*: CHANGED only while both sides changed. *trouble*: why the text would not survive a crash now, if so.
    """

    is_open: bool = False
    path: Path | None = None
    is_dirty: bool = False
    disk: DiskState = DiskState.SAME
    trouble: str = ""


class Viewer(Protocol):
    """Somebody who looks at a document in a way of his own: at a place of it, with some of it folded."""

    def put_away(self) -> object:
        """How the document is looked at now; a value that JSON can hold, unless it is only kept while it is open."""

    def bring_back(self, view: Any) -> None:
        """Look at the document, which is shown again, as *view* says; the text may be another by now."""


def numbers_in(view: object, name: str, count: int | None = None) -> tuple[int, ...]:
    """The whole numbers, from 0 on, that *view* has as *name*; none where it has something else, or not *count*.

    What was kept in a file may have become anything.
    """
    found = view.get(name) if isinstance(view, Mapping) else None
    numbers = tuple(each for each in found if type(each) is int and each >= 0) if isinstance(found, list) else ()
    return numbers if count is None or len(numbers) == count else ()


class Views:
    """Whoever looks at the document of the window, by name, in the order in which they look again."""

    def __init__(self) -> None:
        self._viewers: dict[str, Viewer] = {}
        self._makers: dict[str, Callable[[Snapshot], object]] = {}
        self.ready: Mapping[str, object] = {}

    def make_ready_with(self, name: str, maker: Callable[[Snapshot], object]) -> None:
        """Let *maker* make beforehand, on any thread, what the viewer *name* needs to show a long document.

        While that document is opened, it is found in ``ready``, where it was made.
        """
        self._makers[name] = maker

    def made_ready(self, snapshot: Snapshot) -> dict[str, object]:
        """What everybody needs to show *snapshot*; on any thread."""
        return {name: maker(snapshot) for name, maker in self._makers.items()}

    def add(self, name: str, viewer: Viewer) -> None:
        """Ask *viewer* too from now on; it lives as long as the window."""
        self._viewers[name] = viewer

    def put_away(self) -> dict[str, object]:
        """How everybody looks at the document now."""
        return {name: viewer.put_away() for name, viewer in self._viewers.items()}

    def bring_back(self, views: Mapping[str, object]) -> None:
        """Let everybody look as *views* say; who is not in there looks at the document from its beginning."""
        for name, viewer in self._viewers.items():
            if name in views:
                viewer.bring_back(views[name])


@dataclass(slots=True)
class KeptDocument:
    """A document that is open and not shown, with its history and its journal. *views*: how it was looked at.

    *disk*: how it stands to its file, as far as that was seen. *ready*: what was made beforehand to show it.
    """

    document: Document
    disk: DiskState = DiskState.SAME
    views: Mapping[str, object] = dataclasses.field(default_factory=dict)
    ready: Mapping[str, object] = dataclasses.field(default_factory=dict)

    @property
    def state(self) -> FileState:
        """How it stands to its file."""
        return FileState(True, self.document.path, self.document.is_dirty, self.disk, self.document.trouble)


class EditedDocument(QObject):
    """The document that is edited; emits once per change.

    The flowchart hears of a change first, then the source, then all the rest: at once, but where many lines get another
    number. That is painted first, and the others follow in turns of the event loop, before anything else can happen.

    *document*: an empty one while nothing is open. *file_state*: how it stands to its file. Both are for reading.
    """

    document_changed = Signal(object)  # DocumentChange
    change_shown = Signal(object)  # DocumentChange: the flowchart shows it, or will with the next paint
    change_followed = Signal(object)  # DocumentChange: so does the source; for selection, lists, and what tells of it
    document_opened = Signal(object)  # Snapshot
    file_state_changed = Signal(object)  # FileState
    refused = Signal(object)  # Refusal

    def __init__(self, document: Document, parent: QObject | None) -> None:
        super().__init__(parent)
        self.document = document
        self.file_state = FileState()
        self.fields = OpenFields(self)
        self.fields.changed.connect(self.refresh_state)
        self._is_state_told = True
        self._behind = LaterTurns(self)
        self._behind.finished.connect(self._tell_state)

    @property
    def snapshot(self) -> Snapshot:
        """The document as it is now."""
        return self.document.snapshot

    def can(self, command: Command) -> Refusal | None:
        """Why *command* cannot be done now, or None."""
        return self.document.can(command)

    def execute(self, command: Command, selection: tuple[StepId, ...] = ()) -> DocumentChange | Refusal:
        """Do *command* and tell every view; *selection* is what undo will bring back."""
        self.catch_up()
        outcome = self.document.execute(command, selection)
        if isinstance(outcome, Refusal):
            self.refused.emit(outcome)
        else:
            self.tell(outcome)
        return outcome

    def undo(self) -> None:
        """Undo the last change, if any."""
        self.catch_up()
        self.tell(self.document.undo())

    def redo(self) -> None:
        """Do the undone change again, if any."""
        self.catch_up()
        self.tell(self.document.redo())

    def tell(self, change: DocumentChange | None) -> None:
        """Tell every view of *change*, which was made to the document itself (None: nothing changed)."""
        if change is not None:
            self.document_changed.emit(change)
            self._behind.ask(partial(self.change_shown.emit, change), partial(self.change_followed.emit, change))
            if not change.numbered:
                self.catch_up()
            self.refresh_state(self.file_state.disk)

    def catch_up(self) -> None:
        """Have everything show the latest change, if something is still to follow."""
        self._behind.finish()

    @Slot()
    def refresh_state(self, disk: DiskState | None = None) -> None:
        """Tell how the document stands to its file; *disk*: None for as before."""
        if disk is None and not self.file_state.is_open:
            return
        disk = self.file_state.disk if disk is None else disk
        is_dirty = self.document.is_dirty or self.fields.are_written_in
        state = FileState(True, self.document.path, is_dirty, disk, self.document.trouble)
        if state != self.file_state:
            self.file_state, self._is_state_told = state, False
            self._tell_state()

    @Slot()
    def _tell_state(self) -> None:
        """Tell how the document stands to its file, once everything shows the latest change."""
        if not self._is_state_told and self._behind.are_over:
            self._is_state_told = True
            self.file_state_changed.emit(self.file_state)


class DocumentController(EditedDocument):
    """Holds the document that the window shows, of all that are open there.

    *watch*: tells when the file may have changed. *views*: who looks at the document. *rooms*: free rooms of ids, for
    all windows between which documents go.
    """

    unshown_changed = Signal()  # a document that is open and not shown was edited
    open_requested = Signal(object)  # Path: in a tab of its own; a long file is there a moment later
    open_now_requested = Signal(object)  # Path: the same, and it is there before anything else is done
    copy_requested = Signal(object)  # Path: a new document with the text of that file
    restored_from = Signal(object)  # Path of a journal: what it has kept is open from now on
    restore_requested = Signal(object)  # Path of a journal: the same, for a document that was never saved

    def __init__(
        self, journal_dir: Path | None = None, parent: QObject | None = None, reading_of: ReadingOf | None = None
    ) -> None:
        super().__init__(Document.from_text("", journal_dir), parent)
        self._journal_dir = journal_dir
        self._reading_of = reading_of
        self.rooms: Iterator[int] = itertools.count(1)
        self.views = Views()
        self.watch = FileWatch(self)
        self.watch.touched.connect(self.check_disk)

    def open(self, path: Path) -> None:
        """Show the file at *path* instead of what was shown; raises CannotRead, and what was open stays open."""
        self.show(self.reader_of(path, self.document)())
        log.info("Opened %s (%d characters)", path.name, len(self.snapshot.text))

    def open_text(self, text: str) -> None:
        """Show a new document with *text*, not yet saved anywhere."""
        self.show(Document.from_text(text, self._journal_dir, self.document))

    def beside(self, source: Path | str) -> Document:
        """A document beside those that are open: the file at that path, or a new one with that text.

        Raises CannotRead. Its steps have ids that no other document's have. It is still to be shown.
        """
        if isinstance(source, str):
            return Document.from_text(source, self._journal_dir, room=next(self.rooms))
        return self.reader_of(source)()

    def restored(self, journal: Path) -> Document:
        """The same for one that was never saved and that *journal* has kept; raises CannotRead."""
        document = Document.restore(journal, room=next(self.rooms))
        self.restored_from.emit(journal)
        return document

    def reader_of(self, path: Path, instead_of: Document | None = None) -> Callable[[], Document]:
        """What reads the document at *path*, on any thread, as ``beside`` does; raises CannotRead when it is called."""
        reading = self._reading_of(path) if self._reading_of is not None else (None, ())
        room = next(self.rooms) if instead_of is None else 0
        return partial(_read, path, self._journal_dir, instead_of, reading, room)

    def put_away(self) -> KeptDocument:
        """The document as it is looked at, so that another one can be shown without closing it.

        Fields in which something is written are settled first.
        """
        self.catch_up()
        self.fields.leave()
        return KeptDocument(self.document, self.file_state.disk, self.views.put_away())

    def bring_back(self, kept: KeptDocument) -> None:
        """Show *kept* as it was looked at; what was shown has been put away, or closed."""
        self.document = kept.document
        self.watch.watch(kept.document.path)
        self.file_state = kept.state
        self.views.ready = kept.ready
        self.document_opened.emit(self.snapshot)
        self.views.ready = {}
        self.views.bring_back(kept.views)
        self.file_state_changed.emit(self.file_state)

    def execute_in(self, document: Document, command: Command) -> None:
        """Do *command* in *document*, which is open, shown or not; where it is refused, nothing is done."""
        if document is self.document:
            self.execute(command)
        else:
            document.execute(command)
            self.unshown_changed.emit()

    def show(self, document: Document) -> None:
        """Show *document* instead of what was shown; unsaved changes of that are given up."""
        self.catch_up()
        self.fields.leave()
        self.document.close()
        self.bring_back(KeptDocument(document))

    def close(self) -> None:
        """Show nothing; unsaved changes are given up."""
        self.catch_up()
        self.fields.leave()
        self.document.close()
        self.let_go()

    def let_go(self) -> None:
        """Show nothing; what was shown was put away, or closed."""
        self.document = Document.from_text("", self._journal_dir, self.document)
        self.watch.watch(None)
        self.file_state = FileState()
        self.document_opened.emit(self.snapshot)
        self.file_state_changed.emit(self.file_state)

    def save(self, path: Path | None = None) -> None:
        """Write the document to *path* (None: where it came from); raises CannotSave and ChangedOnDisk."""
        self.fields.settle()
        self.document.save(path)
        self.watch.watch(self.document.path)
        self.refresh_state(DiskState.SAME)

    @Slot()
    def check_disk(self) -> None:
        """Look whether the file changed outside: taken at once where nothing is unsaved, else told."""
        if not self.file_state.is_open or self.document.path is None:
            return
        disk = self.document.check_disk()
        if disk is DiskState.CHANGED and not self.document.is_dirty:
            self.take_from_disk()
        else:
            self.refresh_state(disk)

    def take_from_disk(self) -> None:
        """Bring the change from outside into the document, merged with what is unsaved here."""
        self.catch_up()
        self.tell(self.document.take_from_disk())
        self.refresh_state(self.document.check_disk())


def _read(
    path: Path,
    journal_dir: Path | None,
    instead_of: Document | None,
    reading: tuple[FileKind | None, Chapters],
    room: int,
) -> Document:
    wanted, chapters = reading
    document = Document.open(path, journal_dir, instead_of, wanted, room)
    if chapters:
        document.read_as(wanted, chapters)
    return document


class OpenField(Protocol):
    """A field that holds what is being written until it is applied."""

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""

    @property
    def written(self) -> str:
        """What stands in it."""

    def apply(self) -> None:
        """Make a command of what was written; it is still being written where that is refused."""

    def take_back(self) -> None:
        """Show again what the document has."""


class OpenFields(QObject):
    """All of them; each reports when what stands in it may have changed."""

    changed = Signal()
    left_over = Signal(str)  # words that no step takes: told, so that nothing is lost

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fields: list[OpenField] = []

    @property
    def are_written_in(self) -> bool:
        """True while something in any of them was not applied."""
        return any(field.is_being_written for field in self._fields)

    def add(self, field: OpenField) -> None:
        """Ask *field* too from now on; it lives as long as the window."""
        self._fields.append(field)

    def settle(self) -> None:
        """Apply everything that is being written."""
        for field in self._fields:
            if field.is_being_written:
                field.apply()

    def leave(self) -> None:
        """Apply everything, because another document comes; what is refused is left over."""
        self.settle()
        for field in self._fields:
            if field.is_being_written:
                self.left_over.emit(field.written)
                field.take_back()
