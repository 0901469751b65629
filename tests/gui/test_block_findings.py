"""The sign of a folded block: what it stands for, what a click and the key say about it, and what its tip tells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import LEFT, NONE, CanvasDriver
from workbench.gui.canvas.content.canvas_state import MOST_SHOWN
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.canvas.steps.step_fixes import FindingAction
from workbench.gui.fixes.fix_offers import FixAction
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.syntax.diagnostics import Severity

OpenCanvas = Callable[[str], CanvasDriver]
OTHER = "## Welcome\n### Steps\n- Return 1\n"
LOOP = f"# Desk\n## Main\n### Steps\n- $x = 0\n- While $x < 3\n  - Say hello\n  - Wellcome()\n- End\n{OTHER}"
DECISION = LOOP.replace("While $x < 3", "If $x < 3")
GROUP = LOOP.replace("While $x < 3", "Prepare the desk")
DEEP = LOOP.replace("  - Wellcome()\n", "  - If $x > 1\n    - Wellcome()\n")
SIGN_PX = QPointF(15, 10)


def folded(qtbot: QtBot, canvas: CanvasDriver, words: str) -> CanvasDriver:
    """*canvas* with the step of *words* folded, and checked."""
    qtbot.waitUntil(lambda: bool(canvas.panel.state.findings))
    canvas.panel.tools.folding.toggle(canvas.step(words))
    canvas.view.shown.finish()
    return canvas


def outer(text: str) -> str:
    """The words of the second step of *text*, which has others inside."""
    return [line[2:] for line in text.splitlines() if line.startswith("- ")][1]


def sign_of(canvas: CanvasDriver, words: str) -> QPointF:
    """Where the sign of the block of *words* is, on the canvas."""
    box = next(each for each in canvas.view.shown.boxes.values() if each.step == canvas.step(words))
    right = box.rect.width - (8 if box.content.shape.name == "DECISION" else 0)
    return QPointF(box.x + right, box.y + box.rect.height) - SIGN_PX


def click_sign(canvas: CanvasDriver, words: str) -> None:
    """Click on the sign of the block of *words*."""
    at: QPoint = canvas.view.mapFromScene(sign_of(canvas, words))
    QTest.mouseClick(canvas.view.viewport(), LEFT, NONE, at)


def open_menu(canvas: CanvasDriver) -> QMenu:
    """The menu that is open."""
    (menu,) = (each for each in canvas.view.findChildren(QMenu) if each.isVisible())
    return menu


def told(menu: QMenu) -> list[str]:
    """What *menu* says is wrong."""
    return [action.text() for action in menu.actions() if isinstance(action, FindingAction)]


@pytest.mark.parametrize("text", [LOOP, DECISION, GROUP, DEEP])
def test_a_click_on_the_sign_of_a_folded_block_says_what_is_wrong_inside(
    qtbot: QtBot, open_canvas: OpenCanvas, text: str
) -> None:
    canvas = folded(qtbot, open_canvas(text), outer(text))
    click_sign(canvas, outer(text))
    menu = open_menu(canvas)
    assert len(told(menu)) == 1
    assert told(menu)[0].startswith("02.02")
    assert [action.text() for action in menu.actions() if isinstance(action, FixAction)]
    assert canvas.selected == [outer(text)]
    menu.close()


@pytest.mark.parametrize("text", [LOOP, DECISION, GROUP])
def test_a_fix_in_that_menu_mends_the_hidden_step(qtbot: QtBot, open_canvas: OpenCanvas, text: str) -> None:
    canvas = folded(qtbot, open_canvas(text), outer(text))
    click_sign(canvas, outer(text))
    next(each for each in open_menu(canvas).actions() if isinstance(each, FixAction)).trigger()
    (preview,) = canvas.panel.window().findChildren(FixPreview)
    preview.apply()
    assert "  - Welcome()\n" in canvas.text
    assert canvas.step(outer(text)) in canvas.panel.state.folded


def test_a_finding_in_that_menu_leads_to_its_step_unfolded(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = folded(qtbot, open_canvas(DEEP), "While $x < 3")
    canvas.panel.tools.folding.toggle(canvas.step("If $x > 1"))
    click_sign(canvas, "While $x < 3")
    next(each for each in open_menu(canvas).actions() if isinstance(each, FindingAction)).trigger()
    assert canvas.selected == ["Wellcome()"]
    assert not canvas.panel.state.folded
    assert canvas.shows("Wellcome()")


def test_the_key_opens_the_same_menu_with_its_first_entry_chosen(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = folded(qtbot, open_canvas(LOOP), "While $x < 3")
    canvas.click("While $x < 3")
    menu = canvas.panel.tools.fixes.offer_selected()
    assert isinstance(menu, QMenu)
    assert isinstance(menu.activeAction(), FindingAction)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert canvas.selected == ["Wellcome()"]


def test_the_tip_of_the_sign_tells_the_same(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = folded(qtbot, open_canvas(LOOP), "While $x < 3")
    at = sign_of(canvas, "While $x < 3")
    tip = tooltip_at(canvas.panel.state, at.x(), at.y())
    click_sign(canvas, "While $x < 3")
    assert [" ".join(line.split()) for line in tip.splitlines()] == told(open_menu(canvas))


def test_the_tip_of_the_sign_of_an_ordinary_block_tells_what_is_wrong(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(f"# Desk\n## Main\n### Steps\n- Wellcome()\n{OTHER}")
    qtbot.waitUntil(lambda: bool(canvas.panel.state.findings))
    canvas.view.shown.finish()
    at = sign_of(canvas, "Wellcome()")
    finding = canvas.context.documents.snapshot.diagnostics[0]
    assert tooltip_at(canvas.panel.state, at.x(), at.y()) == finding.message


def test_a_block_bears_the_worst_sign_of_what_it_hides_and_none_of_it_once_unfolded(
    qtbot: QtBot, open_canvas: OpenCanvas
) -> None:
    canvas = folded(qtbot, open_canvas(LOOP), "While $x < 3")
    step, state = canvas.step("While $x < 3"), canvas.panel.state
    assert state.severities_of(step) == state.findings[canvas.step("Wellcome()")]
    canvas.panel.tools.folding.toggle(step)
    assert state.severities_of(step) == ()


def test_a_block_that_hides_what_is_right_has_no_sign(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    text = LOOP.replace("  - Wellcome()\n", "  - $x = $x + 1\n").replace("- End\n", "- Wellcome()\n")
    canvas = folded(qtbot, open_canvas(text), "While $x < 3")
    assert canvas.panel.state.severities_of(canvas.step("While $x < 3")) == ()


def test_the_context_menu_of_a_folded_block_lists_what_is_wrong_inside(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = folded(qtbot, open_canvas(LOOP), "While $x < 3")
    canvas.click("While $x < 3")
    inner = canvas.panel.tools.menu.menu().actions()[0].menu()
    assert isinstance(inner, QMenu)
    assert "1 problem inside" in inner.title()
    assert len(told(inner)) == 1


def test_where_too_much_is_wrong_the_first_is_told_and_how_much_more(qtbot: QtBot, open_canvas: OpenCanvas) -> None:
    canvas = folded(qtbot, open_canvas(LOOP.replace("  - Wellcome()\n", "  - Wellcome()\n" * 30)), "While $x < 3")
    at = sign_of(canvas, "While $x < 3")
    assert tooltip_at(canvas.panel.state, at.x(), at.y()).splitlines()[MOST_SHOWN] == "… and 22 more problems"
    click_sign(canvas, "While $x < 3")
    menu = open_menu(canvas)
    assert len(told(menu)) == MOST_SHOWN
    assert menu.actions()[-1].text() == "22 more problems…"
    menu.close()


def test_the_severities_are_those_of_the_last_check(open_canvas: OpenCanvas) -> None:
    state = open_canvas(LOOP).panel.state
    step = next(iter(state.foldable()))
    state.fold(frozenset({step}))
    inner = state.snapshot.step(step).children[1].id
    state.findings = {inner: (Severity.INFO,)}
    assert state.severities_of(step) == (Severity.INFO,)
    state.findings = {}
    assert state.severities_of(step) == ()


@pytest.mark.parametrize(
    "words", ["While $gone < 3", "If $gone > 1", "Prepare $gone", "Tell user $gone", "Return $gone"]
)
def test_the_sign_of_every_shape_of_block_can_be_clicked(qtbot: QtBot, open_canvas: OpenCanvas, words: str) -> None:
    inside = "" if words.startswith(("Tell", "Return")) else "  - Say hello\n"
    canvas = open_canvas(f"# Desk\n## Main\n### Steps\n- {words}\n{inside}")
    qtbot.waitUntil(lambda: bool(canvas.panel.state.findings))
    canvas.view.shown.finish()
    asked: list[object] = []
    canvas.panel.tools.pointer.fixes_requested.connect(asked.append)
    click_sign(canvas, words)
    assert asked == [canvas.step(words)]
