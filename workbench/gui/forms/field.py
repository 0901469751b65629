"""One field of the form that a run waits for: its name, an editor that fits its type, and what is wrong with it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QRadioButton, QWidget

from workbench.engine.fields import FieldKind, FieldType, NotThatType, field_type, shown_name, text_of, value_of
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import follow_words
from workbench.gui.words.values import drawable_line, tip
from workbench.gui.words.widget_text import shown
from workbench.i18n import N_, _
from workbench.model.meaning import Variable

_HINTS = {
    FieldKind.ANY: "",
    FieldKind.TEXT: "",
    FieldKind.LONG_TEXT: N_("Shift+Enter for a new line"),
    FieldKind.WHOLE_NUMBER: N_("a whole number"),
    FieldKind.NUMBER: N_("a number"),
    FieldKind.DECIMAL: N_("a number"),
    FieldKind.YES_NO: N_("yes or no"),
    FieldKind.LIST: N_("One entry per line; Ctrl+Enter to submit"),
    FieldKind.CHOICE: N_("choose one"),
    FieldKind.DATA: N_("JSON; Ctrl+Enter to submit"),
    FieldKind.OBJECT: N_("name = value, one per line, or JSON; Ctrl+Enter to submit"),
}
_LINES_SHOWN = {FieldKind.LONG_TEXT: 2, FieldKind.LIST: 4, FieldKind.DATA: 4, FieldKind.OBJECT: 2}


class RunField(QWidget):
    """Yields a value of the *wanted* type (None: as the variable says), or shows beside the editor why it cannot.

    *reason*: why it is of that type, where the variable does not say so. *name*: what is shown in place of its own.
    """

    submitted = Signal()  # Enter, where that makes sense in the editor
    edited = Signal()

    def __init__(
        self,
        variable: Variable,
        parent: QWidget | None = None,
        wanted: FieldType | None = None,
        reason: str = "",
        name: str = "",
    ) -> None:
        super().__init__(parent)
        self.variable = variable
        self.type = wanted or field_type(variable)
        name = name or shown_name(variable)
        self._label = Label(name, self, role="mono")
        self._hint = Label(str(_HINTS[self.type.kind]), self, role="secondary")
        self._problem = Label(parent=self, role="problem", wraps=True)
        self._problem.hide()
        self._proposed: tuple[str, Any] | None = None
        self.editor = self._make_editor()
        self.editor.setAccessibleName(name)
        for part in (self._label, self._hint, self.editor):
            part.setToolTip(tip(reason))
        self._label.setBuddy(self.editor)
        self._lay_out()
        self.take_theme()

    def value(self) -> Any:
        """What was entered, as a value of the wanted type; what was proposed, as long as nobody changes it.

        Raises NotThatType.
        """
        entered = self._entered()
        if self._proposed is not None and self._proposed[0] == entered:
            return self._proposed[1]
        return value_of(entered, self.type)

    def propose(self, value: Any) -> None:
        """Put *value*, which fits, where it can be accepted or changed."""
        words = {True: "yes", False: "no"}
        self.fill(words[value] if isinstance(value, bool) and isinstance(self.editor, YesNo) else text_of(value))
        self._proposed = (self._entered(), value)

    def fill(self, text: str) -> None:
        """Show *text* as what is entered; of a choice, the one that it is."""
        editor, seen = self.editor, shown(text)
        if isinstance(editor, QPlainTextEdit):
            editor.setPlainText(seen)
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(text))
        elif isinstance(editor, YesNo):
            editor.choose(text)
        elif isinstance(editor, QLineEdit):
            editor.setText(seen)

    @property
    def words(self) -> str:
        """What was entered, empty where nothing was."""
        return self._entered()

    @property
    def raw(self) -> str:
        """What stands in the editor, letter by letter: for ``rewritten``."""
        return self.editor.document().toRawText() if isinstance(self.editor, QPlainTextEdit) else self._entered()

    def show_problem(self, words: str) -> None:
        """Say beside the editor what is expected; empty: nothing is wrong."""
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self.editor.setAccessibleDescription(words)

    def check(self) -> bool:
        """Whether the value can be read; shows the problem where not."""
        try:
            self.value()
        except NotThatType as problem:
            self.show_problem(str(problem))
            return False
        self.show_problem("")
        return True

    def take_theme(self) -> None:
        """Larger letters need more room."""
        if isinstance(self.editor, QPlainTextEdit):
            line_px = QFontMetrics(current_theme().body_font()).lineSpacing()
            self.editor.setFixedHeight(line_px * _LINES_SHOWN[self.type.kind] + 16)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter answers, except where it begins a line; there Ctrl+Enter does."""
        is_press = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress
        if is_press and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:  # type: ignore[attr-defined]
            keys = event.modifiers()  # type: ignore[attr-defined]
            is_plain = self.type.kind is FieldKind.LONG_TEXT and not keys & Qt.KeyboardModifier.ShiftModifier
            if is_plain or keys & Qt.KeyboardModifier.ControlModifier:
                self.submitted.emit()
                return True
        return super().eventFilter(watched, event)

    def _make_editor(self) -> QWidget:
        if self.type.kind in _LINES_SHOWN:
            lines = QPlainTextEdit(self, tabChangesFocus=True)
            follow_words(lines)
            lines.installEventFilter(self)
            lines.textChanged.connect(self._on_edited)
            return lines
        if self.type.kind is FieldKind.CHOICE:
            box = QComboBox(self)
            for each in self.type.choices:
                box.addItem(drawable_line(each), each)
            box.setCurrentIndex(-1)
            box.setPlaceholderText(_("Choose…"))
            box.activated.connect(self._on_edited)
            return box
        if self.type.kind is FieldKind.YES_NO:
            choice = YesNo(self)
            choice.submitted.connect(self.submitted)
            choice.chosen.connect(self._on_edited)
            return choice
        line = QLineEdit(self)
        follow_words(line)
        line.returnPressed.connect(self.submitted)
        line.textEdited.connect(self._on_edited)
        return line

    def _lay_out(self) -> None:
        top = in_row(None, self._label, self._hint, 1, spacing=8)
        in_column(self, top, self.editor, self._problem, margins=0, spacing=3)
        self.setFocusProxy(self.editor)

    def _entered(self) -> str:
        editor = self.editor
        if isinstance(editor, QPlainTextEdit):
            return editor.toPlainText()
        if isinstance(editor, QComboBox):
            return str(editor.currentData() or "")
        if isinstance(editor, YesNo):
            return editor.word
        return editor.text() if isinstance(editor, QLineEdit) else ""

    @Slot()
    def _on_edited(self) -> None:
        """What was wrong may be right now; it is checked again when the answer is given."""
        self.show_problem("")
        self.edited.emit()


class YesNo(QWidget):
    """Two radio buttons, none chosen at first; Y and N choose, Enter answers."""

    submitted = Signal()
    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._yes = QRadioButton(_("Yes"), self)
        self._no = QRadioButton(_("No"), self)
        in_row(self, self._yes, self._no, 1, margins=0)
        self.setFocusProxy(self._yes)
        self._yes.clicked.connect(self.chosen)
        self._no.clicked.connect(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the buttons have no use for comes here."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Y:
            self._yes.click()
        elif event.key() == Qt.Key.Key_N:
            self._no.click()
        else:
            super().keyPressEvent(event)

    def choose(self, word: str) -> None:
        """Let ``yes`` or ``no`` be chosen."""
        self._yes.setChecked(word == "yes")
        self._no.setChecked(word == "no")

    @property
    def word(self) -> str:
        """``yes``, ``no``, or empty while nothing is chosen."""
        if self._yes.isChecked():
            return "yes"
        return "no" if self._no.isChecked() else ""
