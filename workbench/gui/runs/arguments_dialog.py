"""The values that a playbook needs before it can start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from workbench.gui.control.running.run_questions import ArgumentsQuestion
from workbench.gui.look.theme import current_theme
from workbench.gui.runs.field import RunField
from workbench.i18n import _
from workbench.model.meaning import Variable


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
        self.setWindowTitle(_("Run {playbook}").format(playbook=question.playbook))
        self.setMinimumWidth(current_theme().px(420))
        words = QLabel(_("{playbook} needs these values to start.").format(playbook=question.playbook), self)
        words.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addWidget(words)
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
