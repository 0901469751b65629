"""Where a run stands, as the fold of its events; the live run is folded by the same rules.

The fold needs nothing but the events: whatever moves control carries ``pc``, the index of
the next instruction in the code of the playbook on top, in its body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from workbench.engine.journal import events as types
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.frames import Frame, Intent, LiveFrame, OpenStep
from workbench.engine.state.run_state import OVER, RunState
from workbench.engine.state.watching import Entering, LiveWatching
from workbench.engine.state.world import Artifact, LiveWorld
from workbench.model.meaning import Variable


class RunFold:
    """A run's state that changes in place: an event costs the same however long the run is."""

    def __init__(self, state: RunState) -> None:
        self.run, self.next_seq, self.status = state.run, state.next_seq, state.status
        self.frames = [LiveFrame(frame) for frame in state.frames]
        self.agents = {name: dict(values) for name, values in state.agents.items()}
        self.step_statuses = dict(state.step_statuses)
        self.pending = state.pending
        self.result, self.error, self.failure = state.result, state.error, state.failure
        self.tool_failure, self.is_ending = state.tool_failure, state.is_ending
        self.spans, self.steps, self.roots = state.spans, state.steps, state.roots
        self.origin, self.agent = state.origin, state.agent
        self.watching, self.world = LiveWatching(state.watching), LiveWorld(state.world)

    @property
    def is_over(self) -> bool:
        """True when nothing more will be decided."""
        return self.status in OVER

    @property
    def top(self) -> LiveFrame:
        """The frame at work."""
        return self.frames[-1]

    @property
    def intent(self) -> Intent | None:
        """The tool call that the frame at work waits for."""
        intents = self.frames[-1].intents if self.frames else None
        return intents[-1] if intents else None

    @property
    def open_span(self) -> str:
        """The innermost open span, empty before the first playbook."""
        intent = self.intent
        return self.step_span if intent is None else intent.span

    @property
    def step_span(self) -> str:
        """The span of the step at work, or of its playbook between steps."""
        if not self.frames:
            return ""
        return self.top.open[-1].span if self.top.open else self.top.span

    @property
    def span_around_call(self) -> str:
        """The span that the innermost tool call under way lies in."""
        intents = self.top.intents
        return intents[-2].span if len(intents) > 1 else self.step_span

    def apply(self, event: RunEvent) -> None:
        """Take *event* in; events of unknown types only count."""
        self.watching.see(event)
        rule = _RULES.get(event.type)
        if rule is not None:
            rule(self, event)
        else:
            self.world.see(event)
        body = event.body
        if "pc" in body and self.frames:
            frame = self.frames[-1]
            frame.pc, frame.answer, frame.done = body["pc"], None, 0
        elif "gives" in body and self.frames:
            self.frames[-1].answer = {"return": body["gives"]}
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
            result=self.result,
            error=self.error,
            failure=self.failure,
            tool_failure=self.tool_failure,
            is_ending=self.is_ending,
            spans=self.spans,
            steps=self.steps,
            roots=self.roots,
            origin=self.origin,
            agent=self.agent,
            watching=self.watching.frozen(),
            world=self.world.frozen(),
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
    return Request(
        body["request"],
        RequestKind(body["kind"]),
        event.step,
        body["text"],
        fields,
        tuple(body.get("choices", ())),
        target=body.get("target", ""),
        purpose=Purpose(body.get("purpose", "")),
    )


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
    fold.watching.changed.update((body["agent"], name) for name in state)
    frame = LiveFrame(Frame(body["playbook"], body["agent"], event.span, 0, (), own, state))
    frame.cause, frame.trigger = body.get("cause", ""), body.get("trigger", "")
    frame.meeting, frame.description = body.get("meeting", 0), body.get("description", "")
    fold.roots += not fold.frames
    fold.frames.append(frame)
    fold.agent = body["agent"]
    fold.watching.entering = None
    fold.spans += 1


def _playbook_exited(fold: RunFold, event: RunEvent) -> None:
    body, frame = event.body, fold.frames.pop()
    fold.is_ending = body.get("is_ending", False)
    if "artifact" in body:
        summary = f"{frame.agent}.{frame.playbook}"
        fold.world.artifacts[body["artifact"]] = Artifact(summary, body["return"])
    if fold.frames:
        fold.agent = fold.top.agent
    if body.get("is_failed"):
        _unwound(fold, frame, body.get("handler"))
        return
    if frame.cause == "interrupt":  # nothing called it
        fold.watching.is_all = True
        return
    fold.watching.called.append(f"{frame.agent.partition(':')[0]}.{frame.playbook}")
    if fold.frames:
        fold.top.answer = {"return": body["return"]}
    elif frame.cause != "meeting" and fold.result is None:
        fold.result = body["return"]


def _unwound(fold: RunFold, frame: LiveFrame, handler: Mapping[str, str] | None) -> None:
    """A failed playbook was left; where *handler* is given, that begins in its place."""
    if handler is None:
        return
    fold.watching.entering = Entering(
        handler["agent"], handler["playbook"], frame.cause, handler["key"], frame.meeting, fold.failure, False
    )
    fold.failure = ""


