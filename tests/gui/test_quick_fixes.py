"""Fixes on the line, on the block and in the list: previewed as edits, made by Enter, taken back by one undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from workbench.gui.fixes.fix_offers import FixAction, WhyAction
from workbench.gui.fixes.fix_preview import FixPreview, LineSign, fix_lines
from workbench.gui.help.help_panel import HelpPanel
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.checks.rules import rule_codes, rule_page
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.text import Span

DOUBTFUL = "# Desk\n## Main\n### Trigger\n- When program starts\n### Steps\n- $x = 1\n- Tell user $x\n"
MENDED = DOUBTFUL.replace("### Trigger\n", "### Triggers\n")
ON_A_STEP = "# Desk\n## Main\n### Steps\n- Say hello\n- Wellcome()\n## Welcome\n### Steps\n- Return 1\n"


@pytest.fixture
def doubtful(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A window that shows DOUBTFUL and has found what is doubtful."""
    window.context.documents.open_text(DOUBTFUL)
    qtbot.waitUntil(lambda: window.centre.source.editor.gutter.fixable_lines == {2})
    return window


def text_of(window: MainWindow) -> str:
    """The text of the document."""
    return window.context.documents.snapshot.text


def open_preview(window: MainWindow) -> FixPreview:
    """The preview that is open."""
    (found,) = previews(window)
    return found


def previews(window: MainWindow) -> list[FixPreview]:
    """The previews that are open: one, or none."""
    return [each for each in window.findChildren(FixPreview) if each.isVisible()]


def look_for_all(qtbot: QtBot, window: MainWindow) -> FixPreview:
    """The preview of all safe fixes."""
    window.context.actions.action("edit.fix-all").trigger()
    qtbot.waitUntil(lambda: bool(previews(window)))
    return open_preview(window)


def caret_at(window: MainWindow, words: str) -> None:
    """Put the caret of the source on *words*."""
    source = window.centre.source
    source.editor.setFocus()
    source.editor.place_caret(source.sync.positions.position(text_of(window).index(words)))


def test_the_key_previews_the_fix_of_the_line_and_enter_makes_it(qtbot: QtBot, doubtful: MainWindow) -> None:
    caret_at(doubtful, "Trigger")
    doubtful.context.actions.action("edit.quick-fix").trigger()
    preview = open_preview(doubtful)
    assert text_of(doubtful) == DOUBTFUL
    qtbot.keyClick(preview, Qt.Key.Key_Return)
    assert text_of(doubtful) == MENDED
    assert doubtful.focusWidget() is doubtful.centre.source.editor
    doubtful.context.documents.undo()
    assert text_of(doubtful) == DOUBTFUL


def test_escape_closes_the_preview_and_changes_nothing(qtbot: QtBot, doubtful: MainWindow) -> None:
    caret_at(doubtful, "Trigger")
    doubtful.context.actions.action("edit.quick-fix").trigger()
    qtbot.keyClick(open_preview(doubtful), Qt.Key.Key_Escape)
    assert text_of(doubtful) == DOUBTFUL
    assert not previews(doubtful)


def test_the_bulb_in_the_gutter_offers_the_fix(qtbot: QtBot, doubtful: MainWindow) -> None:
    gutter = doubtful.centre.source.editor.gutter
    place = next(rect for block, rect in doubtful.centre.source.editor.visible_blocks() if block.blockNumber() == 2)
    qtbot.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(8, place.center().y()))
    assert [(line.sign, line.text) for line in open_preview(doubtful).lines if line.sign is not LineSign.STAYS] == [
        (LineSign.GOES, "### Trigger"),
        (LineSign.COMES, "### Triggers"),
    ]


def test_the_list_previews_before_it_mends(qtbot: QtBot, doubtful: MainWindow) -> None:
    problems = doubtful.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    row = next(row for row in range(problems.model.rowCount()) if problems.model.finding(row).fixes)
    problems.list.setCurrentIndex(problems.model.index(row, 0))
    problems.fixes.buttons[0].click()
    assert text_of(doubtful) == DOUBTFUL
    qtbot.mouseClick(open_preview(doubtful).apply_button, Qt.MouseButton.LeftButton)
    assert text_of(doubtful) == MENDED


