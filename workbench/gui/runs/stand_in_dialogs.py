"""Dialogs for what stands in the place of what a run was given: a mock of a tool, another result, another answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.work import HOW
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import high_on_screen, in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.words.values import drawable_line
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import _

_WIDE_PX = 520
_OK, _CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel


class OutcomeDialog(QDialog):
    """Asks what a call gives: a value, or a failure. *given* carries it as it is written."""

    given = Signal(object)  # str

    def __init__(self, title: str, words: str, outcome: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._first = outcome
        self.setWindowTitle(drawable_line(title))
        self.setMinimumWidth(current_theme().px(_WIDE_PX))
        self.outcome = QLineEdit(shown(outcome), self)
        self.outcome.setAccessibleName(_("What the call gives"))
        hint = _("JSON, or text. A “!” and a message let the call fail.")
        buttons = QDialogButtonBox(_OK | _CANCEL, self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        head = Label(words, self, wraps=True)
        in_column(self, head, self.outcome, Label(hint, self, role="secondary", wraps=True), buttons, margins=16)
        self.outcome.selectAll()

    @Slot()
    def accept(self) -> None:
        """Hand over what was entered."""
        super().accept()
        self.given.emit(rewritten(self._first, self.outcome.text()))


class AnswerDialog(QDialog):
    """The form of a question that was answered, with that *answer* in it. *given* carries another one."""

    given = Signal(object)  # Answer

    def __init__(self, request: Request, answer: Mapping[str, Any], is_used: bool, parent: QWidget) -> None:  # noqa: FBT001 - a fact about it
        super().__init__(parent)
        self.setWindowTitle(_("Change the answer"))
        self.setMinimumWidth(current_theme().px(_WIDE_PX))
        self.form = RequestForm(request, self)
        fill(self.form, answer)
        self.form.answered.connect(self._on_answered)
        again = _("The answer was used already: what it has set is taken back, and the step is carried out again.")
        buttons = QDialogButtonBox(_CANCEL, self)
        buttons.rejected.connect(self.reject)
        head = [Label(again, self, wraps=True)] if is_used else []
        in_column(self, *head, (self.form, 1), buttons, margins=16)
        high_on_screen(self, max(self.sizeHint().height(), current_theme().px(300)))

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        self.accept()
        self.given.emit(answer)


def fill(form: RequestForm, answer: Mapping[str, Any]) -> None:
    """Put *answer*, as it is journaled, into *form*; the button that was pressed is the usual one."""
    values = dict(answer.get("values") or {})
    note = str(answer.get("text") or "")
    form.note.setText(shown(note))
    if form.special is not None:
        form.special.propose(values)
    for field in form.fields:
        if field.variable.name in values:
            field.propose(values[field.variable.name])
        elif form.request.kind is RequestKind.ASK and not form.request.fields:
            field.fill(note)
    pressed = values.get(HOW) or ("yes" if answer.get("decision") else "no" if "decision" in answer else "")
    for name, button in form.buttons.items():
        is_usual = name == pressed or len(form.buttons) == 1
        button.setProperty("primary", "true" if is_usual else None)
        button.style().polish(button)
