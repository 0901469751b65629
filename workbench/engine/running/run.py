"""A run that goes on elsewhere, as other threads hold it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from workbench.engine.answers import fits
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.decider import Decider, Standing
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.lease import Lease
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, AsksPerson, CallToAllow, JudgementBackend, Request
from workbench.engine.running.controls import Controls
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.worker import Worker
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed, StoreFailed, WorkbenchError
from workbench.i18n import _


class RunThread:
    """One worker on one thread, from its beginning to the return of its lease."""

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

    def changed(self, arguments: Mapping[str, Any]) -> CallToAllow:
        """The call that waits for leave, with other *arguments*. Does nothing, may take its time. Raises RunFailed."""
        asked = self._worker.asked
        if asked is None or asked.call is None:
            raise RunFailed(_("The run is no longer waiting for this answer."))
        return self._worker.leave.changed(arguments)  # whose thread waits for the answer meanwhile

    @property
    def is_finished(self) -> bool:
        """Whether no further event will come."""
        return self._finished.is_set()

    @property
    def halt(self) -> WorkbenchError | None:
        """Why a run that is not over does not go on: input or trust is needed, or the journal failed."""
        return self._worker.halt


class Run(RunThread):
    """The handle of a run: what it tells, and how it is steered; usable from any thread.

    Life cycle: made by ``starting``, which holds the lease and calls ``begin``. From then on the worker alone decides
    and writes; a handle only leaves wishes (``pause``, ``step``, ``go_on``, ``stop``, ``leave``), hands over
    answers, and takes what was written (``drain``, ``state``). Once ``is_finished``, the lease is given back and no
    further event comes; ``halt`` then says why a run that is not over has ended all the same. Another handle, in this
    process or the next, goes on with it.

    *controls*: where it stops by itself, and what is done to it while it is held.
    """

    def __init__(self, decider: Decider, recorder: Recorder, backend: JudgementBackend, options: RunOptions) -> None:
        self.controls = Controls(decider.tools.mocking)
        self.controls.breakpoints = options.breakpoints
        if options.start_paused:
            self.controls.pause()
        if options.goal is not None:
            self.controls.go_on(options.goal)
        if options.once:
            self.controls.mailbox.end()
        if recorder.fold.origin.message and not recorder.fold.waiting.has_heard:
            self.controls.mailbox.send(recorder.fold.origin.message)
        if options.watches is not None:
            recorder.watched = partial(_watched, options.watches, self.controls)
        super().__init__(RunId(recorder.fold.run), Worker(decider, recorder, backend, self.controls, options))
        self.decider = decider
        self.snapshot = decider.snapshot
        self._recorder = recorder
        self._backend = backend

    def drain(self, limit: int = 10000) -> list[RunEvent]:
        """The events since the last drain, at most *limit*; never waits."""
        return self._recorder.drain(limit)

    def pause(self) -> None:
        """Stop before the next step."""
        self.controls.pause()

    def go_on(self) -> None:
        """Go on after a pause."""
        self.controls.go_on()

    def step(self, goal: Goal = Goal(Going.INTO)) -> None:  # noqa: B008 - a frozen value
        """Let a paused run go on up to *goal*."""
        self.controls.go_on(goal)

    def stop(self) -> None:
        """End the run; calls under way are killed. Returns at once, see ``wait``."""
        self.controls.stop()
        self._give_up()

    def leave(self) -> None:
        """Let go of the run where it stands; a call under way is killed and will be in doubt."""
        self.controls.leave()
        self._give_up()

    def _give_up(self) -> None:
        self._backend.cancel()
        self.decider.cancel()

    @property
    def is_listening(self) -> bool:
        """Whether it waits for a message from the person."""
        return self._worker.is_listening

    @property
    def standing(self) -> Standing:
        """What can be looked at while the run is held: its own thread reads and changes the same."""
        return self.decider.standing(self._recorder.fold)

    @property
    def state(self) -> RunState:
        """Where the run stands now."""
        return self._recorder.state()

    @property
    def result(self) -> object:
        """What it came to, None before its end."""
        return self._recorder.fold.result if self._recorder.fold.status is RunStatus.COMPLETED else None

    @property
    def pending(self) -> Request | None:
        """The question that is waited for."""
        return self._worker.asked

    @property
    def is_asking_person(self) -> bool:
        """Whether ``pending`` waits for ``answer``."""
        asked = self.pending
        return asked is not None and isinstance(self._backend, AsksPerson) and self._backend.asks(asked)

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand over *answer*; False when the request is no longer waited for, or the answer does not fit it."""
        if not isinstance(self._backend, AsksPerson) or not fits(self.pending, request_id, answer):
            return False
        return self._backend.answer(request_id, answer)


def _watched(watches: Callable[[RunEvent], bool], controls: Controls, event: RunEvent) -> None:
    if watches(event):
        controls.pause()
