"""Brings a pane forward when a person asks for what is in it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from workbench.gui.control.actions import ActionRegistry
from workbench.gui.files.file_actions import FileActions
from workbench.gui.shell.panes.panes import PANES, Panes
from workbench.gui.shell.status_bar import StatusBar


class PaneAttention(QObject):
    """By name from the command palette, by problems and questions in the status bar, by opening a folder."""

    def __init__(self, actions: ActionRegistry, panes: Panes, status: StatusBar, files: FileActions) -> None:
        super().__init__(panes)
        self._panes = panes
        for spec in PANES:
            actions.register(f"pane.{spec.id}", partial(panes.bring_forward, spec.id))
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
