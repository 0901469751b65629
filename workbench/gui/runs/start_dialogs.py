"""What is asked before a run starts: whether its Python may run, and the values that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.running.run_questions import ArgumentsQuestion, ProcedureQuestion, TrustQuestion
from workbench.gui.forms.field import RunField
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.meaning import Variable

if TYPE_CHECKING:
    from workbench.gui.runs.asked_before import Allowed, ProcedureDialog, TrustDialog

StartDialog: TypeAlias = "TrustDialog | ArgumentsDialog | ProcedureDialog"


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The answer to *question*."""

    question: ArgumentsQuestion
    values: Mapping[str, Any]


class ArgumentsDialog(QDialog):
    """One field per parameter; Run is pressed by Enter, and starts once every value can be read."""

    given = Signal(object)  # GivenArguments

    def __init__(self, question: ArgumentsQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self.setWindowTitle(_("Run {playbook}").format(playbook=drawable_line(question.playbook)))
        self.setMinimumWidth(current_theme().px(420))
        words = Label(_("{playbook} needs these values to start.").format(playbook=question.playbook), self, wraps=True)
        column = in_column(self, words, margins=16, spacing=10)
        variables = (Variable(each.name, each.is_state, each.type) for each in question.parameters)
        self.fields = tuple(RunField(variable, self) for variable in variables)
        for field in self.fields:
            field.submitted.connect(self.accept)
            column.addWidget(field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.run_button = buttons.addButton(_("&Run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.run_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.fields[0].setFocus()

    @Slot()
    def accept(self) -> None:
        """Hand over the values, or go to the first that cannot be read."""
        wrong = [field for field in self.fields if not field.check()]
        if wrong:
            wrong[0].setFocus()
            return
        super().accept()
        self.given.emit(GivenArguments(self._question, {field.variable.name: field.value() for field in self.fields}))


class RunDialogs(QObject):
    """Opens the dialogs that the run controller asks for, and hands back what was decided."""

    def __init__(self, context: WindowContext, pane: QWidget) -> None:
        super().__init__(pane)
        self._context = context
        self._pane = pane
        self.dialog: StartDialog | None = None
        runs = context.runs
        runs.trust_needed.connect(self._on_trust_needed)
        runs.arguments_needed.connect(self._on_arguments_needed)
        runs.procedure_asked.connect(self._on_procedure_asked)
        runs.run_refused.connect(self._on_run_refused)
        runs.start_delayed.connect(self._on_start_delayed)

    @Slot(object)
    def _on_trust_needed(self, question: TrustQuestion) -> None:
        from workbench.gui.runs.asked_before import TrustDialog  # noqa: PLC0415 - no start waits for it

        dialog = TrustDialog(question, self._pane.window())
        dialog.trusted.connect(self._on_trusted)
        self._open(dialog)

    @Slot(object)
    def _on_trusted(self, allowed: Allowed) -> None:
        try:
            self._context.runs.trust(allowed.question, is_folder=allowed.is_folder)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.SETTINGS)

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
    def _on_procedure_asked(self, question: ProcedureQuestion) -> None:
        from workbench.gui.runs.asked_before import ProcedureDialog  # noqa: PLC0415 - no start waits for it

        dialog = ProcedureDialog(question, self._pane.window())
        dialog.given.connect(self._context.runs.start)
        self._open(dialog)

    @Slot(object)
    def _on_run_refused(self, words: str) -> None:
        self._context.notices.noticed.emit(Notice(NoticeKind.ERROR, words, Cause.RUN))

    @Slot()
    def _on_start_delayed(self) -> None:
        waiting = _("Another program is using the run journal. The run starts as soon as it is free.")
        starting = _("The run is about to start. The first one takes longest.")
        self._context.notices.tell(waiting if self._context.runs.host.is_waiting else starting)

    def _open(self, dialog: StartDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
