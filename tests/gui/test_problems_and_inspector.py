"""Problems with their fixes, and the inspector of the selected step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.name_chips import NamesView
from workbench.gui.inspector.step_rows import comment_rows, rows_in, rows_of
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.values import tip
from workbench.model.meaning import Call, StepKind, Variable
from workbench.model.program import Step
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

DOUBTFUL = "# Desk\n## Main\n### Trigger\n- When program starts\n### Steps\n- $x = 1\n- Tell user $x\n"
PLAYBOOK = (
    "# Desk\n## Main\n### Steps\n<!-- why -->\n- $total = $price * 2 <!-- and how -->\n"
    '- If the user is happy\n  - Tell user "Hi {$total}"\n'
)


@pytest.fixture
def problems(window: MainWindow) -> ProblemsPanel:
    """The problems pane of a window."""
    panel = window.panes.panel("problems")
    assert isinstance(panel, ProblemsPanel)
    return panel


@pytest.fixture
def inspector(window: MainWindow) -> InspectorPanel:
    """The inspector of a window that shows PLAYBOOK."""
    window.context.documents.open_text(PLAYBOOK)
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    return panel


def steps(window: MainWindow) -> list[Step]:
    """All steps of the first playbook, in source order."""
    playbook = window.context.documents.snapshot.program.playbooks[0]
    return [step for top in playbook.steps for step in top.walk()]


def test_problems_are_listed_and_a_click_goes_there(qtbot: QtBot, window: MainWindow, problems: ProblemsPanel) -> None:
    window.context.documents.open_text(DOUBTFUL)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    problems.list.clicked.emit(problems.model.index(0, 0))
    finding = problems.model.finding(0)
    assert finding is not None
    assert window.centre.source.sync.caret == finding.span.start


def test_a_fix_mends_the_text_and_can_be_undone(qtbot: QtBot, window: MainWindow, problems: ProblemsPanel) -> None:
    window.context.documents.open_text(DOUBTFUL)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    row = next(row for row in range(problems.model.rowCount()) if problems.model.finding(row).fixes)
    problems.list.setCurrentIndex(problems.model.index(row, 0))
    problems.fixes.buttons[0].click()
    preview = problems.fixes.buttons[0].preview
    assert preview is not None
    preview.apply()
    assert "### Triggers\n" in window.context.documents.snapshot.text
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == DOUBTFUL


def test_a_document_without_problems_says_so(qtbot: QtBot, window: MainWindow, problems: ProblemsPanel) -> None:
    window.context.documents.open_text(DOUBTFUL)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    window.context.documents.open_text("# Desk\n## Main\n### Steps\n- $x = 1\n- Tell user $x\n")
    qtbot.waitUntil(lambda: problems.currentIndex() == 0)


def test_the_inspector_shows_what_is_selected(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[0].id,), "canvas")
    assert inspector.page.words.toPlainText() == "$total = $price * 2"
    assert inspector.page.head.address.text() == "01"
    assert inspector.page.meaning.rows == (("Sets", "$total"), ("To", "$price * 2"))
    assert inspector.page.comment.rows == (("Comment text", "why"), ("Comment text", "and how"))
    assert inspector.page.source.rows[0] == ("Lines", "4–5")


def test_the_number_of_a_step_is_whole_however_narrow_the_pane_is(
    window: MainWindow, inspector: InspectorPanel
) -> None:
    window.context.selection.select((steps(window)[0].id,), "canvas")
    head = inspector.page.head
    needed = head.address.fontMetrics().horizontalAdvance("01")
    assert head.address.minimumWidth() == needed and head.kind.minimumWidth() < head.kind.sizeHint().width()


def test_words_written_in_the_inspector_change_the_step(
    qtbot: QtBot, window: MainWindow, inspector: InspectorPanel
) -> None:
    window.context.selection.select((steps(window)[0].id,), "canvas")
    inspector.page.words.setPlainText("$total = 5")
    qtbot.keyClick(inspector.page.words, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "- $total = 5 <!-- and how -->\n" in window.context.documents.snapshot.text


def test_escape_takes_back_what_was_written(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[0].id,), "canvas")
    inspector.page.words.setPlainText("nonsense")
    qtbot.keyClick(inspector.page.words, Qt.Key.Key_Escape)
    assert inspector.page.words.toPlainText() == "$total = $price * 2"
    assert window.context.documents.snapshot.text == PLAYBOOK


def test_another_selection_does_not_lose_what_was_written(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[0].id,), "canvas")
    inspector.page.words.setPlainText("$total = 7")
    window.context.selection.select((steps(window)[2].id,), "canvas")
    assert "- $total = 7 <!-- and how -->\n" in window.context.documents.snapshot.text


def test_the_kind_of_a_step_can_be_changed(window: MainWindow, inspector: InspectorPanel) -> None:
    tell = steps(window)[2]
    window.context.selection.select((tell.id,), "canvas")
    inspector.page.head.kind.activated.emit(inspector.page.head.kinds.index(StepKind.ASK))
    assert steps(window)[2].kind is StepKind.ASK


def test_nothing_or_several_steps_selected_have_their_own_page(window: MainWindow, inspector: InspectorPanel) -> None:
    assert inspector.currentIndex() == 0
    window.context.selection.select(tuple(step.id for step in steps(window)), "canvas")
    assert inspector.currentIndex() == 1


def test_problems_of_the_step_are_shown_with_it(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.documents.open_text("# Desk\n## Main\n### Steps\n- Tell user $never_set\n")
    window.context.selection.select((steps(window)[0].id,), "canvas")
    qtbot.waitUntil(lambda: inspector.page.findings.count > 0)


def test_comments_belong_to_the_step_that_owns_them(window: MainWindow, inspector: InspectorPanel) -> None:
    assert comment_rows(steps(window)[1]) == ()


MEANINGS = {
    "$total = $price * 2": {"Sets": "$total", "To": "$price * 2"},
    "Ask user for $name:str": {"Fields": "$name: str"},
    "$r = F($a, k=1)": {"Calls": "F", "Argument": "$a", "k": "1", "Result": "$r"},
    "If $x > 3": {"Condition": "$x > 3"},
    "If the user is happy": {"Decided by": "a person or a model"},
    "For each $x in $xs": {"For each": "$x", "In": "$xs"},
    "Repeat 3 times": {"Rounds": "3"},
    "Return $x": {"Returns": "$x"},
    "Go to step 2": {"Goes to": "step 2"},
}


@pytest.mark.parametrize("text", MEANINGS)
def test_a_meaning_is_told_in_words(text: str) -> None:
    assert MEANINGS[text].items() <= dict(rows_of(classify(text, True))).items()


ASKED = '# Desk\n## Main\n### Steps\n- Ask user for $n and $zip\n- If $n > 5\n  - Tell user "{$zip}"\n'


def test_a_call_is_told_with_what_is_asked_for_it() -> None:
    call = Call("Order", asked=(Variable("size", False), Variable("colour", False, "str")))
    assert rows_of(call) == (("Calls", "Order"), ("Asks for", "size, colour: str"))


@pytest.mark.parametrize("name", ["Pay", "Delivery"])
def test_a_trigger_is_judged_where_nothing_has_the_name_of_its_call(name: str) -> None:
    text = f"# A\n## M\n### Triggers\n- When {name} fails\n### Steps\n- Look\n## Pay\n### Steps\n- Look\n"
    snapshot = derive(SourceText.decode(text.encode()))
    rows = rows_in(snapshot, snapshot.program.playbooks[0].triggers[0])
    judged = () if name == "Pay" else (("Decided by", "a person or a model"),)
    assert rows == (("Starts", "when this happens"), *judged)


def chips_of(window: MainWindow, inspector: InspectorPanel, index: int) -> NamesView:
    """The variables of one step of ASKED."""
    window.context.documents.open_text(ASKED)
    window.context.selection.select((steps(window)[index].id,), "canvas")
    return inspector.page.names


def test_the_inspector_shows_what_a_step_reads_and_writes(window: MainWindow, inspector: InspectorPanel) -> None:
    names = chips_of(window, inspector, 0)
    assert [chip.text() for chip in names.writes] == ["$n: Number", "$zip"]
    assert names.writes[0].toolTip() == tip("A number: compared with 5 in Main:02.")
    assert names.reads == ()


def test_a_variable_leads_to_the_step_that_sets_it(window: MainWindow, inspector: InspectorPanel) -> None:
    names = chips_of(window, inspector, 1)
    names.reads[0].click()
    assert window.context.selection.selected == (steps(window)[0].id,)


def test_a_type_is_given_in_the_inspector_and_taken_back(window: MainWindow, inspector: InspectorPanel) -> None:
    chip = chips_of(window, inspector, 0).writes[1]
    chip.choices.aboutToShow.emit()
    (action,) = [each for each in chip.choices.actions() if each.text() == "Type: Text"]
    action.trigger()
    assert "- Ask user for $n and $zip:str\n" in window.context.documents.snapshot.text
    assert [each.text() for each in inspector.page.names.writes] == ["$n: Number", "$zip: Text"]
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == ASKED


def test_a_field_becomes_a_name_that_is_only_read(window: MainWindow, inspector: InspectorPanel) -> None:
    chip = chips_of(window, inspector, 0).writes[1]
    chip.choices.aboutToShow.emit()
    (action,) = [each for each in chip.choices.actions() if each.text() == "Only read it here"]
    action.trigger()
    assert "- Ask user for $n and {$zip}\n" in window.context.documents.snapshot.text
