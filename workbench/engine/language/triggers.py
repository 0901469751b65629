"""What comes between steps: triggers, which fire once when they become true, and failures, which some wait for."""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate
from workbench.engine.journal.choices import EntryCause, FiringCause
from workbench.engine.journal.language_events import CallObserved, TriggerFired, TriggersChecked
from workbench.engine.journal.run_events import (
    Handler,
    InputAsked,
    PlaybookExited,
    RunCompleted,
    RunFailure,
    StepFailure,
)
from workbench.engine.language import timers
from workbench.engine.language.meetings import meeting_of
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.code import Instruction, Think
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.timers import is_running
from workbench.engine.language.turn import Turn, meeting_record
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.watching import Entering
from workbench.i18n import _
from workbench.model.meaning import Variable


def look(turn: Turn) -> Decision | None:
    """What a look at the triggers comes to, after a step; None where nothing is to be noted or asked."""
    return _exact(turn) or _judgement(turn) or timers.due_now(turn.state, turn.book)


def fire(turn: Turn, watch: Watch, cause: FiringCause, key: str = "") -> Draft:
    """The event that *watch* fires."""
    key = key or watch.key
    agent = _agent_for(turn, watch, key)
    fired = TriggerFired(watch.address, key, agent, watch.playbook, cause, meeting_of(turn.state, agent))
    return Draft(fired, watch.address, watch.line, "", turn.state.open_span)


def fire_next(turn: Turn) -> Draft:
    """The event that the first of the triggers that fire has its turn."""
    key = turn.state.watching.firing[0]
    watch = turn.book.watches.by_key(key)
    cause = FiringCause.INTERRUPT if watch.timing is None else FiringCause.TIME
    return fire(turn, watch, FiringCause.MADE if watch.moment == "start" else cause, key)


def _agent_for(turn: Turn, watch: Watch, key: str) -> str:
    """Who carries the playbook out: the agent whose variables made it true, else the one at work, else the first."""
    named = key.partition("@")[2]
    here = turn.frame.agent
    return named or (here if type_of(here) == watch.agent and watch.test is None else watch.agent)


def _exact(turn: Turn) -> Decision | None:
    watching = turn.state.watching
    holds: dict[str, bool] = {}
    meeting = turn.state.world.meetings.get(turn.frame.meeting)
    here = {each: dict[str, Any]() for each in meeting.joined} if meeting else {}
    agents = {**here, **turn.state.agents} if here else turn.state.agents
    for watch in turn.book.watches.exact:
        for agent, values in agents.items():
            if type_of(agent) != watch.agent or not _is_touched(turn, watch, agent):
                continue
            key = watch.key_of(agent)
            if is_running(turn.state, key):
                continue
            now = _holds(watch, _in_meeting(turn.state, agent, values))
            if now != watching.truths.get(key, False):
                holds[key] = now
    called = set(watching.called)
    after = [each.key for each in turn.book.watches.calls if each.moment == "after" and each.subject in called]
    firing = [key for key, now in holds.items() if now]
    firing += [key for key in after if not is_running(turn.state, key)]
    if not holds and not firing:
        return None
    return (_checked(turn, holds, firing, is_judged=False),)


def _is_touched(turn: Turn, watch: Watch, agent: str) -> bool:
    watching = turn.state.watching
    return watching.is_all or any((agent, name) in watching.changed for name in watch.names)


def _in_meeting(state: RunFold, agent: str, values: dict[str, Any]) -> dict[str, Any]:
    """*values* of *agent*, and the meeting in which it is at work."""
    number = meeting_of(state, agent)
    return {"meeting": meeting_record(state.world, number), **values} if number else values


