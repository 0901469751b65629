"""Removes old runs by itself, as far as the person has set limits; a project can set none for that."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from workbench.disk.files import is_there
from workbench.errors import StoreFailed
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.running.run_host import RunHost
from workbench.i18n import ngettext
from workbench.settings import Settings

_AFTER_MS = 20_000
_MIB = 1024 * 1024


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
