"""One pane of the window: its dock, and the panel in it, made when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.shell.panes.pane_title import PaneTitle
from workbench.i18n import _

PREFIX = "pane-"
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


class PaneDock(QDockWidget):
    """Empty until somebody can see it, or asks for its panel. It is moved by its title."""

    more_room_requested = Signal(object)  # PaneDock

    def __init__(self, spec: PaneSpec, context: WindowContext, window: QMainWindow) -> None:
        super().__init__(spec.title, window)
        self._spec = spec
        self._context = context
        self._is_filled = False
        self.setObjectName(f"{PREFIX}{spec.id}")
        self._add_title()
        self._put(QWidget(self))
        self.visibilityChanged.connect(self._on_visibility_changed)

    def _add_title(self) -> None:
        title = PaneTitle(self._spec.icon, self._spec.title, self)
        self.more_room = title.add_button(
            "maximise", _("Give this pane more room, or take it back"), self._on_more_room
        )
        title.add_button("window", _("Let this pane float, or put it back"), self._on_float)
        title.add_button("cross", _("Close this pane; the View menu brings it back"), self.close)
        for button in title.findChildren(QToolButton):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTitleBarWidget(title)

    def filled(self) -> QWidget:
        """The panel, made now if it was not there yet."""
        if not self._is_filled:
            self._is_filled = True
            before = self.widget()
            self._put(self._spec.panel(self._context, self))
            before.deleteLater()
        return self.widget()

    @property
    def is_filled(self) -> bool:
        """Whether its panel has been made."""
        return self._is_filled

    def _put(self, widget: QWidget) -> None:
        # what a pane would like to have must not take the room from the document
        widget.setMinimumSize(_LEAST_PX, _LEAST_PX)
        self.setWidget(widget)

    @Slot()
    def _on_more_room(self) -> None:
        self.more_room_requested.emit(self)

    @Slot()
    def _on_float(self) -> None:
        self.setFloating(not self.isFloating())

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        if is_in_front and not self._is_filled:
            self.filled()
            self.visibilityChanged.emit(True)  # the panel was not there yet to hear it
