"""Which pane comes forward when something needs attention."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow

from workbench.engine.journal.events import RunId
from workbench.engine.ports import Request
from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES
from workbench.gui.files.file_actions import FileActions
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.panes import Panes
from workbench.gui.shell.status_bar import StatusBar

if TYPE_CHECKING:
    from workbench.engine.running.run import Run

_GOAL_PX = 320


class PaneAttention(QObject):
    """By name from the command palette, by problems and questions in the status bar, by opening a folder.

    A run changes tabs at most twice, when it starts and when it first asks while it is in front: a person who then
    looks at another pane is left in peace.
    """

    def __init__(self, context: WindowContext, panes: Panes, status: StatusBar, files: FileActions) -> None:
        super().__init__(panes)
        self._panes = panes
        self._shown = context.shown
        self._runs = context.runs
        self._have_asked = set[RunId]()
        for spec in PANES:
            context.actions.register(f"pane.{spec.id}", partial(panes.bring_forward, spec.id))
        status.problems_requested.connect(self._on_problems_requested)
        status.answer_requested.connect(self._on_answer_requested)
        files.folder_shown.connect(self._on_folder_shown)
        context.runs.run_started.connect(self._on_run_started)
        context.shown.look_requested.connect(self._on_look_requested)
        context.runs.request_changed.connect(self._on_request_changed)

    @Slot()
    def _on_problems_requested(self) -> None:
        self._panes.bring_forward("problems")

    @Slot()
    def _on_answer_requested(self) -> None:
        self._shown.show_live()
        front = self._runs.front
        pane = "goal" if front is not None and front.view.origin.is_cycle else "run"
        self._panes.bring_forward(pane)
        self._panes.panel(pane).setFocus()

    @Slot()
    def _on_folder_shown(self) -> None:
        self._panes.bring_forward("project")

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        self._panes.bring_forward("timeline")
        if run.state.origin.is_cycle:
            self._panes.bring_forward("goal")
            _widen(self._panes.dock("goal"), current_theme().px(_GOAL_PX))

    @Slot(object)
    def _on_look_requested(self, _run: object) -> None:
        self._panes.bring_forward("timeline")

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        run = self._runs.run
        if request is not None and run is not None and run.id not in self._have_asked:
            self._have_asked.add(run.id)
            self._panes.bring_forward("goal" if run.state.origin.is_cycle else "run")


def _widen(dock: QDockWidget, width_px: int) -> None:
    """Let *dock*, at a side of the window, be at least *width_px* wide, or a third of the window."""
    window = dock.parentWidget()
    if not isinstance(window, QMainWindow) or dock.isFloating():
        return
    wanted_px = min(width_px, window.width() // 3)
    if dock.width() < wanted_px:
        window.resizeDocks([dock], [wanted_px], Qt.Orientation.Horizontal)
