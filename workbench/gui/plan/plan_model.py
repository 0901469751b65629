"""The plan of a run of a step list as the window knows it: a fold over the run's events, like every other view."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.engine.enforcement.records import EnforcementViolation, StepExecution, StepStatus, utc_now
from workbench.engine.enforcement.satisfaction import lacks_of
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import FINAL
from workbench.engine.running.run import Run
from workbench.engine.steplists.decider import StepListDecider
from workbench.engine.steplists.origin import runnable
from workbench.engine.steplists.places import StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.errors import RunFailed
from workbench.gui.control.running.retelling import RunView
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink, current_theme, status_ink
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _, numeral
from workbench.model.loader.steplist import Playbook, PlaybookStep
from workbench.model.snapshot import Snapshot
from workbench.vocabulary import status_in_plan

STATUS_ICONS = {
    StepStatus.IN_PROGRESS: ("running", "running"),
    StepStatus.COMPLETED: ("done", "done"),
    StepStatus.SKIPPED: ("skipped", "skipped"),
    StepStatus.FAILED: ("failed", "failed"),
}
_SEEN = "✓ "
STEP, STATUS, TOOLS, CALLS, SUCCESSES, VALIDATION, LIMIT, VIOLATIONS = range(8)
_HEADERS = (
    *(N_("Step"), N_("Status"), N_("Expected tools"), N_("Calls"), N_("Succeeded")),
    *(N_("Validation"), N_("Time limit"), N_("Violations")),
)
_HEADER_HINTS = (
    *(N_("Description of the step"), N_("Status of the step"), N_("Expected tools; ticked tools were called")),
    *(N_("Calls made, and the maximum allowed"), N_("Successful calls, and the minimum required")),
    *(
        N_("Whether results and evidence meet the step's requirements"),
        N_("Maximum duration"),
        N_("Rules of the plan that were broken"),
    ),
)
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class PlanWatch:
    """Keeps the plan of one run up to date."""

    def __init__(self, view: RunView, ran: Snapshot, playbook: Playbook) -> None:
        start = view.origin.steplist
        self.blocks = start is None or start.blocks
        self._fold = PlanFold(playbook, view.id, blocks=self.blocks)
        self.plan = self._fold.plan
        self._places = StepListPlaces(playbook, ran)
        self._has_begun = False
        self._is_over = False
        self._then: dt.datetime | None = None
        self._violations: dict[str, list[EnforcementViolation]] = {}

    def take(self, batch: Sequence[RunEvent]) -> None:
        """Add what *batch* tells."""
        self._has_begun = self._has_begun or bool(batch)
        self._is_over = any(type(event.payload) in FINAL for event in batch)
        self._fold.take(batch)
        self._violations = {}
        for violation in self.plan.violations:
            self._violations.setdefault(violation.step_id or "", []).append(violation)

    def copied(self) -> PlanWatch:
        """Another one that has taken the same. What never changes is the same object in both."""
        plan = self.plan
        same = (plan.playbook, self._places, *plan.playbook.steps, *self._fold.turn.wishes)
        known: dict[int, Any] = {id(each): each for each in same}
        known[id(plan.calls)] = list(plan.calls)  # its records are frozen, and there are as many as there were calls
        return deepcopy(self, known)

    def stand_at(self, at_ns: int) -> None:
        """It is looked at as it was at *at_ns*: no time passes."""
        self._then = dt.datetime.fromtimestamp(at_ns / 1e9, dt.UTC)

    def end(self) -> None:
        """It does not go on: no step is being worked at."""
        self._is_over = True

    def is_at(self, step_id: str) -> bool:
        """Whether it is the turn of a step."""
        current = self.plan.current_step
        return self._has_begun and not self._is_over and current is not None and current.id == step_id

    @property
    def is_timed(self) -> bool:
        """Whether a step with a time limit is going on."""
        step = self.plan.current_step
        is_going_on = self._then is None and step is not None and self.is_at(step.id)
        return is_going_on and step is not None and step.timeout_seconds is not None

    def lasted_s(self, step_id: str) -> float | None:
        """How long a step took, or has been going on; None before its turn."""
        execution = self.plan.get_step_execution(step_id)
        if execution is not None and execution.completed_at is not None and execution.started_at is not None:
            return (execution.completed_at - execution.started_at).total_seconds()
        now = self._then or utc_now()
        return (now - self.plan.entered_at).total_seconds() if self.is_at(step_id) else None

    def violations_of(self, step_id: str) -> Sequence[EnforcementViolation]:
        """What was not kept in a step."""
        return self._violations.get(step_id, ())

    def address_of(self, step_id: str) -> str:
        """Where a step stands in the text that runs."""
        return self._places.of(step_id).step


def watch_of(view: RunView, own: Run | None) -> PlanWatch | None:
    """The plan of the run of *view*, None where it has none. *own*: the run of this window, which has read its list."""
    if view.ran is None or view.origin.steplist is None:
        return None
    if own is not None and own.id == view.id and isinstance(own.decider, StepListDecider):
        return PlanWatch(view, view.ran, own.decider.playbook)
    try:
        return PlanWatch(view, view.ran, runnable(view.ran))
    except RunFailed:  # what is a list to a later version may be none to this one
        return None


class PlanWords:
    """The cells of one plan, made when they are looked at: only those in view cost something."""

    def __init__(self, watch: PlanWatch) -> None:
        self._watch = watch
        self._plan = watch.plan

    def cells(self, step: PlaybookStep) -> tuple[str, ...]:
        """Step, status, expected tools, calls, successes, validation, time limit, violations."""
        execution = self._execution(step)
        number = number_of(self._watch.address_of(step.id))
        optional = "" if step.required else _(" (optional)")
        seen = execution.successes
        return (
            f"{number}  {step.description}{optional}",
            str(status_in_plan(self.status(step))),
            ", ".join(f"{_SEEN if tool in seen else ''}{tool}" for tool in step.expected_tools) or "–",
            _counted(execution.tool_call_count, step.max_tool_calls),
            _counted(execution.success_count, step.least_calls or None),
            self._validation(step, execution),
            self._time(step),
            str(self.violation_count(step) or "–"),
        )

    def status(self, step: PlaybookStep) -> StepStatus:
        """Where *step* stands; the one whose turn it is goes on, with or without a call."""
        status = self._plan.status(step.id)
        is_next = status is StepStatus.PENDING and self._watch.is_at(step.id)
        return StepStatus.IN_PROGRESS if is_next else status

    def violation_count(self, step: PlaybookStep) -> int:
        """How often something was not kept in *step*."""
        return sum(violation.times for violation in self._watch.violations_of(step.id))

    def tooltip(self, step: PlaybookStep) -> str:
        """All that there is to say of *step*: hints, what it lacks, its error, its violations."""
        execution = self._execution(step)
        lines = [step.description, *(_("Hint: {hint}").format(hint=hint) for hint in step.hints)]
        if self._plan.status(step.id) is not StepStatus.SKIPPED:
            lines += [lack.message for lack in lacks_of(self._plan.playbook, step, execution)]
        lines += [execution.error] if execution.error else []
        for violation in self._watch.violations_of(step.id):
            lines.append(f"{violation.violation_type} × {violation.times}: {violation.message}")
        return "\n".join(lines)

    def _time(self, step: PlaybookStep) -> str:
        if step.timeout_seconds is None:
            return "–"
        limit, lasted = numeral(step.timeout_seconds, "g"), self._watch.lasted_s(step.id)
        if lasted is None:
            return _("{n} s").format(n=limit)
        return _("{lasted} of {limit} s").format(lasted=numeral(lasted, ".0f"), limit=limit)

    def is_late(self, step: PlaybookStep) -> bool:
        """Whether *step* has taken longer than it may."""
        lasted = self._watch.lasted_s(step.id) if step.timeout_seconds is not None else None
        return lasted is not None and step.timeout_seconds is not None and lasted > step.timeout_seconds

    def _validation(self, step: PlaybookStep, execution: StepExecution) -> str:
        wants = bool(step.least_calls or step.result_keywords or step.required_probes)
        if not wants:
            return "–"
        return _("open") if lacks_of(self._plan.playbook, step, execution) else _("met")

    def _execution(self, step: PlaybookStep) -> StepExecution:
        return self._plan.get_step_execution(step.id) or StepExecution(step.id)


def _counted(count: int, wanted: int | None) -> str:
    if wanted is None:
        return numeral(count)
    return _("{place} of {count}").format(place=numeral(count), count=numeral(wanted))


class PlanModel(QAbstractTableModel):
    """Reads the plan when a cell is looked at."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watch: PlanWatch | None = None
        self._words: PlanWords | None = None

    def show_plan(self, watch: PlanWatch | None) -> None:
        """Show another plan, or none."""
        self.beginResetModel()
        self._watch = watch
        self._words = PlanWords(watch) if watch is not None else None
        self.endResetModel()

    def look_at(self, watch: PlanWatch) -> None:
        """The same plan at another moment: its rows are the same."""
        self._watch, self._words = watch, PlanWords(watch)

    def catch_up(self) -> None:
        """The plan has moved on; only rows in view are read again."""
        if self._watch is not None and self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(_HEADERS) - 1))

    def step(self, row: int) -> PlaybookStep | None:
        """The step in *row*, if there is such a row."""
        steps = self._watch.plan.playbook.steps if self._watch is not None else ()
        return steps[row] if 0 <= row < len(steps) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many steps there are."""
        is_below = parent is not None and parent.isValid()
        return 0 if is_below or self._watch is None else len(self._watch.plan.playbook.steps)

    def columnCount(self, parent: Index | None = None) -> int:
        """Step, status, expected tools, calls, successes, validation, time limit, violations."""
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """The names of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return {Role.DisplayRole: str(_HEADERS[section]), Role.ToolTipRole: str(_HEADER_HINTS[section])}.get(Role(role))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """One cell."""
        step, words = self.step(index.row()), self._words
        if step is None or words is None:
            return None
        if role == Role.DisplayRole:
            return drawable_line(words.cells(step)[index.column()])
        if role == Role.ToolTipRole:
            return tip(words.tooltip(step))
        if role == Role.DecorationRole:
            return self._picture(step, words, index.column())
        if role == Role.ForegroundRole:
            return self._color(step, words, index.column())
        return None

    def _color(self, step: PlaybookStep, words: PlanWords, column: int) -> Any:
        """What was not kept stands out."""
        is_wrong = (column == VIOLATIONS and words.violation_count(step)) or (column == LIMIT and words.is_late(step))
        return QColor(current_theme().blocked) if is_wrong else None

    def _picture(self, step: PlaybookStep, words: PlanWords, column: int) -> Any:
        if column == VIOLATIONS and words.violation_count(step):
            return icon("shield", Ink.BLOCKED)
        picture = STATUS_ICONS.get(words.status(step)) if column == STATUS else None
        return icon(picture[0], status_ink(picture[1])) if picture is not None else None
