"""What the window does with recorded runs: compares, forks, saves and tests them, and removes old ones."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import home_folder, is_there
from workbench.disk.outputs import write_file
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import BackgroundWork, Job
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.files import file_dialogs
from workbench.i18n import _, ngettext
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.engine.comparing.comparison import Comparison
    from workbench.gui.recorded.fork_planning import Planned
    from workbench.gui.recorded.saved_tests import ReplayProgram, SavedTest
    from workbench.gui.recorded.tests_dialog import SavedTestsDialog
    from workbench.model.program import StepId

_AFTER_MS = 20_000
_MIB = 1024 * 1024


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
        state = self._context.shown.latest
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


class SavedTestActions(QObject):
    """Handles *Save run as test* and *Run the tests of this playbook*.

    Life cycle: ``give_up`` when the window closes.
    """

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tester: ReplayProgram | None = None
        self._dialog: SavedTestsDialog | None = None
        self._playbook: Path | None = None
        self._is_saving = False
        context.actions.register("run.save-test", self.save)
        context.actions.register("run.test", self.test)

    def give_up(self) -> None:
        """Nobody waits for what is tested: the window closes."""
        if self._tester is not None:
            self._tester.give_up()

    def save(self) -> None:
        """Save the run that is shown as a test beside its playbook, and say whether that does the same today."""
        view = self._context.shown.view
        if view is None:
            return
        if not view.origin.path:
            self._context.notices.tell(_("A test is kept beside its playbook, and this one was never saved."))
            return
        self._is_saving, self._playbook = True, Path(view.origin.path)
        self._context.notices.tell(_("Saving the run as a test…"))
        self._begun().save(view.id)

    def test(self) -> None:
        """Test all saved runs of the document, as its file is."""
        from workbench.gui.recorded.saved_tests import saved_tests_of  # noqa: PLC0415 - it loads the engine

        path = self._context.documents.document.path
        if path is None or not saved_tests_of(path):
            self._context.notices.tell(_("This playbook has no tests yet. Save a run as a test first."))
            return
        self._is_saving, self._playbook = False, path
        tester = self._begun()
        self._shown(path)
        tester.test(path)

    def _begun(self) -> ReplayProgram:
        from workbench.gui.recorded.saved_tests import ReplayProgram  # noqa: PLC0415 - likewise

        if self._tester is None:
            self._tester = ReplayProgram(self._context.places, self)
            self._tester.told.connect(self._on_told)
            self._tester.over.connect(self._on_over)
        self._tester.give_up()
        return self._tester

    def _shown(self, playbook: Path) -> SavedTestsDialog:
        """The dialog about the tests of *playbook*, empty."""
        from workbench.gui.recorded.tests_dialog import SavedTestsDialog  # noqa: PLC0415 - likewise

        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
        self._dialog = SavedTestsDialog(self._context, playbook, self._window)
        self._dialog.again_wanted.connect(self._on_again)
        self._dialog.finished.connect(self._on_closed)
        self._dialog.begin(is_changed=self._context.documents.file_state.is_dirty)
        self._dialog.show()
        return self._dialog

    @Slot()
    def _on_again(self) -> None:
        if self._dialog is not None and self._playbook is not None:
            self._is_saving = False
            self._dialog.begin(is_changed=self._context.documents.file_state.is_dirty)
            self._begun().test(self._playbook)

    @Slot()
    def _on_closed(self) -> None:
        """Whoever closes the dialog waits for nothing more."""
        if not self._is_saving:
            self.give_up()

    @Slot(object)
    def _on_told(self, test: SavedTest) -> None:
        if not self._is_saving:
            if self._dialog is not None:
                self._dialog.take(test)
            return
        self._context.notices.settle(Cause.OTHER_FILE)
        self._context.notices.tell(_("Saved as {name}.").format(name=f"{test.file.parent.name}/{test.file.name}"))
        if test.lines:
            dialog = self._shown(test.playbook)
            dialog.take(test)
            dialog.note.setText(_("The playbook as it is now does something else than this run did:"))
            dialog.note.show()

    @Slot(str)
    def _on_over(self, problem: str) -> None:
        if self._is_saving and problem:
            self._context.notices.noticed.emit(Notice(NoticeKind.ERROR, problem, Cause.OTHER_FILE))
        elif self._dialog is not None:
            self._dialog.end(problem)
        self._is_saving = False


class RunRetention(QObject):
    """Looks some time after the start, after each run, and when a limit changes. What is shown is spared."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._limits = _limits(context.settings.current)
        self._rest = QTimer(self, interval=_AFTER_MS, singleShot=True)
        self._rest.timeout.connect(self.look)
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)
        context.runs.run_ended.connect(self._on_run_ended)
        context.settings.settings_changed.connect(self._on_settings_changed)
        self._wait()

    def _wait(self) -> None:
        if any(self._limits):
            self._rest.start()

    @Slot(object)
    def _on_run_ended(self, _run: object) -> None:
        self._wait()

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        """Whoever is choosing a number may come past others: nothing is removed before it rests."""
        limits = _limits(settings)
        if limits != self._limits:
            self._limits = limits
            self._rest.stop()
            self._wait()

    @Slot()
    def look(self) -> None:
        """Remove what is above the limits, beside the window."""
        host, view = self._context.runs.host, self._context.shown.view
        if any(self._limits) and is_there(host.places.runs_file):
            self._work.ask(partial(_removed, host, self._limits, view.id if view is not None else ""))

    @Slot(object)
    def _on_done(self, outcome: int | StoreFailed) -> None:
        if isinstance(outcome, StoreFailed):
            self._context.notices.report(outcome, Cause.JOURNAL)
        elif outcome:
            words = ngettext("{count} old run was removed.", "{count} old runs were removed.", outcome)
            self._context.notices.tell(words)


def _limits(settings: Settings) -> tuple[int, int, int]:
    """For how many days, how many, and how many MiB of them; 0: no limit."""
    return settings.keep_days, settings.keep_runs, settings.max_mib


def _removed(host: RunHost, limits: tuple[int, int, int], shown: str) -> int | StoreFailed:
    """How many runs were removed, or why that could not be done."""
    from workbench.engine.journal.storage.room import Retention, leave_out, sizes, surplus  # noqa: PLC0415

    days, runs, mib = limits
    try:
        found = surplus(host.runs(), sizes(host.journal), Retention(days, runs, mib * _MIB), time.time_ns())
        gone = [one.id for one in found if one.id != shown]
        leave_out(host.journal, gone)
    except StoreFailed as error:
        return error
    return len(gone)
