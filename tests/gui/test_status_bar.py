"""The line at the bottom: a message takes the place of the facts, and long words end with an ellipsis."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import PATIENCE_MS, Windows
from workbench.editing.commands import AddPlaybook
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.theming import Ink
from workbench.gui.shell import status_bar
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.values import problem_words

TEXT = "# Desk\n## Main\n### Steps\n- Say hi\n"


def test_facts_that_change_behind_a_message_are_not_drawn_over_it(
    qtbot: QtBot, open_window: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_bar, "_MESSAGE_MS", PATIENCE_MS)
    window = open_window()
    window.context.documents.open_text(TEXT)
    window.context.notices.tell("Something was done.")
    window.context.documents.execute(AddPlaybook("Other"))
    window.context.actions.action("view.text-larger").trigger()
    qtbot.wait(50)
    assert window.status.message_label.isVisible()
    assert not window.status.file_label.isVisible()


def test_the_facts_come_back_after_a_while(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_bar, "_MESSAGE_MS", 1)
    bar = status_bar.StatusBar(window.context, window)
    bar.show()
    window.context.notices.tell("Something was done.")
    qtbot.waitUntil(bar.file_label.isVisible)
    assert not bar.message_label.isVisible()


def test_a_question_of_the_run_is_not_hidden_by_a_message(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text("# Desk\n## Main\n### Steps\n- Ask user for $name\n")
    window.context.notices.tell("Something was done.")
    window.context.runs.start()
    qtbot.waitUntil(window.status.waiting_button.isVisible)


def test_words_that_have_no_room_end_with_an_ellipsis_and_stay_whole_for_a_screen_reader(window: MainWindow) -> None:
    label = ElidedLabel("A long line of words", QWidget(window))
    label.resize(40, 20)
    assert label.shown.endswith("…")
    assert label.text() == "A long line of words"
    label.resize(4000, 20)
    assert label.shown == "A long line of words"


def test_infos_are_counted_and_only_none_is_no_problem() -> None:
    assert (problem_words(0, 0, 3), problem_words(1, 2, 3)) == ("3 infos", "1 error, 2 warnings, 3 infos")
    assert problem_words(0, 0, 0) == "No problems"


def test_the_sign_beside_the_problems_is_that_of_the_worst(qtbot: QtBot, window: MainWindow) -> None:
    pictures = []
    for text in ('# D\n\n## Main\n\n- Tell user "hi"\n', "# D\n\n## Main\n\n- Tell user $unknown\n"):
        with qtbot.waitSignal(window.context.diagnosis.ready):
            window.context.documents.open_text(text)
        pictures.append(window.status.problems_button.icon().pixmap(16).toImage())
    assert pictures[0] == icon("tick", Ink.DONE).pixmap(16).toImage()
    assert pictures[1] != pictures[0]
