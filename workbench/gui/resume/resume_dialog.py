"""Shown before a run goes on that was cut off: how old it is, what is done, in doubt, and next."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QWidget

from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.cycle_events import DeviationNoted, LookDue, PlaybookBegun, PlaybookEnded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.run_events import RunCreated, StepExited
from workbench.engine.journal.run_list import name_of
from workbench.engine.judges import JudgeKind, Judges, Limits
from workbench.engine.state.fold import fold
from workbench.engine.state.judging import Used
from workbench.engine.state.run_state import RunState
from workbench.errors import StoreFailed
from workbench.gui.control.context import WindowContext
from workbench.gui.forms.limit_fields import LimitFields
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, make_room, scrolled
from workbench.gui.look.theming import current_theme
from workbench.gui.words.run_words import used_words
from workbench.gui.words.values import value_text
from workbench.i18n import _, ngettext
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.tools.values import CallSafety
from workbench.vocabulary import waiting_words

LAST_STEPS = 4
_LEAST_PX = 80
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class CutOffRun:
    """One run as the resume dialog tells it; all texts are ready to be read.

    *done*: the last steps that are done, oldest first, of *done_count*. *in_doubt*: a call that
    was begun and whose result is not known, or empty. *next*: where it goes on. *is_old*: it
    has been waiting for more than a day. *is_changed*: the file is not the one that ran.
    *was_stopped*: by the person, not by a crash or a closed window. *limits*: what models may use, None where none
    judges; *used*: what they have used.
    """

    id: RunId
    playbook: str
    age: str
    done: tuple[str, ...]
    done_count: int
    in_doubt: str
    next: str
    is_old: bool
    is_changed: bool
    was_stopped: bool = False
    limits: Limits | None = None
    used: Used = field(default_factory=Used)


def cut_off_run(events: Sequence[RunEvent], ran: Snapshot | None, document: Snapshot | None, now_ns: int) -> CutOffRun:
    """What to tell about the run of *events*, which executes the text *ran*. *document*: its file, if that is open."""
    state = fold(events)
    ends = [(event.step, event.payload) for event in events if isinstance(event.payload, StepExited)]
    finished = [step for step, end in ends if end.status is StepStatus.DONE]
    waited_s = (now_ns - events[-1].at_ns) / 1e9
    return CutOffRun(
        id=events[0].run,
        playbook=name_of(state.origin),
        age=age_text(waited_s),
        done=tuple(_step_words(ran, address) for address in finished[-LAST_STEPS:]),
        done_count=len(finished),
        in_doubt=_doubt(state),
        next=_next(state, ran),
        is_old=waited_s > DAY_S,
        is_changed=ran is not None and document is not None and ran.text != document.text,
        was_stopped=state.status is RunStatus.CANCELLED,
        limits=_limits(state),
        used=state.used,
    )


def carried_out(events: Sequence[RunEvent]) -> RunId | None:
    """The run that carries out what a goal has come to; None where there is none, or the goal goes on without it."""
    about = (PlaybookBegun, DeviationNoted, LookDue, PlaybookEnded)
    last = next((each.payload for each in reversed(events) if isinstance(each.payload, about)), None)
    return RunId(last.run) if isinstance(last, PlaybookBegun) else None


def for_goal(goal: CutOffRun, run: CutOffRun) -> CutOffRun:
    """*goal* as far as its *run* has come: what is done and in doubt is told of that."""
    return replace(goal, done=run.done, done_count=run.done_count, in_doubt=run.in_doubt, next=run.next)


def _limits(state: RunState) -> Limits | None:
    judges = state.origin.judges or Judges()
    return (state.origin.limits or Limits()) if JudgeKind.MODEL in judges.kinds else None


def age_text(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    if seconds < MINUTE_S:
        return _("just now")
    if seconds < HOUR_S:
        return ngettext("{count} minute ago", "{count} minutes ago", int(seconds // MINUTE_S))
    if seconds < DAY_S:
        return ngettext("{count} hour ago", "{count} hours ago", int(seconds // HOUR_S))
    return ngettext("{count} day ago", "{count} days ago", int(seconds // DAY_S))


def _step_words(ran: Snapshot | None, address: str) -> str:
    step = ran.at_address(address) if ran is not None else None
    return f"{address}  {plain_text(step)}" if step is not None else address


def _doubt(state: RunState) -> str:
    """A call that was journaled before it was made; unless it is known to have ended, it will be asked about.

    One that may be made again is made again.
    """
    intent = state.intent
    if intent is None or intent.safety is not CallSafety.UNSAFE:
        return ""
    values = [value_text(value) for value in intent.positional]
    values += [f"{name}={value_text(value)}" for name, value in intent.named]
    return f"{intent.tool}({', '.join(values)})"


def _next(state: RunState, ran: Snapshot | None) -> str:
    if state.pending is not None:
        # what is asked about may follow, as long as it is
        question = state.pending.text.partition("\n\n")[0]
        return _("Asks again: {question}").format(question=question)
    if state.waiting.wait is not None:
        wait = state.waiting.wait
        return _("Is {waiting}.").format(waiting=waiting_words(wait.until_ns, is_open=wait.is_open))
    address = next((frame.step for frame in reversed(state.frames) if frame.step), "")
    if address:
        return _step_words(ran, address)
    return _("Starts with the first step.") if not state.steps else _("Continues after the last completed step.")


class ResumeDialog(QDialog):
    """*resumed* carries the run that is to go on; closing the dialog leaves it as it is."""

    resumed = Signal(object, object)  # RunId, Limits | None

    def __init__(self, run: CutOffRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self.setWindowTitle(_("Resume run"))
        self.setMinimumWidth(current_theme().px(520))
        words = _("{playbook} was stopped {age}") if run.was_stopped else _("{playbook} was interrupted {age}")
        title = Label(words.format(playbook=run.playbook, age=run.age), self, role="title", wraps=True)
        inside = QWidget(self)
        warnings = [self._words(words, inside) for words in self._warnings()]
        for label in warnings:
            label.setProperty("role", "caution")
        in_column(inside, self._rows(inside), *warnings, 1, margins=0, spacing=10)
        self.area = scrolled(inside, self)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # arrows scroll
        self.area.setAccessibleName(_("Where the run stands"))
        self.area.setMinimumHeight(current_theme().px(_LEAST_PX))
        self.limits = LimitFields(run.limits or Limits(), self)
        self.limits.setVisible(run.limits is not None)
        self.said = ProblemLabel(self)
        in_column(self, title, (self.area, 1), self.limits, self.said, self._buttons(), margins=16, spacing=10)
        self.resume_button.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """All that is told is seen at once, as far as the screen allows."""
        super().showEvent(event)
        make_room(self, self.area)

    def _rows(self, inside: QWidget) -> QGridLayout:
        run = self._run
        several = ngettext("{count} step:", "{count} steps, most recent:", run.done_count)
        head = several if run.done else _("Nothing yet.")
        rows = (
            (_("Done"), "\n".join((head, *run.done))),
            (_("Outcome unknown"), run.in_doubt or _("Nothing.")),
            (_("Next"), run.next),
            *(((_("Models used"), used_words(run.used)),) if run.limits is not None else ()),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, words) in enumerate(rows):
            label = Label(name, inside, role="muted")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._words(words, inside), row, 1)
        return grid

    def _warnings(self) -> tuple[str, ...]:
        words = []
        if self._run.in_doubt:
            words.append(_("If the result cannot be determined, you will be asked."))
        if self._run.is_changed:
            words.append(_("The file has changed. The run continues with the version it started with."))
        if self._run.is_old:
            words.append(_("This run has been waiting for more than a day. Check that its results are still valid."))
        return tuple(words)

    @staticmethod
    def _words(words: str, inside: QWidget) -> Label:
        label = Label(words, inside, wraps=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        self.resume_button = buttons.addButton(_("&Resume"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.later_button = buttons.addButton(_("&Later"), QDialogButtonBox.ButtonRole.RejectRole)
        self.resume_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    @Slot()
    def accept(self) -> None:
        """Go on, with what models may use from now on."""
        try:
            limits = self.limits.limits() if self._run.limits is not None else None
        except ValueError as problem:
            self.said.setText(str(problem))
            return
        super().accept()
        self.resumed.emit(self._run.id, limits)


def offer_resume(context: WindowContext, run: RunId, window: QWidget) -> ResumeDialog:
    """Show where *run* stands; it goes on when the person says so. Raises StoreFailed."""
    host = context.runs.host
    events = host.undamaged(run)
    origin, path = events[0].payload, context.documents.document.path
    is_open = isinstance(origin, RunCreated) and origin.path == ("" if path is None else str(path))
    document = context.documents.snapshot if is_open else None
    told = cut_off_run(events, host.text_of(events), document, time.time_ns())
    carried = carried_out(events)
    with suppress(StoreFailed):  # it was cut off before that run began
        if carried:
            inner = host.undamaged(carried)
            told = for_goal(told, cut_off_run(inner, host.text_of(inner), None, time.time_ns()))
    dialog = ResumeDialog(told, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.resumed.connect(context.runs.resume)
    dialog.open()
    return dialog
