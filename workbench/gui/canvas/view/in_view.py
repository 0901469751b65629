"""Keeps in view what is selected in another pane, and the step that the run is at."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.selection import Selection, SelectionController
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId


class InView(QObject):
    """Moves the canvas only where nothing of what is to be seen is in view. *origin*: what the canvas says itself."""

    def __init__(self, view: CanvasView, selection: SelectionController, origin: str) -> None:
        super().__init__(view)
        self._view = view
        self._origin = origin
        self._brought: tuple[StepId, camera.Spot] | None = None
        selection.selection_changed.connect(self.show)
        selection.show_requested.connect(self.show)

    def select(self, steps: tuple[StepId, ...]) -> None:
        """Show that *steps*, if any, are selected, before the other panes hear of it."""
        before = self._view.look.selected
        if steps and before != frozenset(steps):
            self._view.look.selected = frozenset(steps)
            self._view.refresh_steps(before ^ self._view.look.selected)
            self.show(Selection(steps))

    @Slot(object)
    def show(self, selection: Selection) -> None:
        """Bring the first of the steps into view, or what hides it: a step that somebody folded stays folded."""
        step = next(iter(selection.steps), None)
        place = self._place_of(step) if step is not None and selection.origin != self._origin else None
        if step is not None and place is not None:
            camera.bring(self._view, place)
            self._brought = step, camera.spot_of(self._view)

    def keep(self) -> None:
        """There is less room, or more: what was brought into view stays there, unless the person has looked away."""
        if self._brought is not None and self._brought[1] == camera.spot_of(self._view):
            place = self._place_of(self._brought[0])
            if place is not None:
                camera.bring(self._view, place)
                self._brought = self._brought[0], camera.spot_of(self._view)

    def _place_of(self, step: StepId) -> Rect | None:
        state = self._view.state
        places = (state.layout.place_of(each) for each in (step, *state.hides(step)))
        return next((place for place in places if place is not None), None)
