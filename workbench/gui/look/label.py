"""A label that shows its text as text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from workbench.gui.words.values import drawable


class Label(QLabel):
    """Never takes its text for markup, and shows a sign for what nobody would see. The only label of this program."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(drawable(text), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        """Show *text* from now on."""
        super().setText(drawable(text))
