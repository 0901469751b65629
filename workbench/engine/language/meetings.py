"""Meetings: agents that take turns. An agent has its turn until it waits for messages, or is done.

Whose turn comes next follows from what was said: first whoever has something to read or has not
begun, in the order of the invitation, then the host. So the same words give the same meeting.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.journal.choices import FiringCause
from workbench.engine.journal.language_events import (
    MeetingEnded,
    MeetingInvited,
    MeetingOpened,
    MeetingStateSet,
    MeetingTurn,
    MessageSent,
    MessagesReceived,
    TriggerFired,
)
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.program.book import Book, PlaybookTarget, type_of
from workbench.engine.language.program.people import agent_meant, person_meant
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.timers import is_running
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import RequestKind
from workbench.engine.state.fold import RunFold
from workbench.engine.state.world import MAIN_STACK, Meeting, stack_of
from workbench.i18n import _
from workbench.model.markdown.metadata import names_listed
from workbench.model.meaning import Variable
from workbench.model.program import Agent
from workbench.regex import regex

FIRST_MEETING = 100
_MEETING = regex(r"meeting(?:\s+(?P<number>\d+))?(?P<to>(?:\s*,\s*agent\s+\w+)*)\s*", re.IGNORECASE)


def is_meeting(target: PlaybookTarget) -> bool:
    """Whether a call of *target* opens a meeting."""
    return dict(target.playbook.metadata).get("meeting") is True


def prepare(turn: Turn, target: PlaybookTarget, named: dict[str, Any], done: int) -> Draft | None:
    """The next event before the host's playbook begins; None when all have been invited.

    *done*: how many things were done in this instruction before the meeting.
    """
    if turn.frame.intents:
        raise StepFailed(_("a meeting cannot be opened from Python."))
    steps = turn.frame.done - done
    if steps == 0:
        return _opened(turn, target, named)
    number = opened_here(turn)
    plan = _plan(turn, number, _wanted(turn, target, named))
    if steps <= len(plan):
        name, watch = plan[steps - 1]
        return _telling(turn, number, name, watch) if watch else turn.draft(_invitation(turn, number, name))
    _check_present(turn, target, named, number)
    return None


def opened_here(turn: Turn) -> int:
    """The number of the meeting that the call at hand has opened."""
    meetings = turn.state.world.meetings
    return max(number for number, each in meetings.items() if each.frame == turn.frame.span)


def _opened(turn: Turn, target: PlaybookTarget, named: dict[str, Any]) -> Draft:
    state = turn.state
    opened = MeetingOpened(
        meeting=FIRST_MEETING + len(state.world.meetings),
        host=turn.frame.agent,
        playbook=target.playbook.name,
        topic=str(named.get("topic") or ""),
        invited=tuple(_wanted(turn, target, named)),
        home=state.world.stack,
        frame=turn.frame.span,
    )
    return turn.draft(opened)


def _wanted(turn: Turn, target: PlaybookTarget, named: dict[str, Any]) -> list[str]:
    """The names of all who are to come, as they are called."""
    metadata = dict(target.playbook.metadata)
    lists = [named.get("attendees"), metadata.get("required_attendees"), metadata.get("optional_attendees")]
    return _found(turn, [name for each in lists for name in names_listed(each)])


def _found(turn: Turn, names: list[str]) -> list[str]:
    """Who is meant by *names*, each once; raises StepFailed for somebody that there is not."""
    found = {name: _meant(turn, name) for name in names}
    for name, meant in found.items():
        if not meant:
            known = ", ".join(dict.fromkeys(agent.name for agent in turn.book.program.agents))
            message = _("there is no agent or person called “{name}” to invite; there are {known}.")
            raise StepFailed(message.format(name=name, known=known))
    return list(dict.fromkeys(found.values()))


def _plan(turn: Turn, number: int, names: list[str]) -> list[tuple[str, Watch | None]]:
    """What is done to invite *names*, in order: each trigger of theirs that waits for it, then the invitation."""
    return [(name, watch) for name in names for watch in (*_waiting(turn, number, name), None)]


def _waiting(turn: Turn, number: int, name: str) -> list[Watch]:
    """The triggers of *name* that wait for this invitation, but for those of playbooks with which it may come."""
    agent, called = turn.book.agent(type_of(name)), turn.state.world.meetings[number].playbook
    its = {*_for_meetings(turn, agent), *_meetings(agent)} if agent else set[str]()
    return [
        each
        for each in turn.book.watches.around("invited", type_of(name))
        if each.playbook not in its
        and each.meeting in ("", called, called.removesuffix("Meeting"))
        and not is_running(turn.state, each.key_of(name))
    ]


def _meetings(agent: Agent) -> list[str]:
    return [each.name for each in agent.playbooks if dict(each.metadata).get("meeting") is True]


def _for_meetings(turn: Turn, agent: Agent) -> list[str]:
    """The playbooks with which *agent* may come to a meeting: one that says when it begins is meant before others."""
    meant = {each.playbook for each in turn.book.watches.around("invited", agent.name)}
    own = _meetings(agent)
    waiting = [each.name for each in agent.playbooks if each.name in meant]
    return [name for name in own if name in meant] or own or waiting


def _telling(turn: Turn, number: int, name: str, watch: Watch) -> Draft:
    """The event that *watch* of *name* fires, which is invited."""
    cause = FiringCause.INVITED
    fired = TriggerFired(watch.address, watch.key_of(name), name, watch.playbook, cause, number)
    return Draft(fired, watch.address, watch.line, "", turn.state.open_span)


def _meant(turn: Turn, name: str) -> str:
    return person_meant(turn.book, name) or agent_meant(turn.state, turn.book, name)


def _invitation(turn: Turn, number: int, name: str) -> MeetingInvited:
    playbook, reason = _answer_to(turn, name)
    return MeetingInvited(number, name, playbook, not reason, reason)


def _answer_to(turn: Turn, name: str) -> tuple[str, str]:
    """The playbook with which *name* comes, and why not where it does not."""
    if name in turn.book.people:
        return "", ""
    agent = turn.book.agent(type_of(name))
    assert agent is not None, "who is not there has not been found"
    if any(frame.agent == name for frame in turn.state.frames):
        return "", _("it is busy")
    chosen = _for_meetings(turn, agent)
    if len(chosen) != 1:
        return "", _("it needs exactly one playbook for meetings, not {count}").format(count=len(chosen))
    return chosen[0], ""


def _check_present(turn: Turn, target: PlaybookTarget, named: dict[str, Any], number: int) -> None:
    """Raise StepFailed where somebody does not come who must, or nobody does who was asked."""
    joined = turn.state.world.meetings[number].joined
    for name in names_listed(dict(target.playbook.metadata).get("required_attendees")):
        if (_meant(turn, name) or name) not in joined:
            message = _("the meeting cannot start without {name}, who did not accept.")
            raise StepFailed(message.format(name=name))
    asked = _found(turn, names_listed(named.get("attendees")))
    if asked and not joined:
        reasons = "; ".join(f"{name}: {_answer_to(turn, name)[1]}" for name in asked)
        raise StepFailed(_("nobody who was invited comes to the meeting ({reasons}).").format(reasons=reasons))


def invite(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    """``InviteToMeeting(meeting, attendees)``: one event for each attendee, and for each trigger that waits for it."""
    given = {**dict(zip(("meeting_id", "attendees"), positional, strict=False)), **named}
    number = meeting_meant(turn, str(given.get("meeting_id", "meeting")))
    names = _found(turn, names_listed(given.get("attendees")))
    if not names:
        raise StepFailed(_("the meeting names nobody to invite."))
    plan = _plan(turn, number, names)
    if len(plan) > 1 and turn.frame.intents:
        raise StepFailed(_("Python can invite one agent at a time, and none that has a trigger for it."))
    name, watch = plan[min(turn.frame.done, len(plan) - 1)]
    if watch is not None:
        return _telling(turn, number, name, watch)
    invited = _invitation(turn, number, name)
    return turn.draft(invited) if turn.frame.done < len(plan) - 1 else turn.giving(invited, names)


def meeting_meant(turn: Turn, word: str) -> int:
    """The number of the open meeting that *word* means (``meeting``, ``meeting 100``, ``100``)."""
    match = re.search(r"\d{1,9}", word)
    number = int(match.group()) if match else turn.frame.meeting
    meeting = turn.state.world.meetings.get(number)
    if meeting is None or not meeting.is_open:
        raise StepFailed(_("there is no open meeting here that matches “{word}”.").format(word=word))
    return number


def said_in_meeting(turn: Turn, target: str, text: str) -> Draft | None:
    """Something said in a meeting, to all or to some; None where *target* is no meeting."""
    match = _MEETING.fullmatch(target)
    if match is None:
        return None
    number = meeting_meant(turn, match["number"] or "")
    meeting, speaker = turn.state.world.meetings[number], turn.agent
    named = [agent_meant(turn.state, turn.book, word) for word in re.findall(r"agent\s+(\w+)", match["to"])]
    hearers = named or [each for each in (meeting.host, *meeting.joined) if each != speaker]
    return turn.giving(MessageSent(speaker, tuple(hearers), text, number))


def share(turn: Turn, values: dict[str, Any]) -> Draft:
    """``SetMeetingState(name=value)``: what all in the meeting see as ``meeting.state.name``."""
    number = meeting_meant(turn, "")
    return turn.giving(MeetingStateSet(number, values))


def turn_of_other(turn: Turn) -> Draft | None:
    """The turn of whoever comes next in the meeting at hand; None where nobody has anything to do."""
    number = turn.frame.meeting
    if not number or any(frame.intents for frame in turn.state.frames):
        return None
    meeting = turn.state.world.meetings[number]
    if not meeting.is_open or turn.state.world.stack not in _stacks(number, meeting):
        return None
    speaker = _speaker(turn.state, number, meeting)
    found = _next(turn.state, number, speaker)
    if found is None and speaker != meeting.host:
        found = meeting.host
    if found is not None:
        turn.check_idle()  # all may wait for what nobody says, each with something unread
    return None if found is None else _handing_over(turn.state, number, found, "")


SPOKEN = Variable("message", is_state=False, type="str")


def question_to_person(turn: Turn, source: str) -> Draft | None:
    """What a person in the meeting says is asked for, when the host waits and no agent has anything to say."""
    number = turn.frame.meeting
    meeting = turn.state.world.meetings.get(number)
    if meeting is None or turn.frame.intents or turn.frame.agent != meeting.host or source != f"meeting {number}":
        return None
    person = _person_to_speak(turn, meeting)
    if not person or turn.frame.answer is not None:
        return None
    last = f"{meeting.log[-1].sender}: {meeting.log[-1].text}" if meeting.log else meeting.topic
    text = _("Meeting {number}, {last}").format(number=number, last=last)
    request = asking(turn, RequestKind.ASK, "", (SPOKEN,), person)
    return turn.opening(InputAsked.of(replace(request, text=text)))  # what others said is no text to be filled in


def spoken_by_person(turn: Turn, text: str) -> Draft:
    """What the person said who was asked; the wait then finds it. Nothing where they had nothing to say."""
    number = turn.frame.meeting
    meeting = turn.state.world.meetings[number]
    if not text.strip():
        return turn.giving(MessagesReceived(turn.frame.agent, f"meeting {number}", ()), [])
    person = _person_to_speak(turn, meeting)
    hearers = tuple(each for each in (meeting.host, *meeting.joined) if each != person)
    return turn.draft(MessageSent(person, hearers, text, number, pc=turn.frame.pc))


def _person_to_speak(turn: Turn, meeting: Meeting) -> str:
    """The person in the meeting who has said least, the first of several; empty where there is none."""
    people = [each for each in meeting.joined if each in turn.book.people]
    said = [message.sender for message in meeting.log]
    return min(people, key=said.count, default="")


def turn_after_leaving(state: RunFold, book: Book) -> Draft:
    """The turn of whoever comes next, when one who takes part is done."""
    number = int(state.world.stack.partition("/")[0])
    meeting = state.world.meetings[number]
    speaker = _speaker(state, number, meeting)
    found = _next(state, number, speaker)
    return _handing_over(state, number, found or meeting.host, speaker)


def close_meeting(turn: Turn) -> Draft:
    """The end of the meeting that the frame at work hosts; who has not had a turn yet has one first."""
    other = turn_of_other(turn)
    return other or turn.draft(MeetingEnded(turn.frame.meeting))


def _stacks(number: int, meeting: Meeting) -> set[str]:
    return {meeting.home, *(stack_of(number, agent) for agent in meeting.joined)}


def _speaker(state: RunFold, number: int, meeting: Meeting) -> str:
    """Whose turn it is."""
    stack = state.world.stack
    return next((agent for agent in meeting.joined if stack_of(number, agent) == stack), meeting.host)


def meeting_of(state: RunFold, agent: str) -> int:
    """The meeting of the frame at work, where *agent* takes part in it; else 0."""
    number = state.frames[-1].meeting if state.frames else 0
    meeting = state.world.meetings.get(number)
    takes_part = meeting is not None and meeting.is_open and agent in (meeting.host, *meeting.joined)
    return number if takes_part else 0


def _next(state: RunFold, number: int, speaker: str) -> str | None:
    """Who has not begun or has something to read, from the one after *speaker* on."""
    meeting = state.world.meetings[number]
    circle = [meeting.host, *meeting.joined]
    at = circle.index(speaker)
    for agent in (*circle[at + 1 :], *circle[:at]):
        if _can_go_on(state, number, agent):
            return agent
    return None


def _can_go_on(state: RunFold, number: int, agent: str) -> bool:
    meeting = state.world.meetings[number]
    has_message = any(each.meeting == number for each in state.world.inboxes.get(agent, ()))
    if agent == meeting.host:
        return has_message
    if not meeting.joined[agent] or agent in meeting.finished:
        return False
    return has_message or stack_of(number, agent) not in state.world.parked


def _handing_over(state: RunFold, number: int, agent: str, left: str) -> Draft:
    """The turn of *agent*, who begins its playbook where it has not yet."""
    meeting = state.world.meetings[number]
    to = meeting.home if agent == meeting.host else stack_of(number, agent)
    enter = "" if to in state.world.parked else meeting.joined[agent]
    return Draft(MeetingTurn(number, agent, to, enter, left))


def is_home(state: RunFold) -> bool:
    """Whether the frames at work are those of the run, rather than of one who takes part in a meeting."""
    return state.world.stack == MAIN_STACK
