"""What a gesture of the pointer is: start, moves, and an end, or a reason why it was cancelled."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPointF, Qt

from workbench.gui.canvas.view.camera import scene_point
from workbench.gui.canvas.view.canvas_view import CanvasView


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
