"""What a pane shows while there is nothing in it: what it is for, and what to do first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import Ink

PICTURE_PX = 32
_MARGIN_PX = 24
_TOP_PX = 8
_NARROW = 16
_SPACING_PX = 6


class EmptyState(QScrollArea):
    """A picture, a title, and one or two sentences, in the middle; they scroll where there is too little room."""

    def __init__(self, icon_name: str, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        page = QWidget(self)
        self._picture = Picture(icon(icon_name, Ink.MUTED), page, PICTURE_PX)
        self.title = Label(title, page, role="title")
        self.words = Label(words, page, role="muted")
        for label in (self.title, self.words):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = in_column(page, 2, margins=(_MARGIN_PX, _TOP_PX, _MARGIN_PX, _TOP_PX), spacing=_SPACING_PX)
        self._column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        for label in (self.title, self.words):
            self._column.addWidget(label)
        self._column.addStretch(3)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add_button(self, button: QPushButton) -> None:
        """Offer *button* below the words; in a pane that is too narrow for it, the words still have their width."""
        button.setMinimumWidth(1)
        button.setToolTip(button.toolTip() or button.text().replace("&", ""))
        self._column.insertWidget(self._column.count() - 1, button, 0, Qt.AlignmentFlag.AlignHCenter)

    def tell(self, icon_name: str, title: str, words: str) -> None:
        """Say something else."""
        self._picture.show_icon(icon(icon_name, Ink.MUTED))
        self.title.setText(title)
        self.words.setText(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a small pane the words matter more than the picture and the margins."""
        super().resizeEvent(event)
        margin = min(_MARGIN_PX, self.width() // _NARROW)
        self._column.setContentsMargins(margin, _TOP_PX, margin, _TOP_PX)
        needed, picture = self._column.heightForWidth(self.width()), self._picture.sizeHint().height() + _SPACING_PX
        if self._picture.isHidden():
            needed += picture
        self._picture.setVisible(self.height() >= needed)
