"""Looks through the files of the project beside the window, and changes several of them together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from workbench.disk.files import project_folder, real_path
from workbench.editing.commands import EditText, Refusal
from workbench.editing.keeping.many_files import Written, check_unchanged, taken_back, write_together, writings
from workbench.errors import Cancelled, ChangedOnDisk, WorkbenchError
from workbench.gui.control.background import Messenger
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.control.project_controller import ProjectController
from workbench.i18n import _
from workbench.search.files import FileEdits, FileFound, FileText, search_files, texts_below
from workbench.search.matching import Finder, Query
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText
from workbench.visible import visible

_TOLD_S = 0.05


class _Told(Messenger):
    """Carries what was found."""

    found = Signal(object, object)  # SearchJob, list[FileFound]
    ended = Signal(object, object)  # SearchJob, Exception | None


class SearchJob(QRunnable):
    """Looks for *query* in the folder *root*, until all is known or nobody wants it any more."""

    def __init__(self, root: Path, query: Query, opened: dict[str, SourceText]) -> None:
        super().__init__()
        self.told = _Told()
        self.finder = Finder()
        self.is_over = threading.Event()
        self._root, self._query, self._opened = root, query, opened

    def cancel(self) -> None:
        """Nobody wants it any more."""
        self.is_over.set()
        self.finder.cancel()

    def run(self) -> None:
        """Tell what is found now and then; a mistake of ours is handed over."""
        try:
            self._search()
        except Cancelled:
            self.told.ended.emit(self, None)
        except Exception as mistake:  # noqa: BLE001 - told on the window's thread
            self.told.ended.emit(self, mistake)
        else:
            self.told.ended.emit(self, None)
        finally:
            self.told.deleteLater()
            self.finder.close()

    def _search(self) -> None:
        batch: list[FileFound] = []
        told_s = 0.0
        for found in search_files(self.finder, self._query, self._files()):
            batch.append(found)
            if time.monotonic() - told_s > _TOLD_S:
                self.told.found.emit(self, batch)
                batch, told_s = [], time.monotonic()
        if batch:
            self.told.found.emit(self, batch)

    def _files(self) -> Iterator[FileText]:
        for file in texts_below(self._root, self._opened):
            if self.is_over.is_set():
                return
            yield file


@dataclass(frozen=True)
class _Made:
    """What was changed last: files of *root*, and the open document *path* by *edits* back from *text*."""

    root: Path
    files: tuple[Written, ...]
    path: str = ""
    text: str = ""
    edits: tuple[TextEdit, ...] = ()


class ProjectSearch(QObject):
    """The one search through files of a window. *can_undo*: whether what was changed last can be taken back."""

    found = Signal(object)  # list[FileFound]
    ended = Signal()
    changed = Signal()  # files have been changed, or that was taken back

    def __init__(
        self, documents: DocumentController, project: ProjectController, notices: Notices, parent: QObject | None
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._project = project
        self._notices = notices
        self._job: SearchJob | None = None
        self._made: _Made | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    @property
    def is_searching(self) -> bool:
        """Whether more is to come."""
        return self._job is not None

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return self._made is not None

    @property
    def root(self) -> Path | None:
        """The folder that is searched: the open one, else that of the file."""
        file = self._documents.document.path
        if self._project.folder:
            return real_path(Path(self._project.folder))
        return real_path(project_folder(file)) if file is not None else None

    def search(self, query: Query) -> None:
        """Look for *query*, and for nothing that was looked for before."""
        self.cancel()
        root = self.root
        if root is None or query.is_empty:
            self.ended.emit()
            return
        path = self._open_path(root)
        self._job = SearchJob(root, query, {path: self._documents.snapshot.source} if path else {})
        self._job.told.found.connect(self._on_found)
        self._job.told.ended.connect(self._on_ended)
        self._pool.start(self._job)

    def cancel(self) -> None:
        """Look no further."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            self.ended.emit()

    def leave(self) -> None:
        """The window closes."""
        self.cancel()
        self._pool.waitForDone()

    def _open_path(self, root: Path) -> str:
        """The path of the open document in *root*; empty where it is not in it."""
        file = self._documents.document.path
        place = real_path(file) if file is not None else None
        return place.relative_to(root).as_posix() if place is not None and place.is_relative_to(root) else ""

    @Slot(object, object)
    def _on_found(self, job: SearchJob, found: list[FileFound]) -> None:
        if job is self._job:
            self.found.emit(found)

    @Slot(object, object)
    def _on_ended(self, job: SearchJob, mistake: Exception | None) -> None:
        if job is self._job:
            self._job = None
            self.ended.emit()
        if mistake is not None:
            raise mistake

    def apply(self, root: Path, changes: Sequence[FileEdits], label: str) -> bool:
        """Make *changes*, all of them or none; whether they were made, else it is told why not."""
        self._documents.fields.settle()
        path = self._open_path(root)
        here = next((each for each in changes if each.path == path), None)
        try:
            made = self._applied(root, [each for each in changes if each is not here], here, label)
        except WorkbenchError as error:
            self._notices.report(error, Cause.OTHER_FILE)
            return False
        self._notices.settle(Cause.OTHER_FILE)
        self._made = made
        self._project.look()
        self.changed.emit()
        return True

    def _applied(self, root: Path, others: Sequence[FileEdits], here: FileEdits | None, label: str) -> _Made:
        files = writings(others)
        if here is None:
            write_together(root, files)
            return _Made(root, files)
        text = self._documents.snapshot.text
        if text != here.file.text:
            raise _changed(here.path)
        if here.path and not self._documents.file_state.is_dirty:
            check_unchanged(root, [Written(here.path, here.file.data, here.file.data)])
        write_together(root, files)
        self._edit(here.edits, label)
        back = TextChange(here.edits).invert(text).edits
        return _Made(root, files, here.path, self._documents.snapshot.text, back)

    def _edit(self, edits: tuple[TextEdit, ...], label: str) -> None:
        """Change the open document; it is saved where nothing else was unsaved."""
        is_clean = self._documents.document.path is not None and not self._documents.file_state.is_dirty
        outcome = self._documents.execute(EditText(edits, label))
        if is_clean and not isinstance(outcome, Refusal):
            self._documents.save()

    def undo(self) -> None:
        """Take back what was changed last, in all files or in none."""
        made = self._made
        if made is None:
            return
        is_here = self._open_path(made.root) == made.path and self._documents.snapshot.text == made.text
        try:
            if made.edits and not is_here:
                raise _changed(made.path)
            write_together(made.root, taken_back(made.files))
            if made.edits:
                self._edit(made.edits, _("Undo in files"))
        except WorkbenchError as error:
            self._notices.report(error, Cause.OTHER_FILE)
            return
        self._made = None
        self._notices.settle(Cause.OTHER_FILE)
        self._notices.tell(_("All files are as they were before."))
        self.changed.emit()


def _changed(path: str) -> ChangedOnDisk:
    message = _("“{name}” has changed meanwhile, so no file was changed. Search again.")
    return ChangedOnDisk(message.format(name=visible(path)))
