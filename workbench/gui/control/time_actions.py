"""Leads the window to other moments of the run that is shown: by the menu, the keys and the command palette."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from workbench.gui.control.context import WindowContext


class TimeActions(QObject):
    """One event or one step back and forward, and back to now."""

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._shown = context.shown
        moments = context.shown.moments
        context.actions.register("run.back", partial(moments.go_by, -1))
        context.actions.register("run.forward", partial(moments.go_by, 1))
        context.actions.register("run.back-step", self.go_to_step_before)
        context.actions.register("run.forward-step", self.go_to_step_after)
        context.actions.register("run.now", moments.back_to_now)

    def go_to_step_before(self) -> None:
        """Show the moment at which the step before began."""
        moments, executions = self._shown.moments, self._shown.executions
        seq = executions.step_before(self._at) if executions is not None else None
        if seq is not None:
            moments.go_to(seq)

    def go_to_step_after(self) -> None:
        """Show the moment at which the next step began; after the last one, now."""
        moments, executions = self._shown.moments, self._shown.executions
        seq = executions.step_after(self._at) if executions is not None else None
        if seq is None:
            moments.back_to_now()
        else:
            moments.go_to(seq)

    @property
    def _at(self) -> int:
        moments = self._shown.moments
        return moments.count if moments.seq is None else moments.seq
