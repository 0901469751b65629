"""What a run has made besides variables: agents, artifacts, playbooks, messages, meetings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.engine.journal import language_events as told
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

    def keep(self, saved: told.ArtifactSaved) -> None:
        """Keep an artifact."""
        self.artifacts[saved.name] = Artifact(saved.summary, saved.value)

    def write(self, playbook: told.PlaybookWritten) -> None:
        """Add a playbook that was written while the run went on."""
        self.written[playbook.agent, playbook.name] = playbook.text

    def turn(self, turn: told.MeetingTurn, frames: list[LiveFrame]) -> list[LiveFrame]:
        """The frames of the stack that has its turn now; those of the one before are parked, where any are left."""
        if frames:
            self.parked[self.stack] = frames
        self.stack = turn.to
        meeting = self.meetings[turn.meeting]
        if turn.left:
            self.meetings[turn.meeting] = replace(meeting, finished=(*meeting.finished, turn.left))
        return self.parked.pop(self.stack, [])

    def send(self, sent: told.MessageSent) -> None:
        """Put a message into the inboxes, and into the log of its meeting."""
        message = Message(sent.sender, sent.text, sent.meeting)
        for agent in sent.to:
            self.inboxes[agent] = (*self.inboxes.get(agent, ()), message)
        meeting = self.meetings.get(message.meeting)
        if meeting is not None:
            self.meetings[message.meeting] = replace(meeting, log=(*meeting.log, message))

    def receive(self, received: told.MessagesReceived) -> None:
        """Take what was read out of the inbox."""
        inbox = self.inboxes.get(received.agent, ())
        self.inboxes[received.agent] = tuple(each for each in inbox if not is_from(each, received.source))

    def take_direct(self, agent: str) -> None:
        """Take the oldest message to *agent* out of its inbox that belongs to no meeting."""
        inbox = list(self.inboxes.get(agent, ()))
        taken = next(index for index, each in enumerate(inbox) if not each.meeting)
        self.inboxes[agent] = (*inbox[:taken], *inbox[taken + 1 :])

    def open(self, opened: told.MeetingOpened) -> None:
        """Begin a meeting."""
        self.meetings[opened.meeting] = Meeting(opened.host, opened.playbook, opened.topic, opened.home, opened.frame)

    def invite(self, invited: told.MeetingInvited) -> None:
        """Let somebody who accepted join."""
        meeting = self.meetings[invited.meeting]
        if invited.is_accepted:
            joined = {**meeting.joined, invited.agent: invited.playbook}
            self.meetings[invited.meeting] = replace(meeting, joined=joined)

    def share(self, shared: told.MeetingStateSet) -> None:
        """Change what all in a meeting see."""
        meeting = self.meetings[shared.meeting]
        self.meetings[shared.meeting] = replace(meeting, state={**meeting.state, **shared.values})

    def end(self, number: int) -> None:
        """End a meeting: what was under way or unread in it is given up."""
        meeting = self.meetings[number]
        self.meetings[number] = replace(meeting, is_open=False)
        for agent in (meeting.host, *meeting.joined):
            self.parked.pop(stack_of(number, agent), None)
            inbox = self.inboxes.get(agent, ())
            self.inboxes[agent] = tuple(each for each in inbox if each.meeting != number)


def stack_of(meeting: int, agent: str) -> str:
    """The name of the stack on which *agent* takes part in *meeting*."""
    return f"{meeting}/{agent}"


def is_from(message: Message, source: str) -> bool:
    """Whether *message* is what a wait for *source* waits for: an agent, ``meeting 100``, or ``*``."""
    if source == "*":
        return True
    return source == (f"meeting {message.meeting}" if message.meeting else message.sender) or source == message.sender
