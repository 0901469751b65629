"""The run pane as a person uses it: read, fill in, press Enter."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.engine.fields import NotThatType, field_type, value_of
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.run_events import Told
from workbench.engine.ports import Answer, InDoubtChoice, Purpose, Request, RequestKind
from workbench.gui.control.context import WindowContext
from workbench.gui.forms.folded import Folded
from workbench.gui.forms.question_frame import is_typing
from workbench.gui.look.theming import LIGHT, apply_theme
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.runs.card import CardKind
from workbench.gui.runs.cards import CardFold
from workbench.gui.runs.conversation_view import ConversationView
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.runs.special_fields import ActChoice, TriggerChecks
from workbench.gui.runs.start_dialogs import RunDialogs
from workbench.model.meaning import StepKind, Variable

FENCE = "```python\n@playbook\ndef two():\n    return 2\n```\n\n"
TALK = """# Desk

## Main

### Steps

- Tell user "Welcome."
- Ask user for $name and $age:int
- If the person sounds happy
  - $mood = "good"
- If $age > 10
  - Tell user "Hello, $name!"
- Look around
- Return $name
"""


@pytest.fixture
def panel(qtbot: QtBot, context: WindowContext) -> RunPanel:
    """The pane, on screen, with a playbook open."""
    made = RunPanel(context)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    context.documents.open_text(TALK)
    return made


def form_of(qtbot: QtBot, panel: RunPanel, kind: RequestKind) -> RequestForm:
    """The form of the question of *kind*, once it shows."""
    qtbot.waitUntil(lambda: panel.form is not None and panel.form.request.kind is kind)
    assert panel.form is not None
    return panel.form


def make_form(qtbot: QtBot, request: Request) -> tuple[RequestForm, list[Answer]]:
    """A form on its own, and the answers that it gives."""
    form = RequestForm(request)
    qtbot.addWidget(form)
    form.show()
    answers: list[Answer] = []
    form.answered.connect(answers.append)
    return form, answers


def test_what_answers_a_question_is_in_view_however_low_the_pane_is(qtbot: QtBot) -> None:
    variables = tuple(Variable(f"value{number}", is_state=True) for number in range(8))
    form, _answers = make_form(qtbot, Request("r", RequestKind.ASK, "Main:01", "Ask for all of it", variables))
    form.resize(400, 150)
    form.take_focus()
    QApplication.processEvents()
    for part in (form.buttons["answer"], form.fields[0]):
        assert part.visibleRegion().boundingRect().height() == part.height()


def typed(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Type *text* and Enter."""
    assert isinstance(field, QLineEdit)
    field.setFocus()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_whole_conversation_from_the_keyboard(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    ask = form_of(qtbot, panel, RequestKind.ASK)
    qtbot.keyClicks(ask.fields[0].editor, "Ada")
    typed(qtbot, ask.fields[1].editor, "36")
    decide = form_of(qtbot, panel, RequestKind.DECIDE)
    qtbot.keyClick(decide.buttons["yes"], Qt.Key.Key_Return)
    judge = form_of(qtbot, panel, RequestKind.JUDGE)
    with qtbot.waitSignal(context.runs.run_finished):
        typed(qtbot, judge.note, "all quiet")
    kinds = [card.kind for card in panel.conversation.cards]
    assert kinds == [
        *(CardKind.BEGUN, CardKind.TOLD, CardKind.ASKED, CardKind.ANSWERED, CardKind.DECIDE, CardKind.ANSWERED),
        *(CardKind.BRANCH, CardKind.TOLD, CardKind.TO_DO, CardKind.ANSWERED, CardKind.ENDED),
    ]
    assert panel.conversation.cards[7].text == "Hello, Ada!"
    assert panel.conversation.cards[-1].outcome == '"Ada"'


def test_the_header_keeps_its_height_in_a_very_low_pane(qtbot: QtBot, panel: RunPanel) -> None:
    panel.worked.show()
    panel.setMinimumSize(120, 56)
    for height_px, has_lines in ((56, False), (69, False), (300, True)):
        panel.resize(900, height_px)
        qtbot.waitUntil(lambda: panel.header.height() == panel.header.sizeHint().height())
        assert panel.worked.isVisible() is has_lines


def test_the_form_goes_when_the_run_is_stopped(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    form_of(qtbot, panel, RequestKind.ASK)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.stop()
    assert panel.form is None


def test_a_value_that_cannot_be_read_is_told_beside_its_field(
    qtbot: QtBot, panel: RunPanel, context: WindowContext
) -> None:
    context.runs.start()
    form = form_of(qtbot, panel, RequestKind.ASK)
    typed(qtbot, form.fields[1].editor, "many")
    assert "whole number" in form.fields[1].editor.accessibleDescription()
    assert context.runs.request is not None


def test_the_step_number_selects_the_step(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    form = form_of(qtbot, panel, RequestKind.ASK)
    form.step_chosen.emit(form.request.step)
    step = context.documents.snapshot.at_address("Main:02")
    assert step is not None
    assert context.selection.selected == (step.id,)


def test_a_click_on_a_card_selects_its_step(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    form_of(qtbot, panel, RequestKind.ASK)
    panel.conversation.go_to(1)
    qtbot.keyClick(panel.conversation, Qt.Key.Key_Return)
    step = context.documents.snapshot.at_address("Main:01")
    assert step is not None
    assert context.selection.selected == (step.id,)


def test_the_conversation_can_be_copied(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.runs.start()
    form_of(qtbot, panel, RequestKind.ASK)
    qtbot.waitUntil(lambda: len(panel.conversation.cards) == 3)
    panel.conversation.copy_all()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Run: Run started",
        "Says (Main:01): Welcome.",
        "Asks (Main:02): Ask user for $name and $age:int",
    ]
    panel.conversation.go_to(1)
    panel.conversation.copy_current()
    assert QGuiApplication.clipboard().text() == "Says (Main:01): Welcome."


def test_somebody_who_types_elsewhere_keeps_the_keys(qtbot: QtBot, panel: RunPanel) -> None:
    editor, button = QLineEdit(), QWidget()
    qtbot.addWidget(editor)
    qtbot.addWidget(button)
    assert is_typing(editor, panel)
    assert not is_typing(button, panel)
    assert not is_typing(None, panel)


def test_a_question_takes_the_keys(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    context.runs.start()
    form = form_of(qtbot, panel, RequestKind.ASK)
    qtbot.waitUntil(form.fields[0].editor.hasFocus)


def test_a_question_leaves_the_keys_to_somebody_who_types(
    qtbot: QtBot, panel: RunPanel, context: WindowContext
) -> None:
    editor = QPlainTextEdit()
    qtbot.addWidget(editor)
    editor.show()
    editor.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    context.runs.start()
    form_of(qtbot, panel, RequestKind.ASK)
    assert editor.hasFocus()


def test_a_judgement_shows_what_is_known_when_asked(qtbot: QtBot) -> None:
    request = Request("q", RequestKind.DECIDE, "Main:01", "Is it so?", context=(("$n", 1),))
    form, _answers = make_form(qtbot, request)
    known = form.findChild(Folded)
    assert known is not None
    assert not known.is_open
    known.findChild(QToolButton).click()
    assert known.is_open


def test_a_judgement_shows_what_the_playbook_is_about(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.documents.open_text("# D\n\n## Main\nKeeps things clean.\n### Steps\n- Sweep\n### Notes\n- Mind the cat\n")
    context.runs.start()
    form = form_of(qtbot, panel, RequestKind.JUDGE)
    about = [folded.words for folded in form.findChildren(Folded)]
    assert about == ["Keeps things clean.\n- Mind the cat"]


def test_an_ask_without_variables_takes_free_text(qtbot: QtBot) -> None:
    form, answers = make_form(qtbot, Request("q", RequestKind.ASK, "Main:01", "How are you?"))
    typed(qtbot, form.fields[0].editor, "fine")
    assert answers == [Answer(text="fine")]


def test_a_call_in_doubt_offers_its_choices(qtbot: QtBot) -> None:
    result = Variable("result", is_state=False, type="int")
    request = Request("q", RequestKind.IN_DOUBT, "Main:01", "pay(5)", (result,), ("done", "again", "skip"))
    form, answers = make_form(qtbot, request)
    qtbot.mouseClick(form.buttons["again"], Qt.MouseButton.LeftButton)
    assert answers == [Answer(choice=InDoubtChoice.AGAIN)]


def test_a_call_that_nobody_here_can_make_is_not_offered_to_be_made_again(qtbot: QtBot) -> None:
    form, _answers = make_form(qtbot, Request("q", RequestKind.IN_DOUBT, "refund:01", "pay", (), ("done", "skip")))
    assert list(form.buttons) == ["done", "skip"]


def test_a_call_that_happened_needs_its_result(qtbot: QtBot) -> None:
    result = Variable("result", is_state=False, type="int")
    request = Request("q", RequestKind.IN_DOUBT, "Main:01", "pay(5)", (result,), ("done", "again", "skip"))
    form, answers = make_form(qtbot, request)
    qtbot.mouseClick(form.buttons["done"], Qt.MouseButton.LeftButton)
    assert answers == []
    qtbot.keyClicks(form.fields[0].editor, "7")
    qtbot.mouseClick(form.buttons["done"], Qt.MouseButton.LeftButton)
    assert answers == [Answer(values=(("result", 7),), choice=InDoubtChoice.DONE)]


def test_yes_and_no_are_chosen_with_their_letters(qtbot: QtBot) -> None:
    variables = (Variable("is_fine", type="bool"),)
    form, answers = make_form(qtbot, Request("q", RequestKind.ASK, "Main:01", "Fine?", variables))
    for key in (Qt.Key.Key_N, Qt.Key.Key_Return):
        qtbot.keyClick(form.fields[0].editor, key)
    assert answers == [Answer(values=(("is_fine", False),))]


def test_a_judgement_may_be_told_in_several_lines(qtbot: QtBot) -> None:
    form, answers = make_form(qtbot, Request("q", RequestKind.JUDGE, "Main:01", "Sum up", (Variable("summary"),)))
    editor = form.fields[0].editor
    qtbot.keyClicks(editor, "one")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(editor, "two")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert answers == [Answer(values=(("summary", "one\ntwo"),))]


def test_triggers_are_told_with_boxes_and_none_by_default(qtbot: QtBot) -> None:
    fields = (Variable("Main_T1", False, "bool"), Variable("Other_T1", False, "bool"))
    words = "Which of these is true now?\nMain:T1  The person is upset\nOther:T1  It rains"
    request = Request("q", RequestKind.JUDGE, "Main:T1", words, fields, purpose=Purpose.TRIGGERS)
    form, answers = make_form(qtbot, request)
    assert isinstance(form.special, TriggerChecks)
    form.special.boxes[1].click()
    qtbot.keyClick(form.buttons["done"], Qt.Key.Key_Return)
    assert answers == [Answer(values=(("Main_T1", False), ("Other_T1", True)))]


def test_a_playbook_without_steps_is_carried_out_call_by_call(qtbot: QtBot) -> None:
    fields = (Variable("action", False, "str"), Variable("arguments", False, "dict"), Variable("result", False))
    choices = ("Look", "done")
    request = Request("q", RequestKind.JUDGE, "Find", "Find it", fields, choices, purpose=Purpose.REACT)
    form, answers = make_form(qtbot, request)
    assert isinstance(form.special, ActChoice)
    form.special.action.setCurrentIndex(1)
    editor = form.special.arguments.editor
    assert isinstance(editor, QPlainTextEdit)
    editor.setPlainText("where = attic\ncount = 2")
    form.submit("done")
    assert answers == [
        Answer(values=(("action", "Look"), ("arguments", {"where": "attic", "count": 2}), ("result", None)))
    ]


def test_lists_and_choices_have_editors_of_their_own(qtbot: QtBot) -> None:
    variables = (Variable("names", type="list[str]"), Variable("size", type="'small' | 'large'"))
    form, answers = make_form(qtbot, Request("q", RequestKind.ASK, "Main:01", "…", variables))
    names, size = form.fields[0].editor, form.fields[1].editor
    assert isinstance(names, QPlainTextEdit)
    assert isinstance(size, QComboBox)
    names.setPlainText("Ada\nGrace\n")
    size.setCurrentText("large")
    qtbot.keyClick(names, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert answers == [Answer(values=(("names", ["Ada", "Grace"]), ("size", "large")))]


@pytest.mark.parametrize(
    ("text", "type_", "value"),
    [
        ("42", "int", 42),
        ("-1", "integer", -1),
        ("3,5", "float", 3.5),
        ("yes", "bool", True),
        ("No", "boolean", False),
        ("007", "", "007"),
        ("1\n2\n", "list[int]", [1, 2]),
        ('{"a": 1}', "dict", {"a": 1}),
    ],
)
def test_what_is_typed_becomes_a_value_of_the_type(text: str, type_: str, value: object) -> None:
    assert value_of(text, field_type(Variable("x", type=type_))) == value


@pytest.mark.parametrize(("text", "type_"), [("4.5", "int"), ("x", "float"), ("", "bool"), ("{", "dict"), ("a", "b|c")])
def test_what_does_not_fit_is_told_in_plain_words(text: str, type_: str) -> None:
    with pytest.raises(NotThatType, match=r"\w+ .*\."):
        value_of(text, field_type(Variable("x", type=type_)))


def test_trust_is_asked_in_a_dialog_that_shows_the_code(qtbot: QtBot, panel: RunPanel, context: WindowContext) -> None:
    context.documents.open_text(f"# D\n\n{FENCE}## Main\n\n- Return two()\n")
    context.runs.start()
    dialogs = next(child for child in panel.children() if isinstance(child, RunDialogs))
    assert isinstance(dialogs.dialog, TrustDialog)
    assert "def two" in dialogs.dialog.code.toPlainText()
    assert dialogs.dialog.cancel_button.isDefault()
    dialogs.dialog.reject()
    assert context.runs.run is None


def test_steps_that_changed_since_are_asked_about_with_the_difference(
    qtbot: QtBot, panel: RunPanel, context: WindowContext, tmp_path: Path
) -> None:
    file = tmp_path / "a.md"
    for steps in ("- Return two()\n", "- $n = 1\n- Return two()\n"):
        file.write_text(f"# D\n\n{FENCE}## Main\n\n{steps}", encoding="utf-8")
        context.documents.open(file)
        context.runs.start()
        dialogs = next(child for child in panel.children() if isinstance(child, RunDialogs))
        assert isinstance(dialogs.dialog, TrustDialog)
        shown = dialogs.dialog.code.toPlainText()
        with qtbot.waitSignal(context.runs.run_finished):
            dialogs.dialog.accept()
    assert "+- $n = 1\n - Return two()" in shown


def test_a_folder_is_trusted_as_a_whole(qtbot: QtBot, panel: RunPanel, context: WindowContext, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\n{FENCE}## Main\n\n- Return two()\n- Return 1\n", encoding="utf-8")
    context.documents.open(tmp_path / "a.md")
    context.runs.start()
    dialogs = next(child for child in panel.children() if isinstance(child, RunDialogs))
    assert isinstance(dialogs.dialog, TrustDialog)
    dialogs.dialog.folder.setChecked(True)
    with qtbot.waitSignal(context.runs.run_finished):
        dialogs.dialog.accept()
    context.documents.open(tmp_path / "b.md")
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()


def test_the_view_follows_when_old_cards_are_given_up(qtbot: QtBot) -> None:
    apply_theme(LIGHT)
    fold, view = CardFold(lambda _address, _seq: (StepKind.TELL, "")), ConversationView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    for batch in range(60):
        change = fold.take([told(f"{batch} {at} " + "word " * (at % 40)) for at in range(100)])
        assert change is not None
        view.apply(change)
    assert view.cards == fold.cards
    QApplication.processEvents()  # the scroll bar takes its room
    tops = list(view.tops)
    apply_theme(LIGHT)
    assert list(view.tops) == tops
    view.clear()
    apply_theme(LIGHT)  # nothing is known of any card
    view.show_cards(fold.cards)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    qtbot.waitUntil(lambda: list(view.tops) == tops)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def told(text: str) -> RunEvent:
    """Something that the run says."""
    return RunEvent(RunId("r"), 0, Told(text), 0, 0, step="Main:01")


def test_the_bar_of_the_conversation_changes_nothing_of_what_is_beside_it(qtbot: QtBot) -> None:
    fold, view = CardFold(lambda _address, _seq: (StepKind.TELL, "")), ConversationView()
    qtbot.addWidget(view)
    view.resize(320, 200)
    view.show()
    change = fold.take([told("word " * number) for number in range(1, 40)])
    assert change is not None
    view.apply(change)
    heights = []
    for policy in (Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff):
        view.setVerticalScrollBarPolicy(policy)
        view.take_theme()
        heights.append(list(view.tops))
    assert heights[0] == heights[1]
