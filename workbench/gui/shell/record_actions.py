"""What the window does for the actions about recorded runs: comparing them, and saving what is told of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import home_folder
from workbench.disk.outputs import write_file
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.retelling import RunView
from workbench.gui.files import file_dialogs
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.comparing.comparison import Comparison
    from workbench.gui.recorded.fork_planning import Planned
    from workbench.model.program import StepId


class RecordActions(QObject):
    """Handles the actions about recorded runs; what takes time is done beside the window."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        context.actions.register("run.compare", self.compare)
        context.actions.register("run.fork", self.fork)
        context.actions.register("step.fork", self.fork_before_step)
        context.actions.register("run.export-audit", self.export_audit)

    def compare(self) -> None:
        """Show the run that is shown beside another one of its file."""
        view = self._context.shown.view
        if view is not None:
            from workbench.gui.recorded.comparison_dialog import ComparisonDialog  # noqa: PLC0415 - loads the engine

            dialog = ComparisonDialog(self._context, view.id, self._window)
            dialog.page_wanted.connect(self.save_comparison)
            dialog.show()

    @Slot(object)
    def save_comparison(self, comparison: Comparison) -> None:
        """Ask for a file and write down there how the two runs differ."""
        run, other = comparison.run, comparison.other
        names = {"file": Path(run.path).stem or run.playbook, "run": run.run[:8], "other": other.run[:8]}
        name = _("{file} {run} and {other}.html").format(**names)
        path = file_dialogs.ask_comparison_file(self._window, self._folder / _plain(name))
        if path is not None:
            self._write(partial(_write_comparison, comparison, path), path)

    def fork(self) -> None:
        """Ask what is changed in a run that goes on from the moment that is shown."""
        self._ask_about_fork(None)

    def fork_before_step(self) -> None:
        """The same, from where the run came to the selected step."""
        steps = self._context.selection.selected
        self._ask_about_fork(steps[0] if len(steps) == 1 else None)

    def _ask_about_fork(self, step: StepId | None) -> None:
        from workbench.gui.recorded.fork_dialog import ForkDialog  # noqa: PLC0415 - it loads the engine
        from workbench.gui.recorded.fork_planning import other_text, points_of  # noqa: PLC0415 - likewise

        context, view = self._context, self._context.shown.view
        if view is None:
            return
        path = context.documents.document.path
        points = points_of(context, view.id, step)
        where = "" if path is None else str(path)
        dialog = ForkDialog(context.runs.host, points, other_text(context), where, self._window)
        dialog.wanted.connect(self._on_fork_wanted)
        dialog.open()

    @Slot(object)
    def _on_fork_wanted(self, planned: Planned) -> None:
        self._context.runs.fork(planned.plan, planned.wish.text)

    def export_audit(self) -> None:
        """Ask for a file and write down there what was done in the run that the timeline shows."""
        view = self._context.shown.view
        if view is None:
            return
        name = _("audit of {run}.html").format(run=_name_of(view))
        path = file_dialogs.ask_audit_file(self._window, self._folder / name)
        if path is not None:
            self._write(partial(self._context.runs.host.export, view.id, path), path)

    @property
    def _folder(self) -> Path:
        document = self._context.documents.document.path
        return document.parent if document is not None else home_folder()

    def _write(self, work: Callable[[], None], path: Path) -> None:
        self._context.notices.tell(_("Saving {name}…").format(name=path.name))
        job = Job(partial(_written, work, path))
        job.outcome.done.connect(self._on_written)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    @Slot(object)
    def _on_written(self, written: Path | WorkbenchError) -> None:
        notices = self._context.notices
        if isinstance(written, WorkbenchError):
            notices.report(written, Cause.OTHER_FILE)
            return
        notices.settle(Cause.OTHER_FILE)
        notices.tell(_("Saved as {name}.").format(name=written.name))

    @Slot(object)
    def _on_mistake(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _name_of(view: RunView) -> str:
    return f"{Path(view.origin.path).stem or _plain(view.name)} {view.id[:8]}"


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", " ", name).strip()


def _written(work: Callable[[], None], path: Path) -> Path | WorkbenchError:
    try:
        work()
    except WorkbenchError as error:
        return error
    return path


def _write_comparison(comparison: Comparison, path: Path) -> None:
    from workbench.pages.comparison_page import comparison_page  # noqa: PLC0415 - seldom wanted

    write_file(path, comparison_page(comparison).encode("utf-8", "backslashreplace"), replace_private_file)
