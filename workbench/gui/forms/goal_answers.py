"""What a goal asks, as buttons with a line to write in; and what is answered with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLineEdit, QPushButton, QWidget

from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column
from workbench.i18n import N_, _

if TYPE_CHECKING:
    from workbench.gui.control.planning.goals import Goal, GoalController

_WAYS = {
    "retry": N_("Try the step &again"),
    "segment": N_("Write the step a&new"),
    "rest": N_("Write all that is &left anew"),
    "go-on": N_("&Go on all the same"),
    "stop": N_("Stop &here"),
}
_QUESTIONS = {
    "plan": (N_("What is the plan? Write it down in the form."), ""),
    "text": (N_("The playbook is to be written."), ""),
    "correct": (N_("There is something wrong. Correct the playbook in its tab, then have it checked again."), ""),
    "observe": (N_("Does each step do what the goal wants, and nothing else?"), N_("What speaks against it")),
    "accept": (N_("Look at the flowchart and the verdicts. May it go on as it is?"), N_("What should be changed")),
    "deviation": (N_("The run is not as planned. What is to be done?"), ""),
    "regenerate": (
        N_("Change the playbook in its tab from there on, then have it checked. What is done must stay."),
        "",
    ),
    "take": (N_("The run goes on with another text. Compare old and new: is it right?"), N_("Why not")),
}
_IF_CHANGED = {
    "accept": N_("You have changed the playbook in its tab. It is checked before it goes on."),
    "take": N_("You have changed the text in its tab. It is checked before the run goes on."),
}
_ASKED_AGAIN = frozenset({"plan", "text", "correct", "observe"})
"""What a model is asked anew by doing the stage once more."""
_SPACING_PX = 6
_MOST_BUTTONS = 10


@dataclass(frozen=True, slots=True)
class GoalQuestion:
    """What is asked. *note*: what can be written besides, empty for nothing. *choices*: name and words; the first is
    the usual one.
    """

    id: str
    words: str
    choices: tuple[tuple[str, str], ...]
    note: str = ""


def question_of(goal: Goal, written: str) -> GoalQuestion | None:
    """What *goal* asks, whose document says *written*; None where it asks nothing."""
    request = goal.request
    if request is None:
        return None
    words, note = _asked(goal, written)
    if request.reason:
        words = "\n".join((_("A model handed this over to you: {reason}").format(reason=request.reason), words))
    return GoalQuestion(request.id, words, tuple(_choices(goal, written)), note)


def _is_changed(goal: Goal, written: str) -> bool:
    """Whether a person has changed the text that is asked about."""
    candidate = goal.at.candidate
    others = (goal.at.text, candidate.text if candidate is not None else "")
    return bool(written) and written not in others


def _asked(goal: Goal, written: str) -> tuple[str, str]:
    """The question in words, and what can be written besides."""
    known, is_changed, asks = goal.at.request.known, _is_changed(goal, written), goal.asks
    if asks == "reuse" and known is not None:
        words = _("You have one that may do this: “{title}” ({record}). Take it?")
        return words.format(title=known.title, record=known.record), ""
    if is_changed and asks in _IF_CHANGED:
        return str(_IF_CHANGED[asks]), ""
    if asks not in _QUESTIONS:
        return goal.request.text if goal.request is not None else "", ""
    words, note = (str(each) for each in _QUESTIONS[asks])
    problems = goal.at.candidate.problems if goal.at.candidate is not None else ()
    more = {"deviation": _differs(goal), "regenerate": problems}.get(asks, ())
    return "\n".join((words, *more)), note


def _differs(goal: Goal) -> tuple[str, ...]:
    found = goal.at.deviation
    if found is None:
        return ()
    step = _("Step {step}: {text}").format(step=found.step, text=found.text)
    return step, _("What happened: {text}").format(text=found.actual)


def _choices(goal: Goal, written: str) -> Iterator[tuple[str, str]]:
    yield from _own_choices(goal, written)
    if goal.request is not None and goal.request.reason and goal.asks in _ASKED_AGAIN:
        yield "model", _("Ask the m&odel again")


def _own_choices(goal: Goal, written: str) -> Iterator[tuple[str, str]]:
    is_changed = _is_changed(goal, written)
    match goal.asks:
        case "plan":
            yield "plan", _("&Write the plan…")
        case "reuse":
            yield from (("yes", _("&Take it")), ("no", _("&Make a new one")))
        case "text" if not written:
            yield "rule", _("Write it by the rules for &plans")
        case "text" | "correct" | "regenerate":
            yield ("written", _("&Check my text")) if written else ("show", _("Show &playbook"))
        case "observe":
            yield from (("fine", _("Nothing &against it")), ("against", _("Something is &wrong")))
        case "accept" if is_changed:
            yield "mine", _("&Check my changes")
        case "accept":
            yield "yes", _("&Accept and run") if goal.at.request.is_run else _("&Accept")
            yield "no", _("Ask for &changes")
        case "deviation" if goal.request is not None:
            offered = goal.request.fields[0].type
            yield from ((way, str(words)) for way, words in _WAYS.items() if way in offered)
        case "take":
            yield ("mine", _("&Check my changes")) if is_changed else ("yes", _("&Go on with it"))
            yield from () if is_changed else (("edit", _("&Edit it first")),)
            yield "no", _("Stop &here")


def give(goals: GoalController, name: str, text: str) -> str:
    """Answer what the goal that is shown asks with the choice *name* and what was written; why not, where it is not."""
    goal = goals.shown
    if goal is None:
        return ""
    if name in {"no", "against"} and goal.asks in {"accept", "observe"} and not text.strip():
        return _("Say in the line above what is wrong, so that it can be changed.")
    if _given(goals, goal, name, text.strip()):
        return ""
    return _("The goal no longer waits for this answer, or the answer does not fit.")


def _given(goals: GoalController, goal: Goal, name: str, text: str) -> bool:
    match name:
        case "plan":
            goals.ask_for_plan()
            return True
        case "show":
            goals.show_text()
            return True
        case "model":
            goals.again(goal.at.stage)
            return True
        case "edit":
            goals.show_candidate()
            return True
        case "yes" | "no":
            return goals.decide(text if name == "no" else "", is_yes=name == "yes")
        case "mine":
            return goals.decide(goals.written, is_yes=True)
        case "written":
            return goals.say({"text": goals.written})
        case "rule":
            from workbench.planning.moves import playbook_text  # noqa: PLC0415 - the engine is loaded by then

            return goal.at.plan is not None and goals.say({"text": playbook_text(goal.at.plan, goal.at.request.format)})
        case "fine" | "against":
            return goals.say({"verdicts": {"": text} if name == "against" else {}})
        case _:
            return goals.say({"how": name})


class AnswerBox(QFrame):
    """Asks one question; takes no room while there is none."""

    given = Signal(str, str)  # the choice by its name, and what was written
    left = Signal()  # another question, or none, stands where the keys were: nothing is to be answered by accident

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.question: GoalQuestion | None = None
        self.words = Label(parent=self, wraps=True)
        self.note = QLineEdit(self)
        self.buttons = ButtonBlock(self)
        self.said = ProblemLabel(self)
        in_column(self, self.words, self.note, self.said, self.buttons, margins=0, spacing=6)
        self.note.returnPressed.connect(self._on_return)
        self.buttons.pushed.connect(self._on_pushed)
        self.setProperty("role", "question")
        self.hide()

    def show_question(self, question: GoalQuestion | None) -> None:
        """Ask *question*; what was written for the same one stays."""
        if question == self.question:
            return
        is_other = question is None or self.question is None or question.id != self.question.id
        if is_other and self.isAncestorOf(QApplication.focusWidget() or self):
            self.left.emit()
        self.question = question
        self.setVisible(question is not None)
        self.said.setText("")
        if question is None:
            return
        self.words.setText(question.words)
        self.setAccessibleName(question.words.partition("\n")[0])
        self.note.setVisible(bool(question.note))
        self.note.setPlaceholderText(question.note)
        self.note.setAccessibleName(question.note)
        if is_other:
            self.note.clear()
        self.buttons.show_buttons(question.choices, is_first_usual=True)

    def refuse(self, why: str) -> None:
        """Say why the answer was not taken."""
        self.said.setText(why)
        if why and self.note.isVisible():
            self.note.setFocus()

    @Slot()
    def _on_return(self) -> None:
        """Enter goes to the buttons: nothing is sent by accident."""
        self.buttons.take_focus()

    @Slot(str)
    def _on_pushed(self, name: str) -> None:
        self.given.emit(name, self.note.text())


class ButtonBlock(QWidget):
    """Buttons by their names, two in a row where there is room for that. *role*: how the style sheet shows them."""

    pushed = Signal(str)

    def __init__(self, parent: QWidget, role: str = "") -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        # made at once: what is made later comes last when Tab goes through the window
        self._free = [QPushButton(self) for _each in range(_MOST_BUTTONS)]
        for button in self._free:
            button.setProperty("role", role)
            button.clicked.connect(self._on_clicked)
            button.hide()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_SPACING_PX)
        self._columns = 0

    def show_buttons(self, wanted: Sequence[tuple[str, str]], *, is_first_usual: bool = False) -> None:
        """Show exactly *wanted*: name and words of each. One that was there already keeps the focus."""
        if list(wanted) == [(name, each.text()) for name, each in self.buttons.items()]:
            return
        before, self.buttons = self.buttons, {}
        names = [name for name, _words in wanted]
        for gone in [name for name in before if name not in names]:
            self._put_away(before.pop(gone))
        for name, words in wanted:
            button = before.get(name) or self._free.pop(0)
            button.setText(words)
            button.setProperty("primary", is_first_usual and not self.buttons)
            button.style().unpolish(button)  # a property that has changed counts only then
            button.style().polish(button)
            self.buttons[name] = button
        for first, second in pairwise(self.buttons.values()):
            QWidget.setTabOrder(first, second)
        self._columns = 0
        self._place()

    def _put_away(self, button: QPushButton) -> None:
        self._grid.removeWidget(button)
        button.hide()
        self._free.append(button)

    @Slot()
    def _on_clicked(self) -> None:
        pushed = next((name for name, each in self.buttons.items() if each is self.sender()), "")
        if pushed:
            self.pushed.emit(pushed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many in a row as there is room for."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        widest = max((each.sizeHint().width() for each in self.buttons.values()), default=0)
        columns = 2 if 2 * widest + _SPACING_PX <= self.width() else 1
        if columns == self._columns:
            return
        self._columns = columns
        for index, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, index // columns, index % columns)
            button.show()

    def minimumSizeHint(self) -> QSize:
        """One below the other."""
        hints = [each.sizeHint() for each in self.buttons.values()]
        rows = -(-len(hints) // max(1, self._columns))
        height = sum(sorted((each.height() for each in hints), reverse=True)[:rows]) + _SPACING_PX * max(0, rows - 1)
        return QSize(max((each.width() for each in hints), default=0), height)

    def take_focus(self) -> None:
        """Give the keys to the first button."""
        if self.buttons:
            next(iter(self.buttons.values())).setFocus()