def _step_entered(fold: RunFold, event: RunEvent) -> None:
    fold.top.open.append(OpenStep(event.step, event.span, event.line))
    fold.step_statuses[event.step] = StepStatus.RUNNING
    fold.spans += 1
    fold.steps += 1


def _step_exited(fold: RunFold, event: RunEvent) -> None:
    fold.top.leave(event.span)
    fold.step_statuses[event.step] = StepStatus(event.body["status"])


def _step_failed(fold: RunFold, event: RunEvent) -> None:
    fold.failure, fold.tool_failure = event.body["message"], ""
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
        fold.watching.changed.add((frame.agent, name))
        fold.watching.has_news = True
        if name in frame.parameters:
            frame.parameters[name] = value
    else:
        frame.locals[name] = value
    frame.done += 1


def _asked(fold: RunFold, event: RunEvent) -> None:
    fold.pending = request_of(event)
    if fold.pending.purpose is not Purpose.TRIGGERS:
        fold.step_statuses[event.step] = StepStatus.WAITING
    fold.spans += 1


def _given(fold: RunFold, event: RunEvent) -> None:
    pending, fold.pending = fold.pending, None
    if pending is not None and pending.purpose is Purpose.TRIGGERS:
        fold.watching.answer = event.body["answer"]
        return
    fold.watching.has_news = True
    fold.top.answer = event.body["answer"]
    fold.step_statuses[event.step] = StepStatus.RUNNING


def _called(fold: RunFold, event: RunEvent) -> None:
    body = event.body
    named = tuple(body["named"].items())
    fold.top.intents.append(
        Intent(body["key"], body["tool"], body["agent"], body["class"], event.span, tuple(body["positional"]), named)
    )
    fold.spans += 1


def _call_answered(fold: RunFold, event: RunEvent) -> None:
    intent = fold.top.intents.pop()
    fold.watching.called.append(f"{intent.agent}.{intent.tool}")
    fold.top.answer = {"return": event.body["value"]}
    kept = event.body.get("artifact")
    if kept is not None:
        fold.world.artifacts[kept["name"]] = Artifact(intent.tool, kept["value"])


def _call_failed(fold: RunFold, event: RunEvent) -> None:
    fold.tool_failure = event.body["message"]
    if event.body.get("is_over"):  # nothing in the run waits for what the call gives
        fold.top.intents.pop()


def _in_doubt(fold: RunFold, event: RunEvent) -> None:
    fold.pending = request_of(event)
    fold.step_statuses[event.step] = StepStatus.WAITING
    if fold.intent is not None:
        fold.top.intents[-1] = replace(fold.intent, is_in_doubt=True)


def _resolved(fold: RunFold, event: RunEvent) -> None:
    fold.pending = None
    fold.step_statuses[event.step] = StepStatus.RUNNING
    if fold.intent is None:
        return
    if event.body["how"] == "again":
        fold.top.intents[-1] = replace(fold.intent, attempt=fold.intent.attempt + 1, is_in_doubt=False)
    else:
        fold.top.intents.pop()
        fold.top.answer = {"return": event.body["value"]}


def _agent_created(fold: RunFold, event: RunEvent) -> None:
    fold.agents[event.body["agent"]] = dict(event.body["state"])
    fold.world.see(event)


def _trigger_fired(fold: RunFold, event: RunEvent) -> None:
    fold.watching.fired(event)
    cause = event.body["cause"]
    if cause == "before":
        fold.top.done += 1
    elif cause == "fails":  # the failed call is answered by the playbook that begins
        fold.top.intents.pop()
        fold.watching.explain(fold.tool_failure)
        fold.tool_failure = ""


def _react_chosen(fold: RunFold, event: RunEvent) -> None:
    step = fold.top.open[-1]
    entry = {"action": event.body["action"], "arguments": event.body["arguments"]}
    fold.top.open[-1] = replace(step, rounds=step.rounds + 1, items=[*(step.items or ()), entry])
    fold.top.answer = None


def _react_observed(fold: RunFold, event: RunEvent) -> None:
    step = fold.top.open[-1]
    *before, last = step.items
    seen = {name: event.body[name] for name in ("value", "error") if name in event.body}
    fold.top.open[-1] = replace(step, items=[*before, {**last, **seen}])
    if "error" in seen:
        fold.top.intents.pop()
        fold.tool_failure = ""


def _meeting_prepared(fold: RunFold, event: RunEvent) -> None:
    fold.world.see(event)
    fold.top.done += 1


def _meeting_turn(fold: RunFold, event: RunEvent) -> None:
    body = event.body
    fold.frames = fold.world.turn(body, fold.frames)
    if fold.frames:
        fold.agent = fold.top.agent
    if body["enter"]:
        fold.watching.entering = Entering(body["agent"], body["enter"], "meeting", "", body["meeting"])


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
    types.AGENT_CREATED: _agent_created,
    types.TRIGGER_CHECKED: lambda fold, event: fold.watching.checked(event),
    types.TRIGGER_FIRED: _trigger_fired,
    types.REACT_CHOSEN: _react_chosen,
    types.REACT_OBSERVED: _react_observed,
    types.MEETING_OPENED: _meeting_prepared,
    types.MEETING_INVITED: _meeting_prepared,
    types.MEETING_TURN: _meeting_turn,
}
