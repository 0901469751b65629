"""What the keyboard does on the canvas: everything the pointer can do, by structure."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import FOUR, NESTED, CanvasDriver
from workbench.gui.canvas.view.focus_frame import FocusFrame

Open = Callable[[str], CanvasDriver]
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_arrows_walk_by_structure(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    seen = []
    for key in (Qt.Key.Key_Down,) * 4 + (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up):
        canvas.press(key)
        seen += canvas.selected
    assert seen == ["Alpha", "If $x > 1", "Beta", "Gamma", "If $x > 1", "Beta", "If $x > 1"]


def test_home_and_end_lead_to_the_first_and_the_last_step(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED + "## Other\n- Omega\n")
    canvas.press(Qt.Key.Key_End)
    assert canvas.selected == ["Omega"]
    canvas.press(Qt.Key.Key_Home)
    assert canvas.selected == ["Alpha"]
    canvas.click("Gamma")
    canvas.press(Qt.Key.Key_End, SHIFT)
    assert canvas.selected == ["Gamma", "Delta", "Omega"]


@pytest.mark.parametrize("modifiers", [Qt.KeyboardModifier.NoModifier, SHIFT])
@pytest.mark.parametrize("key", [Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right])
def test_arrows_lead_on_from_steps_that_are_not_drawn(
    open_canvas: Open, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    canvas = open_canvas(FOUR + "### Else\n- Epsilon\n  - Zeta\n- Eta\n")
    snapshot = canvas.context.documents.snapshot
    undrawn = [step.id for root in snapshot.roots if root is not None for step in root.walk()][-3:]
    for step in undrawn:
        canvas.context.selection.select((step,))
        canvas.press(key, modifiers)
        assert canvas.selected


def test_shift_and_arrows_extend_the_selection(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.press(Qt.Key.Key_Down, SHIFT)
    canvas.press(Qt.Key.Key_Down, SHIFT)
    assert canvas.selected == ["Beta", "Gamma", "Delta"]


@pytest.mark.parametrize(
    ("action", "words", "after"),
    [
        ("step.move-up", "Gamma", FOUR.replace("- Beta\n- Gamma\n", "- Gamma\n- Beta\n")),
        ("step.move-down", "Beta", FOUR.replace("- Beta\n- Gamma\n", "- Gamma\n- Beta\n")),
        ("step.duplicate", "Beta", FOUR.replace("- Beta\n", "- Beta\n- Beta\n")),
        ("step.delete", "Beta", FOUR.replace("- Beta\n", "")),
    ],
)
def test_actions_change_the_source(open_canvas: Open, action: str, words: str, after: str) -> None:
    canvas = open_canvas(FOUR)
    canvas.click(words)
    canvas.do(action)
    assert canvas.text == after


def test_a_step_moves_in_and_out_again(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    canvas.click("Delta")
    canvas.do("step.move-in")
    assert canvas.text == NESTED.replace("\n- Delta", "\n  - Delta")
    canvas.do("step.move-out")
    assert canvas.text == NESTED


def test_the_first_step_says_why_it_cannot_move_up(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Alpha")
    with qtbot.waitSignal(canvas.context.documents.refused) as refused:
        canvas.do("step.move-up")
    assert refused.args is not None
    assert refused.args[0].message == "This is already the first step."


def test_wrapping_opens_the_condition_for_editing(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.do("step.wrap-if")
    editor = canvas.panel.tools.writing.editor
    editor.selectAll()
    QTest.keyClicks(editor, "If $ready")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("- Beta\n", "- If $ready\n  - Beta\n")


def test_typing_inserts_what_fits_below_the_selection(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.do("step.insert")
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "Call the customer")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("- Beta\n", "- Beta\n- Call the customer\n")
    assert canvas.selected == ["Call the customer"]


def test_a_few_letters_find_a_kind_and_its_blank_is_chosen_for_writing(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Delta")
    canvas.do("step.insert")
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "while")
    QTest.keyClick(field, Qt.Key.Key_Return)
    editor = canvas.panel.tools.writing.editor
    QTest.keyClicks(editor, "$n < 3")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == FOUR + "- While $n < 3\n"


def test_backspace_in_a_field_never_deletes_the_step(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.press(Qt.Key.Key_Return)
    editor = canvas.panel.tools.writing.editor
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("Beta", "Bet")


def test_steps_travel_over_the_clipboard_as_source(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    canvas.click("Beta")
    canvas.do("edit.copy")
    assert QGuiApplication.clipboard().text() == "- Beta\n"
    canvas.click("Delta")
    canvas.do("edit.paste")
    assert canvas.text == NESTED + "- Beta\n"
    canvas.do("edit.cut")
    assert canvas.text == NESTED


def test_select_all_takes_every_step(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.do("edit.select-all")
    assert canvas.selected == ["Alpha", "Beta", "Gamma", "Delta"]


def test_folding_hides_the_inside_and_leaves_the_source_alone(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    canvas.click("If $x > 1")
    canvas.press(Qt.Key.Key_F)
    assert canvas.panel.state.folded == {canvas.step("If $x > 1")}
    shown = {box.content.text for box in canvas.view.shown.boxes.values()}
    assert "Beta" not in shown
    canvas.context.selection.reveal((canvas.step("Beta"),), "outline")
    assert canvas.panel.state.folded == frozenset()
    assert canvas.text == NESTED


def test_zoom_keys_and_fit(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.do("view.actual-size")
    canvas.do("view.zoom-in")
    assert canvas.view.zoom == 1.25
    canvas.do("view.fit")
    assert canvas.view.zoom <= 1.0


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Slash])
def test_tab_and_slash_ask_what_to_insert(open_canvas: Open, key: Qt.Key) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.press(key)
    popup = canvas.panel.tools.inserting.popup
    assert popup.isVisible()
    QTest.keyClick(popup.field, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert canvas.text == FOUR


def test_delete_is_a_key_of_the_canvas(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.press(Qt.Key.Key_Delete)
    assert canvas.text == FOUR.replace("- Beta\n", "")


def test_space_and_the_left_button_push_the_canvas(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    before = canvas.at("Beta")
    QTest.keyPress(canvas.view, Qt.Key.Key_Space)
    canvas.drag(before, before + QPoint(30, 20))
    QTest.keyRelease(canvas.view, Qt.Key.Key_Space)
    assert (canvas.at("Beta") - before - QPoint(30, 20)).manhattanLength() <= 2
    assert canvas.text == FOUR


def test_a_drag_near_the_edge_scrolls(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(FOUR + "".join(f"- Step {number}\n" for number in range(100)))
    bar = canvas.view.verticalScrollBar()
    before = bar.value()
    edge = QPoint(canvas.at("Beta").x(), canvas.view.viewport().height() - 4)
    with canvas.dragging(canvas.at("Beta"), edge):
        qtbot.waitUntil(lambda: bar.value() > before + 60)
        canvas.press(Qt.Key.Key_Escape)
    assert canvas.panel.tools.pointer.gesture is None


def test_names_are_completed_while_words_are_written(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR.replace("Alpha", "$customer_name = 1"))
    canvas.click("Beta")
    canvas.do("step.edit")
    editor = canvas.panel.tools.writing.editor
    QTest.keyClicks(editor, " $cus")
    assert editor.completion.isVisible()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "- Beta $customer_name\n" in canvas.text


def test_a_variable_is_completed_in_the_insert_box(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR.replace("Alpha", "$customer_name = 1"))
    canvas.click("Beta")
    canvas.do("step.insert")
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "Tell user $cus")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "Tell user $customer_name"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "- Beta\n- Tell user $customer_name\n" in canvas.text


def test_whoever_comes_by_keyboard_sees_where_the_focus_is(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.view.clearFocus()
    canvas.view.setFocus(Qt.FocusReason.TabFocusReason)
    frame = canvas.view.findChild(FocusFrame)
    assert frame is not None
    assert frame.isVisible()
    canvas.press(Qt.Key.Key_Down)
    assert not frame.isVisible()
    assert canvas.selected == ["Alpha"]


@pytest.mark.parametrize("opener", ["If $n > 2", "Otherwise", "While $n > 2", "For each $x in [1, 2]"])
def test_the_first_step_below_a_branch_or_loop_without_steps_goes_into_it(open_canvas: Open, opener: str) -> None:
    canvas = open_canvas(f"# Agent\n## Main\n### Steps\n- $n = 3\n- {opener}\n- Last\n")
    canvas.click(opener)
    canvas.press(Qt.Key.Key_Tab)
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "Look at the logs")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert f"- {opener}\n  - Look at the logs\n- Last\n" in canvas.text
