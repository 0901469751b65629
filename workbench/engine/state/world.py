"""What a run has made besides variables: agents, artifacts, playbooks, messages, meetings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal import events as types
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.frames import Frame, LiveFrame

MAIN_STACK = "main"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A named value that outlives the call that made it."""

    summary: str
    value: Any


@dataclass(frozen=True, slots=True)
class Message:
    """Something said to an agent. *meeting*: where, 0 for directly."""

    sender: str
    text: str
    meeting: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting. *host* and *attendees* are agents; *home*: the stack of its host, *frame*: the span that opened it.

    *joined*: the meeting playbook of each attendee that came, empty for a person. *finished*: who has left.
    """

    host: str
    playbook: str
    topic: str
    home: str
    frame: str
    joined: Mapping[str, str] = field(default_factory=dict)
    finished: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    log: tuple[Message, ...] = ()
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class World:
    """All of it. *created*: the number of each agent that was made. *written*: text of playbooks by agent and name.

    *inboxes*: what each agent has not read. *stack*: whose turn it is; *parked*: the frames of the others.
    """

    created: Mapping[str, int] = field(default_factory=dict)
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    written: Mapping[tuple[str, str], str] = field(default_factory=dict)
    inboxes: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    meetings: Mapping[int, Meeting] = field(default_factory=dict)
    stack: str = MAIN_STACK
    parked: Mapping[str, tuple[Frame, ...]] = field(default_factory=dict)


class LiveWorld:
    """A ``World`` that changes in place; its values are replaced, never changed."""

    def __init__(self, world: World) -> None:
        self.created, self.artifacts = dict(world.created), dict(world.artifacts)
        self.written, self.inboxes = dict(world.written), dict(world.inboxes)
        self.meetings, self.stack = dict(world.meetings), world.stack
        self.parked = {name: [LiveFrame(frame) for frame in frames] for name, frames in world.parked.items()}

    def frozen(self) -> World:
        """This as a value."""
        return World(
            dict(self.created),
            dict(self.artifacts),
            dict(self.written),
            dict(self.inboxes),
            dict(self.meetings),
            self.stack,
            {name: tuple(frame.frozen() for frame in frames) for name, frames in self.parked.items()},
        )

    def see(self, event: RunEvent) -> None:
        """Take *event* in."""
        rule = _RULES.get(event.type)
        if rule is not None:
            rule(self, event.body)

    def turn(self, body: Mapping[str, Any], frames: list[LiveFrame]) -> list[LiveFrame]:
        """The frames of the stack that has its turn now; those of the one before are parked, where any are left."""
        if frames:
            self.parked[self.stack] = frames
        self.stack = body["to"]
        meeting = self.meetings[body["meeting"]]
        if body["left"]:
            self.meetings[body["meeting"]] = replace(meeting, finished=(*meeting.finished, body["left"]))
        return self.parked.pop(self.stack, [])


def stack_of(meeting: int, agent: str) -> str:
    """The name of the stack on which *agent* takes part in *meeting*."""
    return f"{meeting}/{agent}"


def _agent_created(world: LiveWorld, body: Mapping[str, Any]) -> None:
    world.created[body["agent"]] = body["id"]


def _artifact_saved(world: LiveWorld, body: Mapping[str, Any]) -> None:
    world.artifacts[body["name"]] = Artifact(body["summary"], body["value"])


def _playbook_written(world: LiveWorld, body: Mapping[str, Any]) -> None:
    world.written[body["agent"], body["name"]] = body["text"]


def _sent(world: LiveWorld, body: Mapping[str, Any]) -> None:
    message = Message(body["from"], body["text"], body["meeting"])
    for agent in body["to"]:
        world.inboxes[agent] = (*world.inboxes.get(agent, ()), message)
    meeting = world.meetings.get(message.meeting)
    if meeting is not None:
        world.meetings[message.meeting] = replace(meeting, log=(*meeting.log, message))


def _received(world: LiveWorld, body: Mapping[str, Any]) -> None:
    inbox = world.inboxes.get(body["agent"], ())
    world.inboxes[body["agent"]] = tuple(each for each in inbox if not is_from(each, body["source"]))


def is_from(message: Message, source: str) -> bool:
    """Whether *message* is what a wait for *source* waits for: an agent, ``meeting 100``, or ``*``."""
    if source == "*":
        return True
    return source == (f"meeting {message.meeting}" if message.meeting else message.sender) or source == message.sender


def _meeting_opened(world: LiveWorld, body: Mapping[str, Any]) -> None:
    world.meetings[body["meeting"]] = Meeting(
        body["host"], body["playbook"], body["topic"], body["home"], body["frame"]
    )


def _meeting_invited(world: LiveWorld, body: Mapping[str, Any]) -> None:
    meeting = world.meetings[body["meeting"]]
    if body["is_accepted"]:
        joined = {**meeting.joined, body["agent"]: body["playbook"]}
        world.meetings[body["meeting"]] = replace(meeting, joined=joined)


def _meeting_state(world: LiveWorld, body: Mapping[str, Any]) -> None:
    meeting = world.meetings[body["meeting"]]
    world.meetings[body["meeting"]] = replace(meeting, state={**meeting.state, **body["values"]})


def _meeting_ended(world: LiveWorld, body: Mapping[str, Any]) -> None:
    number = body["meeting"]
    meeting = world.meetings[number]
    world.meetings[number] = replace(meeting, is_open=False)
    for agent in (meeting.host, *meeting.joined):
        world.parked.pop(stack_of(number, agent), None)
        inbox = world.inboxes.get(agent, ())
        world.inboxes[agent] = tuple(each for each in inbox if each.meeting != number)


_RULES: dict[str, Callable[[LiveWorld, Mapping[str, Any]], None]] = {
    types.AGENT_CREATED: _agent_created,
    types.ARTIFACT_SAVED: _artifact_saved,
    types.PLAYBOOK_WRITTEN: _playbook_written,
    types.MESSAGE_SENT: _sent,
    types.MESSAGE_RECEIVED: _received,
    types.MEETING_OPENED: _meeting_opened,
    types.MEETING_INVITED: _meeting_invited,
    types.MEETING_STATE: _meeting_state,
    types.MEETING_ENDED: _meeting_ended,
}
