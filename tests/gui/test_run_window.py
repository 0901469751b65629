"""A run in the real window: the panes come forward, and a run that was cut off is offered again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.resume.resume_dialog import ResumeDialog, age_text, cut_off_run
from workbench.gui.shell.main_window import MainWindow

ASKING = "# Desk\n\n## Main\n\n### Steps\n\n- $n = 1\n- Ask user for $name\n- Return $name\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A playbook that asks."""
    path = tmp_path / "ask.md"
    path.write_text(ASKING, encoding="utf-8")
    return path


def wait_for_question(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.context.runs.request is not None)


def test_a_question_brings_the_conversation_forward(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    window.context.documents.open(file)
    window.context.actions.action("run.start").trigger()
    wait_for_question(qtbot, window)
    qtbot.waitUntil(lambda: window.panes.panel("run").isVisible())


def test_a_run_that_was_cut_off_is_shown_before_it_goes_on(
    qtbot: QtBot, window: MainWindow, another_window: MainWindow, file: Path
) -> None:
    window.context.documents.open(file)
    window.context.runs.start()
    wait_for_question(qtbot, window)
    window.context.runs.leave()
    StartupOffers(another_window.context, another_window.banners).show_offers()
    another_window.banners.banners[0].buttons[0].click()
    dialog = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ResumeDialog))
    dialog.resume_button.click()
    wait_for_question(qtbot, another_window)
    assert another_window.context.runs.run is not None
    assert window.context.runs.run is not None
    assert another_window.context.runs.run.id == window.context.runs.run.id


def test_what_is_done_and_next_is_told(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    context = window.context
    context.documents.open(file)
    context.runs.start()
    wait_for_question(qtbot, window)
    context.runs.leave()
    assert context.runs.run is not None
    events = context.runs.host.events(context.runs.run.id)
    snapshot = context.documents.snapshot
    told = cut_off_run(events, context.runs.host.text_of(events), snapshot, events[-1].at_ns + 2 * 86_400 * 10**9)
    assert told.done == ("Main:01  $n = 1",)
    assert "$name" in told.next
    assert (told.age, told.is_old, told.is_changed, told.in_doubt) == ("2 days ago", True, False, "")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "just now"), (61, "1 minute ago"), (7300, "2 hours ago"), (90_000, "1 day ago"), (10**6, "11 days ago")],
)
def test_ages_are_told_in_the_largest_unit(seconds: int, words: str) -> None:
    assert age_text(seconds) == words
