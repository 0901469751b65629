"""What the pointer does on the canvas."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.conftest import examples
from tests.gui.canvas_driver import FOUR, LEFT, NESTED, NONE, CanvasDriver
from workbench.assist.openings import kinds
from workbench.assist.values import Completion
from workbench.disk.places import Places
from workbench.editing.commands import DeleteSteps, DuplicateSteps, MoveSteps
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.canvas.steps.verbs import ORIGIN, place_before
from workbench.gui.canvas.view.camera import centre_point, scene_point, spot_of
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.control.selection import place_after
from workbench.gui.control.step_mime import mime_of
from workbench.syntax.text import Span

Open = Callable[[str], CanvasDriver]


def test_a_click_selects_the_step(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    assert canvas.selected == ["Beta"]


def test_ctrl_click_adds_and_shift_click_extends(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Alpha")
    canvas.click("Delta", Qt.KeyboardModifier.ControlModifier)
    assert canvas.selected == ["Alpha", "Delta"]
    canvas.click("Beta")
    canvas.click("Delta", Qt.KeyboardModifier.ShiftModifier)
    assert canvas.selected == ["Beta", "Gamma", "Delta"]


def test_a_click_on_the_ground_selects_nothing(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Alpha")
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, QPoint(900, 400))
    assert canvas.selected == []


def test_dragging_a_step_moves_it_in_the_source(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.drag(canvas.at("Gamma"), canvas.above("Alpha"))
    assert canvas.text == FOUR.replace("- Alpha\n- Beta\n- Gamma\n", "- Gamma\n- Alpha\n- Beta\n")
    assert canvas.selected == ["Gamma"]


def test_a_drag_shows_the_slot_and_the_lines_before_it_is_done(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    with canvas.dragging(canvas.at("Gamma"), canvas.below("Alpha")):
        assert canvas.panel.tools.pointer.preview.words == "Line 6 → below line 4"
        assert canvas.view.look.slots
        canvas.press(Qt.Key.Key_Escape)
    assert canvas.text == FOUR
    assert not canvas.view.look.slots


def test_where_a_step_cannot_be_dropped_the_flowchart_says_where_it_can(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    with canvas.dragging(canvas.at("Gamma"), QPoint(900, 400)):
        assert "between two steps" in canvas.panel.tools.pointer.preview.words
    assert canvas.text == FOUR
    assert not canvas.panel.tools.pointer.preview.words


def test_dragging_into_a_branch_nests_the_step(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    canvas.drag(canvas.at("Delta"), canvas.below("Beta"))
    assert canvas.text == NESTED.replace("  - Gamma\n- Delta\n", "  - Delta\n  - Gamma\n")


def test_a_step_cannot_be_dragged_into_itself_and_says_why(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    with canvas.dragging(canvas.at("If $x > 1"), canvas.below("Beta")):
        words = canvas.panel.tools.pointer.preview.words
        assert words
        assert not words.startswith("Line")
    assert canvas.text == NESTED


def test_dragging_two_selected_steps_moves_both(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Alpha")
    canvas.click("Beta", Qt.KeyboardModifier.ControlModifier)
    canvas.drag(canvas.at("Beta"), canvas.below("Delta"))
    assert canvas.text == FOUR.replace("- Alpha\n- Beta\n- Gamma\n- Delta\n", "- Gamma\n- Delta\n- Alpha\n- Beta\n")


def test_a_rubber_band_selects_what_it_touches(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    start = canvas.at("Alpha") - QPoint(100, 30)
    canvas.drag(start, canvas.at("Beta"))
    assert canvas.selected == ["Alpha", "Beta"]


def test_the_middle_button_pushes_the_canvas(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    before = scene_point(canvas.view, QPointF(300, 300))
    QTest.mousePress(canvas.view.viewport(), Qt.MouseButton.MiddleButton, NONE, QPoint(300, 300))
    QTest.mouseMove(canvas.view.viewport(), QPoint(340, 360))
    QTest.mouseRelease(canvas.view.viewport(), Qt.MouseButton.MiddleButton, NONE, QPoint(340, 360))
    after = scene_point(canvas.view, QPointF(340, 360))
    assert (after - before).manhattanLength() <= 2


def test_the_view_does_not_move_when_a_step_far_above_is_deleted(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR.replace("- Alpha\n", "".join(f"- Step {number}\n" for number in range(60))))
    canvas.click("Step 0")
    canvas.context.selection.reveal((canvas.step("Delta"),), "outline")
    before = canvas.at("Delta")
    canvas.context.selection.select((canvas.step("Step 3"),), ORIGIN)
    canvas.panel.tools.verbs.delete()
    assert (canvas.at("Delta") - before).manhattanLength() <= 2


def test_double_click_edits_in_place_and_enter_takes_the_words(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    QTest.mouseDClick(canvas.view.viewport(), LEFT, NONE, canvas.at("Beta"))
    editor = canvas.panel.tools.writing.editor
    assert editor.isVisible()
    editor.selectAll()
    QTest.keyClicks(editor, "Better")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("Beta", "Better")
    assert not editor.isVisible()


def test_escape_leaves_the_words_as_they_were(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    canvas.do("step.edit")
    editor = canvas.panel.tools.writing.editor
    QTest.keyClicks(editor, "nonsense")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert canvas.text == FOUR


def test_a_double_click_on_a_title_renames_the_playbook(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    title = canvas.panel.state.layout.playbooks[0].title.rect
    at = canvas.view.mapFromScene(QPointF(title.x + 20, title.y + 10))
    QTest.mouseDClick(canvas.view.viewport(), LEFT, NONE, at)
    editor = canvas.panel.tools.writing.editor
    editor.selectAll()
    QTest.keyClicks(editor, "Other")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("Main", "Other")


TRIGGERED = FOUR.replace("### Steps", "### Triggers\n- When program starts\n### Steps")


def test_below_the_last_trigger_a_step_becomes_the_first_step(open_canvas: Open) -> None:
    canvas = open_canvas(TRIGGERED)
    canvas.drag(canvas.at("Gamma"), canvas.above("Alpha"))
    assert canvas.text == TRIGGERED.replace("- Alpha\n- Beta\n- Gamma\n", "- Gamma\n- Alpha\n- Beta\n")


def test_the_dropped_step_lies_where_it_was_dropped(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    before = canvas.at("Alpha")
    canvas.drag(canvas.at("Delta"), canvas.below("Alpha"))
    assert (canvas.at("Alpha") - before).manhattanLength() <= 2


def test_the_sign_on_an_edge_inserts_there(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    at = canvas.below("Beta")
    QTest.mouseMove(canvas.view.viewport(), at + QPoint(2, 0))
    QTest.mouseMove(canvas.view.viewport(), at)
    assert canvas.view.look.plus is not None
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, at)
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "Between the two")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("- Beta\n", "- Beta\n- Between the two\n")


def test_ctrl_and_wheel_zoom_around_the_pointer(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    at = QPointF(canvas.at("Beta"))
    before = scene_point(canvas.view, at)
    event = QWheelEvent(
        *(at, at, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton),
        *(Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(canvas.view.viewport(), event)
    assert canvas.view.zoom == 1.25
    assert (scene_point(canvas.view, at) - before).manhattanLength() <= 2


def test_a_kind_from_the_palette_is_dropped_into_a_slot(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    drop_from_palette(canvas, 'Tell user "Hello"', QPointF(canvas.below("Alpha")))
    assert canvas.text == FOUR.replace("- Alpha\n", '- Alpha\n- Tell user "Hello"\n')


def drop_from_palette(canvas: CanvasDriver, words: str, at: QPointF) -> None:
    data = mime_of(words)
    for event in (
        QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, LEFT, NONE),
        QDropEvent(at, Qt.DropAction.CopyAction, data, LEFT, NONE),
    ):
        QApplication.sendEvent(canvas.view.viewport(), event)


@pytest.mark.parametrize("sample", kinds(), ids=lambda sample: sample.text)
def test_typing_replaces_what_stands_for_words_in_a_dropped_step(open_canvas: Open, sample: Completion) -> None:
    canvas = open_canvas(FOUR)
    drop_from_palette(canvas, sample.text, QPointF(canvas.below("Alpha")))
    field = canvas.panel.tools.writing.editor
    QTest.keyClicks(field, "mine")
    QTest.keyClick(field, Qt.Key.Key_Return)
    wanted = sample.text.replace(sample.blank, "mine") if sample.blank else sample.text + "mine"
    assert f"- Alpha\n- {wanted}\n" in canvas.text


@pytest.mark.parametrize("action", ["step.wrap-if", "step.wrap-for-each", "step.wrap-while"])
def test_typing_replaces_what_stands_for_words_in_a_new_branch_or_loop(open_canvas: Open, action: str) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Alpha")
    canvas.do(action)
    field = canvas.panel.tools.writing.editor
    QTest.keyClicks(field, "mine")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert re.search(r"- (If|For each|While) mine\n  - Alpha\n", canvas.text)


def test_a_file_dragged_over_the_canvas_is_left_to_the_window(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    data = QMimeData()
    data.setUrls([QUrl("file:///x.md")])
    event = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, data, LEFT, NONE)
    QApplication.sendEvent(canvas.view.viewport(), event)
    assert not event.isAccepted()


LONG = "# Agent\n## Main\n### Steps\n" + "".join(f"- Step {number}\n" for number in range(30))


@settings(max_examples=examples(20))
@given(verb=st.sampled_from(["delete", "duplicate", "up", "down"]), index=st.integers(2, 28), seen=st.integers(0, 25))
def test_what_lies_above_an_edit_never_moves_on_the_screen(
    qtbot: QtBot, own_places: Places, verb: str, index: int, seen: int
) -> None:
    del qtbot
    canvas = CanvasDriver(QObject(), own_places, LONG)
    canvas.context.selection.reveal((canvas.step(f"Step {seen}"),), "outline")
    before = {words: canvas.at(words) for words in (f"Step {each}" for each in range(index - 1)) if canvas.shows(words)}
    snapshot, step = canvas.context.documents.snapshot, canvas.step(f"Step {index}")
    command = {
        "delete": DeleteSteps((step,)),
        "duplicate": DuplicateSteps((step,)),
        "up": MoveSteps((step,), place_before(snapshot, canvas.step(f"Step {index - 1}"))),
        "down": MoveSteps((step,), place_after(snapshot, canvas.step(f"Step {index + 1}"))),
    }[verb]
    canvas.context.documents.execute(command)
    assert all((canvas.at(words) - at).manhattanLength() <= 2 for words, at in before.items())
    canvas.take_away()


def scroll_while_dragging(canvas: CanvasDriver, at: QPoint, ticks: int = 400) -> None:
    """Hold the pointer that drags at *at* for so many ticks of the clock that scrolls."""
    QTest.mouseMove(canvas.view.viewport(), at)
    for _tick in range(ticks):
        canvas.panel.tools.pointer._scroll._on_tick()


def test_scrolling_by_dragging_ends_where_the_flowchart_does(open_canvas: Open) -> None:
    canvas = open_canvas(LONG)
    with canvas.dragging(canvas.at("Step 2"), QPoint(300, 300)):
        scroll_while_dragging(canvas, QPoint(300, canvas.view.viewport().height() - 2))
        assert scene_point(canvas.view, centre_point(canvas.view)).y() <= canvas.panel.state.layout.height


def test_a_pointer_that_has_left_the_pane_scrolls_nothing(open_canvas: Open) -> None:
    canvas = open_canvas(LONG)
    with canvas.dragging(canvas.at("Step 2"), QPoint(300, 300)):
        before = spot_of(canvas.view)
        scroll_while_dragging(canvas, QPoint(canvas.view.viewport().width() + 200, 300))
        assert spot_of(canvas.view) == before


def test_a_drag_that_is_cancelled_leaves_the_canvas_where_it_was(open_canvas: Open) -> None:
    canvas = open_canvas(LONG)
    before = spot_of(canvas.view)
    with canvas.dragging(canvas.at("Step 2"), QPoint(300, 300)):
        scroll_while_dragging(canvas, QPoint(300, canvas.view.viewport().height() - 2), 30)
        assert spot_of(canvas.view) != before
        canvas.press(Qt.Key.Key_Escape)
    assert spot_of(canvas.view) == before


@pytest.mark.parametrize("action", ["view.actual-size", "view.zoom-in", "view.zoom-out"])
def test_zooming_keeps_the_selected_step_in_view(open_canvas: Open, action: str) -> None:
    canvas = open_canvas(LONG)
    canvas.do("view.fit")
    canvas.context.selection.select((canvas.step("Step 27"),))
    canvas.do(action)
    place = canvas.panel.state.layout.place_of(canvas.step("Step 27"))
    assert place is not None
    assert place.meets(visible_rect(canvas.view))


TEXTS = (
    '# Agent\n```python\n@playbook\nasync def Greet(name):\n    """Say hello"""\n```\n'
    "## Main\n### Steps\n- Alpha\n\n## Answer\nexecution_mode: raw\n\nAnswer kindly.\n"
)


@pytest.mark.parametrize(
    ("words", "line", "about", "reason"),
    [
        ("Greet(name)", "def Greet", "Say hello", "This playbook is written in Python. Edit it in the source."),
        (
            "Answer kindly.",
            "## Answer",
            "Answer kindly.",
            "This playbook is a single request and has no steps. Edit its text in the source.",
        ),
    ],
)
def test_what_has_no_steps_leads_to_its_text_and_takes_none(
    open_canvas: Open, words: str, line: str, about: str, reason: str
) -> None:
    canvas = open_canvas(TEXTS)
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.content.text == words)
    at = canvas.view.mapFromScene(QPointF(box.x + 60, box.y + 20))
    shown: list[Span] = []
    canvas.context.selection.place_requested.connect(shown.append)
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, at)
    assert [canvas.text[span.start :].startswith(line) for span in shown] == [True]
    assert tooltip_at(canvas.panel.state, box.x + 60, box.y + 20) == about
    with canvas.dragging(canvas.at("Alpha"), at):
        assert canvas.panel.tools.pointer.preview.words == reason
    canvas.drag(at, canvas.below("Alpha"))
    assert canvas.text == TEXTS
