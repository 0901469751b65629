"""Where a value came from: the event that set it, what that took it from, and so on back to people and tools.

A search backwards that reads only what it needs: it goes from event to event by the index of ``setters``, and past
everything that happened inside of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import ModelAnswered
from workbench.engine.journal.payload import NOTHING, Giving
from workbench.engine.journal.run_events import (
    CallResolved,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RoundBegun,
    RunCreated,
    ToolCalled,
    ToolResult,
    VariableSet,
)
from workbench.engine.provenance.setters import NOWHERE, Setters, of_agent, of_frame
from workbench.engine.state.run_state import RunState
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import own_facts

MOST_LINKS = 120
DEEPEST = 10
_ENDS = (ToolResult, CallResolved, InputGiven, PlaybookExited)
ReadsOf = Callable[[str], Sequence[str]]
"""The names of the variables that the step at an address reads."""


@dataclass(frozen=True, slots=True)
class Origin:
    """One thing that a value came from. *name*: the variable that *event* set, else empty. *sources*: of its value.

    *is_cut*: there is more, which is left out because it stands elsewhere or is too far away.
    """

    event: RunEvent
    name: str = ""
    sources: tuple[Origin, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """What a search needs to know of a run. *events*: by their numbers. *reads_of*: what its steps read."""

    events: Sequence[RunEvent]
    setters: Setters
    reads_of: ReadsOf


def reads_in(ran: Snapshot | None) -> ReadsOf:
    """What the steps of the text *ran* read; nothing where the text is lost."""

    def reads_of(address: str) -> Sequence[str]:
        step = ran.at_address(address) if ran is not None and address else None
        facts = own_facts(step) if step is not None else None
        return sorted(facts.read_names | facts.uses) if facts is not None else ()

    return reads_of


def home_of(state: RunState, name: str, setters: Setters) -> str | None:
    """Where the variable *name* is at home that can be seen in *state*, else where one of that name was set last."""
    bare = name.removeprefix("$")
    for frame in reversed(state.frames):
        if bare in frame.parameters if name != bare else bare in frame.locals:
            return of_frame(frame.span)
    if name != bare and bare in state.variables:
        return of_agent(state.agent)
    known = {home: setters.last(home, name, state.next_seq) for home in setters.homes_of(name)}
    set_then = {home: seq for home, seq in known.items() if seq is not None}
    return max(set_then, key=lambda home: set_then[home], default=None)


def where_from(history: History, home: str, name: str, before: int) -> Origin | None:
    """Where the value came from that *name* of *home* had before the event number *before*; None: it had none."""
    return _Search(history).variable(home, name, before, 0)


class _Search:
    """One search. No event is followed twice, and none that lies too deep."""

    def __init__(self, history: History) -> None:
        self._events = history.events
        self._setters = history.setters
        self._reads_of = history.reads_of
        self._seen: set[tuple[int, str]] = set()

    def variable(self, home: str, name: str, before: int, depth: int) -> Origin | None:
        """Where *name* of *home* got the value from that it had before the event *before*."""
        seq = self._setters.last(home, name, before)
        if seq is None:
            return None
        origin = Origin(self._events[seq], name)
        is_known = (seq, name) in self._seen
        self._seen.add((seq, name))
        if is_known or depth >= DEEPEST or len(self._seen) >= MOST_LINKS:
            return replace(origin, is_cut=True)
        return replace(origin, sources=self._sources(origin.event, depth + 1))

    def _sources(self, event: RunEvent, depth: int) -> tuple[Origin, ...]:
        match event.payload:
            case VariableSet():
                return self._of_step(event, event.span, depth)
            case PlaybookEntered() if event.parent:
                return self._of_step(event, event.parent, depth)
            case PlaybookEntered():
                created = self._events[0]
                return (Origin(created),) if isinstance(created.payload, RunCreated) else ()
            case _:
                return ()

    def _of_step(self, event: RunEvent, span: str, depth: int) -> tuple[Origin, ...]:
        """What the step of *span* had its values from before *event*: calls and answers, and the variables it reads."""
        read = _those_given(event, tuple(self._read(event.step, span, event.seq, depth)))
        ends = [self._ended(end, depth) for end in self._ends_before(event.seq, span)]
        own = []
        for origin in read:
            value = _value_of(origin)
            call = next((at for at, end in enumerate(ends) if _is_argument(value, end)), -1)
            if call < 0:
                own.append(origin)
            else:
                ends[call] = _with_argument(ends[call], origin)
        return (*ends, *own)

    def _ends_before(self, seq: int, span: str) -> Iterator[RunEvent]:
        """The calls and answers of the step of *span* that ended before the event *seq*, the first one first."""
        begin, found, at = self._setters.begin_of(span), list[RunEvent](), seq - 1
        while begin != NOWHERE and at > begin:
            event = self._events[at]
            if isinstance(event.payload, RoundBegun) and event.span == span:
                break
            opened = self._setters.begin_of(event.span) if isinstance(event.payload, _ENDS) else NOWHERE
            if opened != NOWHERE and event.parent == span:
                found.append(event)
                at = opened
            elif isinstance(event.payload, Giving) and event.payload.gives is not NOTHING and event.span == span:
                found.append(event)
            at -= 1
        return reversed(found)

    def _ended(self, event: RunEvent, depth: int) -> Origin:
        """What *event*, the end of a call or the answer to a question, goes back to."""
        opened = self._setters.begin_of(event.span)
        begun = self._events[opened] if opened != NOWHERE else None
        match event.payload:
            case ToolResult() | CallResolved() if begun is not None:
                return Origin(event, sources=(Origin(begun),))
            case InputGiven() if begun is not None:
                return Origin(event, sources=(*self._led_to(event, opened), Origin(begun)))
            case PlaybookExited() if begun is not None and depth < DEEPEST:
                return Origin(event, sources=self._returned(event, depth + 1))
            case _:
                return Origin(event)

    def _led_to(self, given: RunEvent, opened: int) -> Iterator[Origin]:
        """What a model called for its answer, and what it said last."""
        at, last = given.seq - 1, None
        found: list[Origin] = []
        while at > opened:
            event = self._events[at]
            begin = self._setters.begin_of(event.span) if isinstance(event.payload, ToolResult) else NOWHERE
            if isinstance(event.payload, ModelAnswered) and last is None:
                last = Origin(event)
            if begin != NOWHERE and begin > opened:
                found.append(Origin(event, sources=(Origin(self._events[begin]),)))
                at = begin
            at -= 1
        return iter([*([last] if last is not None else []), *reversed(found)])

    def _returned(self, exited: RunEvent, depth: int) -> tuple[Origin, ...]:
        """What a playbook took what it returned from: what its last step reads."""
        last = self._events[exited.seq - 1]
        if not last.step or last.parent != exited.span:
            return ()
        ends = (self._ended(end, depth) for end in self._ends_before(last.seq, last.span))
        return (*ends, *self._read(last.step, last.span, exited.seq, depth))

    def _read(self, address: str, span: str, before: int, depth: int) -> Iterator[Origin]:
        """Where the variables that the step reads have their values from."""
        names = self._reads_of(address)
        frame = self._frame_of(span) if names else None
        if frame is None or not isinstance(frame.payload, PlaybookEntered):
            return
        for name in names:
            homes = (of_frame(frame.span), of_agent(frame.payload.agent))
            home = next((each for each in homes if self._setters.last(each, name, before) is not None), None)
            origin = self.variable(home, name, before, depth) if home is not None else None
            if origin is not None:
                yield origin

    def _frame_of(self, span: str) -> RunEvent | None:
        """The event with which the playbook began that *span* lies in."""
        begin = self._setters.begin_of(span)
        while begin != NOWHERE:
            event = self._events[begin]
            if isinstance(event.payload, PlaybookEntered):
                return event
            begin = self._setters.begin_of(event.parent)
        return None


def _value_of(origin: Origin) -> Any:
    payload = origin.event.payload
    if isinstance(payload, PlaybookEntered):
        return payload.arguments.get(origin.name.removeprefix("$"), NOTHING)
    return getattr(payload, "new", NOTHING)


def _those_given(event: RunEvent, read: tuple[Origin, ...]) -> tuple[Origin, ...]:
    """Of the variables in *read* those whose value a playbook was given, where *event* says so, else all."""
    if not isinstance(event.payload, PlaybookEntered):
        return read
    given = event.payload.arguments.values()
    same = tuple(origin for origin in read if any(_value_of(origin) == value for value in given))
    return same or read


def _is_argument(value: Any, end: Origin) -> bool:
    """Whether the call that *end* is of was made with *value*."""
    begun = end.sources[-1].event.payload if end.sources else None
    if value is NOTHING or not isinstance(begun, ToolCalled):
        return False
    return any(value == each and type(value) is type(each) for each in (*begun.positional, *begun.named.values()))


def _with_argument(end: Origin, argument: Origin) -> Origin:
    """*end*, whose call had *argument*."""
    *before, call = end.sources
    return replace(end, sources=(*before, replace(call, sources=(*call.sources, argument))))
