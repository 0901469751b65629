"""What the open file is, where the person says it: remembered for the file, outside of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from workbench.errors import CannotSave
from workbench.gui.control.document_controller import DocumentController, FileState
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.control.settings_controller import SettingsController
from workbench.i18n import _
from workbench.model.derivers import Chapters
from workbench.model.kinds import FileKind, kind_named
from workbench.model.snapshot import Snapshot, derive
from workbench.settings import Settings


def wanted_kind(settings: SettingsController, path: Path) -> FileKind | None:
    """What the person has said that the file at *path* is; None: its content says it."""
    return kind_named(settings.current.kind_of(path))


def wanted_reading(settings: SettingsController, path: Path) -> tuple[FileKind | None, Chapters]:
    """The same, and which chapters of the file are carried out, as far as the person has said so."""
    return wanted_kind(settings, path), tuple(settings.current.chapters_of(path).items())


class FileKinds(QObject):
    """Reads the document as the person wants it, and remembers that for its file."""

    def __init__(
        self, documents: DocumentController, settings: SettingsController, notices: Notices, parent: QObject | None
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._settings = settings
        self._notices = notices
        documents.file_state_changed.connect(self._on_file_state_changed)

    def choose(self, kind: FileKind | None) -> None:
        """Read the document as *kind* from now on, and show it like another one; None: as its content says."""
        self._read(kind, self._documents.snapshot.deriver.chapters)
        path = self._documents.file_state.path
        if path is not None:
            self._remember(path, kind)

    def say_of_chapter(self, title: str, *, is_done: bool) -> None:
        """Take the chapter *title* of a procedure for one that *is_done*, or for text, and remember it.

        What cannot be carried out, because no step stands in it, stays text, and the person is told.
        """
        snapshot = self._documents.snapshot
        said = {**dict(snapshot.deriver.chapters), title: is_done}
        after = derive(snapshot.source, wanted=snapshot.deriver.wanted, chapters=tuple(said.items()))
        if is_carried_out(after, title) is not is_done:
            message = _("Nothing in “{title}” can be carried out: it has no list and no headings of steps.")
            self._notices.tell(message.format(title=title))
            return
        own = derive(snapshot.source, wanted=snapshot.deriver.wanted, chapters=_without(said, title))
        chapters = _without(said, title) if is_carried_out(own, title) is is_done else tuple(said.items())
        self._read(snapshot.deriver.wanted, chapters)
        path = self._documents.file_state.path
        if path is not None:
            self._remember_chapters(path, chapters)

    def _read(self, kind: FileKind | None, chapters: Chapters) -> None:
        documents = self._documents
        documents.fields.leave()
        documents.document.read_as(kind, chapters)
        documents.document_opened.emit(documents.snapshot)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """What was chosen for a new document goes with it to its file."""
        wanted = self._documents.snapshot.deriver.wanted
        if state.path is not None and wanted is not None and wanted_kind(self._settings, state.path) is not wanted:
            self._remember(state.path, wanted)
        chapters = self._documents.snapshot.deriver.chapters
        if state.path is not None and dict(chapters) != self._settings.current.chapters_of(state.path):
            self._remember_chapters(state.path, chapters)

    def _remember_chapters(self, path: Path, chapters: Chapters) -> None:
        try:
            self._settings.change(partial(Settings.with_chapters, file=path, chapters=dict(chapters)))
        except CannotSave as error:
            self._notices.report(error, Cause.SETTINGS)

    def _remember(self, path: Path, kind: FileKind | None) -> None:
        try:
            self._settings.change(partial(Settings.with_kind, file=path, kind=kind.value if kind else ""))
        except CannotSave as error:
            self._notices.report(error, Cause.SETTINGS)


def is_carried_out(snapshot: Snapshot, title: str) -> bool:
    """Whether a run goes through the chapter *title*."""
    return any(each.title == title and each.is_carried_out for each in snapshot.program.playbooks)


def _without(said: Mapping[str, bool], title: str) -> Chapters:
    return tuple((name, is_done) for name, is_done in said.items() if name != title)
