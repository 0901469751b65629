"""What the window does where somebody changes what a run was given, mocks a tool, or pins an answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QWidget

from workbench.engine.ports import Answer
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.run_controller import CallSpot
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.told_run import ToldRun
from workbench.i18n import _

_NEAR = 512


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
