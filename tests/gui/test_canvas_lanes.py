"""Agents as lanes, triggers and notes on the canvas, and the first look in a narrow pane."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import CanvasDriver
from workbench.disk.places import Places
from workbench.editing.commands import EditText
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.shell.main_window import MainWindow
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

Open = Callable[[str], CanvasDriver]
TWO = (
    "# Desk\n## Main\n### Triggers\n- When asked\n- When late\n### Steps\n- Say hi\n### Notes\n- Be kind\n# Bob:Human\n"
)
OTHER = "## Reply\n### Steps\n- Return 1\n"


def picture(canvas: CanvasDriver) -> QImage:
    """What the canvas shows."""
    canvas.view.shown.finish()
    return canvas.view.viewport().grab().toImage()


@pytest.mark.parametrize("zoom", ["view.actual-size", "view.fit"])
def test_a_lane_that_comes_by_an_edit_looks_as_if_it_had_been_there(open_canvas: Open, zoom: str) -> None:
    edited, fresh = open_canvas(TWO), open_canvas(TWO + OTHER)
    before = picture(edited)
    edited.context.documents.execute(EditText((TextEdit(Span(len(TWO), len(TWO)), OTHER),)))
    for canvas in (edited, fresh):
        canvas.do(zoom)
        canvas.view.horizontalScrollBar().setValue(0)
        canvas.view.verticalScrollBar().setValue(0)
    assert picture(edited) == picture(fresh) != before


def test_the_first_look_in_a_narrow_pane_shows_the_whole_column(qtbot: QtBot, own_places: Places) -> None:
    steps = "".join(f"- Step {number}\n" for number in range(60))
    canvas = CanvasDriver(QObject(), own_places, f"# A\n## M\n### Steps\n{steps}", (290, 600))
    title, seen = canvas.panel.state.layout.playbooks[0].title.rect, visible_rect(canvas.view)
    assert seen.x <= title.x
    assert title.x + title.width <= seen.x + seen.width
    assert abs((title.x + title.width / 2) - (seen.x + seen.width / 2)) < 2
    canvas.take_away()


def test_the_status_bar_says_the_zoom_of_the_first_look(window: MainWindow) -> None:
    window.context.documents.open_text(TWO + OTHER)
    assert window.status.zoom_button.text() == f"{round(window.centre.canvas.view.zoom * 100)}%"
