"""The map of the whole beside the flowchart, for the pointer and for the keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractSlider, QWidget

from workbench.gui.canvas.view.camera import centre_point
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.look.frames import draw_ring
from workbench.gui.look.marked_bar import MarkedBar
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, numeral
from workbench.model.layout.shapes import Rect

MAP_WIDTHS_PX = (176, 144, 112, 88)
"""The largest is taken that is no more than a share of the canvas."""
_PADDING_PX = 8
_TINT = 28
# While a person types, the map may be a little behind: it is drawn when there is time.
_DELAY_MS = 250


class Minimap(QWidget):
    """A click or a drag brings the canvas there; the keys move it, as the scroll bars *down* and *across* do."""

    left = Signal(object)  # bool: whether to go on in the flowchart with what is in the middle of it

    def __init__(self, view: CanvasView, down: MarkedBar, across: MarkedBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._down = down
        self._across = across
        self._picture: QPixmap | None = None
        self._tinted = QPixmap()
        self._delay = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._delay.timeout.connect(self.take_theme)
        self.setFixedWidth(MAP_WIDTHS_PX[-1])
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(_("Map of the flowchart"))
        keys = _("Arrows and Page Up, Page Down move, Home and End lead to the ends, Enter back to the flowchart.")
        self.setAccessibleDescription(keys)
        self.setToolTip(tip(f"{_('Click to go there')}. {keys}"))
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
        if self.hasFocus():
            draw_ring(painter, self.rect())
        painter.end()

    def _drawn(self) -> QPixmap:
        theme, ratio = self._view.theme, self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(theme.surface))
        painter = QPainter(picture)
        layout = self._view.state.layout
        self._view.far.prepare(is_read=False)
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

    def event(self, event: QEvent) -> bool:
        """Tab goes on from here; in the flowchart it inserts a step."""
        is_key = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and isinstance(event, QKeyEvent) and event.modifiers() in _PLAIN and event.key() in _KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, or go on in the flowchart."""
        if event.modifiers() not in _PLAIN or event.key() not in _KEYS or event.key() == Qt.Key.Key_Tab:
            super().keyPressEvent(event)
        elif event.key() in _LEAVING:
            self.left.emit(event.key() != Qt.Key.Key_Escape)
        else:
            is_across, act = _MOVES[Qt.Key(event.key())]
            bar = self._across if is_across else self._down
            if act in _STEPS:  # an eighth of what is in view
                bar.setValue(bar.value() + _STEPS[act] * max(1, bar.pageStep() // 8))
            else:
                bar.triggerAction(act)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def words(self) -> str:
        """What part of the flowchart is in view: the playbook in the middle, and how much of height and width."""
        layout, seen = self._view.state.layout, visible_rect(self._view)
        x, y = seen.x + seen.width / 2, seen.y + seen.height / 2
        around = (each.playbook for each in layout.playbooks if each.rect.meets(Rect(x, y, 0.0, 0.0)))
        name = next((drawable_line(each.title or each.name) for each in around), "")
        down = _("{first} to {last} % from the top").format(**_shares(seen.y, seen.height, layout.height))
        across = _("{first} to {last} % from the left").format(**_shares(seen.x, seen.width, layout.width))
        return ", ".join(filter(None, (name, down, across)))

    def _go_to(self, at: QPointF) -> None:
        point = (at - QPointF(self._left(), _PADDING_PX)) / self.map_scale()
        self._view.look_at(self._view.zoom, point, centre_point(self._view))


_PLAIN = frozenset({Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier})
_Act = QAbstractSlider.SliderAction
_MOVES = {
    Qt.Key.Key_Up: (False, _Act.SliderSingleStepSub),
    Qt.Key.Key_Down: (False, _Act.SliderSingleStepAdd),
    Qt.Key.Key_PageUp: (False, _Act.SliderPageStepSub),
    Qt.Key.Key_PageDown: (False, _Act.SliderPageStepAdd),
    Qt.Key.Key_Home: (False, _Act.SliderToMinimum),
    Qt.Key.Key_End: (False, _Act.SliderToMaximum),
    Qt.Key.Key_Left: (True, _Act.SliderSingleStepSub),
    Qt.Key.Key_Right: (True, _Act.SliderSingleStepAdd),
}
_STEPS = {_Act.SliderSingleStepSub: -1, _Act.SliderSingleStepAdd: 1}
_LEAVING = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})
_KEYS = frozenset({Qt.Key.Key_Tab, *_LEAVING, *_MOVES})


def _shares(start: float, length: float, whole: float) -> dict[str, str]:
    """From where to where *start* … *start* + *length* goes of *whole*, in hundredths."""
    ends = (start, start + length)
    first, last = (round(100 * min(max(end / max(whole, 1.0), 0.0), 1.0)) for end in ends)
    return {"first": numeral(first), "last": numeral(last)}


def tinted(picture: QPixmap, color: str) -> QPixmap:
    """*picture* under a breath of *color*: made once, since a translucent fill at each move would take longer."""
    copy = QPixmap(picture)
    painter = QPainter(copy)
    fill = QColor(color)
    fill.setAlpha(_TINT)
    painter.fillRect(copy.rect(), fill)
    painter.end()
    return copy
