"""A titled part of a pane that folds."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Ink


class FoldSection(QWidget):
    """A heading that a click or Space folds, and *content* below it."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.button = QToolButton(self)
        self.button.setText(title)
        self.button.setCheckable(True)
        self.button.setChecked(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setProperty("role", "section")
        self.button.toggled.connect(self._on_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addWidget(content)
        self._show_sign()

    def _show_sign(self) -> None:
        name = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(icon(name, Ink.MUTED))

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:  # noqa: FBT001 - the form of Qt's signal
        self._content.setVisible(is_open)
        self._show_sign()
