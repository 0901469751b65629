"""What a press on the canvas can become: pushing it around, dragging steps elsewhere, selecting with a rubber band."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QRubberBand

from workbench.gui.canvas.content.shown_boxes import boxes_in
from workbench.gui.canvas.gestures.drop_preview import DropPreview
from workbench.gui.canvas.gestures.drops import DropFinder, move_words
from workbench.gui.canvas.gestures.gesture import CancelReason, Pointer
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.canvas.steps.choosing import ORIGIN
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.selection import SelectionController
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId

_SMALLEST_GHOST = 0.5


class PanGesture:
    """Pushes the canvas around."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._grip = QPointF()
        self._before = QPoint()

    def start(self, pointer: Pointer) -> None:
        """Take hold of the canvas."""
        self._grip = pointer.at
        self._before = self._scrolled()
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, pointer: Pointer) -> None:
        """Keep the point that was taken under the pointer."""
        moved = (pointer.at - self._grip).toPoint()
        self._scroll_to(self._before - moved)

    def end(self, pointer: Pointer) -> None:
        """Let go."""
        self.move(pointer)
        self._view.viewport().unsetCursor()

    def cancel(self, reason: CancelReason) -> None:
        """Go back to where it was, unless the pointer just got lost on the way."""
        if reason is CancelReason.ESCAPE:
            self._scroll_to(self._before)
        self._view.viewport().unsetCursor()

    def _scrolled(self) -> QPoint:
        return QPoint(self._view.horizontalScrollBar().value(), self._view.verticalScrollBar().value())

    def _scroll_to(self, position: QPoint) -> None:
        self._view.horizontalScrollBar().setValue(position.x())
        self._view.verticalScrollBar().setValue(position.y())


class DragStepsGesture:
    """Moves steps to another slot."""

    def __init__(self, view: CanvasView, verbs: Verbs, preview: DropPreview, steps: tuple[StepId, ...]) -> None:
        self._view = view
        self._verbs = verbs
        self._preview = preview
        self._steps = steps
        self._finder = DropFinder(view, verbs)
        self._ghost = QPixmap()
        self._grip = QPointF()

    def start(self, pointer: Pointer) -> None:
        """Lift the step under the pointer."""
        box = next((each for each in self._view.shown.boxes.values() if each.step in self._steps), None)
        scale = max(self._view.zoom, _SMALLEST_GHOST)
        if box is not None:
            self._ghost = picture_of(box.content, self._view.theme, scale * self._view.devicePixelRatioF())
            self._ghost.setDevicePixelRatio(self._view.devicePixelRatioF())
            self._grip = QPointF(16, 12)
        self._preview.show_slots()
        self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        """Show where the steps would go, or why they cannot."""
        self._preview.move_ghost(self._ghost, pointer.scene + self._grip / self._view.zoom)
        drop = self._finder.find(pointer, self._steps)
        self._preview.show_drop(drop, move_words(self._view.state.snapshot, self._steps, drop), pointer.at)

    def end(self, pointer: Pointer) -> None:
        """Move the steps, if they may go there."""
        drop = self._finder.find(pointer, self._steps)
        self._preview.clear()
        if drop is not None and drop.refusal is None:
            self._verbs.do(drop.command)

    def cancel(self, reason: CancelReason) -> None:
        """Leave the steps where they are."""
        del reason  # nothing was changed yet, whatever the reason
        self._preview.clear()


class BandGesture:
    """Selects what a rubber band touches; with Shift or Ctrl in addition to what was selected."""

    def __init__(self, view: CanvasView, selection: SelectionController) -> None:
        self._view = view
        self._selection = selection
        self._origin = QPointF()
        self._before: tuple[StepId, ...] = ()
        self._kept: tuple[StepId, ...] = ()
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view.viewport())

    def start(self, pointer: Pointer) -> None:
        """Begin at a free spot."""
        self._origin = pointer.scene
        self._before = self._selection.selected
        adds = pointer.modifiers & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
        self._kept = self._before if adds else ()
        self._band.setGeometry(QRect(pointer.at.toPoint(), QSize()))
        self._band.show()

    def move(self, pointer: Pointer) -> None:
        """Span the band to the pointer, and select at once."""
        area = _spanned(self._origin, pointer.scene)
        zoom = self._view.zoom
        corner = pointer.at - (pointer.scene - QPointF(area.x, area.y)) * zoom
        size = QSize(round(area.width * zoom), round(area.height * zoom))
        self._band.setGeometry(QRect(corner.toPoint(), size))
        touched = steps_touching(self._view, area)
        kept = tuple(step for step in self._kept if step not in touched)
        self._selection.select((*kept, *touched), ORIGIN)

    def end(self, pointer: Pointer) -> None:
        """Keep what is selected."""
        self.move(pointer)
        self._close()

    def cancel(self, reason: CancelReason) -> None:
        """Select what was selected before."""
        if reason is not CancelReason.DOCUMENT_CHANGED:
            self._selection.select(self._before, ORIGIN)
        self._close()

    def _close(self) -> None:
        self._band.hide()
        self._band.deleteLater()


def steps_touching(view: CanvasView, area: Rect) -> tuple[StepId, ...]:
    """The steps whose words *area* touches, in the order of the layout."""
    boxes = (box for placed in view.state.layout.visible(area) for box in boxes_in(placed, area))
    return tuple(dict.fromkeys(box.step.id for box in boxes if box.step is not None))


def _spanned(one: QPointF, other: QPointF) -> Rect:
    left, top = min(one.x(), other.x()), min(one.y(), other.y())
    return Rect(left, top, abs(one.x() - other.x()), abs(one.y() - other.y()))
