"""A run is kept as a test beside its playbook, and tests are run from the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.gui.control.notices import Notice
from workbench.gui.recorded.saved_tests import SavedTest, Verdict, saved_tests_of, told_in
from workbench.gui.recorded.tests_dialog import SavedTestsDialog
from workbench.gui.shell.main_window import MainWindow

TEXT = "# Shop\n\n## Main\n\n- $a = 1\n- $b = $a + 1\n- Return $b\n"
TEST = SavedTest(Path("main-completed.run.jsonl"), Path("shop.md"), Verdict.SAME, 12)


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a playbook open."""
    file = tmp_path / "shop.md"
    file.write_text(TEXT, "utf-8")
    window.context.documents.open(file)
    return window


def saved(qtbot: QtBot, window: MainWindow) -> Path:
    """The playbook, one run of which was saved as a test."""
    context = window.context
    file = context.documents.document.path
    assert file is not None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    qtbot.waitUntil(lambda: context.shown.is_settled)
    context.actions.trigger("run.save-test")
    qtbot.waitUntil(lambda: len(saved_tests_of(file)) == 1)
    return file


def outcome_of(qtbot: QtBot, window: MainWindow) -> SavedTestsDialog:
    """The dialog, once all tests are over."""
    window.context.actions.trigger("run.test")
    dialog = window.findChild(SavedTestsDialog)
    qtbot.waitUntil(dialog.again.isEnabled)
    return dialog


def test_a_run_is_saved_as_a_test_and_leads_to_the_step_that_does_something_else_now(
    qtbot: QtBot, shop: MainWindow
) -> None:
    file = saved(qtbot, shop)
    dialog = outcome_of(qtbot, shop)
    assert dialog.summary.text() == "1 saved run: 1 same"
    file.write_text(TEXT.replace("$a + 1", "$a + 2"), "utf-8")
    shop.context.documents.open(file)
    dialog.again.click()
    qtbot.waitUntil(dialog.again.isEnabled)
    assert dialog.summary.text() == "1 saved run: 1 otherwise"
    assert "$b = $a + 2" in dialog.lines.toPlainText()
    dialog.list.itemActivated.emit(dialog.list.item(0))
    step = shop.context.documents.snapshot.at_address("Main:02")
    assert step is not None
    assert shop.context.selection.selected == (step.id,)


def test_a_playbook_without_tests_says_so(shop: MainWindow) -> None:
    told: list[Notice] = []
    shop.context.notices.noticed.connect(told.append)
    shop.context.actions.trigger("run.test")
    assert [notice.text for notice in told] == ["This playbook has no tests yet. Save a run as a test first."]


def test_the_first_test_that_is_not_as_it_was_recorded_is_shown(shop: MainWindow) -> None:
    dialog = SavedTestsDialog(shop.context, TEST.playbook, shop)
    dialog.begin(is_changed=True)
    assert dialog.note.text() == "The file is tested as it was saved last."
    other = SavedTest(Path("b.run.jsonl"), TEST.playbook, Verdict.OTHERWISE, 9, ("Main:02 does something else",))
    lost = SavedTest(Path("c.run.jsonl"), TEST.playbook, Verdict.UNUSABLE, 0, ("it is damaged",))
    for each in (TEST, other, lost):
        dialog.take(each)
    dialog.end("")
    assert dialog.summary.text() == "3 saved runs: 1 same, 1 otherwise, 1 unusable"
    assert (dialog.list.currentRow(), dialog.lines.toPlainText()) == (1, "Main:02 does something else")


def test_where_it_went_another_way_is_named_when_that_file_is_not_open(shop: MainWindow) -> None:
    dialog = SavedTestsDialog(shop.context, Path("other.md"), shop)
    dialog.take(SavedTest(Path("b.run.jsonl"), Path("other.md"), Verdict.OTHERWISE, 9, ("x",), "Main:02", 6))
    dialog.list.itemActivated.emit(dialog.list.item(0))
    assert dialog.said.text() == "This is in other.md, which is not open."


def test_a_line_that_tells_no_test_is_passed_over() -> None:
    assert told_in("Another program says something\n") is None
    assert told_in('{"file": "a"}') is None
    assert told_in("[]") is None


def test_a_run_of_a_text_that_was_never_saved_cannot_become_a_test(qtbot: QtBot, window: MainWindow) -> None:
    told: list[Notice] = []
    window.context.documents.open_text(TEXT)
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.start()
    window.context.notices.noticed.connect(told.append)
    window.context.actions.trigger("run.save-test")
    assert [notice.text for notice in told] == ["A test is kept beside its playbook, and this one was never saved."]


def test_a_run_that_comes_out_otherwise_today_says_so_when_it_is_saved(qtbot: QtBot, shop: MainWindow) -> None:
    context = shop.context
    file = context.documents.document.path
    assert file is not None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    qtbot.waitUntil(lambda: context.shown.is_settled)
    file.write_text(TEXT.replace("$a + 1", "$a + 2"), "utf-8")
    context.actions.trigger("run.save-test")
    qtbot.waitUntil(lambda: shop.findChild(SavedTestsDialog) is not None)
    dialog = shop.findChild(SavedTestsDialog)
    assert dialog.note.text() == "The playbook as it is now does something else than this run did:"
    assert "Main:02" in dialog.lines.toPlainText()


def test_a_window_that_closes_leaves_no_test_behind(qtbot: QtBot, shop: MainWindow) -> None:
    saved(qtbot, shop)
    shop.context.actions.trigger("run.test")
    shop.close()
    shop.context.actions.trigger("run.test")
    assert shop.findChild(SavedTestsDialog) is not None
    shop.close()
