"""Says at all times whether calls are held to a plan: for the open document, and for the run."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.look.label import Label
from workbench.i18n import N_, LazyText, _

ON, OFF, RECORDS_ONLY = N_("on"), N_("off"), N_("audit only")
_HINTS = {
    ON: N_("Calls that the step list does not allow are blocked."),
    OFF: N_("The runtime keeps the order of the steps. Tool calls are not checked against a plan."),
    RECORDS_ONLY: N_("Calls that the step list does not allow are made, and recorded as violations."),
}


class EnforcementLabel(Label):
    """``Enforcement: on``; where the run goes by another rule than the document, both."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._context = context
        self._shown: tuple[LazyText, LazyText | None] | None = None
        documents, runs = context.documents, context.runs
        for signal in (documents.document_opened, documents.document_changed, documents.file_state_changed):
            signal.connect(self._on_changed)
        for signal in (runs.run_started, runs.state_changed, runs.run_finished):
            signal.connect(self._on_changed)
        context.actions.action("run.record-only").toggled.connect(self._on_changed)
        self._on_changed(None)

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        """Asked with every batch of a run: text is laid out only where it differs."""
        shown = (self._of_document(), self._of_run())
        if shown == self._shown:
            return
        self._shown = shown
        document, run = shown
        words = _("Plan enforcement: {document}").format(document=document)
        if run and run != document:
            words = _("{words} · this run: {run}").format(words=words, run=run)
        self.setText(words)
        self.setToolTip(str(_HINTS[run or document]))
        self.setAccessibleDescription(str(_HINTS[run or document]))

    def _of_document(self) -> LazyText:
        form = self._context.documents.snapshot.program.format
        if not form.is_steplist or form.is_graph:
            return OFF
        return RECORDS_ONLY if self._context.actions.action("run.record-only").isChecked() else ON

    def _of_run(self) -> LazyText | None:
        """None where nothing runs."""
        runs = self._context.runs
        if not runs.is_running or runs.state is None:
            return None
        start = runs.state.origin.steplist
        return OFF if start is None else ON if start.blocks else RECORDS_ONLY
