"""The small map: the whole layout as rectangles, and a frame around what the canvas shows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from workbench.gui.canvas.painting.overview import Overview
from workbench.gui.canvas.view.camera import centre_point
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.i18n import _
from workbench.model.layout.shapes import Rect

WIDTH_PX = 176
HEIGHT_PX = 128
MAP_WIDTHS_PX = (WIDTH_PX, 144, 112, 88)
"""The largest that has room is taken."""
_PADDING_PX = 8
_TINT = 28
# While a person types, the map may be a little behind: it is drawn when there is time.
_DELAY_MS = 250


class Minimap(QWidget):
    """A click or a drag brings the canvas there."""

    def __init__(self, view: CanvasView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._overview = Overview()
        self._picture: QPixmap | None = None
        self._tinted = QPixmap()
        self._delay = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._delay.timeout.connect(self.take_theme)
        self.setFixedSize(WIDTH_PX, HEIGHT_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else the canvas below is painted each time, too
        self.setAccessibleName(_("Map of the flowchart"))
        self.setToolTip(_("Click to go there"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        view.view_moved.connect(self._on_view_moved)

    def layout_replaced(self) -> None:
        """Draw the map again soon."""
        self._delay.start()

    @Slot()
    def take_theme(self) -> None:
        """Draw the map again now."""
        self._picture = None
        self.update()

    @Slot()
    def _on_view_moved(self) -> None:
        self.update()

    def map_scale(self) -> float:
        """Map pixels per pixel at 100 %."""
        layout = self._view.state.layout
        wide = (self.width() - 2 * _PADDING_PX) / max(1.0, layout.width)
        high = (self.height() - 2 * _PADDING_PX) / max(1.0, layout.height)
        return min(wide, high, 0.25)

    def map_rect(self, rect: Rect) -> QRectF:
        """Where *rect* of the canvas is on the map."""
        scale, left = self.map_scale(), self._left()
        return QRectF(left + rect.x * scale, _PADDING_PX + rect.y * scale, rect.width * scale, rect.height * scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The map, which is drawn once per layout, and the frame."""
        del event  # the map is small: all of it
        if self._picture is None or self._picture.size() != self.size() * self.devicePixelRatioF():
            self._picture = self._drawn()
            self._tinted = tinted(self._picture, self._view.theme.accent)
        theme = self._view.theme
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        frame = self.map_rect(visible_rect(self._view)).intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setClipRect(frame.toAlignedRect())
        painter.drawPixmap(0, 0, self._tinted)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.drawRect(frame)

    def _drawn(self) -> QPixmap:
        theme, ratio = self._view.theme, self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(theme.surface))
        painter = QPainter(picture)
        layout = self._view.state.layout
        self._overview.set_layout(layout)
        painter.translate(self._left(), _PADDING_PX)
        painter.scale(self.map_scale(), self.map_scale())
        self._overview.paint(painter, Rect(0, 0, layout.width, layout.height), theme)
        painter.resetTransform()
        painter.setPen(QColor(theme.border))
        painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))
        painter.end()
        return picture

    def _left(self) -> float:
        return (self.width() - self._view.state.layout.width * self.map_scale()) / 2

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer while the button is down."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def _go_to(self, at: QPointF) -> None:
        point = (at - QPointF(self._left(), _PADDING_PX)) / self.map_scale()
        self._view.look_at(self._view.zoom, point, centre_point(self._view))


def tinted(picture: QPixmap, color: str) -> QPixmap:
    """*picture* under a breath of *color*: made once, since a translucent fill at each move would take longer."""
    copy = QPixmap(picture)
    painter = QPainter(copy)
    fill = QColor(color)
    fill.setAlpha(_TINT)
    painter.fillRect(copy.rect(), fill)
    painter.end()
    return copy
