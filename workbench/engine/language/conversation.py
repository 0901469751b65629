"""What a program does when all that starts by itself is done: it hears the next message, or waits for its timers.

Exact triggers are looked at by rule; where none fits, those that are a judgement are asked about in one question;
then come the playbooks for all other messages. A person whose message fits nothing is told what there is.
"""

from __future__ import annotations

from workbench.engine.decider import AskJudgement, Await, Decision, Draft, Drafts, Ended, Heard, Passed, Woken
from workbench.engine.journal.choices import FiringCause, RunStatus
from workbench.engine.journal.language_events import TriggerFired, TriggersChecked
from workbench.engine.journal.run_events import InputAsked, Told
from workbench.engine.journal.waiting_events import ConversationEnded, MessageHeard, WaitBegun
from workbench.engine.language import timers
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.triggers import completed
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.waiting import HeardMessage
from workbench.i18n import _
from workbench.model.meaning import Sender, Variable
from workbench.model.sentences.listening import normal


def go_on(state: RunFold, book: Book) -> Decision:
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
