"""Hands the events of the window's runs on to a collector of OpenTelemetry, where the settings name one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from workbench.gui.control.notices import Cause, Notice, NoticeKind, Notices
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.window_runs import WindowRun
from workbench.gui.control.settings_controller import SettingsController

if TYPE_CHECKING:
    from workbench.engine.audit.otlp_live import SpanExporter
    from workbench.engine.journal.events import RunEvent


class RunExport(QObject):
    """One exporter for each run; it ends with the run, in the background."""

    _troubled = Signal(str)

    def __init__(
        self, runs: RunController, settings: SettingsController, notices: Notices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._notices = notices
        runs.run_began.connect(self._on_run_began)
        self._troubled.connect(self._on_troubled, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _on_run_began(self, run: WindowRun) -> None:
        endpoint = self._settings.current.otlp_endpoint
        if endpoint:
            from workbench.engine.audit.otlp_live import SpanExporter  # noqa: PLC0415 - seldom wanted

            _Exported(run, SpanExporter(endpoint, self._troubled.emit))

    @Slot(str)
    def _on_troubled(self, words: str) -> None:
        self._notices.noticed.emit(Notice(NoticeKind.WARNING, words, Cause.RUN))


class _Exported(QObject):
    """One run and its exporter."""

    def __init__(self, run: WindowRun, exporter: SpanExporter) -> None:
        super().__init__(run)
        self._run = run
        self._exporter = exporter
        run.events_arrived.connect(self._on_events_arrived)
        run.finished.connect(self._on_finished)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        self._exporter.take(batch, is_earlier=batch[-1].seq <= self._run.resumed_after)

    @Slot(object)
    def _on_finished(self, _run: WindowRun) -> None:
        self._exporter.end()
