"""The form of the question that a run waits for: complete from the request alone, and from the keyboard.

Above it stands what a model has to do with it: its answer is in the form, or why a person is asked instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QWidget,
)

from workbench.engine.debugging.pins import Pin
from workbench.engine.fields import FieldKind, FieldType, field_type, shown_name
from workbench.engine.judging.telling import as_answer
from workbench.engine.outcomes import GOES_ON, is_outcome
from workbench.engine.ports import ABOUT_TRIGGERS, Answer, InDoubtChoice, Purpose, Request, RequestKind
from workbench.engine.readings import FIELD, Reading
from workbench.engine.work import HOW, Went, is_work
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_host import pinned_answer
from workbench.gui.forms.command_list import CommandList
from workbench.gui.forms.field import RunField
from workbench.gui.forms.folded import folded_about
from workbench.gui.forms.matter_view import MadeView, MatterView, suggestion_about
from workbench.gui.forms.question_frame import ChoiceButton, QuestionFrame
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, WordsLabel
from workbench.gui.look.layouts import WrappedRow, in_row
from workbench.gui.look.theming import Ink
from workbench.gui.runs.card import answer_text
from workbench.gui.runs.special_fields import SpecialFields, is_plan, special_fields
from workbench.gui.runs.work_words import FIELDS, work_buttons
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.gui.words.widget_text import shown
from workbench.i18n import N_, _
from workbench.model.meaning import Variable

_TITLES = {
    RequestKind.ASK: N_("Your answer"),
    RequestKind.JUDGE: N_("To do"),
    RequestKind.DECIDE: N_("Yes or no"),
    RequestKind.IN_DOUBT: N_("Outcome unknown"),
}
_PURPOSES = {
    Purpose.TRIGGERS: N_("Triggers"),
    Purpose.MESSAGE: N_("What is the message about?"),
    Purpose.REACT: N_("What to do next"),
    Purpose.TURN: N_("Manual step"),
    Purpose.READING: N_("Number or text?"),
    Purpose.AFTERWARDS: N_("It did not work. What now?"),
}
_ICONS = {
    RequestKind.ASK: "ask",
    RequestKind.JUDGE: "person",
    RequestKind.DECIDE: "decision",
    RequestKind.IN_DOUBT: "blocked",
}
_CHOICES = {
    InDoubtChoice.DONE: (N_("&Mark as done"), N_("Count the call as done")),
    InDoubtChoice.AGAIN: (N_("&Retry"), N_("Make the same call again")),
    InDoubtChoice.SKIP: (N_("S&kip"), N_("Continue without this call")),
}
_READINGS = {
    Reading.NUMBER: (N_("As a &number"), N_("Take the text as a number from here on, and continue")),
    Reading.TEXT: (N_("As &text"), N_("Take the number as text from here on, and continue")),
    Reading.STOP: (N_("&Stop here"), N_("Let the step fail")),
}
_HANDED = {Purpose.STEP, Purpose.TURN}
_ANSWER = Variable("answer", is_state=False)
_NOTE = ""
_MOST_LETTERS = 60


class RequestForm(QuestionFrame):
    """One question that is answered by fields, a note, or a choice. Calls that wait for leave have another form."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(request, parent)
        self.special = special_fields(request, self)
        plain = () if self.special is not None else _variables(request)
        reasons = dict(request.reasons)
        self.fields = tuple(
            RunField(each, self, _wanted(request, each), _reason(reasons.get(each.name, "")), _name(request, each))
            for each in plain
        )
        for field in self.fields:
            if is_outcome(field.variable):
                field.fill(GOES_ON)
        self.commands = CommandList(request, self)
        self.commands.wanted.connect(self._on_run_wanted)
        self.note = QLineEdit(self)
        self.buttons: dict[str, QPushButton] = {}
        self._fill()
        self.foot.addWidget(self._button_row())

    def take_focus(self) -> None:
        """Put the cursor where the answer begins."""
        is_act = self.request.purpose in {Purpose.REACT, Purpose.TURN}
        is_filled = bool(self.fields) or is_act or is_plan(self.request)
        first = next(iter((*(self._parts() if is_filled else ()), *self.buttons.values())))
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        begin = self.special.focusProxy() if self.special is not None else None
        self.area.ensureWidgetVisible(begin or first, 0, 0)

    def written(self) -> dict[str, str]:
        """What stands in the fields, and in the note, which has no name."""
        return {_NOTE: self.note.text(), **{field.variable.name: field.words for field in self.fields}}

    def write_again(self, words: Mapping[str, str]) -> None:
        """What was written before, where anything was."""
        for field in self.fields:
            if words.get(field.variable.name):
                field.fill(words[field.variable.name])
        self.note.setText(words.get(_NOTE, ""))

    def submit(self, button: str) -> None:
        """Answer as *button* says, or show what cannot be read yet and go there."""
        needs_fields = self.request.kind is not RequestKind.IN_DOUBT or button == InDoubtChoice.DONE.value
        wrong = [field for field in self._parts() if not field.check()] if needs_fields else []
        if wrong:
            wrong[0].setFocus(Qt.FocusReason.OtherFocusReason)
            self.area.ensureWidgetVisible(wrong[0])
            return
        if self.is_answered:
            return
        self.is_answered = True
        self.answered.emit(self._answer(button, self.fields if needs_fields else ()))

    def _answer(self, button: str, fields: tuple[RunField, ...]) -> Answer:
        note = self.note.text().strip()
        match self.request.kind:
            case RequestKind.DECIDE:
                return Answer(decision=button == "yes", text=note)
            case RequestKind.IN_DOUBT:
                values = tuple((field.variable.name, field.value()) for field in fields)
                return Answer(values=values, choice=InDoubtChoice(button), text=note)
            case _ if self.request.purpose in FIELDS:
                values = tuple((field.variable.name, field.value()) for field in fields)
                return Answer(values=(*values, (FIELDS[self.request.purpose], button)), text=note)
            case _ if _is_choice(self.request):
                return Answer(values=((FIELD, button),), text=note)
            case RequestKind.ASK if not self.request.fields:
                return Answer(text=str(self.fields[0].value()))
            case _ if self.special is not None:
                return Answer(values=self.special.values(), text=note)
            case _:
                return Answer(values=tuple((field.variable.name, field.value()) for field in fields), text=note)

    @property
    def _is_turn(self) -> bool:
        """Whether the parts tell the context themselves, and take the note."""
        return self.request.purpose is Purpose.TURN

    def _parts(self) -> tuple[RunField | SpecialFields, ...]:
        """All that is filled in."""
        return self.fields if self.special is None else (self.special,)

    def _fill(self) -> None:
        kind, column = self.request.kind, self.column
        words = str(_PURPOSES.get(self.request.purpose, _TITLES[kind]))
        ink = Ink.BLOCKED if kind is RequestKind.IN_DOUBT else Ink.WAITING
        column.addLayout(self.head(words, _ICONS[kind], ink))
        column.addWidget(self._words())
        if (below := _below_question(self.request, self)) is not None:
            column.addWidget(below)
        self.matter = MatterView(self.request, self)
        self.matter.call_wanted.connect(self._on_call_wanted)
        self.matter.link_wanted.connect(self.link_wanted)
        column.addWidget(self.matter)
        column.addWidget(self.commands)
        if (suggestion := suggestion_about(self.request, self)) is not None:
            column.addWidget(suggestion)
            propose(self.request, self.special, self.fields)
        for field in self._parts():
            field.submitted.connect(self._on_submitted)
            column.addWidget(field)
        if self.request.proposal is not None:
            self.note.setText(shown(self.request.proposal.text))
        self.note.setPlaceholderText(_note_words(self.request))
        self.note.setAccessibleName(_("Note"))
        self.note.returnPressed.connect(self._on_submitted)
        self.note.setVisible(_is_made(self.request) or (self.request.kind is not RequestKind.ASK and not self._is_turn))
        column.addWidget(self.note)
        is_judged = self.request.kind is not RequestKind.ASK and not self._is_turn
        for folded in folded_about(self.request, self) if is_judged else ():
            column.addWidget(folded)

    def _words(self) -> WordsLabel:
        # each trigger has a box of its own, and what is made or wanted of a plan is shown below
        is_first = self.request.purpose in ABOUT_TRIGGERS or _is_made(self.request) or is_plan(self.request)
        text = self.request.text.partition("\n")[0] if is_first else self.request.text
        words = WordsLabel(text, self, role="title")
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return words

    def _button_row(self) -> WrappedRow:
        row = WrappedRow(self)
        for name, text, tooltip in _buttons(self.request):
            button = ChoiceButton(name, text, row)
            button.setToolTip(tip(tooltip))
            if len(_buttons(self.request)) == 1 or name == _proposed_button(self.request):
                button.setProperty("primary", "true")
            button.chosen.connect(self.submit)
            self.buttons[name] = button
        return row

    @Slot(object)
    def _on_run_wanted(self, text: str) -> None:
        """The question stays open, and comes back with what was printed."""
        if not self.is_answered:
            self.is_answered = True
            self.answered.emit(Answer(run=text))

    @Slot(object)
    def _on_call_wanted(self, path: str) -> None:
        """The step is asked about again when the playbook has been gone through."""
        if not self.is_answered:
            self.is_answered = True
            self.answered.emit(Answer(call=path))

    @Slot()
    def _on_submitted(self) -> None:
        """Enter answers where there is one way to answer, else goes to the choice."""
        if len(self.buttons) == 1:
            self.submit(next(iter(self.buttons)))
        else:
            next(iter(self.buttons.values())).setFocus(Qt.FocusReason.TabFocusReason)


