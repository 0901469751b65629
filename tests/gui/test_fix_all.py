"""All safe fixes of a long document: looked for beside the window, and given up at any time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import PATIENCE_MS
from workbench.editing.commands import InsertStep, Place
from workbench.editing.safe_fixes import SafeFixes
from workbench.gui.control.notices import Notice
from workbench.gui.fixes import safe_fix_search
from workbench.gui.fixes.fix_preview import FixLine, FixPreview, LineSign, fix_lines
from workbench.gui.fixes.safe_fix_search import SafeFixSearch, SearchProgress
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.window_actions import FixActions
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.text import SourceText, Span, split_lines

ONE = "## P{number}\n### Trigger\n- When asked\n### Step\n- Say hi\n- $x = 1\n"
LONG = "# Desk\n" + "".join(ONE.format(number=number) for number in range(150))
MENDED = LONG.replace("### Trigger\n", "### Triggers\n").replace("### Step\n", "### Steps\n")


@pytest.fixture
def long(window: MainWindow) -> MainWindow:
    """A window with LONG open."""
    window.context.documents.open_text(LONG)
    return window


def text_of(window: MainWindow) -> str:
    """The text of the document."""
    return window.context.documents.snapshot.text


def actions_of(window: MainWindow) -> FixActions:
    """What handles *Fix all*."""
    return next(each for each in window.children() if isinstance(each, FixActions))


def previews(window: MainWindow) -> list[FixPreview]:
    """The previews that are open."""
    return [each for each in window.findChildren(FixPreview) if each.isVisible()]


def begin(window: MainWindow) -> SafeFixSearch:
    """The search that *Fix all* has begun."""
    window.context.actions.action("edit.fix-all").trigger()
    return actions_of(window).search


def let_the_search_end() -> None:
    """Wait for the thread that looks, and hand on what it has to say."""
    assert QThreadPool.globalInstance().waitForDone(PATIENCE_MS)
    QApplication.processEvents()


def told_by(window: MainWindow) -> list[Notice]:
    """What the window tells from now on."""
    told: list[Notice] = []
    window.context.notices.noticed.connect(told.append)
    return told


def test_hundreds_of_fixes_are_one_edit_and_one_undo(qtbot: QtBot, long: MainWindow) -> None:
    begin(long)
    qtbot.waitUntil(lambda: bool(previews(long)))
    assert text_of(long) == LONG
    qtbot.keyClick(previews(long)[0], Qt.Key.Key_Return)
    assert text_of(long) == MENDED
    long.context.documents.undo()
    assert text_of(long) == LONG


def test_a_change_meanwhile_ends_the_search_and_says_that_nothing_was_fixed(long: MainWindow) -> None:
    told = told_by(long)
    search = begin(long)
    long.context.documents.execute(InsertStep(Place("P0"), "Say hello"))
    assert not search.is_looking
    assert [notice.text for notice in told if "no fix was applied" in notice.text]
    let_the_search_end()
    assert not previews(long)


def test_another_document_meanwhile_ends_the_search(long: MainWindow) -> None:
    search = begin(long)
    long.context.documents.open_text("# A\n## M\n### Step\n- Say hi\n")
    assert not search.is_looking
    let_the_search_end()
    assert text_of(long) == "# A\n## M\n### Step\n- Say hi\n"
    assert not previews(long)


def test_cancel_ends_the_search_and_changes_nothing(qtbot: QtBot, long: MainWindow) -> None:
    search = begin(long)
    progress = actions_of(long).progress
    progress.show()
    qtbot.keyClick(progress, Qt.Key.Key_Escape)
    assert not search.is_looking
    assert not progress.isVisible()
    let_the_search_end()
    assert text_of(long) == LONG
    assert not previews(long)


def test_closing_the_window_ends_the_search(long: MainWindow) -> None:
    search = begin(long)
    long.context.documents.close()
    search.look(derive(SourceText(LONG)))
    long.close()
    assert not search.is_looking
    assert not actions_of(long).progress.isVisible()


def test_a_search_that_fails_is_over(qtbot: QtBot, long: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_snapshot: Snapshot) -> Iterator[SafeFixes]:
        raise ZeroDivisionError

    monkeypatch.setattr(safe_fix_search, "safe_fixes_by_round", fail)
    with qtbot.captureExceptions() as mistakes:
        search = begin(long)
        actions_of(long).progress.show()
        qtbot.waitUntil(lambda: bool(mistakes))
    assert not search.is_looking
    assert not actions_of(long).progress.isVisible()


def test_what_takes_long_says_how_far_it_is(qtbot: QtBot, window: MainWindow) -> None:
    progress = SearchProgress(window)
    progress.begin()
    assert not progress.isVisible()
    qtbot.waitUntil(progress.isVisible)
    progress.show_count(2000)
    assert "2,000" in progress.words.text()
    progress.finish()
    assert not progress.isVisible()


def test_the_search_tells_what_it_has_found_so_far(qtbot: QtBot, window: MainWindow) -> None:
    search = SafeFixSearch(window)
    with qtbot.waitSignals([search.progressed, search.found]):
        search.look(derive(SourceText(LONG)))
    assert not search.is_looking


def test_a_fix_that_is_shown_for_another_text_is_not_made(qtbot: QtBot, long: MainWindow) -> None:
    told = told_by(long)
    begin(long)
    qtbot.waitUntil(lambda: bool(previews(long)))
    long.context.documents.execute(InsertStep(Place("P0"), "Say hello"))
    changed = text_of(long)
    previews(long)[0].apply()
    assert text_of(long) == changed
    assert [notice.text for notice in told if "the fix was not applied" in notice.text]


def made(text: str, lines: tuple[FixLine, ...]) -> list[str]:
    """The lines of *text* after what a preview shows was done by hand."""
    old = [line.rstrip("\r\n") for line in split_lines(text)]
    gone = {line.number for line in lines if line.sign is LineSign.GOES}
    left = [line for number, line in enumerate(old, 1) if number not in gone]
    for line in lines:
        if line.sign is LineSign.COMES:
            left.insert(line.number - 1, line.text)
    return left


@given(
    st.text("ab\n", max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 3), st.text("xb\n", max_size=3))),
)
def test_what_the_preview_shows_is_what_the_fix_does(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits: list[TextEdit] = []
    for start, length, insert in sorted(wanted):
        if start + length <= len(text) and (not edits or edits[-1].span.end < start):
            edits.append(TextEdit(Span(start, start + length), insert))
    after = TextChange(tuple(edits)).apply(text)
    assert made(text, fix_lines(Fix("x", tuple(edits)), text)) == [line.rstrip("\n") for line in split_lines(after)]
