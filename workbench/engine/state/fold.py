"""Where a run stands, as the fold of its events; the live run is folded by the same rules.

The fold needs nothing but the events: whatever moves control carries ``pc``, the index of
the next instruction in the code of the playbook on top, in its body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from workbench.engine.journal import language_events as language
from workbench.engine.journal import run_events as told
from workbench.engine.journal.choices import EntryCause, FiringCause, RunStatus, Scope, StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import NOTHING, EventPayload, Giving, Leading
from workbench.engine.ports import ABOUT_TRIGGERS, InDoubtChoice, Purpose
from workbench.engine.state import answering
from workbench.engine.state import judging_rules as judging
from workbench.engine.state.event_rules import APPROVAL_RULES, STEERING_RULES, WAITING_RULES, WORLD_RULES
from workbench.engine.state.frames import NEEDED, Answering, Frame, Intent, LiveFrame, OpenStep
from workbench.engine.state.live_run import LiveRun
from workbench.engine.state.run_state import NEWS, RunState
from workbench.engine.state.watching import Entering
from workbench.engine.state.world import Artifact


class RunFold(LiveRun):
    """A run's state that changes in place: an event costs the same however long the run is."""

    def apply(self, event: RunEvent) -> None:
        """Take *event* in; one that no rule knows only counts."""
        payload = event.payload
        if self.watching.is_due:
            self.watching.go_past(payload)
        if self.frames and (at := self.frames[-1].answering) is not None:
            self.frames[-1].answering = answering.go_past(self, event, at)
        if type(payload) in NEWS:
            self.idle = 0
        rule = _RULES.get(type(payload))
        if rule is not None:
            rule(self, event, payload)
        if isinstance(payload, Leading) and self.frames:
            self._lead_on(payload)
        self.next_seq, self.at_ns = event.seq + 1, event.at_ns

    def _lead_on(self, payload: Leading) -> None:
        """Go to the next instruction, or give the one at hand what it waits for."""
        frame = self.frames[-1]
        if frame.judging is not None:  # what a model wants called leads nowhere
            judging.take_result(self, payload)
        elif payload.pc is not None:
            unrolled, before = frame.unrolled, frame.pc
            frame.lead_to(payload.pc)
            if payload.pc == before and type(payload) is not told.RoundBegun:
                frame.unrolled = unrolled  # carried out once more, with what somebody has said meanwhile
        elif isinstance(payload, Giving) and payload.gives is not NOTHING:
            frame.begin_inner(payload.reads)
            frame.take(payload.gives)


def fold(events: Iterable[RunEvent]) -> RunState:
    """The state that *events*, from the first on, lead to."""
    return advance(None, events)


def advance(state: RunState | None, events: Iterable[RunEvent]) -> RunState:
    """The state after *events*; costs one copy of *state* (None: nothing has happened yet), however many they are."""
    folding = RunFold(state or RunState())
    for event in events:
        folding.apply(event)
    return folding.state()


def _created(fold: RunFold, event: RunEvent, created: told.RunCreated) -> None:
    fold.run, fold.origin = event.run, created


def _judges_chosen(fold: RunFold, event: RunEvent, chosen: told.JudgesChosen) -> None:
    fold.origin = replace(fold.origin, judges=chosen.judges, limits=chosen.limits)


def _becomes(status: RunStatus) -> Callable[[RunFold, RunEvent, EventPayload], None]:
    def rule(fold: RunFold, event: RunEvent, _payload: EventPayload) -> None:
        fold.status = status

    return rule


def _resumed(fold: RunFold, event: RunEvent, _resumed: told.RunResumed) -> None:
    fold.status = RunStatus.RUNNING
    if _is_python_asking(fold):  # it is gone with the process that ran before
        fold.pending = None
    judging.ask_again(fold)


def _completed(fold: RunFold, event: RunEvent, completed: told.RunCompleted) -> None:
    fold.status, fold.result = RunStatus.COMPLETED, completed.returned


