"""What the Run menu does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from workbench.disk.files import home_folder
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_questions import default_options
from workbench.gui.files import file_dialogs
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.options import RunOptions


class RunActions(QObject):
    """Steers the run of the window."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        runs = context.runs
        handlers: dict[str, Callable[[], object]] = {
            "run.start": self.start,
            "run.pause": runs.pause,
            "run.go-on": runs.go_on,
            "run.step": self.step,
            "run.stop": runs.stop,
            "run.export-audit": self.export_audit,
            "run.record-only": self.tell_rule,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        for signal in (runs.run_started, runs.run_finished, runs.state_changed):
            signal.connect(self._on_run_changed)
        self._on_run_changed(None)

    def start(self) -> None:
        """Run the document as it is now."""
        self._context.runs.start(self._options())

    def _options(self) -> RunOptions:
        is_recording_only = self._context.actions.action("run.record-only").isChecked()
        return replace(default_options(self._context.settings.current), is_recording_only=is_recording_only)

    def tell_rule(self) -> None:
        """Say by which rule the next run of a step list goes."""
        is_recording_only = self._context.actions.action("run.record-only").isChecked()
        refusing = _("Step-list runs will block calls outside the plan.")
        recording = _("Step-list runs will record calls outside the plan as violations, and block nothing.")
        self._context.notices.tell(recording if is_recording_only else refusing)

    def export_audit(self) -> None:
        """Ask for a file and write down there what was done in the run that the timeline shows."""
        run = self._context.runs.shown
        if run is None:
            return
        document = self._context.documents.document.path
        folder = document.parent if document is not None else home_folder()
        name = _("audit of {run}.html").format(run=run)
        path = file_dialogs.ask_audit_file(self._window, folder / name)
        if path is not None:
            self._export(run, path)

    def _export(self, run: RunId, path: Path) -> None:
        try:
            self._context.runs.host.export(run, path)
        except WorkbenchError as error:
            self._context.notices.report(error)
        else:
            self._context.notices.tell(_("The audit was saved as {name}.").format(name=path.name))

    def step(self) -> None:
        """One step of the run; begins a paused run where none is going on."""
        runs = self._context.runs
        if runs.is_running:
            runs.step()
        else:
            runs.start(replace(self._options(), start_paused=True))

    @Slot(object)
    def _on_run_changed(self, _cause: object) -> None:
        """In the toolbar *Go on* takes the place of *Pause* while the run is paused."""
        actions = self._context.actions
        runs = self._context.runs
        is_paused = runs.is_running and runs.state is not None and runs.state.status is RunStatus.PAUSED
        actions.action("run.go-on").setVisible(is_paused)
        actions.action("run.pause").setVisible(not is_paused)
