"""Brings forward what a run needs to be seen: the timeline when it starts, the form when it first asks."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.engine.ports import Request
from workbench.gui.control.context import WindowContext
from workbench.gui.shell.panes.panes import Panes


class RunAttention(QObject):
    """Changes tabs at most twice per run: a person who then looks at another one is left in peace."""

    def __init__(self, context: WindowContext, panes: Panes, parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._has_asked = False
        context.runs.run_started.connect(self._on_run_started)
        context.runs.look_requested.connect(self._on_run_started)
        context.runs.request_changed.connect(self._on_request_changed)

    @Slot(object)
    def _on_run_started(self, _run: object) -> None:
        self._has_asked = False
        self._panes.bring_forward("timeline")

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        if request is not None and not self._has_asked:
            self._has_asked = True
            self._panes.bring_forward("run")
