"""What messages are sent to and come from: agents, meetings and people, as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass

HUMAN = "human"
_HUMAN_WORDS = frozenset({"human", "user"})
_AGENT = re.compile(r"agent\s+(?P<id>\S+)", re.IGNORECASE)
_MEETING = re.compile(r"meeting\s+(?P<id>\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AgentId:
    """An agent, by its number or name; ``human`` is whoever sits in front of the program."""

    id: str

    def __str__(self) -> str:
        return self.id if self.id == HUMAN else f"agent {self.id}"


@dataclass(frozen=True, slots=True)
class MeetingId:
    """A meeting, by its number."""

    id: str

    def __str__(self) -> str:
        return f"meeting {self.id}"


def parse_agent_id(text: str) -> AgentId:
    """The agent that *text* names: ``agent 1001``, ``1001``, ``user``. Raises ValueError where it is blank."""
    word = _filled(text)
    match = _AGENT.fullmatch(word)
    word = match["id"] if match else word
    return AgentId(HUMAN if word.lower() in _HUMAN_WORDS else word)


def parse_meeting_id(text: str) -> MeetingId:
    """The meeting that *text* names: ``meeting 100``, ``100``. Raises ValueError where it is blank."""
    word = _filled(text)
    match = _MEETING.fullmatch(word)
    return MeetingId(match["id"] if match else word)


def parse_id(text: str) -> AgentId | MeetingId:
    """What *text* names: a meeting where it says so, else an agent. Raises ValueError where it is blank."""
    return parse_meeting_id(text) if _MEETING.fullmatch(text.strip()) else parse_agent_id(text)


def _filled(text: str) -> str:
    word = text.strip()
    if not word:
        raise ValueError("an id cannot be empty")
    return word
