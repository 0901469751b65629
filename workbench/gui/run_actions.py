"""What the Run menu does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from workbench.gui.context import WindowContext
from workbench.gui.run_questions import default_options


class RunActions(QObject):
    """Steers the run of the window."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        runs = context.runs
        handlers: dict[str, Callable[[], object]] = {
            "run.start": runs.start,
            "run.pause": runs.pause,
            "run.go-on": runs.go_on,
            "run.step": self.step,
            "run.stop": runs.stop,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        for signal in (runs.run_started, runs.run_finished, runs.state_changed):
            signal.connect(self._on_run_changed)
        self._on_run_changed(None)

    def step(self) -> None:
        """One step of the run; begins a paused run where none is going on."""
        runs = self._context.runs
        if runs.is_running:
            runs.step()
        else:
            runs.start(replace(default_options(self._context.settings.current), start_paused=True))

    @Slot(object)
    def _on_run_changed(self, _cause: object) -> None:
        """In the toolbar *Go on* takes the place of *Pause* while the run is paused."""
        actions = self._context.actions
        runs = self._context.runs
        is_paused = runs.is_running and runs.state is not None and runs.state.status.value == "paused"
        actions.action("run.go-on").setVisible(is_paused)
        actions.action("run.pause").setVisible(not is_paused)
