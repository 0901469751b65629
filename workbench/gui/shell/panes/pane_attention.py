"""Which pane comes forward: when something needs attention, and by keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Slot
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from workbench.engine.journal.events import RunId
from workbench.engine.ports import Request
from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES
from workbench.gui.files.file_actions import FileActions
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.centre import CentreView
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


class PaneCycle(QObject):
    """Gives the focus to the next pane that can be seen: the document first, then the panes around it."""

    def __init__(self, context: WindowContext, centre: CentreView, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._centre = centre
        self._panes = panes
        context.actions.register("view.next-pane", self.go_on)
        context.actions.register("view.previous-pane", self.go_back)

    def go_on(self) -> None:
        """To the next pane."""
        self._go(1)

    def go_back(self) -> None:
        """To the one before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        """Panes in which nothing takes keys are passed over."""
        seen = self._seen()
        at = next((index for index, pane in enumerate(seen) if _has_focus(pane)), -1 if by > 0 else 0)
        for distance in range(1, len(seen) + 1):
            target = key_taker(seen[(at + by * distance) % len(seen)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _seen(self) -> list[QWidget]:
        candidates = [self._centre.welcome, self._centre.canvas, self._centre.source]
        candidates += [self._panes.panel(spec.id) for spec in PANES]
        return [pane for pane in candidates if _is_in_view(pane)]


def _has_focus(pane: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is pane or pane.isAncestorOf(focused))


def key_taker(pane: QWidget) -> QWidget | None:
    """What takes the keys in *pane*: the pane itself or the first part of it that Tab would reach."""
    for widget in (pane.focusProxy(), pane, *pane.findChildren(QWidget)):
        if widget is not None and _takes_keys(widget):
            return widget
    return None


def _takes_keys(widget: QWidget) -> bool:
    is_reached = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return is_reached and widget.isEnabled() and _is_in_view(widget)


def _is_in_view(widget: QWidget) -> bool:
    """Qt keeps the panes behind another tab visible, but far outside of the window."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return widget.isVisible() and window.rect().intersects(place)
