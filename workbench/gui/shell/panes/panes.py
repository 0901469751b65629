"""The panes around the document: docks that hold the panels of the table, and how they share the room."""

from __future__ import annotations

from importlib import import_module

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES, PaneSpec
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.pane_title import PaneTitle
from workbench.i18n import _

PREFIX = "pane-"
_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX = 120, 56
_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_WIDEST_SIDE = 0.25
_TALLEST_BELOW = 0.3
_MUCH = 0.45
# The window has been painted by then; what is made later is made between two events.
_FILL_AFTER_MS = 30


def made_panel(spec: PaneSpec, context: WindowContext, parent: QWidget) -> QWidget:
    """The panel of *spec*; its module is loaded now."""
    module, name = spec.panel.split(":")
    panel: QWidget = getattr(import_module(f"workbench.gui.{module}"), name)(context, parent)
    return panel


class PaneDock(QDockWidget):
    """Empty until somebody can see it, or asks for its panel. It is moved by its title."""

    more_room_requested = Signal(object)  # PaneDock
    more_room: QToolButton
    """Asks for more room, or gives it back; there is one as soon as somebody can see it."""

    def __init__(self, spec: PaneSpec, context: WindowContext, window: QMainWindow) -> None:
        super().__init__(str(spec.title), window)
        self._spec = spec
        self._context = context
        self._is_filled = False
        self._own: QWidget | None = None
        self._lender: PaneDock | None = None
        self.setObjectName(f"{PREFIX}{spec.id}")
        self._own = QWidget(self)
        self._put(self._own)
        self.visibilityChanged.connect(self._on_visibility_changed)

    def add_title(self) -> None:
        """The strip with the name and the buttons; most panes stand behind others and are never seen with theirs."""
        if self.titleBarWidget() is not None:
            return
        title = PaneTitle(self._spec.icon, self.windowTitle(), self)
        self.more_room = title.add_button("maximise", _("Enlarge or restore"), self._on_more_room)
        title.add_button("window", _("Float or dock"), self._on_float)
        title.add_button("cross", _("Close this pane (reopen it from the View menu)"), self.close)
        for button in title.findChildren(QToolButton):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTitleBarWidget(title)

    def filled(self) -> QWidget:
        """The panel, made now if it was not there yet."""
        if not self._is_filled:
            self._is_filled = True
            before = self._own
            self._own = made_panel(self._spec, self._context, self)
            if self._lender is None:
                self._put(self._own)
            if before is not None:
                before.deleteLater()
        assert self._own is not None, "it has been made"
        return self._own

    @property
    def is_filled(self) -> bool:
        """Whether its panel has been made."""
        return self._is_filled

    def show_of(self, lender: PaneDock | None) -> None:
        """Show the panel of *lender*, of the other side of the window; None: the own one again."""
        self._lender = lender
        if self.isVisible() or lender is None:
            self._show_panel()

    def take_back(self) -> None:
        """Have the panel here again, wherever it was lent: it goes with its own side."""
        if self._own is not None and self.widget() is not self._own:
            self._put(self._own)

    def _show_panel(self) -> None:
        panel = self._lender.filled() if self._lender is not None else self._own
        if panel is not None and panel is not self.widget():
            self._put(panel)
            panel.show()

    def _put(self, widget: QWidget) -> None:
        # what a pane would like to have must not take the room from the document
        widget.setMinimumSize(_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX)
        self.setWidget(widget)

    @Slot()
    def _on_more_room(self) -> None:
        self.more_room_requested.emit(self)

    @Slot()
    def _on_float(self) -> None:
        self.setFloating(not self.isFloating())

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        if is_in_front:
            self.add_title()
        if is_in_front and self._lender is not None:
            self._show_panel()
        elif is_in_front and not self._is_filled:
            self.filled()
            self.visibilityChanged.emit(True)  # the panel was not there yet to hear it


class Panes(QObject):
    """The docks of one window. Each can be moved, closed, and brought back from the View menu."""

    fills_at_once = True

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
        is_first = not any(other.stack == spec.stack for other in PANES[: PANES.index(spec)])
        if is_first and self.fills_at_once:
            dock.add_title()
            dock.filled()
        return dock


class SidePanes(Panes):
    """Those of the second side of a window: panels that the docks of the window show while that side is in front."""

    fills_at_once = False

    def __init__(self, context: WindowContext, window: QMainWindow, outer: Panes) -> None:
        self._outer = outer
        self._is_made = False
        super().__init__(context, window)
        self._is_made = True

    def toggle_actions(self) -> tuple[QAction, ...]:
        """Those of the window."""
        return self._outer.toggle_actions()

    def bring_forward(self, pane_id: str) -> None:
        """Show the pane of the window."""
        self._outer.bring_forward(pane_id)

    def give_room(self, pane_id: str) -> None:
        """The same, with almost half of the window."""
        self._outer.give_room(pane_id)

    def hide_all(self) -> None:
        """Leave all the room to the documents."""
        self._outer.hide_all()

    def arrange(self) -> None:
        """Put the panes of the window where they belong; the own docks only hold panels, and are never seen."""
        if self._is_made:
            self._outer.arrange()
            return
        for spec in PANES:
            self._window.addDockWidget(spec.area, self._docks[spec.id])
            self._docks[spec.id].hide()
