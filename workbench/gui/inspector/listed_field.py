"""One field of a listed step: its editor, and what is wrong with what was entered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.engine.fields import FieldKind, NotThatType
from workbench.gui.inspector.listed_field_kinds import CHOICES, FieldSpec, entered, shown
from workbench.gui.inspector.name_completer import NameCompleter
from workbench.gui.look.theme import current_theme, is_theme_change
from workbench.i18n import _
from workbench.model.program import StepId

_LINES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class NewValue:
    """What somebody entered for a field of a step; None takes it out."""

    step: StepId
    field: str
    value: Any


class ListedField(QWidget):
    """Applies what was entered with Enter or by leaving it; Esc takes it back."""

    value_written = Signal(object)  # NewValue

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self._step: StepId | None = None
        self._shown = ""
        self._problem = QLabel(self)
        self._problem.setProperty("role", "problem")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.completer: NameCompleter | None = None
        self.editor = self._make_editor()
        self.editor.setAccessibleName(spec.label)
        self.editor.setToolTip(spec.hint or spec.name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.editor)
        column.addWidget(self._problem)
        self._take_sizes()

    def _make_editor(self) -> QWidget:
        match self.spec.kind:
            case FieldKind.YES_NO:
                box = QCheckBox(self)
                box.clicked.connect(self._on_clicked)
                return box
            case FieldKind.CHOICE:
                choice = QComboBox(self)
                choice.addItems([each or _("as the playbook says") for each in CHOICES])
                choice.activated.connect(self._on_activated)
                return choice
            case FieldKind.LINES:
                lines = QPlainTextEdit(self)
                lines.setTabChangesFocus(True)
                lines.installEventFilter(self)
                return lines
        line = QLineEdit(self)
        line.setPlaceholderText(self.spec.hint)
        line.editingFinished.connect(self.apply)
        line.installEventFilter(self)
        if self.spec.kind is FieldKind.LIST:
            self.completer = NameCompleter(line)
        return line

    def show_value(self, step: StepId, value: Any) -> None:
        """Show *value* of *step*; what is being entered for the same step stays."""
        words = shown(self.spec, value)
        if step == self._step and self.editor.hasFocus() and self._entered() != self._shown:
            return
        self._step = step
        self._shown = words
        self._set(words)
        self._say("")

    def _set(self, words: str) -> None:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(words == "True")
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(CHOICES.index(words) if words in CHOICES else 0)
        elif isinstance(editor, QPlainTextEdit):
            if editor.toPlainText() != words:
                editor.setPlainText(words)
        elif isinstance(editor, QLineEdit) and editor.text() != words:
            editor.setText(words)
            editor.setCursorPosition(0)

    def _entered(self) -> str:
        editor = self.editor
        if isinstance(editor, QPlainTextEdit):
            return editor.toPlainText()
        return editor.text() if isinstance(editor, QLineEdit) else self._shown

    @Slot()
    def apply(self) -> None:
        """Report what was entered, where it differs from what was shown and can be read."""
        words = self._entered()
        if self._step is None or words == self._shown:
            return
        try:
            value = entered(self.spec, words)
        except NotThatType as problem:
            self._say(str(problem))
            return
        self._say("")
        self._shown = words
        self._report(value)

    def _report(self, value: Any) -> None:
        if self._step is not None:
            self.value_written.emit(NewValue(self._step, self.spec.name, value))

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self.editor.setAccessibleDescription(words)

    def customEvent(self, event: QEvent) -> None:
        """Larger letters need more room."""
        if is_theme_change(event):
            self._take_sizes()

    def _take_sizes(self) -> None:
        if isinstance(self.editor, QPlainTextEdit):
            line_px = QFontMetrics(current_theme().body_font()).lineSpacing()
            self.editor.setFixedHeight(line_px * _LINES_SHOWN + 12)

    @Slot(bool)
    def _on_clicked(self, is_checked: bool) -> None:  # noqa: FBT001 - the form of Qt's signal
        self._report(None if is_checked is self.spec.default else is_checked)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self._report(CHOICES[index] or None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc takes back; in several lines Ctrl+Enter and leaving apply."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if event.key() == Qt.Key.Key_Escape and self._entered() != self._shown:
                self._set(self._shown)
                self._say("")
                return True
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.apply()
                return True
        if event.type() is QEvent.Type.FocusOut and isinstance(watched, QPlainTextEdit):
            self.apply()
        return super().eventFilter(watched, event)
