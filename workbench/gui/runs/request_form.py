"""The form of the question that a run waits for: complete from the request alone, and from the keyboard."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.engine.fields import FieldKind, FieldType, field_type
from workbench.engine.ports import ABOUT_TRIGGERS, Answer, InDoubtChoice, Leave, Purpose, Request, RequestKind, Scope
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import TOOL_ICON_PX, Ink
from workbench.gui.runs.field import RunField
from workbench.gui.runs.special_fields import SpecialFields, special_fields
from workbench.gui.words.values import menu_text, tip, value_text
from workbench.i18n import N_, _, numeral
from workbench.model.meaning import Variable

_TITLES = {
    RequestKind.ASK: N_("Your answer"),
    RequestKind.JUDGE: N_("To do"),
    RequestKind.DECIDE: N_("Yes or no"),
    RequestKind.IN_DOUBT: N_("Outcome unknown"),
    RequestKind.APPROVE: N_("Permission"),
}
_PURPOSES = {
    Purpose.TRIGGERS: N_("Triggers"),
    Purpose.MESSAGE: N_("What is the message about?"),
    Purpose.REACT: N_("What to do next"),
    Purpose.TURN: N_("Manual step"),
}
_ICONS = {
    RequestKind.ASK: "ask",
    RequestKind.JUDGE: "person",
    RequestKind.DECIDE: "decision",
    RequestKind.IN_DOUBT: "blocked",
    RequestKind.APPROVE: "blocked",
}
_CHOICES = {
    InDoubtChoice.DONE: (N_("&Mark as done"), N_("Count the call as done")),
    InDoubtChoice.AGAIN: (N_("&Retry"), N_("Make the same call again")),
    InDoubtChoice.SKIP: (N_("S&kip"), N_("Continue without this call")),
}
_ALLOW, _ALLOW_RUN, _REFUSE = "allow", "allow for this run", "refuse"
_HANDED = {Purpose.STEP, Purpose.TURN}
_ANSWER = Variable("answer", is_state=False)
MOST_SHOWN = 40


class RequestForm(QFrame):
    """One question. *answered* carries the answer once all of it can be read."""

    answered = Signal(object)  # Answer
    step_chosen = Signal(object)  # str: the address of the step that asks
    laid_out = Signal()  # something in it has come, gone, or become larger

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self.special = special_fields(request, self)
        plain = () if self.special is not None else _variables(request)
        self.fields = tuple(RunField(each, self, _wanted(request, each)) for each in plain)
        self.note = QLineEdit(self)
        self.buttons: dict[str, QPushButton] = {}
        self._is_answered = False
        ink = Ink.BLOCKED if request.kind is RequestKind.IN_DOUBT else Ink.WAITING
        self._picture = Picture(icon(_ICONS[request.kind], ink), self, TOOL_ICON_PX)
        self._scroll = QScrollArea(self)
        self._column = QVBoxLayout()
        self._foot = QVBoxLayout()
        self._refusal = Label(parent=self, role="problem", wraps=True)
        self._refusal.hide()
        self.setAccessibleName(str(_TITLES[request.kind]))
        self._lay_out()

    def take_focus(self) -> None:
        """Put the cursor where the answer begins."""
        is_act = self.request.purpose in {Purpose.REACT, Purpose.TURN}
        first = next(iter((*(self._parts() if self.fields or is_act else ()), *self.buttons.values())))
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        begin = self.special.focusProxy() if self.special is not None else None
        self._scroll.ensureWidgetVisible(begin or first, 0, 0)

    def event(self, event: QEvent) -> bool:
        """Tell when the form may need another height."""
        is_done = super().event(event)
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self.laid_out.emit()
        return is_done

    def needed_px(self, width_px: int) -> int:
        """The height at which all of it can be seen in a pane of *width_px*."""
        return self._column.totalHeightForWidth(width_px) + self._foot.totalSizeHint().height()

    def submit(self, button: str) -> None:
        """Answer as *button* says, or show what cannot be read yet and go there."""
        needs_fields = self.request.kind is not RequestKind.IN_DOUBT or button == InDoubtChoice.DONE.value
        wrong = [field for field in self._parts() if not field.check()] if needs_fields else []
        if wrong:
            wrong[0].setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(wrong[0])
            return
        if self._is_answered:
            return
        self._is_answered = True
        self.answered.emit(self._answer(button, self.fields if needs_fields else ()))

    def show_refused(self, words: str) -> None:
        """The run did not take the answer: say why, and let it be changed."""
        self._is_answered = False
        self._refusal.setText(words)
        self._refusal.show()

    def _answer(self, button: str, fields: tuple[RunField, ...]) -> Answer:
        note = self.note.text().strip()
        match self.request.kind:
            case RequestKind.DECIDE:
                return Answer(decision=button == "yes", text=note)
            case RequestKind.IN_DOUBT:
                values = tuple((field.variable.name, field.value()) for field in fields)
                return Answer(values=values, choice=InDoubtChoice(button), text=note)
            case RequestKind.APPROVE:
                return Answer(leave=_leave(self.request, button), text=note)
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

    def _lay_out(self) -> None:
        """What is asked scrolls where there is little room; what answers it is always in view."""
        self._foot.setContentsMargins(16, 8, 16, 8)
        self._foot.addWidget(self._refusal)
        self._foot.addLayout(self._button_row())
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._body())
        in_column(self, (self._scroll, 1), self._foot, margins=0, spacing=0)

    def _body(self) -> QWidget:
        body, column = QWidget(self), self._column
        body.setLayout(column)
        column.setContentsMargins(16, 10, 16, 0)
        column.setSpacing(8)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addLayout(self._head())
        column.addWidget(self._words())
        for field in self._parts():
            field.submitted.connect(self._on_submitted)
            column.addWidget(field)
        self.note.setPlaceholderText(_("Note (saved with the run)"))
        self.note.setAccessibleName(_("Note"))
        self.note.returnPressed.connect(self._on_submitted)
        self.note.setVisible(self.request.kind is not RequestKind.ASK and not self._is_turn)
        column.addWidget(self.note)
        if self.request.context and self.request.kind is not RequestKind.ASK and not self._is_turn:
            column.addWidget(KnownValues(self.request.context, self))
        return body

    def _head(self) -> QHBoxLayout:
        words = str(_PURPOSES.get(self.request.purpose, _TITLES[self.request.kind]))
        asked = _("{title}, for {person}").format(title=words, person=self.request.target)
        title = Label(asked if self.request.target else words, self, role="secondary")
        number = StepLink(self.request.step, self)
        number.chosen.connect(self.step_chosen)
        return in_row(None, self._picture, title, 1, number, spacing=6)

    def _words(self) -> Label:
        is_trigger = self.request.purpose in ABOUT_TRIGGERS  # each has a box of its own
        text = self.request.text.partition("\n")[0] if is_trigger else self.request.text
        if self.request.call is not None and self.request.call.preview.detail:
            text = f"{text}\n\n{self.request.call.preview.detail}"
        words = Label(text, self, wraps=True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.setProperty("role", "title")
        return words

    def _button_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, text, tooltip in _buttons(self.request):
            button = ChoiceButton(name, text, self)
            button.setToolTip(tip(tooltip))
            if len(_buttons(self.request)) == 1:
                button.setProperty("primary", "true")
            button.chosen.connect(self.submit)
            self.buttons[name] = button
            row.addWidget(button)
        row.addStretch(1)
        return row

    @Slot()
    def _on_submitted(self) -> None:
        """Enter answers where there is one way to answer, else goes to the choice."""
        if len(self.buttons) == 1:
            self.submit(next(iter(self.buttons)))
        else:
            next(iter(self.buttons.values())).setFocus(Qt.FocusReason.TabFocusReason)


class ChoiceButton(QPushButton):
    """A button that says which one it is; Enter presses it, as Space does."""

    chosen = Signal(object)  # str

    def __init__(self, name: str, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._name = name
        self.setAutoDefault(True)
        self.clicked.connect(self._on_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Outside a dialog Enter does nothing on a button by itself."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._name)


class StepLink(QPushButton):
    """The number of a step; a click selects it everywhere."""

    chosen = Signal(object)  # str: the address

    def __init__(self, address: str, parent: QWidget) -> None:
        super().__init__(menu_text(address), parent)
        self._address = address
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(_("Show this step"))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._address)


def _variables(request: Request) -> tuple[Variable, ...]:
    """What to fill in; an ask without variables takes free text."""
    is_free = request.kind is RequestKind.ASK and not request.fields
    return (_ANSWER,) if is_free else request.fields


def _wanted(request: Request, variable: Variable) -> FieldType:
    """How *variable* is filled in: the words of a judgement may take several lines, an answer seldom does."""
    wanted = field_type(variable)
    is_long = request.kind is RequestKind.JUDGE and wanted.is_text
    return FieldType(FieldKind.LONG_TEXT) if is_long else wanted


def _buttons(request: Request) -> tuple[tuple[str, str, str], ...]:
    """Name, text, tooltip of each button."""
    match request.kind:
        case RequestKind.DECIDE:
            return (("yes", _("&Yes"), _("Answer yes")), ("no", _("&No"), _("Answer no")))
        case RequestKind.IN_DOUBT:
            offered = [(choice.value, words) for choice, words in _CHOICES.items() if choice.value in request.choices]
            return tuple((name, str(text), str(tip)) for name, (text, tip) in offered)
        case RequestKind.APPROVE:
            return (
                (_ALLOW, _("&Allow"), _("Make this call")),
                (_ALLOW_RUN, _("Allow for this &run"), _("Do not ask about the same again in this run")),
                (_REFUSE, _("&Refuse"), _("Do not make this call; the note is the reason")),
            )
        case RequestKind.ASK:
            return (("answer", _("&Answer"), _("Submit the answer (Enter)")),)
        case RequestKind.JUDGE:
            is_plain = not request.fields and request.purpose is Purpose.STEP
            text = _("&Done") if is_plain else _("&Submit") if request.purpose in _HANDED else _("&Continue")
            return (("done", text, _("Submit and continue the run (Enter)")),)


def _leave(request: Request, button: str) -> Leave:
    """What *button* says to the call that *request* shows."""
    assert request.call is not None
    scope = Scope.RUN if button == _ALLOW_RUN else Scope.CALL
    return Leave(button != _REFUSE, request.call.digest, scope=scope)


class KnownValues(QWidget):
    """A button that unfolds the variables in view, one per line."""

    def __init__(self, values: tuple[tuple[str, Any], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QToolButton(self)
        self._button.setText(_("Context ({count})").format(count=numeral(len(values))))
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setArrowType(Qt.ArrowType.RightArrow)
        self._button.clicked.connect(self._on_clicked)
        lines = [f"{name} = {value_text(value)}" for name, value in values[:MOST_SHOWN]]
        self._words = Label("\n".join(lines), self, wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.hide()
        in_column(self, self._button, self._words, margins=0)

    @property
    def is_open(self) -> bool:
        """Whether the values can be seen."""
        return not self._words.isHidden()

    @Slot()
    def _on_clicked(self) -> None:
        self._words.setVisible(not self.is_open)
        self._button.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)