def _failed(fold: RunFold, event: RunEvent, failure: told.RunFailure) -> None:
    fold.status, fold.error = RunStatus.FAILED, failure.message


def _playbook_entered(fold: RunFold, event: RunEvent, entered: told.PlaybookEntered) -> None:
    agent = fold.agents.setdefault(entered.agent, {})
    state = {name: value for name, value in entered.arguments.items() if name in entered.state}
    own = {name: value for name, value in entered.arguments.items() if name not in entered.state}
    agent.update(state)
    for name in state:
        fold.watching.change(entered.agent, name)
    frame = LiveFrame(Frame(entered.playbook, entered.agent, event.span, 0, (), own, state))
    frame.cause, frame.trigger = entered.cause, entered.trigger
    frame.meeting, frame.description = entered.meeting, entered.description
    if fold.frames:
        fold.top.begin_inner(entered.reads)
    fold.roots += not fold.frames
    fold.frames.append(frame)
    fold.agent = entered.agent
    fold.watching.entering = None
    fold.spans += 1


def _playbook_exited(fold: RunFold, event: RunEvent, exited: told.PlaybookExited) -> None:
    frame = fold.frames.pop()
    fold.is_ending = exited.is_ending
    if exited.artifact:
        summary = f"{frame.agent}.{frame.playbook}"
        fold.world.artifacts[exited.artifact] = Artifact(summary, exited.returned)
    if fold.frames:
        fold.agent = fold.top.agent
    if exited.is_raised:
        fold.top.answer, fold.failure = {"raised": fold.failure}, ""
        return
    if exited.is_failed:
        _unwound(fold, frame, exited.handler)
        return
    if frame.cause is EntryCause.INTERRUPT:  # nothing called it
        fold.watching.is_all = True
        return
    fold.watching.called.append(f"{frame.agent.partition(':')[0]}.{frame.playbook}")
    if fold.frames:
        fold.top.take(exited.returned)
    elif frame.cause is not EntryCause.MEETING and fold.result is None:
        fold.result = exited.returned


def _unwound(fold: RunFold, frame: LiveFrame, handler: told.Handler | None) -> None:
    """A failed playbook was left; where *handler* is given, that begins in its place."""
    if handler is None:
        return
    fold.watching.entering = Entering(
        handler.agent, handler.playbook, frame.cause, handler.key, frame.meeting, fold.failure, False
    )
    fold.failure = ""


def _step_entered(fold: RunFold, event: RunEvent, _entered: told.StepEntered) -> None:
    fold.top.open.append(OpenStep(event.step, event.span, event.line))
    fold.top.answering = Answering(event.span, fold.top.pc)
    fold.step_statuses[event.step] = StepStatus.RUNNING
    fold.spans += 1
    fold.steps += 1
    fold.idle += 1


def _step_exited(fold: RunFold, event: RunEvent, exited: told.StepExited) -> None:
    fold.top.leave(event.span)
    fold.step_statuses[event.step] = exited.status
    fold.watching.is_due = exited.pc is not None


def _step_failed(fold: RunFold, event: RunEvent, failure: told.StepFailure) -> None:
    fold.failure, fold.tool_failure = failure.message, ""
    fold.pending = fold.top.said = None
    fold.step_statuses[event.step] = StepStatus.FAILED


def _round_begun(fold: RunFold, event: RunEvent, begun: told.RoundBegun) -> None:
    step = fold.top.open[-1]
    items = step.items if begun.items is None else begun.items
    fold.top.open[-1] = replace(step, rounds=begun.round, items=items)
    fold.top.done += 1
    fold.idle += 1


def _variable_set(fold: RunFold, event: RunEvent, variable: told.VariableSet) -> None:
    name, value, frame = variable.name, variable.new, fold.top
    is_state, agent = variable.scope is Scope.STATE, fold.acting
    place = fold.agents.setdefault(agent, {}) if is_state else frame.locals
    if place.get(name, NOTHING) != value:
        fold.idle = 0
    place[name] = value
    if is_state:
        fold.watching.change(agent, name)
        if name in frame.parameters and agent == frame.agent:
            frame.parameters[name] = value
    if frame.intents:  # Python has set it
        frame.answer = {"return": None}
    else:
        frame.done += 1
        frame.correct(f"${name}" if is_state else name, value)


