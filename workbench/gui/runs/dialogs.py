"""What is asked before a run starts: whether its Python may run, and the values that it needs."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.gui.control.running.run_questions import ArgumentsQuestion, TrustQuestion
from workbench.gui.runs.arguments_dialog import ArgumentsDialog, GivenArguments
from workbench.gui.runs.trust_dialog import TrustDialog


class RunDialogs(QObject):
    """Opens the dialogs that the run controller asks for, and hands back what was decided."""

    def __init__(self, context: WindowContext, pane: QWidget) -> None:
        super().__init__(pane)
        self._context = context
        self._pane = pane
        self.dialog: TrustDialog | ArgumentsDialog | None = None
        runs = context.runs
        runs.trust_needed.connect(self._on_trust_needed)
        runs.arguments_needed.connect(self._on_arguments_needed)
        runs.run_refused.connect(self._on_run_refused)

    @Slot(object)
    def _on_trust_needed(self, question: TrustQuestion) -> None:
        dialog = TrustDialog(question, self._pane.window())
        dialog.trusted.connect(self._on_trusted)
        self._open(dialog)

    @Slot(object)
    def _on_trusted(self, digest: str) -> None:
        try:
            self._context.runs.trust(digest)
        except WorkbenchError as error:
            self._context.notices.report(error)

    @Slot(object)
    def _on_arguments_needed(self, question: ArgumentsQuestion) -> None:
        dialog = ArgumentsDialog(question, self._pane.window())
        dialog.given.connect(self._on_given)
        self._open(dialog)

    @Slot(object)
    def _on_given(self, given: GivenArguments) -> None:
        options = given.question.options
        self._context.runs.start(replace(options, arguments={**options.arguments, **given.values}))

    @Slot(object)
    def _on_run_refused(self, words: str) -> None:
        self._context.notices.noticed.emit(Notice(NoticeKind.ERROR, words))

    def _open(self, dialog: TrustDialog | ArgumentsDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