def _is_made(request: Request) -> bool:
    """Whether a playbook that the run has made is to be allowed."""
    from workbench.engine.language.making import ACCEPTED  # noqa: PLC0415 - the engine loads with the first run

    return ACCEPTED in request.fields


def _below_question(request: Request, parent: QWidget) -> QWidget | None:
    """What has been made, or what is wanted of a plan; None where the question says all."""
    rest = request.text.partition("\n")[2].strip("\n")
    if _is_made(request):
        return MadeView(rest, parent)
    return Label(rest, parent, role="secondary", wraps=True) if is_plan(request) else None


def _note_words(request: Request) -> str:
    return _("Where it is not right: what is to be otherwise") if _is_made(request) else _("Note (saved with the run)")


def _variables(request: Request) -> tuple[Variable, ...]:
    """What to fill in; an ask without variables takes free text."""
    if _is_choice(request):
        return ()
    is_free = request.kind is RequestKind.ASK and not request.fields
    if request.purpose in FIELDS:
        return tuple(field for field in request.fields if not is_work(field))
    return (_ANSWER,) if is_free else request.fields


def _name(request: Request, field: Variable) -> str:
    if _is_made(request):
        return _("It is right")
    return shown_name(field, request.text if request.matter is not None else "")


def _reason(words: str) -> str:
    return _("A number: {reason}.").format(reason=words) if words else ""