def block_with_a_fix(qtbot: QtBot, window: MainWindow, text: str = ON_A_STEP) -> str:
    """Open *text*; the step whose call is misspelt."""
    window.context.documents.open_text(text)
    step = window.context.documents.snapshot.program.playbooks[0].steps[1].id
    qtbot.waitUntil(lambda: bool(window.centre.canvas.state.findings.get(step)))
    return step


def test_the_sign_on_the_block_offers_the_fix(qtbot: QtBot, window: MainWindow) -> None:
    only_one = ON_A_STEP.replace("Wellcome()", "Welcome(nam=1)").replace("## Welcome", "## Welcome($name)")
    step = block_with_a_fix(qtbot, window, only_one)
    view = window.centre.canvas.view
    view.shown.finish()
    rect = view.state.layout.place_of(step)
    at = view.mapFromScene(QPointF(rect.x + rect.width - 15, rect.y + rect.height - 10))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert any(line.text == "- Welcome(name=1)" for line in open_preview(window).lines)


def test_the_menu_of_the_block_begins_with_its_fixes(qtbot: QtBot, window: MainWindow) -> None:
    step = block_with_a_fix(qtbot, window)
    window.context.selection.select((step,), "canvas")
    actions = window.centre.canvas.tools.menu.menu().actions()
    assert isinstance(actions[0], FixAction)
    assert any(isinstance(each, WhyAction) for each in actions)
    actions[0].trigger()
    qtbot.keyClick(open_preview(window), Qt.Key.Key_Return)
    assert "- Welcome()\n" in text_of(window)


def test_all_safe_problems_are_fixed_with_one_undo(qtbot: QtBot, window: MainWindow) -> None:
    text = "# A\n## M\n### Trigger\n- When asked\n### Step\n- Say hi\n## N\n### Note\n- Be kind\n"
    window.context.documents.open_text(text)
    qtbot.keyClick(look_for_all(qtbot, window), Qt.Key.Key_Return)
    assert "### Triggers\n" in text_of(window)
    window.context.documents.undo()
    assert text_of(window) == text


def test_fixing_all_where_nothing_is_doubtful_says_so(qtbot: QtBot, window: MainWindow) -> None:
    told: list[object] = []
    window.context.notices.noticed.connect(told.append)
    window.context.documents.open_text("# A\n## M\n### Steps\n- Say hi\n")
    window.context.actions.action("edit.fix-all").trigger()
    qtbot.waitUntil(lambda: len(told) == 1)


def test_why_shows_the_page_of_the_rule_in_the_guide(qtbot: QtBot, doubtful: MainWindow) -> None:
    problems = doubtful.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    problems.list.setCurrentIndex(problems.model.index(0, 0))
    problems.fixes.why.click()
    guide = doubtful.panes.panel("help")
    assert isinstance(guide, HelpPanel)
    finding = problems.model.finding(0)
    assert finding is not None
    page = rule_page(finding.code)
    assert page is not None
    assert page.title in guide.view.toPlainText()


def test_a_code_without_a_page_has_no_why(window: MainWindow) -> None:
    assert "no-such-code" not in rule_codes()
    problems = window.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    problems.fixes.why.show_code("no-such-code")
    assert problems.fixes.why.isHidden()


def test_the_preview_shows_every_place_that_a_fix_changes_with_its_neighbours() -> None:
    text = "a\nb\nc\nd\ne\nf\ng\n"
    fix = Fix("x", (TextEdit(Span(2, 3), "B"), TextEdit(Span(10, 12), "")))
    assert [f"{line.sign.value}{line.number}{line.text}" for line in fix_lines(fix, text)] == [
        *(" 1a", "−2b", "+2B", " 3c"),
        *(" 5e", "−6f", " 7g"),
    ]
