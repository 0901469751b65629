"""A question has room by itself: it, its fields and its button can be seen, and the pane goes back afterwards."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.look.label import Label
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.runs.special_fields import TurnFields
from workbench.gui.shell.main_window import MainWindow

SIZES = [(1600, 1000), (1000, 650)]
JUDGED = "- Apologise, and find out which team must hear about the parcel that came late; note it as $team\n"
BOOKS = {
    "one answer": "# Desk\n\n## Main\n\n- Ask user for $name\n",
    "a judgement": f"# Desk\n\n## Main\n\n{JUDGED}",
    "several fields": "# Desk\n\n## Main\n\n- Ask user for $name, $age:int and $is_new:bool\n",
    "a turn": "id: tidy\nname: Tidy\nsteps:\n  - id: look\n    description: Look around\n    expected_tools: [look]\n",
}


def run_panel(window: MainWindow) -> RunPanel:
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    return panel


def form_in(qtbot: QtBot, window: MainWindow) -> RequestForm:
    """The form of the run of the window, once it has its room."""
    qtbot.waitUntil(lambda: run_panel(window).form is not None)
    form = run_panel(window).form
    assert form is not None
    qtbot.waitUntil(lambda: window.lent_room.is_lending or form.height() >= form.needed_px(form.width()))
    QApplication.processEvents()
    return form


def parts_of(form: RequestForm) -> Iterable[QWidget]:
    """The question, what is filled in, and what sends it."""
    yield next(label for label in form.findChildren(Label) if label.text() == form.request.text.strip())
    if isinstance(form.special, TurnFields):
        yield from (form.special.action, form.special.arguments.editor, form.special.result.editor)
    yield from (field.editor for field in form.fields)
    yield from form.buttons.values()


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("size", SIZES)
def test_all_of_a_question_is_in_view(qtbot: QtBot, window: MainWindow, size: tuple[int, int], book: str) -> None:
    window.resize(*size)
    window.context.documents.open_text(BOOKS[book])
    window.context.runs.start()
    form = form_in(qtbot, window)
    hidden = [part for part in parts_of(form) if part.visibleRegion().boundingRect().height() < part.height() / 2]
    assert hidden == []


@pytest.fixture
def asked(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A small window in which a run asks for three values."""
    window.resize(1000, 650)
    window.context.documents.open_text(BOOKS["several fields"])
    QApplication.processEvents()
    window.context.runs.start()
    form_in(qtbot, window)
    return window


def test_the_pane_goes_back_when_the_question_is_answered(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1000, 650)
    window.context.documents.open_text(BOOKS["several fields"])
    QApplication.processEvents()
    before_px = window.panes.dock("run").height()
    window.context.runs.start()
    form_in(qtbot, window)
    assert window.panes.dock("run").height() > before_px
    window.context.runs.stop()
    qtbot.waitUntil(lambda: window.panes.dock("run").height() == before_px)


def test_a_height_that_the_person_chose_meanwhile_stays(qtbot: QtBot, asked: MainWindow) -> None:
    dock = asked.panes.dock("run")
    asked.resizeDocks([dock], [dock.height() - 60], Qt.Orientation.Vertical)
    QApplication.processEvents()
    chosen_px = dock.height()
    asked.context.runs.stop()
    qtbot.waitUntil(lambda: not asked.lent_room.is_lending)
    assert dock.height() == chosen_px


def test_another_pane_in_front_takes_no_room(qtbot: QtBot, asked: MainWindow) -> None:
    asked.panes.bring_forward("variables")
    qtbot.waitUntil(lambda: not asked.lent_room.is_lending)
