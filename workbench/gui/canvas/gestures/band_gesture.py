"""Selecting with a rubber band."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtWidgets import QRubberBand

from workbench.gui.canvas.content.sights import boxes_in
from workbench.gui.canvas.gestures.gesture import CancelReason, Pointer
from workbench.gui.canvas.steps.choosing import ORIGIN
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.selection import SelectionController
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId


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
