"""Saves the report of the run that is shown."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.disk.files import home_folder
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.files import file_dialogs
from workbench.i18n import _


class RunReports(QObject):
    """Asks for a file, and writes down there what was done in the run of a procedure."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        context.actions.register("run.report", self.save)

    def save(self) -> None:
        """Ask where the report goes, and save it."""
        view, notices = self._context.shown.view, self._context.notices
        if view is None:
            return
        document = self._context.documents.document.path
        folder = document.parent if document is not None else home_folder()
        file = Path(view.origin.path).stem or re.sub(r"[^\w-]+", " ", view.name).strip()
        state = self._context.shown.state
        is_final = state is not None and state.is_over
        suggestion = folder / _("report of {run}.md").format(run=file)
        path = file_dialogs.ask_report_file(self._window, suggestion, is_final=is_final)
        if path is None:
            return
        try:
            self._context.runs.host.export(view.id, path, is_report=True)
        except WorkbenchError as error:
            notices.report(error, Cause.OTHER_FILE)
        else:
            notices.settle(Cause.OTHER_FILE)
            words = _("The report was saved as {name}.") if is_final else _("The report so far was saved as {name}.")
            notices.tell(words.format(name=path.name))
