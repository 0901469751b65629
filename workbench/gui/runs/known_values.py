"""What the run knows when it asks for a judgement: folded away until somebody wants to look."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from workbench.gui.words.values import value_text
from workbench.i18n import _

MOST_SHOWN = 40


class KnownValues(QWidget):
    """A button that unfolds the variables in view, one per line."""

    def __init__(self, values: tuple[tuple[str, Any], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QToolButton(self)
        self._button.setText(_("What is known ({count})").format(count=len(values)))
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setArrowType(Qt.ArrowType.RightArrow)
        self._button.clicked.connect(self._on_clicked)
        lines = [f"{name} = {value_text(value)}" for name, value in values[:MOST_SHOWN]]
        self._words = QLabel("\n".join(lines), self)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._button)
        column.addWidget(self._words)

    @property
    def is_open(self) -> bool:
        """Whether the values can be seen."""
        return not self._words.isHidden()

    @Slot()
    def _on_clicked(self) -> None:
        self._words.setVisible(not self.is_open)
        self._button.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)
