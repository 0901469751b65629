"""Starts runs in the background: the journal may be held by another program, and the window does not wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent
    from workbench.engine.running.run import Run

_LONG_MS = 1500  # the engine itself, which is loaded with the first run, takes its time

Launch = Callable[[], tuple["Run", "tuple[RunEvent, ...]"]]
"""Starts a run, or goes on with one, on any thread: the run, and what happened in it before."""


class RunLauncher(QObject):
    """Launches one run at a time."""

    launched = Signal(object)  # tuple[Run, tuple[RunEvent, ...]]
    refused = Signal(object)  # WorkbenchError
    takes_long = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_launching = False
        self._is_left = threading.Event()
        self._long = QTimer(self)
        self._long.setSingleShot(True)
        self._long.setInterval(_LONG_MS)
        self._long.timeout.connect(self.takes_long)

    def launch(self, launch: Launch) -> None:
        """Do *launch*, and say what came of it."""
        self.is_launching, self._is_left = True, threading.Event()
        self._long.start()
        job = Job(partial(_launched, launch, self._is_left))
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    def leave(self) -> None:
        """Let go of what is being launched as soon as it is: the window closes."""
        self._is_left.set()

    @Slot(object)
    def _on_done(self, launched: object) -> None:
        self._settle()
        self.launched.emit(launched)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        self._settle()
        if not isinstance(mistake, WorkbenchError):
            raise mistake
        self.refused.emit(mistake)

    def _settle(self) -> None:
        self.is_launching = False
        self._long.stop()


def _launched(launch: Launch, is_left: threading.Event) -> tuple[Run, tuple[RunEvent, ...]]:
    run, earlier = launch()
    if is_left.is_set():
        run.leave()
    return run, earlier
