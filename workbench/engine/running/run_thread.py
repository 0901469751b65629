"""The thread that a run goes on, from its beginning to the return of its lease."""

from __future__ import annotations

import threading
from typing import Protocol

from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.lease import Lease
from workbench.engine.ports import Answer, Request
from workbench.engine.state.run_state import RunState
from workbench.errors import StoreFailed, WorkbenchError
from workbench.model.snapshot import Snapshot


class Work(Protocol):
    """What is carried out on the thread of a run."""

    halt: WorkbenchError | None

    def carry_out(self) -> None:
        """Go on until the run is over, or cannot go on for now (``halt`` says why)."""
        ...


class RunThread:
    """One piece of work on one thread."""

    def __init__(self, run: RunId, worker: Work) -> None:
        self.id = run
        self._worker = worker
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._carry_out, name=f"run-{run[:8]}", daemon=True)
        self._lease: Lease | None = None

    def begin(self, lease: Lease) -> None:
        """Let the thread go; it gives *lease* back at its end."""
        self._lease = lease
        self._thread.start()

    def _carry_out(self) -> None:
        try:
            self._worker.carry_out()
        except WorkbenchError as error:
            # the journal cannot be written: what was not written is done again when the run is resumed
            self._worker.halt = error
        finally:
            self._release()
            self._finished.set()

    def _release(self) -> None:
        try:
            if self._lease is not None:
                self._lease.release()
        except StoreFailed as error:
            self._worker.halt = self._worker.halt or error

    def wait(self, timeout_s: float | None = None) -> bool:
        """Whether it has ended within *timeout_s* (None: as long as it takes)."""
        if not self._finished.wait(timeout_s):
            return False
        self._thread.join()
        return True

    @property
    def is_finished(self) -> bool:
        """Whether no further event will come."""
        return self._finished.is_set()

    @property
    def halt(self) -> WorkbenchError | None:
        """Why a run that is not over does not go on: input or trust is needed, or the journal failed."""
        return self._worker.halt


class RunHandle(Protocol):
    """A run that goes on elsewhere, whatever it carries out; usable from any thread."""

    id: RunId
    snapshot: Snapshot

    @property
    def state(self) -> RunState:
        """Where the run stands now."""
        ...

    @property
    def result(self) -> object:
        """What it came to, None before its end."""
        ...

    @property
    def is_finished(self) -> bool:
        """Whether no further event will come."""
        ...

    @property
    def halt(self) -> WorkbenchError | None:
        """Why a run that is not over does not go on."""
        ...

    @property
    def pending(self) -> Request | None:
        """The question that is waited for."""
        ...

    @property
    def is_asking_person(self) -> bool:
        """Whether ``pending`` waits for ``answer``."""
        ...

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when it is no longer waited for, or does not fit."""
        ...

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain; never waits."""
        ...

    def wait(self, timeout_s: float | None = None) -> bool:
        """Whether it has ended within *timeout_s*."""
        ...

    def pause(self) -> None:
        """Stop before the next step."""
        ...

    def go_on(self) -> None:
        """Go on after a pause."""
        ...

    def step(self) -> None:
        """One step of a paused run."""
        ...

    def stop(self) -> None:
        """End the run."""
        ...

    def leave(self) -> None:
        """Let go of the run where it stands."""
        ...
