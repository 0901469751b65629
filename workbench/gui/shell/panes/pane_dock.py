"""One pane of the window: its dock, and the panel in it, made when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.shell.panes.dock_title import DockTitle

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
    """Empty until somebody can see it, or asks for its panel."""

    def __init__(self, spec: PaneSpec, context: WindowContext, window: QMainWindow) -> None:
        super().__init__(spec.title, window)
        self._spec = spec
        self._context = context
        self._is_filled = False
        self.setObjectName(f"{PREFIX}{spec.id}")
        self.title = DockTitle(spec.icon, context.theme, self)
        self.setTitleBarWidget(self.title)
        self._put(QWidget(self))
        self.visibilityChanged.connect(self._on_visibility_changed)

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

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        if is_in_front and not self._is_filled:
            self.filled()
            self.visibilityChanged.emit(True)  # the panel was not there yet to hear it
