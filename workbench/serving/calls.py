"""A call of an offered playbook: a run that is followed to its end, or to where somebody has to answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import Told
from workbench.engine.ports import Answer, Request
from workbench.engine.running.run import Run
from workbench.i18n import _
from workbench.serving.offers import Offer

_LOOK_S = 0.02
_OFFERS = 500
"""How often an answer is offered to a run that does not wait for it yet."""

Begin = Callable[[Offer, Mapping[str, Any]], "ServedRun"]
"""Makes the run of a call. Raises WorkbenchError where it cannot begin."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended. *text*: for people and models; *data*: the same for programs."""

    text: str
    data: Mapping[str, Any]
    is_error: bool = False


@dataclass(slots=True)
class ServedRun:
    """A run that somebody else called for. *resuming*: the sentence that says how to go on with it.

    *ended*: is called once, when nothing more will come, before the journal is closed.
    """

    run: Run
    journal: Journal
    resuming: str
    ended: Callable[[Run, Journal], None]
    said: list[str] = field(default_factory=list)
    _is_over: bool = False
    _answered: str = ""

    async def follow(self, tell: Callable[[RunEvent], object]) -> Request | None:
        """The question that the run waits with; None when it has ended. *tell* hears every event."""
        while True:
            is_finished = self.run.is_finished
            for event in self.run.drain():
                if isinstance(event.payload, Told) and not event.payload.target:
                    self.said.append(event.payload.text)
                tell(event)
            if is_finished:
                self.close()
                return None
            pending = self.run.pending if self.run.is_asking_person else None
            if pending is not None and pending.id != self._answered:
                return pending
            await asyncio.sleep(_LOOK_S)

    async def take(self, request: Request, answer: Answer) -> bool:
        """Whether *answer* was taken; a run that has just asked may need a moment."""
        for _attempt in range(_OFFERS):
            if self.run.answer(request.id, answer):
                self._answered = request.id
                return True
            if self.run.is_finished or self.run.pending is not request:
                break
            await asyncio.sleep(_LOOK_S)
        return False

    def stop(self) -> None:
        """End the run: whoever called does not want it any more."""
        self.run.stop()
        self._wait()

    def leave(self) -> None:
        """Let go of the run where it stands: a person goes on with it."""
        self.run.leave()
        self._wait()

    def _wait(self) -> None:
        self.run.wait()
        self.close()

    def close(self) -> None:
        """Give the journal back. Only the first time does anything."""
        if not self._is_over:
            self._is_over = True
            self.ended(self.run, self.journal)
            self.journal.close()

    @property
    def outcome(self) -> Outcome:
        """How it ended; to be asked for when it has."""
        state, run = self.run.state, self.run
        known: dict[str, Any] = {"run": run.id, "status": state.status.value, "said": self.said}
        if state.status is RunStatus.COMPLETED:
            result = run.result
            words = [*self.said, *([_as_text(result)] if result is not None else [])]
            return Outcome("\n".join(words) or _("Done."), {**known, "result": result})
        reason = str(run.halt or state.error or _("The run was stopped."))
        if state.status is not RunStatus.FAILED:
            reason = f"{reason} {self.resuming}"
        return Outcome("\n".join((*self.said, reason)), {**known, "error": reason}, is_error=True)

    def waiting(self, request: Request) -> Outcome:
        """What is said where the run was left with *request*, for a person."""
        words = _("The run waits for an answer that only a person at the desk can give: {question} {resuming}")
        text = words.format(question=request.text, resuming=self.resuming)
        data = {"run": self.run.id, "status": "waiting", "said": self.said, "question": request.text}
        return Outcome("\n".join((*self.said, text)), data, is_error=True)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
