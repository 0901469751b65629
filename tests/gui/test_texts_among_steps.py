"""Texts among steps on the flowchart: drawn as what they are, opened, and their code copied."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtTest import QTest

from tests.gui.canvas_driver import CanvasDriver
from workbench.gui.canvas.content.box_content import BoxContent, copy_signs, fold_rect
from workbench.gui.canvas.content.canvas_state import HitPart
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.canvas.painting.text_layout import column_widths
from workbench.gui.look.theming import DARK, LIGHT, Theme
from workbench.model.program import StepId

Open = Callable[[str], CanvasDriver]
TEXT = """\
# Bread
## Baking
1. Heat

```sh
oven on
  --hot
```

2. Bake
"""
LONG = TEXT.replace("oven on\n", "oven on\n" * 20)


def the_text(canvas: CanvasDriver) -> tuple[StepId, BoxContent, tuple[float, float]]:
    """The only text on *canvas*, what is drawn for it, and where."""
    canvas.view.shown.finish()
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.content.markdown)
    assert box.step is not None
    return box.step, box.content, (box.x, box.y)


def press_at(canvas: CanvasDriver, x: float, y: float) -> None:
    """Click at a point of the flowchart."""
    at = canvas.view.mapFromScene(x, y)
    QTest.mouseClick(canvas.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))


def test_a_click_on_the_sign_copies_the_code(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    _step, content, (x, y) = the_text(canvas)
    ((area, code),) = copy_signs(content)
    press_at(canvas, x + area.x + 5, y + area.y + 5)
    assert code == "oven on\n  --hot"
    assert QGuiApplication.clipboard().text() == code


def test_the_sign_says_what_it_does(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    _step, content, (x, y) = the_text(canvas)
    ((area, _code),) = copy_signs(content)
    assert tooltip_at(canvas.view.state, x + area.x + 5, y + area.y + 5) == "Copy this code"


def test_the_menu_of_a_text_with_code_copies_it(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    step, _content, _place = the_text(canvas)
    canvas.context.selection.select((step,))
    menu = canvas.panel.tools.menu.menu()
    next(action for action in menu.actions() if action.text() == "Copy code").trigger()
    assert QGuiApplication.clipboard().text() == "oven on\n  --hot"


def test_the_menu_of_a_step_without_code_offers_no_copy_of_it(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("Bake")
    assert "Copy code" not in [action.text() for action in canvas.panel.tools.menu.menu().actions()]


def test_a_long_text_opens_and_closes_by_its_sign(open_canvas: Open) -> None:
    canvas = open_canvas(LONG)
    heights = []
    for _each in range(3):
        _step, content, (x, y) = the_text(canvas)
        heights.append(content.height)
        area = fold_rect(content)
        assert area is not None
        press_at(canvas, x + area.x + 5, y + area.y + 5)
    assert heights[0] == heights[2] < heights[1]


def test_a_short_text_has_no_sign_that_opens_it(open_canvas: Open) -> None:
    assert fold_rect(the_text(open_canvas(TEXT))[1]) is None


def test_unfolding_everything_opens_long_texts(open_canvas: Open) -> None:
    canvas = open_canvas(LONG)
    canvas.panel.tools.folding.unfold_all()
    assert the_text(canvas)[1].is_open
    canvas.panel.tools.folding.fold_all()
    assert not the_text(canvas)[1].is_open


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    "text", ["```\na\n```", "| A | B |\n|-|-|\n| a |\n", "- [ ] x\n  - y", "# x\n> **y**", "\n", "|\n|-|\n"]
)
def test_every_part_can_be_painted(open_canvas: Open, theme: Theme, text: str) -> None:
    canvas = open_canvas(TEXT)
    content = the_text(canvas)[1]
    drawn = BoxContent(content.shape, content.kind, "", 320, 120, markdown=text)
    assert not picture_of(drawn, theme, 2.0).isNull()


@pytest.mark.parametrize("rows", [[["a", "b"]], [["wide " * 40, "b", "c"]], [["a"], ["b", "c " * 90, "d " * 90]], [[]]])
def test_columns_share_the_room_there_is(qapp: object, rows: list[list[str]]) -> None:
    widths = column_widths(rows, 270, QFontMetricsF(LIGHT.body_font()))
    assert sum(widths) <= 270.5
    assert all(width > 0 for width in widths)


def test_what_lies_in_code_beside_the_sign_is_the_text_itself(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    _step, _content, (x, y) = the_text(canvas)
    hit = canvas.view.state.hit(x + 60, y + 20)
    assert hit is not None
    assert (hit.part, hit.code) == (HitPart.BODY, "")