def _asked(fold: RunFold, event: RunEvent, asked: told.InputAsked) -> None:
    fold.pending = asked.request_at(event.step)
    if asked.purpose not in ABOUT_TRIGGERS:
        fold.step_statuses[event.step] = StepStatus.WAITING
    fold.spans += 1
    fold.top.begin_inner(asked.reads)


def _given(fold: RunFold, event: RunEvent, given: told.InputGiven) -> None:
    pending = fold.pending or judging.question(fold)
    fold.top.said = None
    if pending is not None and pending.purpose in ABOUT_TRIGGERS:
        fold.pending = fold.top.judging = None
        fold.watching.answer = given.answer
        return
    fold.watching.has_news = fold.watching.has_words = True
    fold.waiting.has_heard |= pending is not None and pending.purpose is Purpose.WAIT
    fold.step_statuses[event.step] = StepStatus.RUNNING
    if pending is not None and _is_python_asking(fold):
        fold.pending = None
        said = given.answer["values"].get("result", "")
        fold.top.answer = {"return": [{"from": pending.target or "user", "text": said}]}
        return
    fold.pending = fold.top.judging = None
    fold.top.hear(given.answer)


def _is_python_asking(fold: RunFold) -> bool:
    """Whether it is Python that waits for an answer of a person."""
    return fold.pending is not None and fold.pending.purpose is Purpose.WAIT and bool(fold.top.intents)


def _news(take: Callable[[RunFold, Any], None]) -> Callable[[RunFold, RunEvent, Any], None]:
    """The rule for something that a judgement could depend on."""

    def rule(fold: RunFold, event: RunEvent, payload: EventPayload) -> None:
        fold.watching.has_news = True
        take(fold, payload)

    return rule


def _received(fold: RunFold, event: RunEvent, received: language.MessagesReceived) -> None:
    fold.watching.has_news |= bool(received.messages)
    fold.watching.has_words |= bool(received.messages)
    fold.world.receive(received)


def _called(fold: RunFold, event: RunEvent, call: told.ToolCalled) -> None:
    given = (call.positional, tuple(call.named.items()))
    intent = Intent(call.key, call.tool, call.agent, call.safety, event.span, *given, noted=call.noted)
    intent = replace(intent, acting=call.acting, mock=call.mock)
    fold.top.intents.append(replace(intent, approval=NEEDED) if call.asks else intent)
    fold.top.begin_inner(call.reads)
    fold.spans += 1


def _call_answered(fold: RunFold, event: RunEvent, result: told.ToolResult) -> None:
    is_wish = judging.is_loop_call(fold)
    intent = fold.top.intents.pop()
    fold.watching.has_news = True
    fold.watching.called.append(f"{intent.agent}.{intent.tool}")
    fold.top.take(result.value)
    if is_wish:
        judging.end_call(fold, result.value)
    if result.artifact is not None:
        fold.world.artifacts[result.artifact.name] = Artifact(intent.tool, result.artifact.value)


def _call_failed(fold: RunFold, event: RunEvent, error: told.ToolError) -> None:
    if judging.is_loop_call(fold):
        fold.top.intents.pop()
        judging.end_call(fold, error.message, is_error=True)
        return
    if error.is_raised:
        intent = fold.top.intents.pop()
        fold.top.answer = {"raised": error.message, "key": intent.key}
        return
    fold.tool_failure = error.message
    if error.is_over:  # nothing in the run waits for what the call gives
        fold.top.intents.pop()


def _in_doubt(fold: RunFold, event: RunEvent, asked: told.CallInDoubt) -> None:
    fold.pending = asked.request_at(event.step)
    fold.step_statuses[event.step] = StepStatus.WAITING
    if fold.intent is not None:
        fold.top.intents[-1] = replace(fold.intent, is_in_doubt=True)


