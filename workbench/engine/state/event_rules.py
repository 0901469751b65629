"""How events change where a run stands besides its steps: waiting, leave, what it makes, and what a person changes.

What leave was asked for stands with the intent of the call. An event that does not fit (another call, another digest,
leave that nobody has asked for) changes nothing: leave cannot be given twice, nor for anything but what was shown.

A run makes agents, artifacts, playbooks and meetings. A person changes a variable, a result, or the event of a run from
which it goes on. Calls under way are then calls of the other run: nobody knows here whether they were made, so they are
in doubt as after a crash. Leave that was given there is not leave for a call here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.journal import approval_events as told
from workbench.engine.journal import choices
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal import language_events as language
from workbench.engine.journal.choices import EntryCause, RunStatus, StepStatus
from workbench.engine.journal.debug_events import AnswerHeld, AnswerRecalled, ResultHeld, StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.instead import Noted
from workbench.engine.journal.language_events import TriggersChecked
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.waiting_events import (
    ConversationEnded,
    MessageHeard,
    TimerDue,
    TimerSet,
    WaitBegun,
    WaitOver,
)
from workbench.engine.ports import LeaveScope
from workbench.engine.state.answering import take_back
from workbench.engine.state.frames import NEEDED, Approval, ApprovalState, Intent, LiveFrame, Planning
from workbench.engine.state.live_run import LiveRun
from workbench.engine.state.watching import Entering


def _timer_set(fold: LiveRun, _event: RunEvent, timer: TimerSet) -> None:
    fold.waiting.timers[timer.key] = timer.due_ns


def _timer_due(fold: LiveRun, _event: RunEvent, due: TimerDue) -> None:
    fold.waiting.go_off(due)
    fold.watching.firing.append(due.key)
    fold.status = RunStatus.RUNNING


def _wait_begun(fold: LiveRun, event: RunEvent, begun: WaitBegun) -> None:
    is_new = fold.waiting.wait is None or fold.waiting.wait.span != event.span
    is_of_step = bool(fold.frames)
    fold.spans += is_new and not (is_of_step and fold.top.answer)
    fold.waiting.begin(event.span, begun)
    fold.status = RunStatus.LISTENING if begun.is_open else RunStatus.TIMED
    if is_of_step:
        fold.top.answer = {"until": begun.until_ns, "span": event.span}
        fold.step_statuses[event.step] = StepStatus.WAITING
    else:
        fold.waiting.heard = None


def _wait_over(fold: LiveRun, event: RunEvent, _over: WaitOver) -> None:
    fold.waiting.wait = None
    fold.status = RunStatus.RUNNING
    fold.step_statuses[event.step] = StepStatus.RUNNING


def _heard(fold: LiveRun, _event: RunEvent, heard: MessageHeard) -> None:
    fold.waiting.hear(heard)
    fold.status = RunStatus.RUNNING
    fold.watching.has_news = True
    if heard.to:
        fold.world.take_direct(heard.to)


def _ended(fold: LiveRun, _event: RunEvent, _ended: ConversationEnded) -> None:
    fold.waiting.wait, fold.waiting.is_ended = None, True
    fold.status = RunStatus.RUNNING


def _checked(fold: LiveRun, _event: RunEvent, found: TriggersChecked) -> None:
    if fold.frames:
        fold.watching.checked(found)
    else:
        fold.watching.checked(replace(found, fire=()))
        fold.waiting.looked(found)


WAITING_RULES: dict[type[EventPayload], Callable[[LiveRun, RunEvent, Any], None]] = {
    TimerSet: _timer_set,
    TimerDue: _timer_due,
    WaitBegun: _wait_begun,
    WaitOver: _wait_over,
    MessageHeard: _heard,
    ConversationEnded: _ended,
    TriggersChecked: _checked,
}


def _asked(fold: LiveRun, event: RunEvent, asked: told.ApprovalAsked) -> None:
    intent = _intent(fold, asked.key, ApprovalState.NEEDED)
    if intent is None:
        return
    fold.pending = asked.request_at(event.step)
    fold.step_statuses[event.step] = StepStatus.WAITING
    _put(fold, replace(intent, approval=Approval(ApprovalState.ASKED, asked.digest, event.at_ns)))


def _granted(fold: LiveRun, event: RunEvent, granted: told.ApprovalGranted) -> None:
    intent = _intent(fold, granted.key, ApprovalState.ASKED) or _intent(fold, granted.key, ApprovalState.NEEDED)
    if intent is None or (intent.approval.digest or granted.digest) != granted.digest:
        return
    digest = granted.changed or granted.digest
    approval = Approval(ApprovalState.GRANTED, digest, intent.approval.asked_ns or event.at_ns)
    if granted.arguments is not None:
        intent = replace(intent, positional=(), named=tuple(granted.arguments.items()))
    _settle(fold, event, replace(intent, approval=approval))
    if granted.scope is LeaveScope.RUN and granted.subject:
        fold.allowed |= {granted.subject}


def _denied(fold: LiveRun, event: RunEvent, denied: told.ApprovalDenied) -> None:
    intent = _intent(fold, denied.key, ApprovalState.ASKED) or _intent(fold, denied.key, ApprovalState.NEEDED)
    if intent is not None:
        _settle(fold, event, replace(intent, approval=Approval(ApprovalState.DENIED, reason=denied.reason)))


def _expired(fold: LiveRun, event: RunEvent, expired: told.ApprovalExpired) -> None:
    intent = _intent(fold, expired.key, ApprovalState.ASKED) or _intent(fold, expired.key, ApprovalState.GRANTED)
    if intent is not None:
        _settle(fold, event, replace(intent, approval=Approval(ApprovalState.NEEDED)))


def _begun(fold: LiveRun, _event: RunEvent, begun: told.ApprovedCallBegun) -> None:
    intent = _intent(fold, begun.key, ApprovalState.GRANTED)
    if intent is not None and intent.approval.digest == begun.digest:
        _put(fold, replace(intent, approval=replace(intent.approval, state=ApprovalState.USED)))


def _settle(fold: LiveRun, event: RunEvent, intent: Intent) -> None:
    """The question is no longer open."""
    fold.pending = None
    fold.step_statuses[event.step] = StepStatus.RUNNING
    _put(fold, intent)


def _intent(fold: LiveRun, key: str, state: ApprovalState) -> Intent | None:
    """The call at hand, where it is the one of *key* and leave for it has come to *state*."""
    intent = fold.intent
    return intent if intent is not None and (intent.key, intent.approval.state) == (key, state) else None


def _put(fold: LiveRun, intent: Intent) -> None:
    fold.top.intents[-1] = intent


APPROVAL_RULES: dict[type[EventPayload], Callable[[Any, RunEvent, Any], None]] = {
    told.ApprovalAsked: _asked,
    told.ApprovalGranted: _granted,
    told.ApprovalDenied: _denied,
    told.ApprovalExpired: _expired,
    told.ApprovedCallBegun: _begun,
}


def _agent_created(fold: LiveRun, _event: RunEvent, created: language.AgentCreated) -> None:
    fold.agents[created.agent] = dict(created.state)
    fold.world.created[created.agent] = created.id
    fold.watching.firing[:0] = created.begins


def _artifact_saved(fold: LiveRun, _event: RunEvent, saved: language.ArtifactSaved) -> None:
    fold.world.keep(saved)
    if saved.variable and fold.frames:
        fold.agents.setdefault(fold.acting, {})[saved.variable] = saved.value
        fold.watching.change(fold.acting, saved.variable)
        if saved.variable in fold.top.parameters and fold.acting == fold.top.agent:
            fold.top.parameters[saved.variable] = saved.value


def _shared(fold: LiveRun, _event: RunEvent, shared: language.MeetingStateSet) -> None:
    fold.world.share(shared)
    meeting = fold.world.meetings[shared.meeting]
    for agent in (meeting.host, *meeting.joined):
        fold.watching.change(agent, "meeting")


def _meeting_opened(fold: LiveRun, _event: RunEvent, opened: language.MeetingOpened) -> None:
    fold.world.open(opened)
    fold.top.done += 1


def _meeting_invited(fold: LiveRun, _event: RunEvent, invited: language.MeetingInvited) -> None:
    fold.world.invite(invited)
    fold.top.done += 1


def _meeting_turn(fold: LiveRun, _event: RunEvent, turn: language.MeetingTurn) -> None:
    fold.frames = fold.world.turn(turn, fold.frames)
    fold.idle += 1
    if fold.frames:
        fold.agent = fold.top.agent
    if turn.enter:
        fold.watching.entering = Entering(turn.agent, turn.enter, EntryCause.MEETING, "", turn.meeting)


def _written(fold: LiveRun, _event: RunEvent, playbook: language.PlaybookWritten) -> None:
    fold.world.write(playbook)
    planning = fold.top.planning
    if planning is not None and planning.is_allowed:
        fold.top.planning = replace(planning, names=(*planning.names, playbook.name))


def _plan_made(fold: LiveRun, _event: RunEvent, made: cycle.PlanMade) -> None:
    before = fold.top.planning or Planning()
    fold.top.planning, fold.top.answer = Planning(before.round, plan=made.plan), None


def _plan_sent_back(fold: LiveRun, _event: RunEvent, sent: cycle.PlanSentBack) -> None:
    fold.top.planning, fold.top.answer = Planning(sent.round, sent.problems), None


def _plan_reviewed(fold: LiveRun, _event: RunEvent, reviewed: cycle.PlaybookReviewed) -> None:
    planning = fold.top.planning or Planning()
    is_no = not reviewed.is_accepted
    fold.top.planning = Planning(reviewed.round, (reviewed.reason,)) if is_no else replace(planning, is_allowed=True)
    fold.top.answer = None


WORLD_RULES: dict[type[EventPayload], Callable[[LiveRun, RunEvent, Any], None]] = {
    language.AgentCreated: _agent_created,
    language.ArtifactSaved: _artifact_saved,
    language.PlaybookWritten: _written,
    cycle.PlanMade: _plan_made,
    cycle.PlanSentBack: _plan_sent_back,
    cycle.PlaybookReviewed: _plan_reviewed,
    language.MeetingOpened: _meeting_opened,
    language.MeetingInvited: _meeting_invited,
    language.MeetingTurn: _meeting_turn,
    language.MeetingStateSet: _shared,
    language.MeetingEnded: lambda fold, _event, ended: fold.world.end(ended.meeting),
}


def _forked(fold: LiveRun, _event: RunEvent, forked: RunForked) -> None:
    if fold.status is not RunStatus.CREATED:
        fold.status = RunStatus.PAUSED
    fold.idle = 0
    fold.allowed = frozenset()
    for frame in _frames(fold):
        frame.intents = [_of_another_run(intent, forked.source) for intent in frame.intents]
    if forked.text is not None:
        _go_over(fold, forked.new, forked.text)


def _frames(fold: LiveRun) -> Iterator[LiveFrame]:
    """All frames, those of whoever waits in a meeting too."""
    yield from fold.frames
    for parked in fold.world.parked.values():
        yield from parked


def _of_another_run(intent: Intent, source: str) -> Intent:
    """*intent* as this run sees it: noted where this run does not look, and without the leave that was given."""
    is_granted = intent.approval.state is ApprovalState.GRANTED
    noted = Noted(ledger=f"run {source}")
    return replace(intent, noted=noted, approval=NEEDED if is_granted else intent.approval)


def _go_over(fold: LiveRun, pb_hash: str, text: OtherText) -> None:
    """Go on with another text."""
    program, steplist = fold.origin.program, fold.origin.steplist
    fold.origin = replace(
        fold.origin,
        pb_hash=pb_hash,
        path=text.path or fold.origin.path,
        read_as=text.read_as,
        chapters=text.chapters,
        linked=text.linked,
        goes_on=text.goes_on,
        # what was allowed is the Python of the text before
        program=None if program is None else replace(program, starts=text.starts, is_trusted=False),
        steplist=None if steplist is None else replace(steplist, plan_hash=text.plan_hash),
    )
    _move_steps(fold, text.steps or {})
    _move_triggers(fold, text.triggers or {})
    moved = {each.span: each.pc for each in text.moved}
    for frame in _frames(fold):
        frame.pc = moved.get(frame.span, frame.pc)


def _move_steps(fold: LiveRun, steps: Mapping[str, Any]) -> None:
    gone = {address for address, to in steps.items() if to is None}
    statuses = [(address, status) for address, status in fold.step_statuses.items() if address not in gone]
    fold.step_statuses = {_moved(steps, address): status for address, status in statuses}
    for frame in _frames(fold):
        frame.open = [
            replace(step, step=steps[step.step][0], line=steps[step.step][1]) if steps.get(step.step) else step
            for step in frame.open
        ]
        if frame.judging is not None:
            request = frame.judging.request
            frame.judging = replace(frame.judging, request=replace(request, step=_moved(steps, request.step)))
    if fold.pending is not None:
        fold.pending = replace(fold.pending, step=_moved(steps, fold.pending.step))


def _moved(steps: Mapping[str, Any], address: str) -> str:
    found = steps.get(address)
    return str(found[0]) if found else address


def _move_triggers(fold: LiveRun, keys: Mapping[str, Any]) -> None:
    """Trigger keys as the other text has them; what is gone fires no more."""

    def all_of(found: tuple[str, ...] | list[str]) -> list[str]:
        return [str(keys.get(key, key)) for key in found if keys.get(key, key) is not None]

    watching, waiting = fold.watching, fold.waiting
    watching.firing = all_of(watching.firing)
    watching.truths = {keys.get(key, key): watching.truths[key] for key in watching.truths if keys.get(key, key)}
    waiting.timers = {keys.get(key, key): waiting.timers[key] for key in waiting.timers if keys.get(key, key)}
    fold.closing = tuple(all_of(fold.closing))
    if waiting.heard is not None:
        waiting.heard = replace(waiting.heard, fire=tuple(all_of(waiting.heard.fire)))
    if watching.entering is not None:
        trigger = watching.entering.trigger
        watching.entering = replace(watching.entering, trigger=str(keys.get(trigger, trigger) or ""))
    for frame in _frames(fold):
        frame.trigger = str(keys.get(frame.trigger, frame.trigger) or "")


def _edited(fold: LiveRun, _event: RunEvent, edited: StateEdited) -> None:
    fold.idle = 0
    frame = next((each for each in fold.frames if each.span == edited.frame), None)
    if edited.scope is choices.Scope.LOCAL:
        if frame is not None:
            frame.locals[edited.name] = edited.new
        return
    fold.agents.setdefault(edited.agent, {})[edited.name] = edited.new
    fold.watching.change(edited.agent, edited.name)
    if frame is not None and frame.agent == edited.agent and edited.name in frame.parameters:
        frame.parameters[edited.name] = edited.new


def _held(fold: LiveRun, _event: RunEvent, held: ResultHeld) -> None:
    if fold.frames and fold.frames[-1].intents:
        intents = fold.frames[-1].intents
        intents[-1] = replace(intents[-1], held=held)


def _answer_held(fold: LiveRun, _event: RunEvent, held: AnswerHeld) -> None:
    fold.top.said = held


def _recalled(fold: LiveRun, _event: RunEvent, recalled: AnswerRecalled) -> None:
    fold.idle = 0
    take_back(fold)
    fold.top.said = recalled.held


STEERING_RULES: dict[type[EventPayload], Callable[[Any, RunEvent, Any], None]] = {
    RunForked: _forked,
    StateEdited: _edited,
    ResultHeld: _held,
    AnswerHeld: _answer_held,
    AnswerRecalled: _recalled,
}
