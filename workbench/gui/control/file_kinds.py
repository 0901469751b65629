"""What the open file is, where the person says it: remembered for the file, outside of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from workbench.errors import CannotSave
from workbench.gui.control.document_controller import DocumentController, FileState
from workbench.gui.control.notices import Cause, Notices
from workbench.gui.control.settings_controller import SettingsController
from workbench.model.kinds import FileKind, kind_named
from workbench.settings import Settings


def wanted_kind(settings: SettingsController, path: Path) -> FileKind | None:
    """What the person has said that the file at *path* is; None: its content says it."""
    return kind_named(settings.current.kind_of(path))


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
        documents = self._documents
        documents.fields.leave()
        documents.document.read_as(kind)
        documents.document_opened.emit(documents.snapshot)
        path = documents.file_state.path
        if path is not None:
            self._remember(path, kind)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """What was chosen for a new document goes with it to its file."""
        wanted = self._documents.snapshot.deriver.wanted
        if state.path is not None and wanted is not None and wanted_kind(self._settings, state.path) is not wanted:
            self._remember(state.path, wanted)

    def _remember(self, path: Path, kind: FileKind | None) -> None:
        try:
            self._settings.change(partial(Settings.with_kind, file=path, kind=kind.value if kind else ""))
        except CannotSave as error:
            self._notices.report(error, Cause.SETTINGS)
