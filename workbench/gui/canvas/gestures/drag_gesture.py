"""Dragging steps that are there already to another place."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPixmap

from workbench.gui.canvas.gestures.drop_preview import DropPreview
from workbench.gui.canvas.gestures.drops import DropFinder, move_words
from workbench.gui.canvas.gestures.gesture import CancelReason, Pointer
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.model.program import StepId

_SMALLEST_GHOST = 0.5


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
        sight = next((each for each in self._view.shown.sights.values() if each.step in self._steps), None)
        scale = max(self._view.zoom, _SMALLEST_GHOST)
        if sight is not None:
            self._ghost = picture_of(sight.content, self._view.theme, scale * self._view.devicePixelRatioF())
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
