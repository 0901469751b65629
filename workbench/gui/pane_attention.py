"""Brings a pane forward when a person asks for what is in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.file_actions import FileActions
from workbench.gui.panes import Panes
from workbench.gui.status_bar import StatusBar


class PaneAttention(QObject):
    """Problems and questions from the status bar, a folder from the File menu."""

    def __init__(self, panes: Panes, status: StatusBar, files: FileActions, parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        status.problems_requested.connect(self._on_problems_requested)
        status.answer_requested.connect(self._on_answer_requested)
        files.folder_shown.connect(self._on_folder_shown)

    @Slot()
    def _on_problems_requested(self) -> None:
        self._panes.bring_forward("problems")

    @Slot()
    def _on_answer_requested(self) -> None:
        self._panes.bring_forward("run")
        self._panes.panel("run").setFocus()

    @Slot()
    def _on_folder_shown(self) -> None:
        self._panes.bring_forward("project")
