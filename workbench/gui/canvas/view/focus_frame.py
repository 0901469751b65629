"""The ring around a canvas that has the focus while no step shows it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.look.frames import draw_ring


class FocusFrame(QWidget):
    """Two pixels of accent around the canvas; the pointer does not notice it."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)
        self.hide()

    def show_around(self) -> None:
        """Show the ring."""
        self.setGeometry(self._view.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the canvas."""
        if event.type() is QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ring in the colour of the theme that shows now."""
        del event  # the ring is all there is
        draw_ring(QPainter(self), self.rect())
