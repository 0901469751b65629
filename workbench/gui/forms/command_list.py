"""The commands under the step that asks, to copy or to have run, and what came of those that were."""

from __future__ import annotations

from secrets import token_bytes

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.engine.ports import CommandRun, Request, StepCommand
from workbench.gui.forms.call_view import CallView
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.secrets import Redactor, known_secrets


class CommandList(QWidget):
    """All of them. *wanted* carries the text of the one that is to be run."""

    wanted = Signal(object)  # str

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items = tuple(CommandItem(command, self) for command in request.commands)
        for item in self.items:
            item.wanted.connect(self.wanted)
        self.outputs = tuple(_output(ran, self) for ran in request.ran)
        in_column(self, *self.items, *self.outputs, margins=0, spacing=8)
        self.setVisible(bool(self.items))


class CommandItem(QWidget):
    """One command."""

    wanted = Signal(object)  # str

    def __init__(self, command: StepCommand, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self.view = CallView(self)
        self.view.show_text(command.text, is_difference=False)
        self.view.setAccessibleName(_("Command of this step"))
        self.copy_button = QPushButton(_("C&opy"), self)
        self.copy_button.setToolTip(_("Copy the command"))
        self.run_button = QPushButton(_("&Run it…"), self)
        self.run_button.setEnabled(bool(command.tool))
        self.run_button.setToolTip(
            tip(command.problem) or _("Have the run call {tool} with it; you are asked first").format(tool=command.tool)
        )
        self.run_button.setAccessibleDescription(self.run_button.toolTip())
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.run_button.clicked.connect(self._on_run_clicked)
        buttons = in_row(None, self.copy_button, self.run_button, 1, spacing=8)
        in_column(self, self.view, buttons, margins=0, spacing=6)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(_without_secrets(self._command.text))

    @Slot()
    def _on_run_clicked(self) -> None:
        self.wanted.emit(self._command.text)


def _without_secrets(text: str) -> str:
    return str(Redactor(token_bytes(16), known_secrets()).redacted(text))


def _output(ran: CommandRun, parent: QWidget) -> QWidget:
    """What came of a command."""
    whole, view = QWidget(parent), CallView(parent)
    words = _("Failed: {command}") if ran.is_error else _("Output of {command}")
    head = Label(words.format(command=ran.text.partition("\n")[0]), whole, role="secondary", wraps=True)
    view.show_text(ran.output or _("It printed nothing."), is_difference=False)
    view.setAccessibleName(head.text())
    in_column(whole, head, view, margins=0, spacing=4)
    return whole
