"""The events of a run folded into spans: a span is told when it ends.

One that is open at the end of the run ends with it; a run that was cut off leaves some that say so
(``playbook.is_open``). What each event is as a span: see ``span_mapping``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.audit.span_mapping import (
    AT_ONCE,
    CLOSES,
    CONTENTS,
    ERROR,
    INTERNAL,
    MARKS,
    OPENS,
    OPERATION,
    WAIT,
    Attributes,
    Closing,
    Opening,
)
from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import run_events as run
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked


@dataclass(frozen=True, slots=True)
class PointEvent:
    """Something that happened within a span, and takes no time."""

    name: str
    at_ns: int
    attributes: Mapping[str, Any]


@dataclass(slots=True)
class Span:
    """An interval of a run. *key*: its name in the journal, empty for the run itself. *message*: why it failed.

    *links*: traces that it goes back to.
    """

    key: str
    parent: str | None
    name: str
    kind: int
    start_ns: int
    end_ns: int = 0
    attributes: Attributes = field(default_factory=dict)
    events: list[PointEvent] = field(default_factory=list)
    links: tuple[str, ...] = ()
    has_failed: bool = False
    message: str = ""


class SpanFold:
    """Folds the events of one run into spans. *contents*: whether they hold what was said, given and came back."""

    def __init__(self, *, contents: bool = False) -> None:
        self._contents = contents
        self._open: dict[str, Span] = {}
        self._closed: dict[str, int] = {}
        self._aliases: dict[str, str] = {}
        self._path = ""
        self._last_ns = 0

    def take(self, event: RunEvent) -> Iterator[Span]:
        """The spans that *event* ends."""
        payload, self._last_ns = event.payload, event.at_ns
        if isinstance(payload, run.RunCreated):
            self._begin_run(event, payload)
        elif isinstance(payload, RunForked):
            _note_fork(self._open.get(""), payload)
        elif (opens := OPENS.get(type(payload))) is not None:
            self._begin(event, opens(payload))
        elif (closes := CLOSES.get(type(payload))) is not None:
            yield from self._end(self._key_of(event), event.at_ns, closes(payload))
        elif (marks := MARKS.get(type(payload))) is not None:
            self._mark(event, marks(payload))
        if type(payload) in AT_ONCE:
            yield from self._end(self._key_of(event), event.at_ns, AT_ONCE[type(payload)](payload))
        elif type(payload) in run.FINAL:
            yield from self._end_run(event)
        elif isinstance(payload, waiting.TimerDue):
            yield from self._end_waits(event.at_ns)

    def rest(self) -> Iterator[Span]:
        """The spans that are open in a run that is not over."""
        for span in reversed(self._open.values()):
            span.end_ns = self._last_ns
            span.attributes["playbook.is_open"] = True
            yield span

    def _begin_run(self, event: RunEvent, created: run.RunCreated) -> None:
        self._path = created.path
        attributes: Attributes = {
            OPERATION: "invoke_workflow",
            "gen_ai.agent.name": created.playbook,
            "gen_ai.agent.version": created.pb_hash,
            "gen_ai.conversation.id": event.run,
        }
        replayed = created.judges.replay if created.judges is not None else ""
        span = Span("", None, f"invoke_workflow {created.playbook}", INTERNAL, event.at_ns, attributes=attributes)
        span.links = (replayed,) if replayed else ()
        self._open[""] = span

    def _begin(self, event: RunEvent, opening: Opening) -> None:
        own = _own_key(event)
        if own in self._aliases and self._aliases[own] in self._open:
            return  # said once more after an interruption
        count = self._closed.get(own, 0)
        key = self._aliases[own] = f"{own}#{count + 1}" if count else own
        attributes = {**opening.attributes, **self._place(event)}
        parent = event.parent if own == event.span else event.span or event.parent
        span = Span(key, self._known(parent), opening.name, opening.kind, event.at_ns, attributes=attributes)
        self._open[key] = span
        self._keep_contents(span)

    def _place(self, event: RunEvent) -> Attributes:
        """Which step it is, and where that stands."""
        found: Attributes = {"playbook.step": event.step} if event.step else {}
        if event.line and self._path:
            found |= {"code.file.path": self._path, "code.line.number": event.line}
        return found

    def _known(self, key: str) -> str:
        """The innermost span that is open and called *key*; else the run."""
        found = self._aliases.get(key, key)
        return found if found in self._open else ""

    def _key_of(self, event: RunEvent) -> str | None:
        key = self._aliases.get(_own_key(event))
        return key if key in self._open else None

    def _end(self, key: str | None, at_ns: int, closing: Closing | None) -> Iterator[Span]:
        """End *key* and what is open in it, the innermost first."""
        if key is None or closing is None:
            return
        inside = [one for one in self._open if self._lies_in(one, key)]
        for each in reversed(inside):
            yield self._ended(each, at_ns, closing if each == key else Closing())

    def _lies_in(self, key: str, outer: str) -> bool:
        while key != outer:
            parent = self._open[key].parent
            if not parent or parent not in self._open:
                return False
            key = parent
        return True

    def _ended(self, key: str, at_ns: int, closing: Closing) -> Span:
        span = self._open.pop(key)
        own = key.partition("#")[0]
        self._closed[own] = self._closed.get(own, 0) + 1
        span.end_ns = max(at_ns, span.start_ns)
        span.attributes |= closing.attributes
        if closing.error:
            span.has_failed = True
            span.attributes[ERROR] = closing.error
            span.message = closing.message if self._contents else ""
        self._keep_contents(span)
        return span

    def _keep_contents(self, span: Span) -> None:
        if not self._contents:
            span.attributes = {name: value for name, value in span.attributes.items() if name not in CONTENTS}

    def _mark(self, event: RunEvent, mark: Opening) -> None:
        span = self._open.get(self._known(event.span or event.parent))
        if span is not None:
            attributes = {**mark.attributes, **self._place(event)}
            if not self._contents:
                attributes = {name: value for name, value in attributes.items() if name not in CONTENTS}
            span.events.append(PointEvent(mark.name, event.at_ns, attributes))

    def _end_run(self, event: RunEvent) -> Iterator[Span]:
        payload = event.payload
        closing = Closing({"playbook.status": event.name.partition(".")[2]})
        if isinstance(payload, run.RunFailure):
            closing = Closing(closing.attributes, "run_failed", payload.message)
        elif isinstance(payload, run.RunCancelled):
            closing = Closing(closing.attributes, "cancelled")
        for key in [key for key in reversed(self._open) if key]:
            yield self._ended(key, event.at_ns, Closing())
        if "" in self._open:
            yield self._ended("", event.at_ns, closing)

    def _end_waits(self, at_ns: int) -> Iterator[Span]:
        for key in [key for key, span in self._open.items() if span.name == WAIT]:
            yield self._ended(key, at_ns, Closing())


def _note_fork(span: Span | None, forked: RunForked) -> None:
    """Let *span*, of the run, say which run it goes on from."""
    if span is not None and forked.source:
        span.links = (*span.links, forked.source)
        span.attributes["playbook.fork.seq"] = forked.seq


def _own_key(event: RunEvent) -> str:
    """What the two ends of a span have in common: an approval lies in the span of its call."""
    if type(event.payload) in AT_ONCE:
        return f"e{event.seq}"
    return f"{event.span}.leave" if type(event.payload) in _LEAVE else event.span or f"e{event.seq}"


_LEAVE = frozenset(
    {approval.ApprovalAsked, approval.ApprovalGranted, approval.ApprovalDenied, approval.ApprovalExpired}
)


def spans_of(events: Iterable[RunEvent], *, contents: bool = False) -> list[Span]:
    """All spans of the run of *events*, in the order of their ends; those that are open come last."""
    fold = SpanFold(contents=contents)
    found = [span for event in events for span in fold.take(event)]
    return [*found, *fold.rest()]


def trace_id(run_id: str) -> str:
    """The trace of a run: 32 hexadecimal digits, those of its id where it has so many."""
    digits = run_id.replace("-", "")
    is_usable = len(digits) == 32 and set(digits) <= set("0123456789abcdef") and set(digits) != {"0"}
    return digits if is_usable else hashlib.sha256(run_id.encode()).hexdigest()[:32]


def span_id(run_id: str, key: str) -> str:
    """The span *key* of a run: 16 hexadecimal digits."""
    return hashlib.sha256(f"{run_id}/{key}".encode()).hexdigest()[:16]
