"""What the window does for the actions that stop a run and lead it on: breakpoints, steps, running to a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from workbench.engine.debugging.goals import Goal, Going
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.breakpoints import can_stop_at
from workbench.i18n import _
from workbench.model.program import StepId

if TYPE_CHECKING:
    from workbench.engine.options import RunOptions


class DebugActions(QObject):
    """Handles the actions about breakpoints and steps. *options*: says how a run is started here."""

    def __init__(self, context: WindowContext, window: QWidget, options: Callable[[], RunOptions]) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._options = options
        handlers: dict[str, Callable[[], object]] = {
            "run.step": self.step_over,
            "run.step-into": self.step_into,
            "run.step-out": self.step_out,
            "run.skip": self.skip,
            "run.breakpoints": self.show_all,
            "step.breakpoint": self.toggle,
            "step.edit-breakpoint": self.edit,
            "step.run-to": self.run_to_selected,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)

    def step_over(self) -> None:
        """One step of the run, with all that it calls; begins a paused run where none is shown that goes on."""
        self._step(Going.OVER)

    def step_into(self) -> None:
        """One step of the run, also in what it calls; begins a paused run where none is shown that goes on."""
        self._step(Going.INTO)

    def _step(self, going: Going) -> None:
        if self._context.shown.is_live:
            self._context.runs.step(going)
        else:
            self._context.runs.start(replace(self._options(), start_paused=True))

    def step_out(self) -> None:
        """Go on until the playbook at work is left."""
        self._context.runs.step(Going.OUT)

    def skip(self) -> None:
        """Leave the next step out."""
        from workbench.engine.running.controls import SkipStep  # noqa: PLC0415 - loaded with the run that is skipped in

        self._context.runs.order(SkipStep())

    @property
    def _selected(self) -> StepId | None:
        steps = self._context.selection.selected
        return steps[0] if len(steps) == 1 else None

    def toggle(self) -> None:
        """Set a breakpoint at the selected step, or take it away."""
        step = self._selected
        if step is None:
            return
        if can_stop_at(self._context.documents.snapshot, step):
            self._context.breakpoints.toggle(step)
        else:
            self._context.notices.tell(_("A run does not carry this out, so it cannot stop here."))

    def edit(self) -> None:
        """Ask when runs stop before the selected step."""
        from workbench.gui.runs.breakpoints_dialog import BreakpointDialog  # noqa: PLC0415 - few need it at the start

        step = self._selected
        if step is not None and can_stop_at(self._context.documents.snapshot, step):
            self._open(BreakpointDialog(self._context, step, self._window))

    def show_all(self) -> None:
        """Show where runs of the document stop."""
        from workbench.gui.runs.breakpoints_dialog import BreakpointsDialog  # noqa: PLC0415 - likewise

        self._open(BreakpointsDialog(self._context, self._window))

    def run_to_selected(self) -> None:
        """Go on up to the selected step; without a run, start one that stops there."""
        runs, step = self._context.runs, self._selected
        if step is None:
            return
        if not self._context.shown.is_live:
            self._start_to(step)
            return
        address = self._context.shown.steps.address_of(step)
        if address:
            runs.step(Going.TO, address)
        else:
            self._context.notices.tell(_("The run that goes on has no such step."))

    def _start_to(self, step: StepId) -> None:
        snapshot = self._context.documents.snapshot
        if can_stop_at(snapshot, step):
            goal = Goal(Going.TO, snapshot.address(step))
            self._context.runs.start(replace(self._options(), goal=goal))
        else:
            self._context.notices.tell(_("A run does not carry this out, so it cannot stop here."))

    def _open(self, dialog: QDialog) -> None:
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
