"""The panes around the document: one table of what they are, and the docks that hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from workbench.gui.assembly.assembly_panel import AssemblyPanel
from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.control.context import WindowContext
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.patterns.patterns_panel import PatternsPanel
from workbench.gui.plan.plan_panel import PlanPanel
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.dock_title import DockTitle
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.variables.variables_panel import VariablesPanel
from workbench.i18n import _

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

_WIDEST_SIDE = 0.25
_TALLEST_BELOW = 0.3
_LEAST_PX = 120
_MUCH = 0.45
_PREFIX = "pane-"

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
    PaneSpec("assembly", _("Assembly"), "assembly", _RIGHT, "inspector", AssemblyPanel),
    PaneSpec("run", _("Run"), "chat", _BOTTOM, "bottom", RunPanel),
    PaneSpec("timeline", _("Timeline"), "timeline", _BOTTOM, "bottom", TimelinePanel),
    PaneSpec("variables", _("Variables"), "variables", _BOTTOM, "bottom", VariablesPanel),
    PaneSpec("plan", _("Plan"), "shield", _BOTTOM, "bottom", PlanPanel),
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

    def give_room(self, pane_id: str) -> None:
        """Bring the pane forward and give its side of the window almost half of it."""
        dock = self._docks[pane_id]
        self.bring_forward(pane_id)
        if self._is_below(dock):
            self._window.resizeDocks([dock], [round(self._window.height() * _MUCH)], Qt.Orientation.Vertical)
        else:
            self._window.resizeDocks([dock], [round(self._window.width() * _MUCH)], Qt.Orientation.Horizontal)

    @Slot(object)
    def _on_more_room_requested(self, dock: QDockWidget) -> None:
        """Much room, or the usual where it has much already."""
        share = dock.height() / self._window.height() if self._is_below(dock) else dock.width() / self._window.width()
        if dock.isFloating():
            dock.setFloating(False)
        elif share > (_MUCH + _WIDEST_SIDE) / 2:
            self.share_room()
        else:
            self.give_room(dock.objectName().removeprefix(_PREFIX))

    def _is_below(self, dock: QDockWidget) -> bool:
        return self._window.dockWidgetArea(dock) is _BOTTOM

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
        left, right = min(theme.px(288), widest), min(theme.px(288), widest)
        below = min(theme.px(240), round(window.height() * _TALLEST_BELOW))
        tree = round(window.height() * 0.5)
        window.resizeDocks([docks["outline"], docks["inspector"]], [left, right], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["outline"], docks["palette"]], [tree, tree], Qt.Orientation.Vertical)
        window.resizeDocks([docks["run"]], [below], Qt.Orientation.Vertical)

    def _dock(self, spec: PaneSpec, context: WindowContext) -> QDockWidget:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(f"{_PREFIX}{spec.id}")
        title = DockTitle(spec.icon, context.theme, dock)
        title.more_room_requested.connect(self._on_more_room_requested)
        dock.setTitleBarWidget(title)
        panel = spec.panel(context, dock)
        # what a pane would like to have must not take the room from the document
        panel.setMinimumSize(_LEAST_PX, _LEAST_PX)
        dock.setWidget(panel)
        return dock
