"""Where a run stands, as the fold of its events; the live run is folded by the same rules.

The fold needs nothing but the events: whatever moves control carries ``pc``, the index of
the next instruction in the code of the playbook on top, in its body.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine import events as types
from workbench.engine.events import RunEvent
from workbench.engine.frames import Frame, Intent, LiveFrame, OpenStep
from workbench.engine.ports import Request, RequestKind
from workbench.model.meaning import Variable


class RunStatus(enum.Enum):
    """How far a run is. A run that waits for an answer is RUNNING with a pending request."""

    CREATED = "created"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"


class StepStatus(enum.Enum):
    """How far a step is, as of its last visit."""

    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunState:
    """Everything that the next decision depends on, and what views show.

    *agents*: the ``$`` variables of each agent. *spans*: how many spans have begun. *steps*:
    how many steps have begun. *failure*: what a step failed with, before the run has failed.
    *is_ending*: the program is being ended from inside.
    """

    run: str = ""
    next_seq: int = 0
    status: RunStatus = RunStatus.CREATED
    frames: tuple[Frame, ...] = ()
    agents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    step_statuses: Mapping[str, StepStatus] = field(default_factory=dict)
    pending: Request | None = None
    intent: Intent | None = None
    result: Any = None
    error: str = ""
    failure: str = ""
    is_ending: bool = False
    spans: int = 0
    steps: int = 0
    origin: Mapping[str, Any] = field(default_factory=dict)
    agent: str = ""

    @property
    def variables(self) -> Mapping[str, Any]:
        """The ``$`` variables of the agent that is at work, or was last."""
        return self.agents.get(self.agent, {})

    @property
    def is_over(self) -> bool:
        """True when nothing more will be decided."""
        return self.status in _OVER


_OVER = frozenset({RunStatus.CANCELLED, RunStatus.COMPLETED, RunStatus.FAILED})


class RunFold:
    """A run's state that changes in place: an event costs the same however long the run is."""

    def __init__(self, state: RunState) -> None:
        self.run, self.next_seq, self.status = state.run, state.next_seq, state.status
        self.frames = [LiveFrame(frame) for frame in state.frames]
        self.agents = {name: dict(values) for name, values in state.agents.items()}
        self.step_statuses = dict(state.step_statuses)
        self.pending, self.intent = state.pending, state.intent
        self.result, self.error, self.failure = state.result, state.error, state.failure
        self.is_ending = state.is_ending
        self.spans, self.steps = state.spans, state.steps
        self.origin, self.agent = state.origin, state.agent

    @property
    def is_over(self) -> bool:
        """True when nothing more will be decided."""
        return self.status in _OVER

    @property
    def top(self) -> LiveFrame:
        """The frame at work."""
        return self.frames[-1]

    @property
    def open_span(self) -> str:
        """The innermost open span, empty before the first playbook."""
        if not self.frames:
            return ""
        return self.top.open[-1].span if self.top.open else self.top.span

    def apply(self, event: RunEvent) -> None:
        """Take *event* in; events of unknown types only count."""
        rule = _RULES.get(event.type)
        if rule is not None:
            rule(self, event)
        body = event.body
        if "pc" in body and self.frames:
            frame = self.frames[-1]
            frame.pc, frame.answer, frame.done = body["pc"], None, 0
        self.next_seq = event.seq + 1

    def state(self) -> RunState:
        """The state as a value that later events leave alone."""
        return RunState(
            run=self.run,
            next_seq=self.next_seq,
            status=self.status,
            frames=tuple(frame.frozen() for frame in self.frames),
            agents={name: dict(values) for name, values in self.agents.items()},
            step_statuses=dict(self.step_statuses),
            pending=self.pending,
            intent=self.intent,
            result=self.result,
            error=self.error,
            failure=self.failure,
            is_ending=self.is_ending,
            spans=self.spans,
            steps=self.steps,
            origin=self.origin,
            agent=self.agent,
        )


def fold(events: Iterable[RunEvent]) -> RunState:
    """The state that *events*, from the first on, lead to."""
    return advance(RunState(), events)


def advance(state: RunState, events: Iterable[RunEvent]) -> RunState:
    """The state after *events*; costs one copy of the state, however many events there are."""
    folding = RunFold(state)
    for event in events:
        folding.apply(event)
    return folding.state()


def apply(state: RunState, event: RunEvent) -> RunState:
    """The state after *event*; for many events ``advance`` is the faster way."""
    return advance(state, (event,))


def request_of(event: RunEvent) -> Request:
    """The question that *event* asks, without the variables in view."""
    body = event.body
    fields = tuple(Variable(each["name"], each["is_state"], each["type"]) for each in body.get("fields", ()))
    kind = RequestKind(body["kind"])
    return Request(body["request"], kind, event.step, body["text"], fields, tuple(body.get("choices", ())))


def _created(fold: RunFold, event: RunEvent) -> None:
    fold.run, fold.origin = event.run, event.body


def _running(fold: RunFold, event: RunEvent) -> None:
    fold.status = RunStatus.RUNNING


def _paused(fold: RunFold, event: RunEvent) -> None:
    fold.status = RunStatus.PAUSED