def _wanted(request: Request, variable: Variable) -> FieldType:
    """How *variable* is filled in: the words of a judgement may take several lines, an answer seldom does."""
    wanted = field_type(variable)
    is_long = request.kind is RequestKind.JUDGE and wanted.is_text
    return FieldType(FieldKind.LONG_TEXT) if is_long else wanted


def _is_choice(request: Request) -> bool:
    """Whether it is asked how a value is to be read, which a button says."""
    return request.purpose is Purpose.READING and bool(request.choices)


def _buttons(request: Request) -> tuple[tuple[str, str, str], ...]:
    """Name, text, tooltip of each button."""
    if request.purpose in FIELDS:
        return work_buttons(request.purpose)
    if _is_choice(request):
        readings = [(each.value, words) for each, words in _READINGS.items() if each.value in request.choices]
        return tuple((name, str(text), str(tip)) for name, (text, tip) in readings)
    match request.kind:
        case RequestKind.DECIDE:
            return (("yes", _("&Yes"), _("Answer yes")), ("no", _("&No"), _("Answer no")))
        case RequestKind.IN_DOUBT:
            offered = [(choice.value, words) for choice, words in _CHOICES.items() if choice.value in request.choices]
            return tuple((name, str(text), str(tip)) for name, (text, tip) in offered)
        case RequestKind.ASK:
            return (("answer", _("&Answer"), _("Submit the answer (Enter)")),)
        case _:
            is_plain = not request.fields and request.purpose is Purpose.STEP
            text = _("&Done") if is_plain else _("&Submit") if request.purpose in _HANDED else _("&Continue")
            return (("done", text, _("Submit and continue the run (Enter)")),)


