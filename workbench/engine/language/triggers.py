"""What comes between steps: triggers, failures, and, when all that starts by itself is done, messages and timers.

Triggers fire once when they become true; some wait for failures. A message is looked at by rule first: exact triggers;
where none fits, those that are a judgement are asked about in one question; then come the playbooks for all other
messages. A person whose message fits nothing is told what there is.
"""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import AskJudgement, Await, Decision, Draft, Drafts, Ended, Heard, Passed, Woken
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate
from workbench.engine.journal.choices import EntryCause, FiringCause, RunStatus
from workbench.engine.journal.language_events import CallObserved, TriggerFired, TriggersChecked
from workbench.engine.journal.run_events import (
    Handler,
    InputAsked,
    PlaybookExited,
    RunCompleted,
    RunFailure,
    StepFailure,
    Told,
)
from workbench.engine.journal.waiting_events import ConversationEnded, MessageHeard, WaitBegun
from workbench.engine.language import timers
from workbench.engine.language.meetings import meeting_of
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.code import Instruction, Think
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.timers import is_running
from workbench.engine.language.turn import Turn, meeting_record
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.waiting import HeardMessage
from workbench.engine.state.watching import Entering
from workbench.i18n import _
from workbench.model.meaning import Sender, Variable
from workbench.model.sentences.listening import normal


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

    def lookup(name: str, is_state: bool) -> object:  # noqa: FBT001 - a lookup is called like this
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


def between_playbooks(state: RunFold, book: Book) -> Decision:
    """The next thing to do where no playbook is at work; leaves *state* alone."""
    if state.pending is not None:
        return AskJudgement(state.pending)
    heard, watching = state.waiting.heard, state.watching
    if watching.answer is not None:
        return (_judged(book, watching.answer["values"]),)
    if watching.firing:
        return (_fire(state, book.watches.by_key(watching.firing[0])),)
    if heard is not None and heard.fire:
        return (_fire(state, book.watches.by_key(heard.fire[0])),)
    if heard is not None and not heard.is_taken:
        answer = _look(state, book, heard)
        if answer is not None:
            return (answer,)
    return _mail(state, book) or timers.due_now(state, book) or _rest(state, book)


def _fire(state: RunFold, watch: Watch) -> Draft:
    heard = state.waiting.heard
    cause = FiringCause.MESSAGE if watch.timing is None else FiringCause.TIME
    agent = heard.to if heard is not None and heard.to and cause is FiringCause.MESSAGE else watch.agent
    return Draft(TriggerFired(watch.address, watch.key, agent, watch.playbook, cause), watch.address, watch.line)


def listening(book: Book, heard: HeardMessage) -> tuple[Watch, ...]:
    """The triggers that *heard* may be meant for."""
    if not heard.to:
        return tuple(each for each in book.watches.heard if _sender(each) is not Sender.AGENT)
    own = type_of(heard.to)
    return tuple(each for each in book.watches.heard if each.agent == own and _sender(each) is not Sender.USER)


def _sender(watch: Watch) -> Sender:
    assert watch.hearing is not None
    return watch.hearing.sender


def _look(state: RunFold, book: Book, heard: HeardMessage) -> Draft | None:
    """The next look at the triggers for *heard*, or the answer that none of them fits; None: nobody is to be told."""
    found = listening(book, heard)
    if not heard.is_judged:
        exact = tuple(each.key for each in found if _says(each, heard.text))
        if exact:
            return Draft(TriggersChecked({}, exact, is_judged=False))
        asked = tuple(each for each in found if each.is_judged)
        if asked:
            return _question(state, heard, asked)
    rest = tuple(each.key for each in found if each.hearing is not None and each.hearing.is_rest)
    if rest:
        return Draft(TriggersChecked({}, rest, is_judged=False))
    return None if heard.to else Draft(Told(_no_fit(found)))


def _says(watch: Watch, text: str) -> bool:
    """Whether *text* has the exact words of *watch*."""
    hearing = watch.hearing
    if hearing is None or not hearing.words:
        return False
    said = normal(text)
    return any((normal(word) in said) if hearing.is_within else normal(word) == said for word in hearing.words)


def _question(state: RunFold, heard: HeardMessage, asked: tuple[Watch, ...]) -> Draft:
    """One question about all triggers for which somebody has to judge whether the message is meant for them."""
    sender = _("the user") if not heard.sender else heard.sender
    lines = [
        _("Which of these does the message from {sender} fit? “{text}”").format(sender=sender, text=heard.text),
        *(f"{each.address}  {each.text}" for each in asked),
    ]
    fields = tuple(Variable(each.field, is_state=False, type="bool") for each in asked)
    first, number = asked[0], f"q{state.next_seq}"
    request = Request(number, RequestKind.JUDGE, first.address, "\n".join(lines), fields, purpose=Purpose.MESSAGE)
    return Draft(InputAsked.of(request), first.address, first.line, f"s{state.spans + 1}")


def _judged(book: Book, values: dict[str, bool]) -> Draft:
    fire = tuple(each.key for each in book.watches.heard if values.get(each.field))
    return Draft(TriggersChecked({}, fire, is_judged=True))


def _no_fit(found: tuple[Watch, ...]) -> str:
    known = "\n".join(f"• {each.text.strip()}" for each in found)
    return _("Nothing here fits this message. What this program listens for:") + f"\n{known}"


def _mail(state: RunFold, book: Book) -> Drafts | None:
    """The oldest message to an agent that listens to others and is not at work."""
    listeners = {each.agent for each in book.watches.heard if _sender(each) is not Sender.USER}
    for agent, inbox in state.world.inboxes.items():
        direct = next((each for each in inbox if not each.meeting), None)
        if direct is not None and type_of(agent) in listeners:
            return (Draft(MessageHeard(direct.text, direct.sender, agent), actor="agent"),)
    return None


def _rest(state: RunFold, book: Book) -> Decision:
    """The wait for a message or a timer, or the end of the run where neither can come."""
    until_ns, is_open = timers.next_due_ns(state), book.watches.hear_user
    if state.waiting.is_ended or not (is_open or until_ns):
        return completed(state, book)
    wait = state.waiting.wait
    status = RunStatus.LISTENING if is_open else RunStatus.TIMED
    if wait is None or state.status is not status:
        span = wait.span if wait is not None else f"s{state.spans + 1}"
        return (Draft(WaitBegun(until_ns, is_open), span=span),)

    def then(woken: Woken) -> Drafts:
        match woken:
            case Heard(text):
                return (Draft(MessageHeard(text), span=wait.span, actor="user"),)
            case Passed(now_ns):
                return timers.due_at(state, book, now_ns)
            case Ended():
                return (Draft(ConversationEnded(), span=wait.span, actor="user"),)

    return Await(until_ns, then, is_open=is_open, may_end=True)
