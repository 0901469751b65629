"""The ring around a canvas that has the focus while no step shows it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget


class FocusFrame(QFrame):
    """Two pixels of accent; the pointer does not notice it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = parent
        self.setObjectName("canvasFocus")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_around(self, color: str) -> None:
        """Show the ring in *color*."""
        self.setStyleSheet(f"#canvasFocus {{ background: transparent; border: 2px solid {color}; }}")
        self.setGeometry(self._canvas.rect())
        self.show()
        self.raise_()
