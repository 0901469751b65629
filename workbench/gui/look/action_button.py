"""Buttons of actions outside menus and the toolbar, and buttons that stay down."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink


class ActionButton(QToolButton):
    """The button of one action; unlike a plain tool button it goes when the action is hidden."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDefaultAction(action)
        self.setProperty("role", "tool")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        action.changed.connect(self._on_action_changed)
        self._on_action_changed()

    @property
    def is_wanted(self) -> bool:
        """Whether it is to be seen now."""
        return self.defaultAction().isVisible()

    @Slot()
    def _on_action_changed(self) -> None:
        self.setVisible(self.is_wanted)


class OfferButton(ActionButton):
    """Says what it does, and is seen only while that can be done."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(action, parent)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    @property
    def is_wanted(self) -> bool:
        """An offer that cannot be taken is none."""
        return self.defaultAction().isEnabled()


def switch_button(parent: QWidget, text: str, tooltip: str, icon_name: str = "") -> QToolButton:
    """A button that stays down: *text* or a picture, and what it means."""
    switch = QToolButton(parent)
    switch.setText(text)
    switch.setCheckable(True)
    if icon_name:
        switch.setIcon(icon(icon_name, Ink.MUTED))
    switch.setToolTip(tooltip)
    switch.setAccessibleName(tooltip)
    return switch
