"""Offers to go on with the run that is looked at, where that is possible."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.engine.journal.events import RunId
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.resume.resume_dialog import offer_resume
from workbench.i18n import _


class ResumeButton(QPushButton):
    """Seen only while the run was cut off or stopped, and no other run goes on."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(_("Resume…"), parent)
        self._context = context
        self._run: RunId | None = None
        self.setToolTip(_("Show where this run stopped, and resume it"))
        self.clicked.connect(self._on_clicked)
        context.runs.run_started.connect(self._update)
        context.runs.run_finished.connect(self._update)
        self._update()

    def show_run(self, run: RunId) -> None:
        """*run* is the one that is looked at."""
        self._run = run
        self._update()

    @Slot()
    def _update(self) -> None:
        runs = self._context.runs
        self.setVisible(self._run is not None and not runs.is_running and self._is_resumable())

    def _is_resumable(self) -> bool:
        try:
            return any(run.id == self._run and run.is_resumable for run in self._context.runs.host.runs())
        except WorkbenchError:
            return False  # whoever opens the run is told; a button need not repeat it

    @Slot()
    def _on_clicked(self) -> None:
        try:
            if self._run is not None:
                offer_resume(self._context, self._run, self.window())
        except WorkbenchError as error:
            self._context.notices.report(error)
