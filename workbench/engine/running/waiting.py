"""Waits of a run for a message or a time, on its thread, which uses no processor meanwhile."""

from __future__ import annotations

from workbench.engine.clock import Clock
from workbench.engine.decider import Await, Ended, Heard, Passed, Woken
from workbench.engine.ports import Arrival, MessageSource
from workbench.engine.running.controls import Controls


class Waits:
    """*source*: whoever knows the messages beforehand; None: a person may send some."""

    def __init__(self, controls: Controls, clock: Clock, source: MessageSource | None) -> None:
        self._controls = controls
        self._clock = clock
        self._source = source

    @property
    def hears_person(self) -> bool:
        """Whether a person may send messages."""
        return self._source is None

    def woken(self, wait: Await) -> Woken | None:
        """What ends *wait*; None: a pause is wanted first. Raises Cancelled and Left."""
        while not self._controls.is_holding:
            now_ns = self._clock.now_ns()
            if wait.until_ns and now_ns >= wait.until_ns:
                return Passed(now_ns)
            arrival = self._arrival(wait, now_ns)
            said = self._said(wait, arrival, now_ns)
            if said is not None:
                return said
            if arrival is not None and arrival.at_ns <= now_ns:
                continue
            times = (wait.until_ns, arrival.at_ns if arrival is not None else 0)
            self._pass_time(wait, min((at_ns for at_ns in times if at_ns), default=0))
        return None

    def _arrival(self, wait: Await, now_ns: int) -> Arrival | None:
        return self._source.next_arrival(now_ns) if wait.may_end and self._source is not None else None

    def _said(self, wait: Await, arrival: Arrival | None, now_ns: int) -> Woken | None:
        """What ends *wait* before its time."""
        if not wait.may_end:
            return None
        said = self._controls.mailbox.take() if wait.is_open else None
        if said is not None:
            return Heard(said)
        if self._controls.mailbox.is_ended or (arrival is None and self._is_at_end(wait)):
            return Ended()
        if arrival is None or arrival.at_ns > now_ns or self._source is None:
            return None
        self._source.take_arrival()
        return Heard(arrival.text) if arrival.text and wait.is_open else None

    def _is_at_end(self, wait: Await) -> bool:
        """Whether nothing more can come, where nothing will be said any more."""
        return self._source is not None and (self._source.ends_timers or not wait.until_ns)

    def _pass_time(self, wait: Await, until_ns: int) -> None:
        # timers that go off again and again would skip for ever where only a person ends the run
        is_bounded = not wait.may_end or (self._source is not None and self._source.ends_timers)
        if until_ns and is_bounded and self._clock.skip_to(until_ns):
            self._controls.raise_wish()
            return

        def has_come() -> bool:
            mailbox = self._controls.mailbox
            is_said = (wait.is_open and not mailbox.is_empty) or (wait.may_end and mailbox.is_ended)
            return is_said or 0 < until_ns <= self._clock.now_ns()

        self._controls.wait_for(has_come, self._clock.timeout_s(until_ns) if until_ns else None)
