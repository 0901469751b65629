"""Signs on blocks: breakpoints, what was found, and how far a run is, with edges that move while a step is running."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.running.breakpoints import StepBreakpoints
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.control.search.find_controller import FindController
from workbench.gui.look.theming import current_theme
from workbench.model.program import StepId

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


class RunLights(QObject):
    """Follows the marks of the run; repaints only the blocks they are on."""

    def __init__(self, view: CanvasView, shown: ShownRun) -> None:
        super().__init__(view)
        self._view = view
        self._running: frozenset[StepId] = frozenset()
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        self._shown = shown
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
