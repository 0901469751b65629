"""The panes around the document: one table of what they are, and the docks that hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.context import WindowContext
from workbench.gui.dock_title import DockTitle
from workbench.gui.inspector_panel import InspectorPanel
from workbench.gui.outline_panel import OutlinePanel
from workbench.gui.patterns.patterns_panel import PatternsPanel
from workbench.gui.problems_panel import ProblemsPanel
from workbench.gui.project_panel import ProjectPanel
from workbench.gui.run_panel import RunPanel
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.variables_panel import VariablesPanel
from workbench.i18n import _

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

_WIDEST_SIDE = 0.25
_TALLEST_BELOW = 0.3
_LEAST_PX = 120

PanelMaker = Callable[[WindowContext, QWidget], QWidget]


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """One pane. Panes with the same *stack* share their place as tabs, the first of them in front."""

    id: str
    title: str
    icon: str
    area: Qt.DockWidgetArea
    stack: str
    panel: PanelMaker


PANES: tuple[PaneSpec, ...] = (
    PaneSpec("outline", _("Outline"), "outline", _LEFT, "tree", OutlinePanel),
    PaneSpec("project", _("Project"), "project", _LEFT, "tree", ProjectPanel),
    PaneSpec("patterns", _("Patterns"), "pattern", _LEFT, "tree", PatternsPanel),
    PaneSpec("palette", _("Palette"), "plus", _LEFT, "palette", PalettePanel),
    PaneSpec("inspector", _("Inspector"), "inspector", _RIGHT, "inspector", InspectorPanel),
    PaneSpec("run", _("Run"), "chat", _BOTTOM, "bottom", RunPanel),
    PaneSpec("timeline", _("Timeline"), "timeline", _BOTTOM, "bottom", TimelinePanel),
    PaneSpec("variables", _("Variables"), "variables", _BOTTOM, "bottom", VariablesPanel),
    PaneSpec("problems", _("Problems"), "problems", _BOTTOM, "bottom", ProblemsPanel),
)


class Panes(QObject):
    """The docks of one window. Each can be moved, closed, and brought back from the View menu."""

    def __init__(self, context: WindowContext, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._docks = {spec.id: self._dock(spec, context) for spec in PANES}
        window.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, _BOTTOM)
        self.arrange()

    def panel(self, pane_id: str) -> QWidget:
        """What is in the pane."""
        return self._docks[pane_id].widget()

    def dock(self, pane_id: str) -> QDockWidget:
        """The frame of the pane."""
        return self._docks[pane_id]

    def toggle_actions(self) -> tuple[QAction, ...]:
        """Actions that show and hide each pane."""
        return tuple(dock.toggleViewAction() for dock in self._docks.values())

    def bring_forward(self, pane_id: str) -> None:
        """Show the pane and put its tab in front."""
        self._docks[pane_id].show()
        self._docks[pane_id].raise_()

    def give_room(self, pane_id: str, size_px: int) -> None:
        """Bring the pane forward and make its side of the window *size_px* wide or tall."""
        self.bring_forward(pane_id)
        is_below = self._window.dockWidgetArea(self._docks[pane_id]) is _BOTTOM
        direction = Qt.Orientation.Vertical if is_below else Qt.Orientation.Horizontal
        self._window.resizeDocks([self._docks[pane_id]], [size_px], direction)

    def hide_all(self) -> None:
        """Leave all the room to the document."""
        for dock in self._docks.values():
            dock.hide()

    def arrange(self) -> None:
        """Put every pane where it belongs at first."""
        fronts: dict[str, QDockWidget] = {}
        for spec in PANES:
            dock = self._docks[spec.id]
            dock.setFloating(False)
            self._window.addDockWidget(spec.area, dock)
            if spec.stack in fronts:
                self._window.tabifyDockWidget(fronts[spec.stack], dock)
            fronts.setdefault(spec.stack, dock)
            dock.show()
        for dock in fronts.values():
            dock.raise_()
        self.share_room()

    def share_room(self) -> None:
        """Widths and heights at first: wide enough for the words, but the document gets the most."""
        docks, theme, window = self._docks, self._context.theme.theme, self._window
        widest = round(window.width() * _WIDEST_SIDE)
        left, right = min(theme.px(260), widest), min(theme.px(280), widest)
        below = min(theme.px(240), round(window.height() * _TALLEST_BELOW))
        tree = round(window.height() * 0.5)
        window.resizeDocks([docks["outline"], docks["inspector"]], [left, right], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["outline"], docks["palette"]], [tree, tree], Qt.Orientation.Vertical)
        window.resizeDocks([docks["run"]], [below], Qt.Orientation.Vertical)

    def _dock(self, spec: PaneSpec, context: WindowContext) -> QDockWidget:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(f"pane-{spec.id}")
        dock.setTitleBarWidget(DockTitle(spec.icon, context.theme, dock))
        panel = spec.panel(context, dock)
        # what a pane would like to have must not take the room from the document
        panel.setMinimumSize(_LEAST_PX, _LEAST_PX)
        dock.setWidget(panel)
        return dock
