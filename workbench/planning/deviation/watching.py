"""Compares a run with its plan while it goes on: what failed for good, what is missing, what does not hold, what takes
far longer or costs far more than before, and what drifts away from the goal.

Evidence is what the events tell, and nothing else. To look at an event costs next to nothing unless it ends a step.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.engine.expressions.evaluation import evaluate
from workbench.engine.expressions.limits import EvaluationFailed, UnknownName
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.model_events import ModelAnswered
from workbench.engine.journal.run_events import (
    RunFailure,
    StepEntered,
    StepExited,
    StepFailure,
    ToolCalled,
    VariableSet,
)
from workbench.i18n import _, duration_text, numeral
from workbench.model.plans.writing import sentence_of
from workbench.model.snapshot import Snapshot
from workbench.planning.plan import Plan, PlanStep
from workbench.planning.request import DeviationKind
from workbench.syntax.expressions import Expression, try_expression

FACTOR = 3.0
"""So many times as long, or as dear, as usual is far more."""
_LEAST_S = 5.0
_LEAST_USD = 0.05
_LEAST_RUNS = 3
_SHOWN = 30
_LONGEST = 160
_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something that is not as planned. *step*: its address; *text*: its words. *seq*: the event that shows it."""

    kind: DeviationKind
    step: str
    text: str
    expected: str
    actual: str
    seq: int


@dataclass(frozen=True, slots=True)
class Usual:
    """What a step took in earlier runs that went well: the medians. *runs*: how many there were."""

    duration_ms: float
    cost_usd: float
    runs: int


Baseline = Mapping[str, Usual]
"""What is usual, by the words of the steps."""


@dataclass(slots=True)
class _Open:
    address: str
    text: str
    at_ns: int
    has_called: bool = False
    cost_usd: float = 0.0


@dataclass(slots=True)
class Watch:
    """Watches one run of *snapshot*. *plan*: None where there is none to compare with.

    *steps*: the addresses and the words of those that are done.
    """

    snapshot: Snapshot
    plan: Plan | None = None
    baseline: Baseline = field(default_factory=dict)
    _open: dict[str, _Open] = field(default_factory=dict)
    _checks: Mapping[str, tuple[tuple[Expression, str], ...]] | None = None
    _values: dict[str, Any] = field(default_factory=dict)
    _failed: Deviation | None = None
    steps: list[tuple[str, str]] = field(default_factory=list)

    def take(self, event: RunEvent) -> Deviation | None:
        """What *event* shows to be otherwise than planned; None where nothing is."""
        rule = _RULES.get(type(event.payload))
        return None if rule is None else rule(self, event, event.payload)

    @property
    def done(self) -> tuple[str, ...]:
        """The words of the steps that are done, in order."""
        return tuple(text for _step, text in self.steps)

    def evidence(self) -> tuple[str, ...]:
        """What has happened so far, a line each: the last steps that were done, and what variables hold."""
        steps = [f"{step} {shortened(text)}" for step, text in self.steps[-_SHOWN:]]
        values = [f"{name} = {shortened(canonical(value))}" for name, value in list(self._values.items())[-_SHOWN:]]
        return (*steps, *values)

    def entered(self, event: RunEvent, entered: StepEntered) -> None:
        """A step begins."""
        self._open[event.span] = _Open(event.step, entered.text, event.at_ns)

    def called(self, event: RunEvent, call: ToolCalled) -> Deviation | None:
        """A call begins: one that the plan does not know is drift."""
        step = self._open.get(event.parent) or next(iter(reversed(self._open.values())), None)
        if step is not None:
            step.has_called = True
        if self.plan is None or call.tool in self.plan.calls or not self.plan.calls:
            return None
        wanted = ", ".join(sorted(self.plan.calls))
        return self._told(DeviationKind.DRIFT, event, step, wanted, call.tool)

    def set(self, _event: RunEvent, variable: VariableSet) -> None:
        """A variable has another value."""
        self._values[variable.name] = variable.new

    def cost(self, _event: RunEvent, answered: ModelAnswered) -> None:
        """A model was paid."""
        for step in self._open.values():
            step.cost_usd += answered.cost_usd or 0.0

    def forked(self, _event: RunEvent, _forked: RunForked) -> None:
        """Another text is carried out from here on: what failed before does not count."""
        self._failed = None

    def step_failed(self, event: RunEvent, failure: StepFailure) -> None:
        """A step failed; whether for good, the end of the run will tell."""
        step = self._open.get(event.span) or next(iter(reversed(self._open.values())), None)
        kind = DeviationKind.FAILED if step is None or step.has_called else DeviationKind.MISSING
        self._failed = self._told(kind, event, step, _("the step is done"), failure.message)

    def run_failed(self, event: RunEvent, failure: RunFailure) -> Deviation:
        """The run has failed: what its last step failed with was for good."""
        return self._failed or Deviation(DeviationKind.FAILED, event.step, "", "", failure.message, event.seq)

    def exited(self, event: RunEvent, exited: StepExited) -> Deviation | None:
        """A step has ended: what it took, and what must hold now."""
        step = self._open.pop(event.span, None)
        if step is None or exited.status is not StepStatus.DONE:
            return None
        self.steps.append((step.address, step.text))
        return self._unlike(event, step) or self._does_not_hold(event, step)

    def _unlike(self, event: RunEvent, step: _Open) -> Deviation | None:
        usual = self.baseline.get(step.text)
        if usual is None or usual.runs < _LEAST_RUNS:
            return None
        took_ms = (event.at_ns - step.at_ns) / _MS
        if took_ms > FACTOR * usual.duration_ms and took_ms - usual.duration_ms > _LEAST_S * 1000:
            words = (duration_text(usual.duration_ms * _MS), duration_text(took_ms * _MS))
            return self._told(DeviationKind.SLOWER, event, step, *words)
        if step.cost_usd > FACTOR * usual.cost_usd and step.cost_usd - usual.cost_usd > _LEAST_USD:
            costs = (f"${numeral(usual.cost_usd, '.4f')}", f"${numeral(step.cost_usd, '.4f')}")
            return self._told(DeviationKind.DEARER, event, step, *costs)
        return None

    def _does_not_hold(self, event: RunEvent, step: _Open) -> Deviation | None:
        if self._checks is None:
            self._checks = dict(_checks_of(self.snapshot, self.plan)) if self.plan is not None else {}
        for expression, words in self._checks.get(step.address, ()):
            try:
                holds = bool(evaluate(expression, self._value))
            except (EvaluationFailed, UnknownName) as error:
                return self._told(DeviationKind.VALIDATION, event, step, words, str(error))
            if not holds:
                return self._told(DeviationKind.VALIDATION, event, step, words, _("it does not hold"))
        return None

    def _value(self, name: str, is_state: bool) -> Any:
        if name in self._values:
            return self._values[name]
        raise UnknownName(name, tuple(self._values))

    def _told(self, kind: DeviationKind, event: RunEvent, step: _Open | None, expected: str, actual: str) -> Deviation:
        address, text = (step.address, step.text) if step is not None else (event.step, "")
        return Deviation(kind, address, text, expected, actual, event.seq)


