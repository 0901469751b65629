"""Two runs are compared in the window: the last that worked is proposed, and each difference leads to its step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.engine.journal.run_list import ForGoal, ForkedFrom, RunSummary
from workbench.gui.files import file_dialogs
from workbench.gui.recorded.comparing import Part
from workbench.gui.recorded.comparison_dialog import ComparisonDialog, DifferenceTree
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.run_words import summary_texts
from workbench.pages.comparison_words import Told

WORKS = "# Shop\n\n## Main\n\n- $a = 1\n- $b = $a + 1\n- Return $b\n"
FAILS = WORKS.replace("$b = $a + 1", '$b = $a["x"]')


@pytest.fixture
def shop(window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with a playbook open."""
    file = tmp_path / "shop.md"
    file.write_text(WORKS, "utf-8")
    window.context.documents.open(file)
    return window


def ran(qtbot: QtBot, window: MainWindow, text: str) -> str:
    """The run of *text*, once it is over and shown."""
    context = window.context
    file = context.documents.document.path
    assert file is not None
    file.write_text(text, "utf-8")
    context.documents.open(file)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    qtbot.waitUntil(lambda: context.shown.is_settled)
    assert context.shown.view is not None
    return context.shown.view.id


def compared(qtbot: QtBot, window: MainWindow) -> ComparisonDialog:
    """The dialog, once it shows what differs."""
    window.context.actions.trigger("run.compare")
    dialog = window.findChild(ComparisonDialog)
    qtbot.waitUntil(lambda: bool(dialog.save.isEnabled() or dialog.said.text()))
    return dialog


def rows(dialog: ComparisonDialog) -> list[str]:
    tree = dialog.tree
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return [item.text(0) for item in items if item is not None]


def test_the_last_run_that_worked_is_proposed(qtbot: QtBot, shop: MainWindow) -> None:
    good = ran(qtbot, shop, WORKS)
    ran(qtbot, shop, FAILS)
    ran(qtbot, shop, FAILS)
    dialog = compared(qtbot, shop)
    assert (dialog.others.currentData(), dialog.others.count()) == (good, 2)
    assert dialog.summary.text().startswith("How this run ended: failed; the other run: completed.")
    assert rows(dialog)[1].startswith("Main:02")


def test_runs_of_the_same_minute_are_told_apart_by_their_seconds() -> None:
    minute_ns = 60 * 10**9
    begun = [29_000_000 * minute_ns + after for after in (5 * 10**9, 17 * 10**9, minute_ns + 5 * 10**9)]
    runs = [RunSummary(RunId("r"), "Main", "/a.md", RunStatus.COMPLETED, at, at, 3, "", False) for at in begun]
    moments = [line.partition(" · ")[0] for line in summary_texts(runs)]
    assert [moment[16:] for moment in moments] == [":05", ":17", ""]


def test_runs_of_goals_and_forks_are_told_by_what_they_are_of() -> None:
    first, fork, begun, cycle = (RunId(each * 8) for each in "abcd")
    usual = ("Main", "/a.md", RunStatus.COMPLETED)
    goal = ForGoal("Greet a guest", cycle)
    runs = [
        RunSummary(first, *usual, 1, 1, 3, "", False),
        RunSummary(fork, *usual, 2 * 10**9, 1, 3, "", False, fork=ForkedFrom(first, 2)),
        RunSummary(begun, *usual, 3 * 10**9, 1, 3, "", False, fork=ForkedFrom(RunId(""), 2), purpose=goal),
        RunSummary(cycle, "Cycle", "", RunStatus.COMPLETED, 4 * 10**9, 1, 3, "", False, purpose=goal),
    ]
    told = [line.split(" · ", 1) for line in summary_texts(runs)]
    assert [rest for _moment, rest in told] == [
        "a.md · Main · completed",
        f"a.md · Main · completed · fork of the run of {told[0][0]}",
        "a.md · Main, for the goal “Greet a guest” · completed · begun at a step",
        "Goal: Greet a guest · completed",
    ]


