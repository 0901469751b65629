"""Gestures of the pointer: one object each, with a start, moves, an end, or a reason why it was cancelled."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtWidgets import QRubberBand

from workbench.gui.canvas.camera import scene_point
from workbench.gui.canvas.canvas_view import CanvasView
from workbench.gui.control.selection import SelectionController
from workbench.model.layout import Rect
from workbench.model.program import StepId

ORIGIN = "canvas"


class CancelReason(enum.Enum):
    """Why a gesture ended without effect."""

    ESCAPE = enum.auto()
    POINTER_LOST = enum.auto()
    DOCUMENT_CHANGED = enum.auto()


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the pointer is: *at* in the viewport, *scene* on the canvas."""

    at: QPointF
    scene: QPointF
    modifiers: Qt.KeyboardModifier


class Gesture(Protocol):
    """Something a person does with the pointer, from press to release."""

    def start(self, pointer: Pointer) -> None:
        """The button went down."""

    def move(self, pointer: Pointer) -> None:
        """The pointer moved, or the canvas moved under it."""

    def end(self, pointer: Pointer) -> None:
        """The button was released: do it."""

    def cancel(self, reason: CancelReason) -> None:
        """Leave everything as it was at the start."""


def pointer_at(view: CanvasView, at: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
    """The pointer at *at* of the viewport of *view*."""
    return Pointer(at, scene_point(view, at), modifiers)


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
    return tuple(dict.fromkeys(_touching(view, area)))


def _touching(view: CanvasView, area: Rect) -> list[StepId]:
    found: list[StepId] = []
    for placed in view.state.layout.visible(area):
        inside = area.moved(-placed.x, -placed.y)
        for box in placed.fragment.boxes:
            head = box.header_height or box.rect.height
            words = Rect(box.rect.x, box.rect.y, box.rect.width, head)
            if box.step is not None and words.meets(inside):
                found.append(box.step.id)
    return found


def _spanned(one: QPointF, other: QPointF) -> Rect:
    left, top = min(one.x(), other.x()), min(one.y(), other.y())
    return Rect(left, top, abs(one.x() - other.x()), abs(one.y() - other.y()))
