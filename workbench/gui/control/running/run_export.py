"""Hands the events of the window's runs on to a collector of OpenTelemetry, where the settings name one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from workbench.gui.control.notices import Cause, Notice, NoticeKind, Notices
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.settings_controller import SettingsController

if TYPE_CHECKING:
    from workbench.engine.audit.otlp_live import SpanExporter
    from workbench.engine.journal.events import RunEvent
    from workbench.engine.state.run_state import RunState


class RunExport(QObject):
    """One exporter for each run; it ends with the run, in the background."""

    _troubled = Signal(str)

    def __init__(
        self, runs: RunController, settings: SettingsController, notices: Notices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._settings = settings
        self._notices = notices
        self._exporter: SpanExporter | None = None
        runs.run_started.connect(self._on_run_started)
        runs.events_arrived.connect(self._on_events_arrived)
        runs.run_finished.connect(self._on_run_finished)
        self._troubled.connect(self._on_troubled, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        endpoint = self._settings.current.otlp_endpoint
        if endpoint:
            from workbench.engine.audit.otlp_live import SpanExporter  # noqa: PLC0415 - seldom wanted

            self._exporter = SpanExporter(endpoint, self._troubled.emit)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        if self._exporter is not None:
            is_earlier = batch[-1].seq <= self._runs.resumed_after
            self._exporter.take(batch, is_earlier=is_earlier)

    @Slot(object)
    def _on_run_finished(self, _state: RunState | None) -> None:
        if self._exporter is not None:
            self._exporter.end()
            self._exporter = None

    @Slot(str)
    def _on_troubled(self, words: str) -> None:
        self._notices.noticed.emit(Notice(NoticeKind.WARNING, words, Cause.RUN))
