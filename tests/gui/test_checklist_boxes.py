"""The boxes of a checklist on the flowchart: drawn, clicked, in the menu, told to screen readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest

from tests.gui.canvas_driver import LEFT, NONE, CanvasDriver
from workbench.gui.canvas.content.box_content import tick_rect
from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.canvas.view.accessible import CanvasAccessible
from workbench.gui.control.action_spec import Need
from workbench.gui.look.theming import current_theme

Open = Callable[[str], CanvasDriver]
LIST = "# Shop\n\n## Opening\n\n- [x] Light on\n- [ ] Count the till\n- Sell\n"
WORDS = ("Light on", "Count the till", "Sell")


def shown(canvas: CanvasDriver, words: str) -> ShownBox:
    """What is drawn of a step."""
    wanted = canvas.step(words)
    return next(box for box in canvas.view.shown.boxes.values() if box.step == wanted)


def on_box(canvas: CanvasDriver, words: str) -> QPoint:
    """The middle of the box to tick of a step, in the viewport."""
    box = shown(canvas, words)
    area = tick_rect(box.content)
    assert area is not None
    return canvas.view.mapFromScene(QPointF(box.rect.x + area.x + 8, box.rect.y + area.y + 8))


def test_a_click_on_the_box_ticks_and_unticks(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, on_box(canvas, "Count the till"))
    assert "- [x] Count the till" in canvas.text
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, on_box(canvas, "Light on"))
    assert "- [ ] Light on" in canvas.text


def test_a_second_quick_click_is_a_click(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    QTest.mouseDClick(canvas.view.viewport(), LEFT, NONE, on_box(canvas, "Count the till"))
    assert canvas.text == LIST.replace("- [ ] C", "- [x] C")


def test_a_click_on_the_words_only_selects(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    canvas.click("Count the till")
    assert (canvas.text, canvas.selected) == (LIST, ["Count the till"])


def test_an_empty_and_a_ticked_box_and_none_are_three_pictures(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    contents = [replace(shown(canvas, words).content, text="Same", number="") for words in WORDS]
    pictures = [picture_of(content, current_theme(), 1.0).toImage() for content in contents]
    assert not any(one == other for one, other in combinations(pictures, 2))


@pytest.mark.parametrize(("words", "told"), [("Light on", "Empty this box"), ("Count the till", "Tick this box")])
def test_the_box_tells_what_a_click_does(open_canvas: Open, words: str, told: str) -> None:
    canvas = open_canvas(LIST)
    point = canvas.view.mapToScene(on_box(canvas, words))
    assert tooltip_at(canvas.view.state, point.x(), point.y()) == told


def test_a_screen_reader_hears_what_is_ticked(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    states = [CanvasAccessible(canvas.view).child_for(canvas.step(words)).state() for words in WORDS]
    assert [(state.checkable, state.checked) for state in states] == [(1, 1), (1, 0), (0, 0)]


def test_the_menu_ticks_where_there_is_a_box(open_canvas: Open) -> None:
    canvas = open_canvas(LIST)
    canvas.context.actions.set_met(frozenset({Need.DOCUMENT, Need.STEP, Need.ONE_STEP, Need.BOX}))
    canvas.click("Count the till")
    canvas.context.actions.action("step.tick").trigger()
    assert "- [x] Count the till" in canvas.text
    canvas.context.actions.action("step.untick").trigger()
    assert canvas.text == LIST
