"""A field for the words of one step: Ctrl+Enter or leaving it applies, Esc takes back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.i18n import _
from workbench.model.program import StepId

_LINES = 4


@dataclass(frozen=True, slots=True)
class NewWords:
    """The words that somebody wrote for a step."""

    step: StepId
    text: str


class StepWords(QPlainTextEdit):
    """Holds what is being written until it is applied; the document may change meanwhile."""

    words_written = Signal(object)  # NewWords

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: StepId | None = None
        self._shown = ""
        self.setTabChangesFocus(True)
        self.setAccessibleName(_("Text of the step"))
        self.setToolTip(_("Ctrl+Enter to apply, Esc to cancel"))

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""
        return self._step is not None and self.toPlainText() != self._shown

    def show_words(self, step: StepId, text: str) -> None:
        """Show *text*; what is being written for the same step is left alone."""
        if step == self._step and (text == self._shown or (self.hasFocus() and self.is_being_written)):
            return
        if step != self._step:
            self.apply()
        self._step = step
        self._shown = text
        self.setPlainText(text)
        self._shown = self.toPlainText()
        lines = self.fontMetrics().lineSpacing() * _LINES
        self.setFixedHeight(lines + 2 * round(self.document().documentMargin()) + 2 * self.frameWidth())

    def apply(self) -> None:
        """Report the words, where they differ from what was shown."""
        if self._step is not None and self.is_being_written:
            written = NewWords(self._step, self.toPlainText())
            self._shown = written.text
            self.words_written.emit(written)

    def take_back(self) -> None:
        """Show again what the document has."""
        self.setPlainText(self._shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply with Ctrl+Enter, take back with Esc."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.apply()
        elif event.key() == Qt.Key.Key_Escape and self.is_being_written:
            self.take_back()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the field applies what was written."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.apply()
