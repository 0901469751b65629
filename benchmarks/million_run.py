"""A run of a million events: nested playbooks, steps, calls, models, questions, and failures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.model_events import ModelAnswered, ModelAsked
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    InputAsked,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RunCompleted,
    RunCreated,
    RunStarted,
    StepEntered,
    StepExited,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.ports import RequestKind
from workbench.providers.values import Finish
from workbench.tools.values import CallSafety

MILLION = 1_000_000
RUN = RunId("0193a5c0-0000-7000-8000-00000000a000")
RARE = "zanzibar"
"""A word that stands in three events."""
_AGENTS = ("Desk", "Packer", "Courier", "Auditor", "Buyer")
_TOOLS = ("find_order", "read_file", "write_file", "send_mail", "fetch_page")
_RARELY = frozenset({7, 20_000, 40_000})
_NAP_NS = 30_000_000_000
_FAILS_EACH = 10_007


class _Teller:
    """Makes the events of one run, one after the other, on a clock of its own."""

    def __init__(self) -> None:
        self._numbers = count()
        self._at_ns = 1_700_000_000_000_000_000
        self._span = 0

    def tell(self, payload: EventPayload, span: str = "", parent: str = "", step: str = "") -> RunEvent:
        seq = next(self._numbers)
        self._at_ns += 40_000 + (seq * 7919) % 400_000
        return RunEvent(RUN, seq, payload, self._at_ns, self._at_ns - 10**18, span, parent, step, 12 if step else 0)

    def span(self) -> str:
        self._span += 1
        return f"s{self._span}"

    def rest(self, ns: int) -> None:
        self._at_ns += ns


def million_events(wanted: int = MILLION) -> Iterator[RunEvent]:
    """The events, in order: a little more than half as many spans, and *wanted* events in all."""
    teller = _Teller()
    yield teller.tell(RunCreated("Main", "orders.md", "", "", {}))
    yield teller.tell(RunStarted())
    main = teller.span()
    yield teller.tell(PlaybookEntered("Main", "Desk", {}, ()), main)
    left = wanted - 5
    for number in count():
        if left < _ROUND:
            break
        left -= _ROUND
        yield from _round(teller, number, main)
        if number % 5_000 == 4_999:
            teller.rest(_NAP_NS)
    for _rest in range(left):
        yield teller.tell(RunStarted())
    yield teller.tell(PlaybookExited("Main", None), main)
    yield teller.tell(RunCompleted(None))


_ROUND = 22


def _round(teller: _Teller, number: int, main: str) -> Iterator[RunEvent]:
    """One order: a playbook with four steps; 22 events, 11 spans."""
    agent, book = _AGENTS[number % 5], teller.span()
    entered = PlaybookEntered(f"Handle{number % 5}", agent, {"order": number}, ("order",))
    yield teller.tell(entered, book, main, "Main:01")
    for place in range(1, 5):
        step, inner = f"Handle{number % 5}:0{place}", teller.span()
        yield teller.tell(StepEntered(f"Look at order {number} and decide"), inner, book, step)
        own = teller.span()
        yield from (_asked, _called, _called, _modelled)[place - 1](teller, number * 4 + place, own, inner, step)
        yield teller.tell(StepExited(StepStatus.DONE), inner, book, step)
    note = RARE if number in _RARELY else f"shelf {number % 977}"
    own = teller.span()
    yield teller.tell(_call("note", number, note), own, book, "")
    yield teller.tell(ToolResult("noted"), own, book, "")
    yield teller.tell(PlaybookExited(f"Handle{number % 5}", "shipped"), book, main, "Main:01")


def _call(tool: str, number: int, text: str) -> ToolCalled:
    return ToolCalled(tool, _AGENTS[number % 5], CallSafety.READ, f"k{number:x}", (text,), {"shelf": number % 977})


def _called(teller: _Teller, number: int, span: str, parent: str, step: str) -> Iterator[RunEvent]:
    yield teller.tell(_call(_TOOLS[number % 5], number, f"order-{number}"), span, parent, step)
    has_failed = number % _FAILS_EACH == 0
    payload = ToolError(f"Order {number} is gone") if has_failed else ToolResult(f"{number % 50} pieces")
    yield teller.tell(payload, span, parent, step)


def _asked(teller: _Teller, number: int, span: str, parent: str, step: str) -> Iterator[RunEvent]:
    yield teller.tell(_question(number), span, parent, step)
    teller.rest(5_000_000 + number % 1_000_000)
    yield teller.tell(InputGiven(f"q{number}", RequestKind.DECIDE, {"decision": True}), span, parent, step)


def _question(number: int) -> InputAsked:
    return InputAsked(f"q{number}", RequestKind.DECIDE, f"May order {number} be sent?", (), ("yes", "no"))


def _modelled(teller: _Teller, number: int, span: str, parent: str, step: str) -> Iterator[RunEvent]:
    request, context, own = f"q{number}", f"{number * 2654435761 % 2**64:016x}" * 4, teller.span()
    yield teller.tell(_question(number), span, parent, step)
    yield teller.tell(ModelAsked(request, 1, "local", "small-7b", context, {"step": 300}), own, span, step)
    teller.rest(2_000_000 + number % 900_000)
    cost = 0.0002 + number % 7 / 10_000
    said = ModelAnswered(request, 1, f"order {number} is fine", (), Finish.STOP, "small-7b", 300, 40, cost_usd=cost)
    yield teller.tell(said, own, span, step)
    yield teller.tell(InputGiven(request, RequestKind.DECIDE, {"decision": True}, "model"), span, parent, step)
