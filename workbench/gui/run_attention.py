"""Brings the pane forward in which a run has something for the person."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.engine.ports import Request
from workbench.gui.context import WindowContext
from workbench.gui.panes import Panes


class RunAttention(QObject):
    """The timeline when a run begins, the conversation when it asks: a question must be seen to be answered."""

    def __init__(self, context: WindowContext, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        context.runs.run_started.connect(self._on_run_started)
        context.runs.request_changed.connect(self._on_request_changed)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._panes.bring_forward("timeline")

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        if request is not None:
            self._panes.bring_forward("run")
