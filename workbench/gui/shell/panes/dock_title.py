"""The strip above a pane that can be moved: drag it, let it float, close it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QToolButton, QWidget

from workbench.gui.look.elided_label import ElidedLabel
from workbench.gui.look.icons import icon, pixmap
from workbench.gui.look.theme import Theme, ThemeController
from workbench.i18n import _


class DockTitle(QWidget):
    """Icon, name and three buttons; everything else of it is for dragging."""

    more_room_requested = Signal(object)  # QDockWidget

    def __init__(self, icon_name: str, theme: ThemeController, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        self._icon_name = icon_name
        self.setObjectName("pane-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._picture = QLabel(self)
        self.more_room = self._button(_("Give this pane more room, or take it back"))
        self._float = self._button(_("Let this pane float, or put it back"))
        self._close = self._button(_("Close this pane; the View menu brings it back"))
        self.more_room.clicked.connect(self._on_more_room)
        self._float.clicked.connect(self._on_float)
        self._close.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 4, 3)
        row.setSpacing(6)
        row.addWidget(self._picture)
        row.addWidget(ElidedLabel(dock.windowTitle(), self), 1)
        for button in (self.more_room, self._float, self._close):
            row.addWidget(button)
        theme.theme_changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)

    def _button(self, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    @Slot()
    def _on_more_room(self) -> None:
        self.more_room_requested.emit(self._dock)

    @Slot()
    def _on_float(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._picture.setPixmap(pixmap(self._icon_name, theme.muted, theme.px(14), self.devicePixelRatioF()))
        for button in (self.more_room, self._float, self._close):
            button.setIconSize(QSize(theme.px(14), theme.px(14)))
        self.more_room.setIcon(icon("maximise", theme.muted))
        self._float.setIcon(icon("window", theme.muted))
        self._close.setIcon(icon("cross", theme.muted))