def _resolved(fold: RunFold, event: RunEvent, resolved: told.CallResolved) -> None:
    fold.pending = None
    fold.step_statuses[event.step] = StepStatus.RUNNING
    if fold.intent is None:
        return
    is_wish = judging.is_loop_call(fold)
    if resolved.how is InDoubtChoice.AGAIN:
        again = replace(fold.intent, attempt=fold.intent.attempt + 1, is_in_doubt=False, noted=resolved.noted)
        fold.top.intents[-1] = again
    else:
        fold.top.intents.pop()
        fold.top.take(resolved.value)
        if is_wish:
            judging.end_call(fold, resolved.value, is_error=resolved.how is InDoubtChoice.SKIP)


def _trigger_fired(fold: RunFold, event: RunEvent, trigger: language.TriggerFired) -> None:
    fold.watching.fired(trigger)
    if trigger.cause in (FiringCause.BEFORE, FiringCause.INVITED):
        fold.top.done += 1
    elif trigger.cause is FiringCause.FAILS:  # the failed call is answered by the playbook that begins
        fold.top.intents.pop()
        fold.watching.explain(fold.tool_failure)
        fold.tool_failure = ""
    elif trigger.cause is FiringCause.MESSAGE:
        fold.watching.explain(fold.waiting.fired())
    elif trigger.cause is FiringCause.END:
        fold.closing = (*fold.closing, trigger.key)
        if fold.is_ending:  # what ends the program gives nothing
            fold.is_ending, fold.result = False, None


def _described(fold: RunFold, event: RunEvent, filled: language.DescriptionFilled) -> None:
    fold.top.description = filled.text


def _call_chosen(fold: RunFold, event: RunEvent, chosen: language.CallChosen) -> None:
    step = fold.top.open[-1]
    entry = {"action": chosen.action, "arguments": chosen.arguments}
    fold.top.open[-1] = replace(step, rounds=step.rounds + 1, items=[*(step.items or ()), entry])
    fold.top.answer = None


def _call_observed(fold: RunFold, event: RunEvent, seen: language.CallObserved) -> None:
    step = fold.top.open[-1]
    *before, last = step.items
    came = {"value": seen.value} if seen.error is None else {"error": seen.error}
    fold.top.open[-1] = replace(step, items=[*before, {**last, **came}])
    if seen.error is not None and fold.top.intents:
        fold.top.intents.pop()
        fold.tool_failure = ""


_RULES: dict[type[EventPayload], Callable[[RunFold, RunEvent, Any], None]] = {
    **judging.RULES,
    told.RunCreated: _created,
    told.JudgesChosen: _judges_chosen,
    told.RunStarted: _becomes(RunStatus.RUNNING),
    told.RunPaused: _becomes(RunStatus.PAUSED),
    told.RunResumed: _resumed,
    told.RunCancelled: _becomes(RunStatus.CANCELLED),
    told.RunCompleted: _completed,
    told.RunFailure: _failed,
    told.PlaybookEntered: _playbook_entered,
    told.PlaybookExited: _playbook_exited,
    told.StepEntered: _step_entered,
    told.StepExited: _step_exited,
    told.StepFailure: _step_failed,
    told.RoundBegun: _round_begun,
    told.VariableSet: _variable_set,
    told.InputAsked: _asked,
    told.InputGiven: _given,
    told.Told: _news(lambda fold, _told: None if fold.frames else fold.waiting.answered()),
    told.ToolCalled: _called,
    told.ToolResult: _call_answered,
    told.ToolError: _call_failed,
    told.CallInDoubt: _in_doubt,
    told.CallResolved: _resolved,
    language.MessageSent: _news(lambda fold, sent: fold.world.send(sent)),
    language.MessagesReceived: _received,
    language.TriggerFired: _trigger_fired,
    language.CallChosen: _call_chosen,
    language.DescriptionFilled: _described,
    language.CallObserved: _call_observed,
    **APPROVAL_RULES,
    **STEERING_RULES,
    **WAITING_RULES,
    **WORLD_RULES,
}