def _proposed_button(request: Request) -> str:
    """The name of the button that a model would press, or that is usually pressed; empty where there is none."""
    if request.purpose is Purpose.WORK:
        return str(dict(request.proposal.values if request.proposal is not None else ()).get(HOW, Went.DONE.value))
    if request.kind is not RequestKind.DECIDE or request.proposal is None:
        return ""
    return "yes" if request.proposal.decision else "no"


def propose(request: Request, special: SpecialFields | None, fields: Sequence[RunField]) -> None:
    """Put the answer of a model to *request*, if there is one, where it can be accepted or changed."""
    values = dict(request.proposal.values) if request.proposal is not None else {}
    if special is not None and values:
        special.propose(values)
    for field in fields:
        if field.variable.name in values:
            field.propose(values[field.variable.name])


def form_for(request: Request, context: WindowContext, parent: QWidget) -> QuestionFrame:
    """The form in which *request* of the run is answered."""
    run, view = context.runs.run, context.shown.view
    if view is not None and view.origin.is_cycle:
        return GoalPointer(request, context, parent)
    if request.kind is not RequestKind.APPROVE or run is None:
        form = RequestForm(request, parent)
        pin = pinned_answer(context.places, request, view.origin.path, view.ran) if view is not None else None
        if pin is not None:
            form.foot.setSpacing(8)
            form.foot.insertWidget(0, PinnedOffer(form, pin))
        return form
    from workbench.gui.forms.approval_form import ApprovalForm  # noqa: PLC0415 - few calls are asked about
    from workbench.gui.forms.changed_calls import ChangedCalls  # noqa: PLC0415

    asked = ApprovalForm(request, parent)
    ChangedCalls(asked, run.changed)
    return asked


class GoalPointer(QuestionFrame):
    """Says that a goal asks something, and leads to the pane in which that is answered."""

    def __init__(self, request: Request, context: WindowContext, parent: QWidget) -> None:
        super().__init__(request, parent)
        self.column.addLayout(self.head(_("Question of the goal"), "goal", Ink.WAITING))
        self.column.addWidget(WordsLabel(request.text.partition("\n")[0], self, role="title"))
        self.show_goal = QPushButton(_("Answer in the &goal pane"), self)
        self.show_goal.setProperty("primary", "true")
        self.show_goal.clicked.connect(context.actions.action("pane.goal").trigger)
        self.foot.addLayout(in_row(None, self.show_goal, 1))


class PinnedOffer(QPushButton):
    """Answers what *form* asks as it was answered in a run before; *pin*: that answer, which is kept."""

    def __init__(self, form: RequestForm, pin: Pin) -> None:
        said = drawable_line(answer_text(dict(pin.answer)))
        said = said if len(said) <= _MOST_LETTERS else f"{said[:_MOST_LETTERS]}…"
        words = _("Use the pinned answer: {answer}").format(answer=said)
        super().__init__(menu_text(words), form)
        self._form, self._answer = form, as_answer(form.request, pin.answer)
        self.setIcon(icon("history", Ink.ACCENT))
        self.setToolTip(tip(_("Answered so in run {run}, kept by {person}").format(run=pin.run, person=pin.by)))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        if not self._form.is_answered:
            self._form.is_answered = True
            self._form.answered.emit(self._answer)
