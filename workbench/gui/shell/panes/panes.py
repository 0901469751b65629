"""The panes around the document: one table of what they are, and the docks that hold them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.control.context import WindowContext
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.look.theme import current_theme
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.panes import late_panels
from workbench.gui.shell.panes.pane_dock import PREFIX, PaneDock, PaneSpec
from workbench.i18n import _

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

_WIDEST_SIDE = 0.25
_TALLEST_BELOW = 0.3
_MUCH = 0.45
# The window has been painted by then; what is made later is made between two events.
_FILL_AFTER_MS = 30

PANES: tuple[PaneSpec, ...] = (
    PaneSpec("outline", _("Outline"), "outline", _LEFT, "tree", OutlinePanel),
    PaneSpec("project", _("Project"), "project", _LEFT, "tree", late_panels.project_panel),
    PaneSpec("patterns", _("Patterns"), "pattern", _LEFT, "tree", late_panels.patterns_panel),
    PaneSpec("palette", _("Palette"), "plus", _LEFT, "palette", PalettePanel),
    PaneSpec("inspector", _("Inspector"), "inspector", _RIGHT, "inspector", InspectorPanel),
    PaneSpec("assembly", _("Assembly"), "assembly", _RIGHT, "inspector", late_panels.assembly_panel),
    PaneSpec("run", _("Run"), "chat", _BOTTOM, "bottom", RunPanel),
    PaneSpec("timeline", _("Timeline"), "timeline", _BOTTOM, "bottom", late_panels.timeline_panel),
    PaneSpec("variables", _("Variables"), "variables", _BOTTOM, "bottom", late_panels.variables_panel),
    PaneSpec("plan", _("Plan"), "shield", _BOTTOM, "bottom", late_panels.plan_panel),
    PaneSpec("problems", _("Problems"), "problems", _BOTTOM, "bottom", late_panels.problems_panel),
)


class Panes(QObject):
    """The docks of one window. Each can be moved, closed, and brought back from the View menu."""

    def __init__(self, context: WindowContext, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._docks = {spec.id: self._dock(spec) for spec in PANES}
        self._filling = QTimer(self, interval=_FILL_AFTER_MS)
        self._filling.timeout.connect(self._fill_one)
        context.runs.starting.connect(self.fill)
        window.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, _BOTTOM)
        self.arrange()

    def panel(self, pane_id: str) -> QWidget:
        """What is in the pane."""
        return self._docks[pane_id].filled()

    def fill_soon(self) -> None:
        """Make the panels that stand behind others, one after the other, as soon as the window is there."""
        self._filling.start()

    @Slot()
    def fill(self) -> None:
        """Make every panel now: what happens from here on concerns all of them."""
        for dock in self._docks.values():
            dock.filled()

    @Slot()
    def _fill_one(self) -> None:
        empty = next((dock for dock in self._docks.values() if not dock.is_filled), None)
        if empty is None:
            self._filling.stop()
        else:
            empty.filled()

    def dock(self, pane_id: str) -> PaneDock:
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
            self.give_room(dock.objectName().removeprefix(PREFIX))

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
        for front in fronts.values():
            front.raise_()
        self.share_room()

    def share_room(self) -> None:
        """Widths and heights at first: wide enough for the words, but the document gets the most."""
        docks, theme, window = self._docks, current_theme(), self._window
        widest = round(window.width() * _WIDEST_SIDE)
        left, right = min(theme.px(288), widest), min(theme.px(288), widest)
        below = min(theme.px(240), round(window.height() * _TALLEST_BELOW))
        tree = round(window.height() * 0.5)
        window.resizeDocks([docks["outline"], docks["inspector"]], [left, right], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["outline"], docks["palette"]], [tree, tree], Qt.Orientation.Vertical)
        window.resizeDocks([docks["run"]], [below], Qt.Orientation.Vertical)

    def _dock(self, spec: PaneSpec) -> PaneDock:
        dock = PaneDock(spec, self._context, self._window)
        dock.more_room_requested.connect(self._on_more_room_requested)
        if not any(other.stack == spec.stack for other in PANES[: PANES.index(spec)]):
            dock.filled()
        return dock
