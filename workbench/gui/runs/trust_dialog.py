"""Asks whether the Python of a file may run, and shows all of it first."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.gui.control.running.run_questions import TrustQuestion
from workbench.gui.look.theme import current_theme
from workbench.i18n import _


class TrustDialog(QDialog):
    """*trusted* carries the digest that the person allows; closing it any other way allows nothing."""

    trusted = Signal(object)  # str

    def __init__(self, question: TrustQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self.setWindowTitle(_("Allow Python of this file"))
        self.resize(current_theme().px(680), current_theme().px(520))
        self.code = self._code_view()
        buttons = QDialogButtonBox(self)
        self.allow_button = buttons.addButton(_("&Allow and run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = buttons.addButton(_("&Do not run"), QDialogButtonBox.ButtonRole.RejectRole)
        # whoever presses Enter without reading has allowed nothing
        self.cancel_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        for label in self._words():
            column.addWidget(label)
        column.addWidget(self.code, 1)
        column.addWidget(buttons)

    def _words(self) -> tuple[QLabel, QLabel]:
        title = QLabel(_("This playbook contains Python. May it run?"), self)
        title.setProperty("role", "title")
        words = QLabel(
            _(
                "When the run calls it, it can do whatever you can do on this computer: read and change files, use "
                "the network, start programs. Allow it only if you know where it comes from. The decision is kept "
                "until this code changes; nothing of it has run so far."
            ),
            self,
        )
        words.setWordWrap(True)
        return title, words

    def _code_view(self) -> QPlainTextEdit:
        code = QPlainTextEdit(self._question.code, self)
        code.setReadOnly(True)
        code.setTabChangesFocus(True)
        code.setProperty("role", "mono")
        code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        code.setAccessibleName(_("Python of this file"))
        return code

    @Slot()
    def accept(self) -> None:
        """The person allows this code."""
        super().accept()
        self.trusted.emit(self._question.digest)
