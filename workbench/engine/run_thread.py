"""The thread that a run goes on, from its beginning to the return of its lease."""

from __future__ import annotations

import threading

from workbench.engine.events import RunId
from workbench.engine.lease import Lease
from workbench.engine.worker import Worker
from workbench.errors import StoreFailed, WorkbenchError


class RunThread:
    """One worker on one thread."""

    def __init__(self, run: RunId, worker: Worker) -> None:
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
