"""A label that shows its text as text, with an ellipsis where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.gui.words.values import drawable


class Label(QLabel):
    """Never takes its text for markup, and shows a sign for what nobody would see. The only label of this program.

    *role*: how the style sheet shows it. *wraps*: onto further lines.
    """

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, role: str | None = None, wraps: bool = False
    ) -> None:
        super().__init__(drawable(text), parent, wordWrap=wraps)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        """Show *text* from now on."""
        super().setText(drawable(text))


class ProblemLabel(Label):
    """Says what is wrong, and takes no room while nothing is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent, role="problem", wraps=True)
        self.hide()

    def setText(self, text: str) -> None:
        """Say *text* from now on."""
        super().setText(text)
        self.setVisible(bool(text))


class ElidedLabel(Label):
    """Takes whatever width there is; ``text`` stays whole, for tools that read it aloud."""

    def __init__(self, text: str, parent: QWidget, *, role: str | None = None) -> None:
        super().__init__(text, parent, role=role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def shown(self) -> str:
        """As much of the words as there is room for."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is shown of the words."""
        del event  # it is one line: all of it
        painter, place = QPainter(self), self.contentsRect()
        role, align = self.foregroundRole(), int(self.alignment())
        self.style().drawItemText(painter, place, align, self.palette(), self.isEnabled(), self.shown, role)