def _cancelled(fold: RunFold, event: RunEvent) -> None:
    fold.status = RunStatus.CANCELLED


def _completed(fold: RunFold, event: RunEvent) -> None:
    fold.status, fold.result = RunStatus.COMPLETED, event.body["return"]


def _failed(fold: RunFold, event: RunEvent) -> None:
    fold.status, fold.error = RunStatus.FAILED, event.body["message"]


def _playbook_entered(fold: RunFold, event: RunEvent) -> None:
    body = event.body
    agent = fold.agents.setdefault(body["agent"], {})
    state = {name: value for name, value in body["arguments"].items() if name in body["state"]}
    own = {name: value for name, value in body["arguments"].items() if name not in body["state"]}
    agent.update(state)
    fold.frames.append(LiveFrame(Frame(body["playbook"], body["agent"], event.span, 0, (), own, state)))
    fold.agent = body["agent"]
    fold.spans += 1


def _playbook_exited(fold: RunFold, event: RunEvent) -> None:
    fold.frames.pop()
    fold.is_ending = event.body.get("is_ending", False)
    if fold.frames:
        fold.top.answer = {"return": event.body["return"]}
        fold.agent = fold.top.agent
    else:
        fold.result = event.body["return"]


def _step_entered(fold: RunFold, event: RunEvent) -> None:
    fold.top.open.append(OpenStep(event.step, event.span, event.line))
    fold.step_statuses[event.step] = StepStatus.RUNNING
    fold.spans += 1
    fold.steps += 1


def _step_exited(fold: RunFold, event: RunEvent) -> None:
    fold.top.open.pop()
    fold.step_statuses[event.step] = StepStatus(event.body["status"])


def _step_failed(fold: RunFold, event: RunEvent) -> None:
    fold.failure = event.body["message"]
    fold.step_statuses[event.step] = StepStatus.FAILED


def _loop_iterated(fold: RunFold, event: RunEvent) -> None:
    step = fold.top.open[-1]
    items = event.body.get("items", step.items)
    fold.top.open[-1] = replace(step, rounds=event.body["round"], items=items)
    fold.top.done += 1


def _variable_set(fold: RunFold, event: RunEvent) -> None:
    name, value = event.body["name"], event.body["new"]
    frame = fold.top
    if event.body["scope"] == "state":
        fold.agents[frame.agent][name] = value
        if name in frame.parameters:
            frame.parameters[name] = value
    else:
        frame.locals[name] = value
    frame.done += 1


def _asked(fold: RunFold, event: RunEvent) -> None:
    fold.pending = request_of(event)
    fold.step_statuses[event.step] = StepStatus.WAITING
    fold.spans += 1


def _given(fold: RunFold, event: RunEvent) -> None:
    fold.pending = None
    fold.top.answer = event.body["answer"]
    fold.step_statuses[event.step] = StepStatus.RUNNING


def _called(fold: RunFold, event: RunEvent) -> None:
    body = event.body
    named = tuple(body["named"].items())
    fold.intent = Intent(
        body["key"], body["tool"], body["agent"], body["class"], event.span, tuple(body["positional"]), named
    )
    fold.spans += 1


def _call_answered(fold: RunFold, event: RunEvent) -> None:
    fold.intent = None
    fold.top.answer = {"return": event.body["value"]}


def _call_failed(fold: RunFold, event: RunEvent) -> None:
    fold.intent = None
    fold.failure = event.body["message"]


def _in_doubt(fold: RunFold, event: RunEvent) -> None:
    fold.pending = request_of(event)
    fold.step_statuses[event.step] = StepStatus.WAITING
    if fold.intent is not None:
        fold.intent = replace(fold.intent, is_in_doubt=True)


def _resolved(fold: RunFold, event: RunEvent) -> None:
    fold.pending = None
    fold.step_statuses[event.step] = StepStatus.RUNNING
    if fold.intent is None:
        return
    if event.body["how"] == "again":
        fold.intent = replace(fold.intent, attempt=fold.intent.attempt + 1, is_in_doubt=False)
    else:
        fold.intent = None
        fold.top.answer = {"return": event.body["value"]}


_RULES: dict[str, Callable[[RunFold, RunEvent], None]] = {
    types.RUN_CREATED: _created,
    types.RUN_STARTED: _running,
    types.RUN_PAUSED: _paused,
    types.RUN_RESUMED: _running,
    types.RUN_CANCELLED: _cancelled,
    types.RUN_COMPLETED: _completed,
    types.RUN_FAILED: _failed,
    types.PLAYBOOK_ENTERED: _playbook_entered,
    types.PLAYBOOK_EXITED: _playbook_exited,
    types.STEP_ENTERED: _step_entered,
    types.STEP_EXITED: _step_exited,
    types.STEP_FAILED: _step_failed,
    types.LOOP_ITERATION: _loop_iterated,
    types.VARIABLE_SET: _variable_set,
    types.INPUT_ASKED: _asked,
    types.INPUT_GIVEN: _given,
    types.TOOL_CALL: _called,
    types.TOOL_RESULT: _call_answered,
    types.TOOL_ERROR: _call_failed,
    types.IN_DOUBT: _in_doubt,
    types.RESOLVED: _resolved,
}
