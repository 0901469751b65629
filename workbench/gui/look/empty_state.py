"""What a pane shows while there is nothing in it: what it is for, and what to do first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from workbench.gui.look.icons import pixmap
from workbench.gui.look.theme import Theme

PICTURE_PX = 32
_MARGIN_PX = 24
_SPACING_PX = 6


class EmptyState(QWidget):
    """A picture, a title, and one or two sentences, in the middle."""

    def __init__(self, icon_name: str, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._picture = QLabel(self)
        self._title = QLabel(title, self)
        self._title.setProperty("role", "title")
        self._words = QLabel(words, self)
        self._words.setProperty("role", "muted")
        for label in (self._title, self._words):
            label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX, 8, _MARGIN_PX, 8)
        column.setSpacing(_SPACING_PX)
        column.addStretch(2)
        for label in (self._picture, self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addStretch(3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low pane the words matter more than the picture."""
        super().resizeEvent(event)
        text_width = max(1, self.width() - 2 * _MARGIN_PX)
        words = self._title.heightForWidth(text_width) + self._words.heightForWidth(text_width)
        self._picture.setVisible(self.height() >= words + self._picture.sizeHint().height() + 4 * _SPACING_PX)

    def show_theme(self, theme: Theme) -> None:
        """Take the colours of *theme*."""
        self._picture.setPixmap(
            pixmap(self._icon_name, theme.muted, theme.px(PICTURE_PX), self._picture.devicePixelRatioF())
        )
