"""Timers: when triggers and steps of the clock are due, as the next event.

A decision knows no clock: what time it is, is when the last event happened, or what the end of a wait says.
"""

from __future__ import annotations

import datetime as dt

from workbench.engine.decider import Await, Decision, Draft, Drafts, Passed, Woken
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.waiting_events import TimerDue, TimerSet, WaitBegun, WaitOver
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.watches import Watch
from workbench.engine.language.turn import Turn
from workbench.engine.state.fold import RunFold
from workbench.model.meaning import Timing, Wait

_S = 1_000_000_000
_MOST_DAYS = 8


def is_running(state: RunFold, key: str) -> bool:
    """Whether the playbook of the trigger *key* is being carried out because it fired."""
    return any(frame.trigger == key for frame in state.frames)


def due_after(timing: Timing, from_ns: int) -> int:
    """The first time after *from_ns* that *timing* means, as local clocks show it."""
    if timing.minute_of_day is None:
        return from_ns + round(timing.delay_s * _S)
    today = dt.datetime.fromtimestamp(from_ns / _S).date()  # noqa: DTZ006 - the hour is one of the local clock
    for day in range(_MOST_DAYS):
        date = today + dt.timedelta(days=day)
        at = dt.datetime.combine(date, dt.time(*divmod(timing.minute_of_day, 60)))
        due_ns = round(at.timestamp() * _S)
        if due_ns > from_ns and (not timing.days or date.weekday() in timing.days):
            return due_ns
    raise AssertionError(timing)


def goes_on(state: RunFold, book: Book) -> bool:
    """Whether the run waits for messages and times when what starts by itself is done."""
    is_alone = state.origin.program is not None and state.origin.program.is_alone
    return state.origin.goes_on or (book.listens_since and not is_alone)


def unset(state: RunFold, book: Book) -> Drafts:
    """The events that set the timers which were not set yet, in a run that goes on."""
    new = [each for each in book.watches.timed if each.key not in state.waiting.timers] if goes_on(state, book) else []
    return tuple(_draft(each, TimerSet(each.key, due_after(_timing(each), state.at_ns))) for each in new)


def next_due_ns(state: RunFold) -> int:
    """When the next timer goes off that can; 0: none."""
    return min((due for key, due in state.waiting.timers.items() if due and not is_running(state, key)), default=0)


def due_now(state: RunFold, book: Book) -> Drafts | None:
    """The events of the timers that are due as of the last event; None where none is."""
    return due_at(state, book, state.at_ns) or None


def due_at(state: RunFold, book: Book, now_ns: int) -> Drafts:
    """The events of the timers that are due at *now_ns*, the earliest first."""
    due = [(at, key) for key, at in state.waiting.timers.items() if at and at <= now_ns and not is_running(state, key)]
    return tuple(_due(book.watches.by_key(key), at, now_ns) for at, key in sorted(due))


def _due(watch: Watch, due_ns: int, now_ns: int) -> Draft:
    """*watch* goes off, once for all the times that it should have since *due_ns*."""
    timing = _timing(watch)
    if not timing.is_repeated:
        return _draft(watch, TimerDue(watch.key, due_ns))
    if timing.minute_of_day is None:
        period_ns = round(timing.delay_s * _S)
        missed = (now_ns - due_ns) // period_ns
        return _draft(watch, TimerDue(watch.key, due_ns, missed, due_ns + (missed + 1) * period_ns))
    missed, next_ns = 0, due_after(timing, due_ns)
    while next_ns <= now_ns:
        missed, next_ns = missed + 1, due_after(timing, next_ns)
    return _draft(watch, TimerDue(watch.key, due_ns, missed, next_ns))


def _timing(watch: Watch) -> Timing:
    assert watch.timing is not None
    return watch.timing


def _draft(watch: Watch, payload: TimerSet | TimerDue) -> Draft:
    return Draft(payload, watch.address, watch.line, actor="scheduler")


def wait(turn: Turn, waiting: Wait) -> Decision:
    """What a step does that waits: other timers go off meanwhile."""
    state, answer = turn.state, turn.frame.answer
    until_ns = answer["until"] if answer is not None else due_after(waiting.timing, state.at_ns)
    span = answer["span"] if answer is not None else f"s{state.spans + 1}"
    if answer is not None and state.at_ns >= until_ns:
        return (_over(turn, span),)
    next_ns = min(until_ns, next_due_ns(state) or until_ns)
    if state.waiting.wait is None or state.status is not RunStatus.TIMED:
        return (Draft(WaitBegun(until_ns), turn.at.address, turn.at.line, span, state.step_span),)

    def then(woken: Woken) -> Drafts:
        assert isinstance(woken, Passed)
        return due_at(state, turn.book, woken.now_ns) or (_over(turn, span),)

    return Await(next_ns, then)


def _over(turn: Turn, span: str) -> Draft:
    return Draft(WaitOver(pc=turn.at.next), turn.at.address, turn.at.line, span, turn.state.step_span, "scheduler")
