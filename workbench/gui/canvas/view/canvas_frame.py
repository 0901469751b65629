"""The flowchart with what stands around it: scroll bars with marks, and a map of the whole in a strip of its own.

Nothing lies over the blocks. The map takes room from the flowchart, and gives it back where it has nothing to say.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollBar, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.view.camera import centre_point, room_size
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.look.marked_bar import MarkedBar
from workbench.i18n import _
from workbench.model.layout.shapes import Rect

MAP_WIDTHS_PX = (176, 144, 112, 88)
"""The largest is taken that is no more than a share of the canvas."""
_MAP_SHARE = 0.17
_LEAST_ROOM_PX = (520, 240)
_PADDING_PX = 8
_TINT = 28
# While a person types, the map may be a little behind: it is drawn when there is time.
_DELAY_MS = 250


class Minimap(QWidget):
    """A click or a drag brings the canvas there."""

    def __init__(self, view: CanvasView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._picture: QPixmap | None = None
        self._tinted = QPixmap()
        self._delay = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._delay.timeout.connect(self.take_theme)
        self.setFixedWidth(MAP_WIDTHS_PX[-1])
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(_("Map of the flowchart"))
        self.setToolTip(_("Click to go there"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        view.view_moved.connect(self._on_view_moved)
        view.far.completed.connect(self.take_theme)

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
        self._view.far.prepare()
        painter.translate(self._left(), _PADDING_PX)
        painter.scale(self.map_scale(), self.map_scale())
        self._view.far.overview.paint(painter, Rect(0, 0, layout.width, layout.height), theme)
        painter.resetTransform()
        painter.setPen(QColor(theme.border))
        painter.drawLine(QPointF(0.5, 0), QPointF(0.5, self.height()))
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


class CanvasFrame(QWidget):
    """Holds the flowchart of *state*, its scroll bars and its map. *wants_map*: what the person has chosen."""

    def __init__(self, state: CanvasState, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = CanvasView(state, self)
        self.down = MarkedBar(Qt.Orientation.Vertical, self)
        self.across = MarkedBar(Qt.Orientation.Horizontal, self)
        self.down.setAccessibleName(_("Position in the flowchart, down"))
        self.across.setAccessibleName(_("Position in the flowchart, across"))
        self.minimap = Minimap(self.view, self)
        self.minimap.hide()
        self.wants_map = False
        self.is_drawn = False
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.view, 0, 0)
        grid.addWidget(self.down, 0, 1)
        grid.addWidget(self.across, 1, 0)
        grid.addWidget(self.minimap, 0, 2, 2, 1)
        self.setFocusProxy(self.view)
        self.down.valueChanged.connect(self._on_down_moved)
        self.across.valueChanged.connect(self._on_across_moved)
        self.view.view_moved.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """The canvas shows something else: so do the bars, and the map comes or goes."""
        view, layout = self.view, self.view.state.layout
        show_position(self.down, view.verticalScrollBar(), layout.height * view.zoom)
        show_position(self.across, view.horizontalScrollBar(), layout.width * view.zoom)
        is_shown = self.is_drawn and self.wants_map and self._map_width() > 0 and not shows_everything(view)
        if is_shown:
            self.minimap.setFixedWidth(self._map_width())
        if is_shown == self.minimap.isHidden():
            self.minimap.setVisible(is_shown)
            self._grid.activate()  # at once: whoever fits or reveals something counts on the room that there is

    def _map_width(self) -> int:
        """How wide the map is; 0 where the canvas is too small for one."""
        if self.width() < _LEAST_ROOM_PX[0] or self.height() < _LEAST_ROOM_PX[1]:
            return 0
        return next((width for width in MAP_WIDTHS_PX if width <= self.width() * _MAP_SHARE), MAP_WIDTHS_PX[-1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The map may have no room any more, or have some again."""
        super().resizeEvent(event)
        self.view.whole_px = self.width() - self.down.width()
        self.follow()

    @Slot(int)
    def _on_down_moved(self, value: int) -> None:
        self.view.verticalScrollBar().setValue(value)

    @Slot(int)
    def _on_across_moved(self, value: int) -> None:
        self.view.horizontalScrollBar().setValue(value)


def show_position(bar: MarkedBar, inner: QScrollBar, content_px: float) -> None:
    """Show on *bar* what part of the content, which is *content_px* long, *inner* shows.

    A view beside the content is one of its end: the bar stands for the content alone, so that marks stay in place.
    """
    page = inner.pageStep()
    if not bar.isSliderDown():
        with QSignalBlocker(bar):
            bar.setPageStep(page)
            bar.setSingleStep(inner.singleStep())
            bar.setRange(0, max(0, round(content_px) - page))
            bar.setValue(inner.value())


def shows_everything(view: CanvasView) -> bool:
    """True when the whole layout is on the screen, or would be without the map."""
    visible, layout, (wide, high) = visible_rect(view), view.state.layout, room_size(view)
    is_wide = visible.x <= 0 and visible.x + wide / view.zoom >= layout.width
    return is_wide and visible.y <= 0 and visible.y + high / view.zoom >= layout.height
