"""What the run is at, and what is selected anywhere, is in view in flowchart and source; and nothing jumps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from workbench.disk.places import Places
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.control.action_spec import Menu
from workbench.gui.control.run_follower import RunFollower
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import StepId
from workbench.settings import load_settings

LONG = "of which the words go on and on, so that they fill more than one row of a narrow pane " * 2


def book(at: int, step: str) -> str:
    """Sixty steps, of which one is *step*."""
    steps = (step if number == at else f"$n{number} = {number}" for number in range(1, 61))
    return "# Desk\n\n## Main\n\n" + "".join(f"- {each}\n" for each in steps)


WAITING = book(45, "Ask user for $name")


def step_at(window: MainWindow, number: int) -> StepId:
    step = window.context.documents.snapshot.at_address(f"Main:{number:02d}")
    assert step is not None
    return step.id


def in_flowchart(window: MainWindow, number: int) -> bool:
    """Whether the whole block can be seen."""
    view = window.centre.canvas.view
    place, seen = view.state.layout.place_of(step_at(window, number)), visible_rect(view)
    assert place is not None
    return seen.y <= place.y and place.y + place.height <= seen.y + seen.height


def in_source(window: MainWindow, number: int) -> bool:
    """Whether all rows of the line can be seen."""
    editor = window.centre.source.editor
    block = editor.document().findBlockByNumber(number + 3)
    top = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).top()
    return top >= 0 and top + editor.blockBoundingRect(block).height() <= editor.viewport().height()


def caret_on(window: MainWindow, number: int) -> None:
    """Put the caret of the source on the line of a step, as a click does."""
    editor = window.centre.source.editor
    editor.setTextCursor(QTextCursor(editor.document().findBlockByNumber(number + 3)))


@pytest.fixture
def opened(window: MainWindow) -> MainWindow:
    """A window with sixty steps."""
    window.resize(1400, 800)
    window.context.documents.open_text(WAITING)
    QApplication.processEvents()
    return window


@pytest.fixture
def waiting(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """The same while its run waits in step 45."""
    opened.context.runs.start()
    qtbot.waitUntil(lambda: opened.context.runs.request is not None)
    return opened


def test_the_step_that_waits_comes_into_view(qtbot: QtBot, waiting: MainWindow) -> None:
    qtbot.waitUntil(lambda: in_flowchart(waiting, 45) and in_source(waiting, 45))


def test_it_stays_in_view_when_the_form_takes_its_room(qtbot: QtBot, waiting: MainWindow) -> None:
    qtbot.waitUntil(lambda: in_flowchart(waiting, 45) and waiting.lent_room.is_lending)
    qtbot.waitUntil(lambda: in_flowchart(waiting, 45) and in_source(waiting, 45))


def test_the_step_that_failed_comes_into_view(qtbot: QtBot, opened: MainWindow) -> None:
    opened.context.documents.open_text(book(50, "$bad = 1 / 0"))
    opened.context.runs.start()
    qtbot.waitUntil(lambda: in_flowchart(opened, 50) and in_source(opened, 50))


def test_the_step_that_comes_next_comes_into_view(qtbot: QtBot, opened: MainWindow) -> None:
    opened.context.runs.start(RunOptions(start_paused=True))
    for done in range(1, 21):
        qtbot.waitUntil(lambda: opened.context.actions.action("run.go-on").isEnabled())
        opened.context.runs.step()
        qtbot.waitUntil(lambda done=done: len(opened.context.shown.marks) > done)  # type: ignore[misc]
    qtbot.waitUntil(lambda: in_flowchart(opened, 21) and in_source(opened, 21))


def test_following_can_be_switched_off_and_that_is_remembered(
    qtbot: QtBot, opened: MainWindow, own_places: Places
) -> None:
    opened.context.actions.action("run.follow").trigger()
    before = camera.spot_of(opened.centre.canvas.view)
    opened.context.runs.start()
    qtbot.waitUntil(lambda: opened.context.runs.request is not None)
    qtbot.wait(200)
    assert camera.spot_of(opened.centre.canvas.view) == before
    assert not load_settings(own_places).is_following
    opened.context.actions.action("run.follow").trigger()
    qtbot.waitUntil(lambda: in_flowchart(opened, 45) and in_source(opened, 45))


def test_follow_is_offered_in_toolbar_and_menu_with_a_key(opened: MainWindow) -> None:
    spec = opened.context.actions.spec("run.follow")
    assert (spec.menu, spec.is_switch, bool(spec.toolbar), bool(spec.shortcuts)) == (Menu.RUN, True, True, True)
    assert opened.context.actions.action("run.follow").isChecked()


def test_where_somebody_has_looked_nothing_moves_until_the_run_does(qtbot: QtBot, waiting: MainWindow) -> None:
    qtbot.waitUntil(lambda: in_flowchart(waiting, 45))
    view = waiting.centre.canvas.view
    view.look_at(view.zoom, QPointF(0, 0), QPointF(0, 0))
    before = camera.spot_of(view)
    waiting.resize(1400, 780)
    qtbot.wait(200)
    assert camera.spot_of(view) == before


def test_whoever_types_is_not_moved_away(qtbot: QtBot, opened: MainWindow) -> None:
    follower = opened.findChild(RunFollower)
    assert isinstance(follower, RunFollower)
    follower.typing.setInterval(PATIENCE_S * 1000)  # however long the run takes to begin
    caret_on(opened, 2)
    qtbot.keyClicks(opened.centre.source.editor, " ")
    opened.context.runs.start()
    qtbot.waitUntil(lambda: opened.context.runs.request is not None)
    qtbot.wait(300)
    assert in_source(opened, 2)
    follower.typing.stop()
    qtbot.waitUntil(lambda: in_source(opened, 45))


def test_the_flowchart_follows_the_caret(opened: MainWindow) -> None:
    caret_on(opened, 50)
    assert in_flowchart(opened, 50)


def test_a_block_that_is_in_view_does_not_move(opened: MainWindow) -> None:
    caret_on(opened, 50)
    before = camera.spot_of(opened.centre.canvas.view)
    caret_on(opened, 51)
    assert camera.spot_of(opened.centre.canvas.view) == before


def test_what_is_typed_comes_into_view(qtbot: QtBot, opened: MainWindow) -> None:
    caret_on(opened, 50)
    view = opened.centre.canvas.view
    view.look_at(view.zoom, QPointF(0, 0), QPointF(0, 0))
    qtbot.keyClicks(opened.centre.source.editor, " ")
    assert in_flowchart(opened, 50)


@pytest.mark.parametrize("origin", ["canvas", "outline", "problems", "timeline", "run", "find", ""])
def test_a_step_selected_anywhere_comes_into_view_everywhere_else(opened: MainWindow, origin: str) -> None:
    opened.context.selection.select((step_at(opened, 55),), origin)
    outline = opened.panes.panel("outline")
    assert isinstance(outline, OutlinePanel)
    assert in_flowchart(opened, 55) or origin == "canvas"
    assert in_source(opened, 55)
    row = outline.tree.visualRect(outline.model.index_of(step_at(opened, 55)))
    assert outline.tree.viewport().rect().intersects(row) or origin == "outline"


def test_all_rows_of_the_selected_line_are_shown(opened: MainWindow) -> None:
    opened.context.documents.open_text(book(30, f'Tell user "{LONG}"'))
    QApplication.processEvents()
    editor = opened.centre.source.editor
    for first in range(20, 30):  # the line stands further down each time, at last at the lower edge
        editor.verticalScrollBar().setValue(first - 10)
        opened.context.selection.select(())
        opened.context.selection.select((step_at(opened, 30),), "outline")
        assert in_source(opened, 30)


def test_a_folded_step_stays_folded_and_what_hides_it_is_shown(opened: MainWindow) -> None:
    text = book(40, "If $n1 > 0").replace("- $n41 = 41", "  - $n41 = 41")
    opened.context.documents.open_text(text)
    opened.centre.canvas.tools.folding.fold_all()
    caret_on(opened, 41)
    assert in_flowchart(opened, 40)


def test_the_answer_leads_on(qtbot: QtBot, waiting: MainWindow) -> None:
    assert waiting.context.runs.request is not None
    with qtbot.waitSignal(waiting.context.runs.run_finished):
        waiting.context.runs.answer(waiting.context.runs.request.id, Answer(values=(("name", "Ada"),)))
    assert waiting.context.shown.place is None
