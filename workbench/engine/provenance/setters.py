"""Which events of a run gave which variable its values: an index that grows with the run, a few bytes per event."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.language_events import AgentCreated, ArtifactSaved
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import InputAsked, PlaybookEntered, StepEntered, ToolCalled, VariableSet
from workbench.engine.state.fold import RunFold
from workbench.engine.state.live_run import LiveRun
from workbench.engine.state.run_state import RunState

_OPENING = frozenset[type[EventPayload]]({InputAsked, PlaybookEntered, StepEntered, ToolCalled})
_SETTING = frozenset[type[EventPayload]]({VariableSet, StateEdited, AgentCreated, ArtifactSaved})
NOWHERE = -1


def of_agent(agent: str) -> str:
    """Where the ``$`` variables of *agent* are at home."""
    return f"agent {agent}"


def of_frame(span: str) -> str:
    """Where the own variables of the playbook that began with *span* are at home, and its parameters."""
    return f"frame {span}"


class Setters:
    """The numbers of the events that set each variable, by its home and its name as a step writes it (``$total``)."""

    def __init__(self) -> None:
        self._seqs: dict[tuple[str, str], array[int]] = {}
        self._begins = array("q")

    def note(self, fold: LiveRun, event: RunEvent) -> None:
        """Take *event*, which *fold* has not taken yet."""
        payload = event.payload
        if type(payload) in _OPENING:
            self._begin(event)
        elif type(payload) not in _SETTING:
            return
        match payload:
            case VariableSet(name=name, scope=scope):
                self._set_by_step(fold, event.seq, name, scope)
            case PlaybookEntered():
                self._enter(event, payload)
            case StateEdited(name=name, scope=scope, agent=agent, frame=frame):
                self._add(of_frame(frame), name if scope is Scope.LOCAL else f"${name}", event.seq)
                if scope is Scope.STATE:
                    self._add(of_agent(agent), f"${name}", event.seq)
            case AgentCreated(agent=agent, state=state):
                for name in state:
                    self._add(of_agent(agent), f"${name}", event.seq)
            case ArtifactSaved(variable=str(name)) if name:
                self._add(of_agent(fold.acting), f"${name}", event.seq)

    def last(self, home: str, name: str, before: int) -> int | None:
        """The last event before number *before* that set *name* of *home*."""
        seqs = self._seqs.get((home, name))
        at = bisect_right(seqs, before - 1) if seqs is not None else 0
        return seqs[at - 1] if seqs is not None and at else None

    def homes_of(self, name: str) -> Iterator[str]:
        """Where there is a variable called *name*."""
        return (home for home, known in self._seqs if known == name)

    def begin_of(self, span: str) -> int:
        """The number of the event with which *span* begins, ``NOWHERE`` for none that can be known."""
        number = _number(span)
        return self._begins[number] if 0 <= number < len(self._begins) else NOWHERE

    def _begin(self, event: RunEvent) -> None:
        number = _number(event.span)
        if number >= len(self._begins):
            self._begins.extend([NOWHERE] * (number + 1 - len(self._begins)))
        if number >= 0 and self._begins[number] == NOWHERE:
            self._begins[number] = event.seq

    def _set_by_step(self, fold: LiveRun, seq: int, name: str, scope: Scope) -> None:
        frame = fold.top
        if scope is not Scope.STATE:
            self._add(of_frame(frame.span), name, seq)
            return
        self._add(of_agent(fold.acting), f"${name}", seq)
        if name in frame.parameters and fold.acting == frame.agent:
            self._add(of_frame(frame.span), f"${name}", seq)

    def _enter(self, event: RunEvent, entered: PlaybookEntered) -> None:
        for name in entered.arguments:
            is_state = name in entered.state
            self._add(of_frame(event.span), f"${name}" if is_state else name, event.seq)
            if is_state:
                self._add(of_agent(entered.agent), f"${name}", event.seq)

    def _add(self, home: str, name: str, seq: int) -> None:
        self._seqs.setdefault((home, name), array("q")).append(seq)


def setters_of(events: Iterable[RunEvent]) -> Setters:
    """What *events*, from the first on, set."""
    setters, fold = Setters(), RunFold(RunState())
    for event in events:
        setters.note(fold, event)
        fold.apply(event)
    return setters


def _number(span: str) -> int:
    digits = span[1:]
    return int(digits) if digits.isdecimal() else NOWHERE
