"""The person at the desk, who answers in a window or at a prompt; and nobody, who cannot answer."""

from __future__ import annotations

import threading

from workbench.engine.ports import Answer, Arrival, Purpose, Request
from workbench.errors import Cancelled, InputNeeded, RunFailed
from workbench.i18n import _


class PersonBackend:
    """Waits until ``answer`` is called, from whatever thread the person is asked on."""

    name = "person"

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._request: Request | None = None
        self._answer: Answer | None = None
        self._is_cancelled = False

    def judge(self, request: Request) -> Answer:
        """The person's answer; waits for it as long as it takes. Raises Cancelled."""
        with self._changed:
            self._request, self._answer = request, None
            try:
                self._changed.wait_for(self._is_settled)
                return self._given()
            finally:
                self._request = None

    def _given(self) -> Answer:
        if self._answer is None:
            raise Cancelled
        return self._answer

    def _is_settled(self) -> bool:
        return self._is_cancelled or self._answer is not None

    def asks(self, _request: Request) -> bool:
        """Always: there is nobody else."""
        return True

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when this request is no longer waited for."""
        with self._changed:
            if self._request is None or self._request.id != request_id or self._answer is not None:
                return False
            self._answer = answer
            self._changed.notify_all()
            return True

    def cancel(self) -> None:
        """Make a waiting ``judge``, and every later one, raise Cancelled."""
        with self._changed:
            self._is_cancelled = True
            self._changed.notify_all()


class NobodyBackend:
    """For runs without a person and without a script."""

    name = "nobody"
    ends_timers = False
    skips_time = False

    def judge(self, request: Request) -> Answer:
        """Always raises InputNeeded; RunFailed where the question is only whether the run goes on."""
        if request.purpose is Purpose.READING:
            raise RunFailed(request.text)
        message = _("{step} needs an answer, and none is available: {text}")
        raise InputNeeded(message.format(step=request.step, text=request.text))

    def next_arrival(self, _now_ns: int) -> Arrival | None:
        """Nobody says anything."""
        return None

    def take_arrival(self) -> None:
        """There is none."""

    def cancel(self) -> None:
        """Nothing ever waits here."""
