"""What runs and searches show on the flowchart: how far a run is, which ways it took, breakpoints, what was found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.control.running.breakpoints import StepBreakpoints
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.control.search.find_controller import FindController
from workbench.gui.look.theming import current_theme
from workbench.model.layout.program import Layout
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId

if TYPE_CHECKING:  # loaded with the first run
    from workbench.gui.control.running.executions import Executions
    from workbench.gui.control.running.run_steps import RunSteps
    from workbench.model.layout.ways_taken import Tally, WaysTaken

_TICK_MS = 60
_STEP_PX = 1.2


class StopSigns(QObject):
    """Shows the breakpoints on the blocks of their steps."""

    def __init__(self, view: CanvasView, breakpoints: StepBreakpoints) -> None:
        super().__init__(view)
        self._view = view
        self._breakpoints = breakpoints
        view.look.signs = breakpoints.signs
        breakpoints.changed.connect(self._on_changed)

    @Slot(object)
    def _on_changed(self, touched: frozenset[StepId]) -> None:
        self._view.look.signs = self._breakpoints.signs
        self._view.refresh_steps(touched)


class FoundSigns(QObject):
    """Shows on the blocks how often something was found in them."""

    def __init__(self, view: CanvasView, find: FindController) -> None:
        super().__init__(view)
        self._view = view
        self._find = find
        view.look.found = self._count
        find.changed.connect(self._on_changed)

    def _count(self, step: StepId) -> int:
        return self._find.steps.count(step, self._view.state.folded)

    @Slot()
    def _on_changed(self) -> None:
        self._view.viewport().update()


class RunWays(QObject):
    """Shows which ways the run has taken that is shown. *is_wanted*: what the person has chosen."""

    def __init__(self, view: CanvasView, shown: ShownRun) -> None:
        super().__init__(view)
        self._view = view
        self._shown = shown
        self.is_wanted = True
        self._layout = view.state.layout
        shown.marks_changed.connect(self._on_marks_changed)
        view.view_moved.connect(self._on_view_moved)

    def toggle(self) -> bool:
        """Show them, or not; whether they are wanted now."""
        self.is_wanted = not self.is_wanted
        self._take(None)
        return self.is_wanted

    @Slot()
    def _on_view_moved(self) -> None:
        """Another layout may have other steps."""
        if self._view.state.layout is not self._layout:
            self._layout = self._view.state.layout
            self._take(frozenset())

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        self._take(marks.changed if marks.changed and self._shown.moment is None else None)

    def _take(self, touched: frozenset[StepId] | None) -> None:
        """Count anew; *touched*: the steps of which something else is known now, None for any."""
        executions = self._shown.executions if self.is_wanted and len(self._shown.marks) > 0 else None
        taken = self._ways(executions) if executions is not None else None
        visible = visible_rect(self._view)
        changed = [visible] if touched is None else list(_around(self._view.state.layout, visible, touched))
        self._view.show_ways(taken, changed)

    def _ways(self, executions: Executions) -> WaysTaken:
        from workbench.model.layout.ways_taken import WaysTaken  # noqa: PLC0415 - no start needs it

        seq = self._shown.moment.seq if self._shown.moment is not None else None
        told = executions, self._shown.steps.at(seq), seq
        return WaysTaken(self._view.state.snapshot, partial(_tally_of, *told))


def _tally_of(executions: Executions, steps: RunSteps, seq: int | None, step: StepId) -> Tally:
    return executions.tally(steps.address_of(step), seq)


def _around(layout: Layout, visible: Rect, touched: frozenset[StepId]) -> Iterator[Rect]:
    """What can be seen of the fragments and ways of the steps *touched*: ways out of a decision depend on all of it."""
    for placed in layout.visible(visible) if touched else ():
        fragment = placed.fragment
        if any(box.step is not None and box.step.id in touched for box in fragment.boxes):
            yield Rect(placed.x, placed.y, fragment.width, fragment.height)
    for playbook in layout.playbooks if touched else ():
        routes = playbook.routes if playbook.rect.meets(visible) else ()
        if any(route.source in touched or route.target in touched for route in routes):
            yield visible


class RunLights(QObject):
    """Follows the marks of the run; repaints only the blocks they are on. *ways*: follow the same."""

    def __init__(self, view: CanvasView, shown: ShownRun) -> None:
        super().__init__(view)
        self._view = view
        self._running: frozenset[StepId] = frozenset()
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        self._shown = shown
        self.ways = RunWays(view, shown)
        shown.marks_changed.connect(self._on_marks_changed)

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        look = self._view.look
        is_other_run = len(marks) < len(look.marks)
        touched = frozenset(marks) | frozenset(look.marks) if is_other_run else marks.changed
        look.marks = marks
        look.now_ns = self._shown.shown_ns()
        still_running = (step for step in self._running | touched if step in marks)
        self._running = frozenset(step for step in still_running if marks[step].status is MarkStatus.RUNNING)
        self._view.refresh_steps(touched)
        if self._shown.moment is not None:  # nothing goes on there
            look.phase = None
            self._timer.stop()
        elif self._running and not self._timer.isActive():
            self._timer.start()
        elif not self._running:
            self._timer.stop()

    @Slot()
    def _on_tick(self) -> None:
        look = self._view.look
        look.now_ns = self._shown.shown_ns()
        look.phase = (look.phase or 0.0) + _STEP_PX if current_theme().moves else None
        self._view.refresh_steps(self._running)