def _holds(watch: Watch, values: dict[str, Any]) -> bool:
    """Whether the condition is true; unknown, or not to be worked out, is not true."""

    def lookup(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        if name in values:
            return values[name]
        raise UnknownName(name)

    assert watch.test is not None
    try:
        return bool(evaluate(watch.test, lookup))
    except EvaluationFailed:
        return False


def _checked(turn: Turn, holds: dict[str, bool], firing: list[str], *, is_judged: bool) -> Draft:
    return turn.draft(TriggersChecked(holds, tuple(firing), is_judged))


def _judgement(turn: Turn) -> Decision | None:
    """One question about all triggers that are a judgement, where something happened that could matter.

    That is what was said, asked, judged or called; where only variables were set, triggers that name one of them.
    In a run that goes on, those that listen to messages are asked about only where somebody has said something.
    """
    watching = turn.state.watching
    if not watching.has_news and not watching.noted:
        return None
    is_about_words = watching.has_words or not timers.goes_on(turn.state, turn.book)
    set_since = {(type_of(agent), name) for agent, name in watching.noted}
    asked = [
        each
        for each in turn.book.watches.judged
        if (watching.has_news or any((each.agent, name) in set_since for name in each.names))
        and (is_about_words or each.hearing is None)
        and not is_running(turn.state, each.key)
    ]
    if not asked:
        return None
    lines = [_("Which of these is true now?"), *(f"{each.address}  {each.text}" for each in asked)]
    fields = tuple(Variable(each.field, is_state=False, type="bool") for each in asked)
    first = turn.book.watches.judged[0]  # always the same, so that a script can say which question it answers
    number = f"q{turn.state.next_seq}"
    text = "\n".join(lines)
    request = Request(number, RequestKind.JUDGE, first.address, text, fields, purpose=Purpose.TRIGGERS)
    span = f"s{turn.state.spans + 1}"
    return (Draft(InputAsked.of(request), first.address, first.line, span, turn.state.open_span),)


def judged(turn: Turn) -> Draft:
    """The event that the answer about the judged triggers is taken in."""
    watching = turn.state.watching
    assert watching.answer is not None
    values = watching.answer["values"]
    holds: dict[str, bool] = {}
    for watch in turn.book.watches.judged:
        now = bool(values.get(watch.field, watching.truths.get(watch.key, False)))
        if now != watching.truths.get(watch.key, False):
            holds[watch.key] = now
    return _checked(turn, holds, [key for key, now in holds.items() if now], is_judged=True)


def completed(state: RunFold, book: Book) -> Decision:
    """The next trigger for the end of the program fires, each once; then the run is over."""
    is_alone = state.origin.program is not None and state.origin.program.is_alone
    for watch in () if is_alone else book.watches.ends:
        for agent in (watch.agent, *(each for each in state.world.created if type_of(each) == watch.agent)):
            key = watch.key_of(agent)
            if key not in state.closing:
                fired = TriggerFired(watch.address, key, agent, watch.playbook, FiringCause.END)
                return (Draft(fired, watch.address, watch.line),)
    return (Draft(RunCompleted(None if state.is_ending and not state.closing else state.result)),)


def after_failure(state: RunFold, book: Book) -> Decision:
    """A step has failed: playbooks are left up to the one whose failing is waited for; else the run fails."""
    found = _awaited(state, book)
    if found is None:
        return (Draft(RunFailure(state.failure)),)
    depth, watch = found
    frame = state.top
    is_last = len(state.frames) - 1 == depth
    handler = None
    if is_last and watch is not None:
        agent = frame.agent if type_of(frame.agent) == watch.agent else watch.agent
        handler = Handler(agent, watch.playbook, watch.key)
    is_raised = is_last and watch is None
    exited = PlaybookExited(frame.playbook, None, is_failed=True, handler=handler, is_raised=is_raised)
    return (Draft(exited, span=frame.span),)


def _awaited(state: RunFold, book: Book) -> tuple[int, Watch | None] | None:
    """The innermost playbook whose failing somebody answers: a trigger, or (None) the Python that called it."""
    for depth in range(len(state.frames) - 1, -1, -1):
        frame = state.frames[depth]
        watch = _waiting_for(state, book, f"{type_of(frame.agent)}.{frame.playbook}")
        if watch is not None:
            return depth, watch
        if depth and state.frames[depth - 1].intents and frame.cause is not EntryCause.INTERRUPT:
            return depth, None
    return None


def _waiting_for(state: RunFold, book: Book, subject: str) -> Watch | None:
    """The trigger that waits for *subject*, ``Agent.Name``, to fail."""
    found = book.watches.around("fails", subject) if book.watches.calls else ()
    return next((each for each in found if not is_running(state, each.key)), None)


def is_for_python(state: RunFold, book: Book) -> bool:
    """Whether the failure of the call at hand is for the Python that made it, because no trigger waits for it."""
    intent = state.intent
    if intent is None or len(state.top.intents) < 2:
        return False
    return _waiting_for(state, book, f"{intent.agent}.{intent.tool}") is None


def answering(state: RunFold, book: Book, entering: Entering) -> Draft:
    """The event that the trigger fired whose playbook answers a failure, once what failed has been left."""
    watch = book.watches.by_key(entering.trigger)
    fired = TriggerFired(watch.address, watch.key, entering.agent, entering.playbook, FiringCause.FAILURE)
    return Draft(fired, watch.address, watch.line, "", state.open_span)


def after_tool_failure(turn: Turn) -> Decision:
    """A tool call has failed: the trigger that waits for it, a thought about it, or the failure of the step."""
    state = turn.state
    intent = state.intent
    assert intent is not None
    watch = _waiting_for(state, turn.book, f"{intent.agent}.{intent.tool}")
    if watch is not None:
        return (fire(turn, watch, FiringCause.FAILS),)
    if isinstance(turn.at.meaning, Think) and len(turn.frame.intents) == 1:
        return (turn.draft(CallObserved(error=state.tool_failure, pc=turn.frame.pc)),)  # something to be seen too
    return (failure_of(state, turn.at, state.tool_failure),)


def failure_of(state: RunFold, at: Instruction, message: str) -> Draft:
    """The event that the step at hand failed for *message*, a sentence."""
    place = _("{step} (line {line})").format(step=at.address, line=at.line) if at.line else at.address
    text = _("{place} failed: {message}").format(place=place, message=message)
    return Draft(StepFailure(text), at.address, at.line, state.step_span)
