"""What can be done with a run that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.engine.ports import Answer

if TYPE_CHECKING:
    from workbench.engine.running.run_thread import RunHandle


class RunSteering(QObject):
    """Hands wishes to the run of the window; without one they do nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run: RunHandle | None = None

    def pause(self) -> None:
        """Let the run stop before its next step."""
        if self.run is not None:
            self.run.pause()

    def go_on(self) -> None:
        """Let a paused run go on."""
        if self.run is not None:
            self.run.go_on()

    def step(self) -> None:
        """One step of a paused run."""
        if self.run is not None:
            self.run.step()

    def stop(self) -> None:
        """End the run; what it has done stays in the journal."""
        if self.run is not None:
            self.run.stop()

    def answer(self, request_id: str, answer: Answer) -> bool:
        """Hand *answer* to the run; False when it no longer waits for this request."""
        return self.run is not None and self.run.answer(request_id, answer)
