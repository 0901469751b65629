"""What a drag shows before it is done: the ghost, the slot, and words beside the pointer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPixmapItem, QGraphicsRectItem

from workbench.gui.canvas.content.drop_slots import DropSlot, slots_in
from workbench.gui.canvas.gestures.drops import Drop
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.look.label import Label
from workbench.gui.look.theming import set_role

_GHOST_OPACITY = 0.75
_ABOVE_ALL = 100.0
_BAR_PX = 4.0
_HINT_WIDTH_PX = 320
_HINT_OFFSET = QPoint(18, 18)


class DropPreview:
    """Draws the preview of one drag at a time; ``clear`` takes all of it away."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._ghost: QGraphicsPixmapItem | None = None
        self._bar: QGraphicsRectItem | None = None
        self._hint = Label(parent=view.viewport())
        self._hint.setObjectName("canvas-hint")
        self._hint.setMaximumWidth(_HINT_WIDTH_PX)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()

    def show_slots(self) -> None:
        """Show every slot that is on the screen, faintly."""
        if not self._view.is_far:
            found = slots_in(self._view.state.layout, visible_rect(self._view))
            self._view.look.slots = tuple(rect for _playbook, _slot, rect in found)
            self._view.viewport().update()

    def move_ghost(self, picture: QPixmap, at: QPointF) -> None:
        """Show *picture* with its top left at *at* of the canvas."""
        if self._ghost is None:
            self._ghost = QGraphicsPixmapItem(picture)
            self._ghost.setOpacity(_GHOST_OPACITY)
            self._ghost.setZValue(_ABOVE_ALL)
            self._ghost.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            self._view.scene().addItem(self._ghost)
        self._ghost.setPos(at)

    def show_drop(self, drop: Drop | None, words: str, at: QPointF) -> None:
        """Show where *drop* goes, and *words* beside the pointer, which is at *at*; or why it cannot be done."""
        theme = self._view.theme
        if drop is None:
            self._drop_bar()
            self._hint.hide()
        elif drop.refusal is None:
            self._mark_slot(drop.slot, theme.accent)
            self._say(words, "", at)
        else:
            self._mark_slot(drop.slot, theme.failed)
            self._say(drop.refusal.message, "problem", at)

    def _mark_slot(self, slot: DropSlot, color: str) -> None:
        if self._bar is None:
            self._bar = QGraphicsRectItem()
            self._bar.setZValue(_ABOVE_ALL - 1)
            self._view.scene().addItem(self._bar)
        height = max(_BAR_PX, 3 / self._view.zoom)
        middle = slot.rect.y + slot.rect.height / 2
        self._bar.setRect(slot.rect.x, middle - height / 2, slot.rect.width, height)
        self._bar.setBrush(QColor(color))
        self._bar.setPen(QPen(Qt.PenStyle.NoPen))

    def _say(self, words: str, role: str, at: QPointF) -> None:
        set_role(self._hint, role)
        self._hint.setWordWrap(self._hint.fontMetrics().horizontalAdvance(words) > _HINT_WIDTH_PX - 20)
        self._hint.setText(words)
        self._hint.adjustSize()
        below_ghost = QPoint(0, self._ghost_height() + 6 if self._ghost is not None else 0)
        self._hint.move(self._inside(at.toPoint() + _HINT_OFFSET + below_ghost))
        self._hint.show()
        self._hint.raise_()

    @property
    def words(self) -> str:
        """What is shown beside the pointer."""
        return self._hint.text() if self._hint.isVisible() else ""

    def clear(self) -> None:
        """Show nothing."""
        self._hint.hide()
        self._drop_bar()
        if self._ghost is not None:
            self._view.scene().removeItem(self._ghost)
            self._ghost = None
        if self._view.look.slots:
            self._view.look.slots = ()
            self._view.viewport().update()

    def _ghost_height(self) -> int:
        picture = self._ghost.pixmap() if self._ghost is not None else QPixmap()
        return round(picture.height() / picture.devicePixelRatio())

    def _drop_bar(self) -> None:
        if self._bar is not None:
            self._view.scene().removeItem(self._bar)
            self._bar = None

    def _inside(self, at: QPoint) -> QPoint:
        """*at*, moved so that the words stay inside the viewport."""
        area = self._view.viewport().rect()
        x = min(at.x(), area.right() - self._hint.width())
        y = min(at.y(), area.bottom() - self._hint.height())
        return QPoint(max(0, x), max(0, y))
