"""Answers that count for later runs: kept by file on this machine, or those of one earlier run.

A step is found again by its address and its words (``kept``); an answer to other words is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.files import real_path
from workbench.engine.debugging.breakpoints import Breakpoint, StopKind
from workbench.engine.debugging.kept import KeptBreakpoint, entries_in, found_again, keep_entries
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import InputAsked, InputGiven
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.answering import that_count
from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.secrets import holds_mark


class NoPin(WorkbenchError):
    """There is no answer to keep; the message says why."""


@dataclass(frozen=True, slots=True)
class Pin:
    """*answer*, as it was journaled in *run*, is what *step* is answered from now on. *by*: who wants it so.

    *text*, *line*: of the step when it was answered; empty and 0 for what is no step. *is_once*: it is given once.
    """

    step: str
    kind: RequestKind
    purpose: Purpose
    answer: Mapping[str, Any]
    run: str
    by: str = ""
    text: str = ""
    line: int = 0
    is_once: bool = False

    def is_for(self, request: Request) -> bool:
        """Whether *request* is what was answered."""
        return (self.step, self.kind, self.purpose) == (request.step, request.kind, request.purpose)

    def is_like(self, other: Pin) -> bool:
        """Whether *other* is for the same question."""
        return (self.step, self.kind, self.purpose) == (other.step, other.kind, other.purpose)


Pins = tuple[Pin, ...]


def pin_of(events: Iterable[RunEvent], ran: Snapshot, step: str, by: str) -> Pin:
    """The last answer to *step* in *events*, whose run carried *ran* out. Raises NoPin."""
    found = [each for each in _answers(events, ran, by) if each.step == step]
    if not found:
        raise NoPin(_("Nothing was answered at {step} in this run.").format(step=step))
    if holds_mark(found[-1].answer):
        raise NoPin(_("The answer to {step} was secret, and the journal has only a mark for it.").format(step=step))
    return replace(found[-1], is_once=False)


def answers_of(events: Iterable[RunEvent], ran: Snapshot, now: Snapshot, by: str) -> Pins:
    """All answers in *events*, whose run carried *ran* out, as far as their steps are found again in *now*."""
    return pins_at([each for each in _answers(events, ran, by) if not holds_mark(each.answer)], now)


def _answers(events: Iterable[RunEvent], ran: Snapshot, by: str) -> Iterator[Pin]:
    asked: dict[str, Request] = {}
    run = ""
    for event in that_count(events):
        run = event.run
        match event.payload:
            case InputAsked() as question:
                asked[event.span] = question.request_at(event.step)
            case InputGiven(answer=answer) if (request := asked.get(event.span)) is not None:
                if request.kind not in _ABOUT_CALLS and "run" not in answer and "call" not in answer:
                    step = ran.at_address(request.step)
                    text, line = ("", 0) if step is None else (step.text, ran.line(step.id))
                    yield Pin(request.step, request.kind, request.purpose, answer, run, by, text, line, is_once=True)


_ABOUT_CALLS = frozenset({RequestKind.IN_DOUBT, RequestKind.APPROVE})


def pins_at(pins: Sequence[Pin], snapshot: Snapshot) -> Pins:
    """*pins* at their steps in *snapshot*; those whose words are gone are left out."""
    kept = [KeptBreakpoint(Breakpoint(StopKind.STEP, each.step), each.text, each.line) for each in pins]
    found = []
    for pin, place in zip(pins, found_again(kept, snapshot), strict=True):
        step = snapshot.at_address(place.breakpoint.at)
        if not pin.text or (step is not None and step.text == pin.text):
            found.append(replace(pin, step=place.breakpoint.at))
    return tuple(found)


def load_pins(store: Path, file: Path) -> Pins:
    """What is kept in *store* for *file*; what cannot be read there is left out. Raises CannotRead."""
    found = entries_in(store).get(str(real_path(file)), [])
    return tuple(pin for entry in found if isinstance(entry, dict) and (pin := _read(entry)) is not None)


def save_pins(store: Path, file: Path, pins: Iterable[Pin]) -> None:
    """Keep *pins* for *file*, in place of what was there. Raises CannotRead and CannotSave."""
    keep_entries(store, {**entries_in(store), str(real_path(file)): list(map(_written, pins))})


def keep_pin(store: Path, file: Path, pin: Pin) -> None:
    """Keep *pin* for *file*, in place of one for the same question. Raises CannotRead and CannotSave."""
    others = (each for each in load_pins(store, file) if not each.is_like(pin))
    save_pins(store, file, (*others, pin))


def _read(entry: Mapping[str, Any]) -> Pin | None:
    step, run, by, text = (str(entry.get(name, "")) for name in ("step", "run", "by", "text"))
    line, answer = entry.get("line"), entry.get("answer")
    try:
        kind, purpose = RequestKind(entry.get("kind")), Purpose(entry.get("purpose"))
    except ValueError:  # of another version
        return None
    if not isinstance(answer, dict):
        return None
    return Pin(step, kind, purpose, answer, run, by, text, line if isinstance(line, int) else 0)


def _written(pin: Pin) -> dict[str, Any]:
    words = {"step": pin.step, "kind": pin.kind.value, "purpose": pin.purpose.value, "text": pin.text}
    return {**words, "line": pin.line, "answer": dict(pin.answer), "run": pin.run, "by": pin.by}
