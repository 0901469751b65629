"""Saves by itself, where the person wants that: after a pause, or when the keys go elsewhere.

It takes the way of *Save*, and only where nothing could be lost by it: never over a change from outside, never a text
with conflicts in it, and never while words are being written in a field that no step has yet.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QWidget

from workbench.editing.keeping.merge import has_conflicts
from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.files.file_actions import save_document

_MS_PER_S = 1000


class Autosave(QObject):
    """Listens to the document and to the focus. *document_area*: where the document is written in."""

    def __init__(self, context: WindowContext, document_area: QWidget, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._area = document_area
        self._window = window
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._on_rested)
        context.documents.document_changed.connect(self._on_changed)
        context.documents.file_state_changed.connect(self._on_state_changed)
        context.settings.settings_changed.connect(self._on_changed)
        context.documents.views.add("autosave", self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another window comes to the front."""
        if event.type() is QEvent.Type.WindowDeactivate and self._mode == "focus":
            self.save()
        return super().eventFilter(watched, event)

    def put_away(self) -> None:
        """Another tab comes to the front: nothing waits for its pause there."""
        if self._mode != "off":
            self.save()

    def bring_back(self, _view: object) -> None:
        """Nothing was put away."""

    @property
    def _mode(self) -> str:
        return self._context.settings.effective.autosave

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        if self._mode == "pause" and self._context.documents.file_state.is_dirty:
            self._pause.start(round(self._context.settings.effective.autosave_pause_s * _MS_PER_S))
        else:
            self._pause.stop()

    @Slot(object)
    def _on_state_changed(self, state: FileState) -> None:
        """A field that holds words no more was all that was waited for."""
        if not state.is_dirty:
            self._pause.stop()
        elif not self._pause.isActive():
            self._on_changed(state)

    @Slot()
    def _on_rested(self) -> None:
        if self._mode == "pause":
            self.save()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Between flowchart and source is not elsewhere; a menu takes no focus."""
        if self._mode == "focus" and self._is_inside(before) and now is not None and not self._is_inside(now):
            self.save()

    def _is_inside(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self._area or self._area.isAncestorOf(widget))

    def save(self) -> None:
        """Save what can be saved without asking anybody."""
        documents = self._context.documents
        if documents.document.path is None or not documents.file_state.is_dirty or documents.fields.are_written_in:
            return
        if has_conflicts(documents.snapshot.text):
            return
        documents.check_disk()  # where both sides have changed, the window asks
        if documents.file_state.disk is DiskState.SAME:
            save_document(self._context)
