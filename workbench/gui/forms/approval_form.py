"""The form of a call that waits for leave: exactly what would happen, and what can be said to that."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.engine.ports import Answer, CallToAllow, Leave, LeaveScope, Request
from workbench.gui.forms.argument_fields import ArgumentFields
from workbench.gui.forms.call_view import CallView, is_short
from workbench.gui.forms.question_frame import ChoiceButton, QuestionFrame
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import WrappedRow
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import tip
from workbench.i18n import N_, _


class Word(enum.Enum):
    """What a person says to a call."""

    ALLOW = "allow"
    ALLOW_RUN = "allow for this run"
    EDIT = "edit"
    REFUSE = "refuse"


_BUTTONS = {
    Word.ALLOW: (N_("&Allow"), N_("Make this call")),
    Word.ALLOW_RUN: (N_("Allow for this &run"), N_("Do not ask about the same again in this run")),
    Word.EDIT: (N_("&Edit…"), N_("Change the arguments, and see what the call would do then")),
    Word.REFUSE: (N_("Re&fuse"), N_("Do not make this call; the note is the reason")),
}
_MANY = (Word.ALLOW, Word.ALLOW_RUN, Word.EDIT, Word.REFUSE)


class ApprovalForm(QuestionFrame):
    """One call. Nothing is allowed that was not shown: changed arguments are shown first, then allowed.

    The focus is on Refuse, so that whoever presses Enter without reading has allowed nothing.
    """

    preview_wanted = Signal(object)  # Mapping[str, Any]: the arguments of which ``show_changed`` is to be told

    def __init__(self, request: Request, parent: QWidget | None = None, words: tuple[Word, ...] = _MANY) -> None:
        super().__init__(request, parent)
        assert request.call is not None
        self._call = request.call
        self._shown = request.call
        self._waits = False
        self.buttons: dict[str, ChoiceButton] = {}
        self.view = CallView(self)
        self.summary = Label(parent=self, role="mono", wraps=True)
        self.about = Label(parent=self, role="caution", wraps=True)
        self.about.hide()
        self.problem = ProblemLabel(self)
        self.fields: ArgumentFields | None = None
        self.note = QLineEdit(self)
        self._fill()
        self.foot.addWidget(self.problem)
        self.foot.addWidget(self._button_row(words))
        self._show(self._call)

    def take_focus(self) -> None:
        """Onto the button that does no harm; what would happen is in view."""
        self.buttons[Word.REFUSE.value].setFocus(Qt.FocusReason.OtherFocusReason)

    def needed_px(self, width_px: int) -> int:
        """The height at which the call can be seen as a whole, unless it is long."""
        return super().needed_px(width_px) + self.view.more_px

    def submit(self, button: str) -> None:
        """Say to the call what *button* means, or show first what has not been seen."""
        word = Word(button)
        if self.is_answered or self._waits:
            return
        if word is Word.EDIT:
            self._edit()
        elif word is Word.REFUSE:
            self._say(Leave(False, self._call.digest))
        elif self.fields is None or self._is_shown():
            self._say(self._leave(LeaveScope.RUN if word is Word.ALLOW_RUN else LeaveScope.CALL))

    def show_changed(self, call: CallToAllow) -> None:
        """Show what the call would do with the arguments that were asked about."""
        self._settle()
        self._show(call)
        is_changed = call is not self._call
        self.about.setText(_("This is the call with your changes. Read it, then allow it."))
        self.about.setVisible(is_changed)
        self.area.verticalScrollBar().setValue(0)  # from what was typed to what it would do

    def show_no_preview(self, reason: str) -> None:
        """The call cannot be made with those arguments, for *reason*."""
        self._settle()
        self.problem.setText(reason)

    def _say(self, leave: Leave) -> None:
        self.is_answered = True
        self.answered.emit(Answer(leave=leave, text=self.note.text().strip()))

    def _leave(self, scope: LeaveScope) -> Leave:
        call, shown = self._call, self._shown
        if shown is call:
            return Leave(True, call.digest, scope=scope)
        return Leave(True, call.digest, shown.arguments, scope, shown.digest)

    @Slot()
    def _is_shown(self) -> bool:
        """Whether what stands in the fields is what is shown; else asks for that, and allows nothing."""
        assert self.fields is not None
        if not self.fields.check():
            return False
        arguments = self.fields.arguments()
        if arguments == self._shown.arguments:
            return True
        self._ask(arguments)
        return False

    def _ask(self, arguments: Mapping[str, Any]) -> None:
        """Have shown what the call would do with *arguments*."""
        self.problem.setText("")
        if arguments == self._call.arguments:
            self.show_changed(self._call)
            return
        self._waits = True
        self.preview_wanted.emit(arguments)

    def _settle(self) -> None:
        self._waits = False
        self.problem.setText("")

    def _edit(self) -> None:
        """Unfold the arguments; when they are unfolded, show what they would do."""
        if self.fields is not None:
            self._is_shown()
            return
        self.fields = ArgumentFields(self._call.schema, self._call.arguments, self)
        self.fields.submitted.connect(self._is_shown)
        self.column.insertWidget(self.column.indexOf(self.note), self.fields)
        self.buttons[Word.EDIT.value].setText(_("&Preview"))
        self.buttons[Word.EDIT.value].setToolTip(tip(_("Show what the call would do with these arguments")))
        self.fields.take_focus()

    def _show(self, call: CallToAllow) -> None:
        self._shown = call
        summary = call.preview.summary
        self.summary.setText(summary if is_short(summary) else "")
        self.summary.setVisible(is_short(summary))
        self.view.show_preview(call.preview)
        for told in (self, self.buttons[Word.REFUSE.value]):  # which has the keys first
            told.setAccessibleDescription(summary)

    def _fill(self) -> None:
        call, column = self._call, self.column
        column.setAlignment(Qt.AlignmentFlag(0))
        asked = _("May {tool} be called? It is offered by {source}.").format(tool=call.tool, source=call.source)
        column.addLayout(self.head(asked, "shield", Ink.BLOCKED))
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(self.about)
        column.addWidget(self.summary)
        column.addWidget(self.view, 1)
        self.note.setPlaceholderText(_("Note (saved with the run; the reason if you refuse)"))
        self.note.setAccessibleName(_("Note"))
        self.note.returnPressed.connect(self.take_focus)
        column.addWidget(self.note)
        column.addStretch(0)

    def _button_row(self, words: tuple[Word, ...]) -> WrappedRow:
        row = WrappedRow(self)
        for word in words:
            text, tooltip = _BUTTONS[word]
            button = ChoiceButton(word.value, str(text), row)
            button.setToolTip(tip(str(tooltip)))
            button.chosen.connect(self.submit)
            self.buttons[word.value] = button
        return row
