"""What a run waits for: a message, a time; the message that it has heard last, and its timers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workbench.engine.journal.language_events import TriggersChecked
from workbench.engine.journal.waiting_events import MessageHeard, TimerDue, WaitBegun


@dataclass(frozen=True, slots=True)
class OpenWait:
    """*until_ns*: wall clock, 0 where no time is set. *is_open*: whether a message ends it."""

    span: str
    until_ns: int = 0
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """A message that triggers are looked at for. *sender*, *to*: agents, empty for the user and for all.

    *is_judged*: whether those that are a judgement were asked about. *is_taken*: whether one of all fits; *fire*: the
    keys of those that have not had their turn yet.
    """

    text: str
    sender: str = ""
    to: str = ""
    is_judged: bool = False
    is_taken: bool = False
    fire: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """*wait*: None while the run is at work. *timers*: when each goes off, by the key of its trigger; 0: never again.

    *is_ended*: no message will come any more. *has_heard*: whether the user has said anything yet.
    """

    wait: OpenWait | None = None
    heard: HeardMessage | None = None
    timers: Mapping[str, int] = field(default_factory=dict)
    is_ended: bool = False
    has_heard: bool = False


class LiveWaiting:
    """A ``Waiting`` that changes in place."""

    __slots__ = ("has_heard", "heard", "is_ended", "timers", "wait")

    def __init__(self, waiting: Waiting) -> None:
        self.wait, self.heard = waiting.wait, waiting.heard
        self.timers, self.is_ended = dict(waiting.timers), waiting.is_ended
        self.has_heard = waiting.has_heard

    def frozen(self) -> Waiting:
        """This as a value."""
        return Waiting(self.wait, self.heard, dict(self.timers), self.is_ended, self.has_heard)

    def begin(self, span: str, begun: WaitBegun) -> None:
        """Wait; what was heard before is done with."""
        self.wait = OpenWait(span, begun.until_ns, begun.is_open)

    def hear(self, heard: MessageHeard) -> None:
        """A message has come."""
        self.wait, self.heard = None, HeardMessage(heard.text, heard.sender, heard.to)
        self.has_heard |= not heard.sender

    def go_off(self, due: TimerDue) -> None:
        """A timer goes off."""
        self.wait, self.timers[due.key] = None, due.next_ns

    def looked(self, found: TriggersChecked) -> None:
        """The triggers were looked at for what was heard."""
        if self.heard is not None:
            is_judged, is_taken = self.heard.is_judged or found.is_judged, self.heard.is_taken or bool(found.fire)
            self.heard = replace(self.heard, is_judged=is_judged, is_taken=is_taken, fire=found.fire)

    def answered(self) -> None:
        """Who said it was told that nothing fits."""
        self.heard = replace(self.heard, is_taken=True) if self.heard is not None else None

    def fired(self) -> str:
        """What was heard, for the next trigger that it is meant for, which has its turn now."""
        assert self.heard is not None
        self.heard = replace(self.heard, fire=self.heard.fire[1:])
        return self.heard.text
