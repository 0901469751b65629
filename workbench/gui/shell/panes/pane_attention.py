"""Brings a pane forward: when a person asks for what is in it, and when a run needs to be seen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from workbench.engine.ports import Request
from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES
from workbench.gui.files.file_actions import FileActions
from workbench.gui.shell.panes.panes import Panes
from workbench.gui.shell.status_bar import StatusBar


class PaneAttention(QObject):
    """By name from the command palette, by problems and questions in the status bar, by opening a folder.

    A run changes tabs at most twice, when it starts and when it first asks: a person who then looks at another
    pane is left in peace.
    """

    def __init__(self, context: WindowContext, panes: Panes, status: StatusBar, files: FileActions) -> None:
        super().__init__(panes)
        self._panes = panes
        self._has_asked = False
        for spec in PANES:
            context.actions.register(f"pane.{spec.id}", partial(panes.bring_forward, spec.id))
        status.problems_requested.connect(self._on_problems_requested)
        status.answer_requested.connect(self._on_answer_requested)
        files.folder_shown.connect(self._on_folder_shown)
        context.runs.run_started.connect(self._on_run_started)
        context.runs.look_requested.connect(self._on_run_started)
        context.runs.request_changed.connect(self._on_request_changed)

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

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._has_asked = False
        self._panes.bring_forward("timeline")

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        if request is not None and not self._has_asked:
            self._has_asked = True
            self._panes.bring_forward("run")