def test_another_run_can_be_chosen_to_compare_with(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop, WORKS)
    failed = ran(qtbot, shop, FAILS)
    ran(qtbot, shop, FAILS)
    dialog = compared(qtbot, shop)
    dialog.others.setCurrentIndex(dialog.others.findData(failed))
    dialog.others.activated.emit(dialog.others.currentIndex())
    qtbot.waitUntil(dialog.save.isEnabled)
    assert "Nothing differs in what they did." in dialog.summary.text()
    assert rows(dialog) == []


def test_a_click_on_what_differs_goes_to_the_step(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop, WORKS)
    ran(qtbot, shop, FAILS)
    dialog = compared(qtbot, shop)
    item = dialog.tree.topLevelItem(1)
    assert item is not None
    within = item.child(0)
    assert within is not None
    QTest.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=dialog.tree.visualItemRect(within).center())
    step = shop.context.documents.snapshot.at_address("Main:02")
    assert step is not None
    assert shop.context.selection.selected == (step.id,)


def test_a_step_that_the_file_no_longer_has_is_told(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop, WORKS)
    ran(qtbot, shop, FAILS)
    dialog = compared(qtbot, shop)
    shop.context.documents.open_text("# Other\n\n## Main\n\n- Say x\n")
    item = dialog.tree.topLevelItem(1)
    assert item is not None
    dialog.tree.itemActivated.emit(item, 0)
    assert dialog.said.text() == "The open file does not have this step any more."


def test_a_run_without_another_one_of_its_file_says_so(qtbot: QtBot, shop: MainWindow) -> None:
    ran(qtbot, shop, WORKS)
    dialog = compared(qtbot, shop)
    assert dialog.said.text() == "There is no other run of this file, so there is nothing to compare with."
    assert not dialog.save.isEnabled()


def test_the_comparison_is_saved_as_a_page(
    qtbot: QtBot, shop: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "difference.html"
    monkeypatch.setattr(file_dialogs, "ask_comparison_file", lambda *_given: page)
    ran(qtbot, shop, WORKS)
    ran(qtbot, shop, FAILS)
    compared(qtbot, shop).save.click()
    qtbot.waitUntil(lambda: page.exists() and "Two runs compared" in page.read_text("utf-8"))


def test_a_failed_run_leads_to_what_changed_since_it_worked(qtbot: QtBot, shop: MainWindow) -> None:
    panel = shop.panes.panel("run")
    assert isinstance(panel, RunPanel)
    ran(qtbot, shop, FAILS)
    assert panel.worked.isHidden()
    ran(qtbot, shop, WORKS)
    assert panel.worked.isHidden()
    ran(qtbot, shop, FAILS)
    qtbot.waitUntil(lambda: not panel.worked.isHidden())
    panel.worked.button.click()
    assert shop.findChild(ComparisonDialog) is not None


def test_the_list_of_runs_offers_to_compare(shop: MainWindow) -> None:
    panel = shop.panes.panel("timeline")
    offered = {action.objectName() for action in panel.runs.actions()}
    assert {"run.compare", "run.export-audit"} <= offered


def test_many_differences_come_a_few_at_a_time_and_others_take_their_place(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    tree = DifferenceTree(around)
    parts = tuple(Part(f"Main:{at}", (Told("value", "1", "2"),)) for at in range(150))
    tree.show_parts(parts)
    assert tree.topLevelItemCount() < 150
    qtbot.waitUntil(lambda: tree.topLevelItemCount() == 150)
    last = tree.topLevelItem(149)
    assert last is not None
    assert (last.text(0), last.isExpanded()) == ("Main:149", True)
    tree.show_parts(parts)
    tree.show_parts(parts[:2])
    tree._add_some()
    assert tree.topLevelItemCount() == 2
