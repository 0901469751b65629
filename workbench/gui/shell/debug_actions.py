"""What the window does for the actions of somebody who debugs: breakpoints and steps, and what stands in for the world.

In the place of what a run was given can stand a mock of a tool, another result, another answer, or a pinned one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QWidget

from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.ports import Answer
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.breakpoints import can_stop_at
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.run_controller import CallSpot
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.told_run import ToldRun
from workbench.i18n import _
from workbench.model.program import StepId

if TYPE_CHECKING:
    from workbench.engine.options import RunOptions

_NEAR = 512


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


class StandInActions(QObject):
    """Opens the dialogs about results, answers and mocks, and keeps pinned answers."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tool = ""
        self.dialog: QDialog | None = None
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_pinned)
        context.actions.register("run.change-result", self.change_result)
        context.actions.register("run.change-answer", self.change_answer)
        context.runs.mock_wanted.connect(self._on_mock_wanted)
        context.runs.pin_wanted.connect(self._on_pin_wanted)

    def change_result(self) -> None:
        """Ask what the call gives at whose result the run is held."""
        from workbench.engine.debugging.mocks import written_outcome  # noqa: PLC0415 - loaded with the run
        from workbench.gui.runs.stand_in_dialogs import OutcomeDialog  # noqa: PLC0415 - few need it at the start

        state = self._context.runs.state
        intent = state.intent if state is not None else None
        if intent is None or intent.held is None:
            return
        outcome = written_outcome(intent.held.value, intent.held.failure or "")
        words = _("The run goes on as if the call of {tool} had given this:").format(tool=intent.tool)
        dialog = OutcomeDialog(_("Change the result"), words, outcome, self._window)
        dialog.given.connect(self._on_result_given)
        self._open(dialog)

    def change_answer(self) -> None:
        """Ask what the step is to be answered that was answered last."""
        from workbench.engine.state.answering import answer_at_hand  # noqa: PLC0415 - loaded with the run
        from workbench.gui.runs.stand_in_dialogs import AnswerDialog  # noqa: PLC0415 - few need it at the start

        state = self._context.runs.state
        at = answer_at_hand(state) if state is not None else None
        if at is not None:
            dialog = AnswerDialog(at.request, at.answer, at.is_used, self._window)
            dialog.given.connect(self._on_answer_given)
            self._open(dialog)

    @Slot(object)
    def _on_mock_wanted(self, spot: CallSpot) -> None:
        from workbench.engine.debugging.mocks import written_outcome  # noqa: PLC0415 - loaded with the run
        from workbench.gui.runs.stand_in_dialogs import OutcomeDialog  # noqa: PLC0415 - few need it at the start

        mock = self._context.runs.mock_of(spot.tool)
        known = written_outcome(mock.value, mock.failure) if mock is not None else ""
        outcome = known or _outcome_of(self._context.runs.host, self._context.shown, spot)
        words = _("From now on runs of this file do not call {tool}, but are given this:").format(tool=spot.tool)
        self._tool = spot.tool
        dialog = OutcomeDialog(_("Mock {tool}").format(tool=spot.tool), words, outcome, self._window)
        dialog.given.connect(self._on_mock_given)
        self._open(dialog)

    @Slot(object)
    def _on_mock_given(self, outcome: str) -> None:
        from workbench.engine.debugging.mocks import Mock, parse_outcome  # noqa: PLC0415 - see above

        self._context.runs.mock(self._tool, Mock(self._tool, *parse_outcome(outcome)))
        self._context.notices.tell(_("{tool} is mocked: runs of this file do not call it.").format(tool=self._tool))

    @Slot(object)
    def _on_result_given(self, outcome: str) -> None:
        from workbench.engine.debugging.mocks import parse_outcome  # noqa: PLC0415 - see above
        from workbench.engine.running.controls import EditResult  # noqa: PLC0415

        self._context.runs.order(EditResult(*parse_outcome(outcome)))

    @Slot(object)
    def _on_answer_given(self, answer: Answer) -> None:
        from workbench.engine.running.controls import EditAnswer  # noqa: PLC0415 - see above

        self._context.runs.order(EditAnswer(answer))

    @Slot(object)
    def _on_pin_wanted(self, step: str) -> None:
        view = self._context.shown.view
        if view is not None:
            self._work.ask(partial(_pinned, self._context.runs.host, view, step))

    @Slot(object)
    def _on_pinned(self, problem: WorkbenchError | None) -> None:
        if problem is not None:
            self._context.notices.report(problem, Cause.RUN)
        else:
            self._context.notices.tell(_("The answer is pinned: when the step asks again, it is offered."))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _pinned(host: RunHost, view: RunView, step: str) -> WorkbenchError | None:
    """Keep the last answer to *step* of the run in *view*; why that cannot be."""
    from workbench.engine.debugging.pins import keep_pin, pin_of  # noqa: PLC0415 - loaded with the run
    from workbench.engine.language.procedures.start import who  # noqa: PLC0415

    try:
        if view.ran is None:
            raise StoreFailed(_("The text of this run is lost."))
        keep_pin(host.places.answers_file, Path(view.origin.path), pin_of(host.events(view.id), view.ran, step, who()))
    except WorkbenchError as error:
        return error
    return None


def _outcome_of(host: RunHost, shown: ToldRun, spot: CallSpot) -> str:
    """What the call at *spot* has come to, as it is written; empty where that is not known."""
    from workbench.engine.debugging.mocks import written_outcome  # noqa: PLC0415 - loaded with the run
    from workbench.engine.journal.run_events import ToolError, ToolResult  # noqa: PLC0415

    try:
        events = host.events(shown.view.id, spot.seq, _NEAR) if shown.view is not None and spot.seq >= 0 else ()
    except WorkbenchError:  # another program writes: then nothing is there to begin with
        return ""
    for event in events:
        if event.span != events[0].span:
            continue
        match event.payload:
            case ToolResult(value=value):
                return written_outcome(value, "")
            case ToolError(message=message):
                return written_outcome(None, message)
    return ""
