"""Two agents can have a playbook of one name each: both are drawn, and what is done to one is done to that one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import LEFT, CanvasDriver
from workbench.engine.ports import Answer
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.shell.main_window import MainWindow
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.program import StepId

Open = Callable[[str], CanvasDriver]
DESK = "# Desk\n\n## Check\n\n### Steps\n\n- Alpha\n- Beta\n\n"
CLERK = "# Clerk\n\n## Check\n\n### Steps\n\n- Gamma\n- Delta\n"


def title_of(canvas: CanvasDriver, at: int) -> Rect:
    """The title of the playbook with this place in the file."""
    return canvas.panel.state.layout.playbooks[at].title.rect


def on(canvas: CanvasDriver, place: Rect) -> QPoint:
    """A point on *place*."""
    return canvas.view.mapFromScene(QPointF(place.x + 20, place.y + 10))


def test_both_titles_are_drawn(open_canvas: Open) -> None:
    canvas = open_canvas(DESK + CLERK)
    canvas.do("view.fit")
    shown = [box for box in canvas.view.shown.boxes.values() if box.content.shape is Shape.TITLE]
    assert [box.content.text for box in shown] == ["Check", "Check"]
    assert len({box.x for box in shown}) == 2


def test_a_step_is_dropped_above_the_first_one_of_the_second(open_canvas: Open) -> None:
    canvas = open_canvas(DESK + CLERK)
    canvas.do("view.fit")
    canvas.drag(canvas.at("Delta"), canvas.above("Gamma"))
    assert canvas.text == DESK + CLERK.replace("- Gamma\n- Delta\n", "- Delta\n- Gamma\n")


def test_the_title_of_the_second_names_the_second(open_canvas: Open) -> None:
    canvas = open_canvas(DESK + CLERK)
    canvas.do("view.fit")
    QTest.mouseDClick(canvas.view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, on(canvas, title_of(canvas, 1)))
    editor = canvas.panel.tools.writing.editor
    editor.selectAll()
    QTest.keyClicks(editor, "Look")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert canvas.text == DESK + CLERK.replace("## Check", "## Look")


def test_only_the_second_is_shown_where_that_is_wanted(open_canvas: Open) -> None:
    canvas = open_canvas(DESK + CLERK)
    canvas.click("Gamma")
    canvas.do("view.only-playbook")
    assert [each.playbook.steps[0].text for each in canvas.panel.state.layout.playbooks] == ["Gamma"]


RUNS = """\
# Desk

## Main

### Steps

- Ask user for $a
- Clerk.Main()

# Clerk

## Main
public: true

### Steps

- Ask user for $b
"""


def test_a_run_in_the_second_is_seen_there(window: MainWindow, qtbot: QtBot) -> None:
    window.context.documents.open_text(RUNS)
    runs, playbooks = window.context.runs, window.context.documents.snapshot.program.playbooks
    asked: list[StepId] = []
    runs.start()
    for name in ("a", "b"):
        qtbot.waitUntil(lambda: runs.request is not None and f"${name}" in runs.request.text)  # noqa: B023
        marks = window.context.shown.marks
        asked += [step for step, mark in marks.items() if mark.status is MarkStatus.WAITING]
        assert runs.request is not None
        runs.answer(runs.request.id, Answer(values=((name, "x"),)))
    assert asked == [each.steps[0].id for each in playbooks]
