"""The pages of the canvas: the flowchart with its small map, or where there is none, what to do first, or why it is so.

The map shows the whole layout as rectangles, and a frame around what the canvas shows.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QStackedWidget, QWidget

from workbench.gui.canvas.content.shown_boxes import boxes_in
from workbench.gui.canvas.view.camera import centre_point, scene_point
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.i18n import _
from workbench.model.layout.shapes import Rect
from workbench.model.snapshot import Snapshot

_MAP_WIDTH_PX = 176
_MAP_HEIGHT_PX = 128
MAP_WIDTHS_PX = (_MAP_WIDTH_PX, 144, 112, 88)
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
        self._picture: QPixmap | None = None
        self._tinted = QPixmap()
        self._delay = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._delay.timeout.connect(self.take_theme)
        self.setFixedSize(_MAP_WIDTH_PX, _MAP_HEIGHT_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else the canvas below is painted each time, too
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


CARD_WIDTH_PX = 340
# the map needs a canvas at least so many times its own size: else it would cover what it is to show
_MAP_SHARE = 2.5
_MAP_MARGIN_PX = 16
# An empty playbook shows its title in the middle.
_BELOW_TITLE_PX = 48


class FirstStepCard(QFrame):
    """Lies over a canvas without steps."""

    first_step_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setFixedWidth(CARD_WIDTH_PX)
        title = Label(_("No steps yet"), self, role="title")
        hint = _("Add the first step, or drag one here from the palette. The source follows.")
        words = Label(hint, self, role="muted", wraps=True)
        self.button = QPushButton(_("Add first step"), self)
        self.button.setProperty("primary", "true")
        self.button.clicked.connect(self._on_clicked)
        column = in_column(self, margins=(24, 20, 24, 20), spacing=10)
        for widget in (title, words):
            widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(widget)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)

    @Slot()
    def _on_clicked(self) -> None:
        self.first_step_requested.emit()


class ForeignPage(QWidget):
    """Says why a file has no flowchart."""

    choose_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._reason = ""
        self._state = EmptyState("file", "", "", self)
        self.button = QPushButton(_("Read it as something else…"), self)
        self.button.clicked.connect(self._on_clicked)
        self._state.add_button(self.button)
        in_column(self, self._state, margins=0)

    def explain(self, snapshot: Snapshot) -> None:
        """Say why, and what can be done with the file of *snapshot* here."""
        reason = snapshot.program.foreign
        if reason != self._reason:
            from workbench.model.foreign.outline import has_outline  # noqa: PLC0415 - no playbook needs it

            self._reason = reason
            parts = _("Its parts are listed in the outline.") if has_outline(snapshot.text) else ""
            hint = _("To change it, edit its text in the source.")
            words = "\n\n".join((reason, " ".join(filter(None, (parts, hint)))))
            self._state.tell("file", _("This file has no flowchart"), words)

    @Slot()
    def _on_clicked(self) -> None:
        self.choose_requested.emit()


class CanvasPages(QStackedWidget):
    """The canvas with its map in a corner, or the page that says why there is none."""

    def __init__(self, view: CanvasView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._wants_map = False
        self._is_drawn = False
        # a child of the viewport: something that lies over it from outside would keep Qt from scrolling pixels
        self.minimap = Minimap(view, view.viewport())
        self.first_step = FirstStepCard(self)
        self.foreign = ForeignPage(self)
        self.addWidget(view)
        self.addWidget(self.foreign)
        view.view_moved.connect(self._on_view_moved)

    def show_page(self, snapshot: Snapshot) -> None:
        """Show what fits *snapshot*."""
        reason = snapshot.program.foreign
        if reason:
            self.foreign.explain(snapshot)
        self.setCurrentWidget(self.foreign if reason else self._view)
        self._is_drawn = not reason and has_steps(snapshot)
        self.first_step.setVisible(not reason and not self._is_drawn)
        self._on_view_moved()
        for overlay in (self.minimap, self.first_step):  # the stack puts the page it changes to in front of all
            overlay.raise_()

    def toggle_minimap(self) -> bool:
        """Show the map, or hide it; whether it is wanted now."""
        self._wants_map = not self._wants_map
        self._on_view_moved()
        return self._wants_map

    @Slot()
    def _on_view_moved(self) -> None:
        """The map shows only where there is more to see, and where it covers no block."""
        has_room = self.width() >= _MAP_SHARE * _MAP_WIDTH_PX and self.height() >= _MAP_SHARE * _MAP_HEIGHT_PX
        is_wanted = self._is_drawn and self._wants_map and has_room and not shows_everything(self._view)
        place = next(filter(None, map(self._place_of_map, MAP_WIDTHS_PX)), None) if is_wanted else None
        if place is not None and place != self.minimap.geometry():  # scrolling took it along
            self.minimap.setFixedSize(place.size())
            self.minimap.move(place.topLeft())
        is_shown = place is not None
        if is_shown == self.minimap.isHidden():
            self.minimap.setVisible(is_shown)

    def _place_of_map(self, width: int) -> QRect | None:
        """The corner of the viewport for a map *width* pixels wide, None where it would cover a block."""
        room, zoom, height = self._view.viewport(), self._view.zoom, width * _MAP_HEIGHT_PX // _MAP_WIDTH_PX
        at = QPoint(room.width() - width - _MAP_MARGIN_PX, room.height() - height - _MAP_MARGIN_PX)
        corner = scene_point(self._view, QPointF(at))
        area = Rect(corner.x(), corner.y(), width / zoom, height / zoom)
        is_free = not any(any(boxes_in(placed, area)) for placed in self._view.state.layout.visible(area))
        return QRect(at, QSize(width, height)) if is_free else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the card in the middle."""
        super().resizeEvent(event)
        self.first_step.adjustSize()
        self.first_step.move((self.width() - CARD_WIDTH_PX) // 2, self.height() // 2 + _BELOW_TITLE_PX)


def shows_everything(view: CanvasView) -> bool:
    """True when the whole layout is on the screen."""
    visible, layout = visible_rect(view), view.state.layout
    is_wide = visible.x <= 0 and visible.x + visible.width >= layout.width
    return is_wide and visible.y <= 0 and visible.y + visible.height >= layout.height


def has_steps(snapshot: Snapshot) -> bool:
    """True when there is at least one block to draw."""
    playbooks = snapshot.program.playbooks
    if not playbooks:
        return bool(snapshot.program.functions)
    return any(playbook.is_prompt or any(section.steps for section in playbook.sections) for playbook in playbooks)
