"""Folding and unfolding steps on the canvas. It is how one looks at a program, and never in its text."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from workbench.gui.canvas.content.canvas_state import all_open, is_long_text
from workbench.gui.canvas.view.camera import anchor_of, keep
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.model.program import StepId


class Folding(QObject):
    """Changes what is folded, with the step in question standing still."""

    folded_changed = Signal()

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view

    @Slot(object)
    def toggle(self, step: StepId) -> None:
        """Fold *step*, or unfold it."""
        shown = self._view.state.snapshot.find(step)
        if shown is not None and (shown.children or step in self._view.state.folded or is_long_text(shown)):
            self._fold(self._view.state.toggled(step), (step,))

    def fold_all(self) -> None:
        """Fold every step that has steps inside."""
        self._fold(self._view.state.foldable(), tuple(self._view.look.selected))

    def unfold_all(self) -> None:
        """Show everything."""
        self._fold(all_open(self._view.state.snapshot), tuple(self._view.look.selected))

    def unhide(self, steps: tuple[StepId, ...]) -> None:
        """Unfold whatever hides *steps*."""
        hiding = frozenset().union(*(self._view.state.hides(step) for step in steps[:16]))
        if hiding:
            self._fold(self._view.state.folded - hiding, tuple(hiding))

    def _fold(self, folded: frozenset[StepId], anchors: tuple[StepId, ...]) -> None:
        if folded == self._view.state.folded:
            return
        anchor = anchor_of(self._view, anchors)
        self._view.state.fold(folded)
        self._view.replace_layout()
        keep(self._view, anchor)
        self.folded_changed.emit()
