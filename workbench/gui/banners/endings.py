"""Takes a line above the document away as soon as what it is about is over."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import ChangeOrigin, DocumentChange
from workbench.editing.keeping.merge import has_conflicts
from workbench.editing.keeping.storage import DiskState
from workbench.gui.banners.banner_stack import BannerStack
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.retelling import RunView

_OF_DOCUMENT = (
    *(Cause.TEXT, Cause.CONFLICTS, Cause.DOCUMENT, Cause.SAVING),
    *(Cause.OPENING, Cause.OTHER_FILE, Cause.COMMAND),
)


class Endings(QObject):
    """Knows when each cause is over. Made before whoever shows a line, so that a new one is not taken for an old one.

    FILE is over when the state of the file says so: whoever tells it takes it away. PERSON never is.
    """

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._disk = DiskState.SAME
        context.documents.document_opened.connect(self._on_document_opened)
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        context.runs.run_started.connect(self._on_run_started)
        context.shown.run_shown.connect(self._on_run_shown)
        context.settings.settings_changed.connect(self._on_settings_changed)
        context.recorder.recorded.connect(self._on_recorded)

    def _end(self, *causes: Cause) -> None:
        for cause in causes:
            self._banners.end(cause)

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        self._end(*_OF_DOCUMENT)
        self._disk = self._context.documents.file_state.disk

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        self._end(Cause.TEXT)
        if change.origin is ChangeOrigin.DISK:
            self._end(Cause.SAVING)
        is_told = any(banner.notice.cause is Cause.CONFLICTS for banner in self._banners.banners)
        if is_told and not has_conflicts(change.after.text):
            self._end(Cause.CONFLICTS)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Saved, or one with its file again."""
        was, self._disk = self._disk, state.disk
        if state.disk is DiskState.SAME and (was is not DiskState.SAME or not state.is_dirty):
            self._end(Cause.SAVING)
        if state.disk is DiskState.SAME and not state.is_dirty:
            self._end(Cause.CONFLICTS)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._end(Cause.RUN, Cause.JOURNAL)

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        if view is not None:
            self._end(Cause.JOURNAL)

    @Slot(object)
    def _on_settings_changed(self, _settings: object) -> None:
        self._end(Cause.SETTINGS)

    @Slot(object)
    def _on_recorded(self, _entry: object) -> None:
        self._end(Cause.PATTERNS)
