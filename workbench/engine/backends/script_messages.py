"""What a script says to a run that waits for messages, in its order and at its times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.waiting_events import MessageHeard, WaitBegun
from workbench.engine.ports import Answer, Arrival, Request
from workbench.engine.scripts import ScriptedMessage


class ScriptedMessages:
    """Each is used once. *since_ns*: from when on the time until the next one counts, 0 while nothing waits for it."""

    def __init__(self, messages: tuple[ScriptedMessage, ...]) -> None:
        self._left = list(messages)
        self._meant: ScriptedMessage | None = None
        self._since_ns = 0

    def next_arrival(self, now_ns: int) -> Arrival | None:
        """The next message, which comes as long after the one before as the script says."""
        self._since_ns = self._since_ns or now_ns
        return Arrival(self._left[0].text, self._since_ns + _length_ns(self._left[0])) if self._left else None

    def take(self) -> None:
        """Go on to the message after."""
        self._meant = self._left.pop(0)
        self._since_ns = 0 if self._meant.text else self._since_ns + _length_ns(self._meant)

    def next_said(self) -> str | None:
        """The text of the next message, which a step waits for; None where there is none."""
        while self._left:
            self.take()
            if self._meant is not None and self._meant.text:
                return self._meant.text
        return None

    def meant(self, request: Request) -> Answer | None:
        """Which triggers the last message is for, where the script says so beside it."""
        if self._meant is None or not self._meant.triggers:
            return None
        return Answer(tuple((field.name, _is_meant(self._meant, field.name)) for field in request.fields))

    def pass_over(self, event: RunEvent) -> None:
        """Leave out what a run that is gone on with has heard in *event*."""
        match event.payload:
            case MessageHeard(text, sender=""):
                self._pass(text)
            case WaitBegun() if not event.step:
                self._since_ns = self._since_ns or event.at_ns

    def pass_said(self, answer: Mapping[str, Any]) -> bool:
        """Leave out the message that *answer* was, to a step that waited for one; False where it was none of these."""
        return self._pass(next(iter(answer["values"].values()), answer["text"]))

    def _pass(self, text: str) -> bool:
        index = next((index for index, one in enumerate(self._left) if one.text == text), None)
        if index is None:
            return False
        self._meant, self._left, self._since_ns = self._left[index], self._left[index + 1 :], 0
        return True


def _length_ns(message: ScriptedMessage) -> int:
    return round(message.after_s * 1e9)


def _is_meant(message: ScriptedMessage, field: str) -> bool:
    """Whether *message* is for the trigger of *field* (``Refund_T1``)."""
    return any(field == name.replace(":", "_") or field.startswith(f"{name}_T") for name in message.triggers)