_RULES: Mapping[type, Callable[[Watch, RunEvent, Any], Deviation | None]] = {
    StepEntered: Watch.entered,
    StepExited: Watch.exited,
    StepFailure: Watch.step_failed,
    RunFailure: Watch.run_failed,
    ToolCalled: Watch.called,
    VariableSet: Watch.set,
    ModelAnswered: Watch.cost,
    RunForked: Watch.forked,
}


def shortened(text: str) -> str:
    """*text* in one line of bearable length."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def planned_steps(snapshot: Snapshot, plan: Plan) -> dict[str, PlanStep]:
    """The step of *plan* behind each step of *snapshot*, by its address, where the words are those of the plan."""
    left = list(plan.walk())
    found: dict[str, PlanStep] = {}
    for playbook in snapshot.program.playbooks:
        for step in (step for each in playbook.steps for step in each.walk()):
            meant = next((each for each in left if sentence_of(each) == step.text), None)
            if meant is not None:
                left.remove(meant)
                found[snapshot.address(step.id)] = meant
    return found


def _checks_of(snapshot: Snapshot, plan: Plan) -> Iterable[tuple[str, tuple[tuple[Expression, str], ...]]]:
    """The checks of *plan* that can be evaluated, by the address of their step; the others are for people."""
    for address, step in planned_steps(snapshot, plan).items():
        read = [(try_expression(each), each) for each in step.checks]
        exact = tuple((expression, words) for expression, words in read if expression is not None)
        if exact:
            yield address, exact


def baseline_of(runs: Iterable[Sequence[RunEvent]]) -> Baseline:
    """What is usual, from the events of *runs* that went well."""
    times: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    for events in runs:
        for text, took_ms, cost in _taken(events):
            times.setdefault(text, []).append(took_ms)
            costs.setdefault(text, []).append(cost)
    return {
        text: Usual(statistics.median(each), statistics.median(costs[text]), len(each)) for text, each in times.items()
    }


def _taken(events: Sequence[RunEvent]) -> Iterable[tuple[str, float, float]]:
    """Words, milliseconds and dollars of each step that was done in *events*."""
    begun: dict[str, _Open] = {}
    for event in events:
        payload = event.payload
        if isinstance(payload, StepEntered):
            begun[event.span] = _Open(event.step, payload.text, event.at_ns)
        elif isinstance(payload, ModelAnswered):
            for each in begun.values():
                each.cost_usd += payload.cost_usd or 0.0
        elif isinstance(payload, StepExited) and event.span in begun:
            step = begun.pop(event.span)
            if payload.status is StepStatus.DONE:
                yield step.text, (event.at_ns - step.at_ns) / _MS, step.cost_usd
