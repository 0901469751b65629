"""The command under a step in the window: to read, to copy, to have run while the question stays open."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.engine.ports import Answer, CommandRun, Request, RequestKind, StepCommand
from workbench.gui.forms.approval_form import ApprovalForm
from workbench.gui.forms.call_view import CallView
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

DF = StepCommand("df -h", "shell", {"command": "df -h"})
PIPE = StepCommand("df | wc", problem="Only a shell can run this.")
STEPS = "# Desk\n\n## Main\n\n### Steps\n\n- Look at the disk\n  ```sh\n  echo full\n  ```\n- Return 1\n"


def form_of(qtbot: QtBot, *commands: StepCommand, ran: tuple[CommandRun, ...] = ()) -> tuple[RequestForm, list[Answer]]:
    """The form of a step with *commands*, and what is answered in it."""
    form, answers = RequestForm(Request("q", RequestKind.JUDGE, "Main:01", "Look", commands=commands, ran=ran)), []
    qtbot.addWidget(form)
    form.answered.connect(answers.append)
    form.show()
    return form, answers


def test_a_command_is_shown_to_be_selected_and_nothing_is_run_by_showing_it(qtbot: QtBot) -> None:
    form, answers = form_of(qtbot, DF)
    [item] = form.commands.items
    assert (item.view.toPlainText(), item.view.isReadOnly(), item.view.isVisible(), answers) == (
        "df -h",
        True,
        True,
        [],
    )


def test_a_step_without_a_command_has_no_room_for_one(qtbot: QtBot) -> None:
    form, _answers = form_of(qtbot)
    assert not form.commands.isVisible()


def test_copy_puts_the_command_on_the_clipboard(qtbot: QtBot) -> None:
    form, _answers = form_of(qtbot, DF)
    form.commands.items[0].copy_button.click()
    assert QApplication.clipboard().text() == "df -h"


def test_copy_puts_no_secret_on_the_clipboard(qtbot: QtBot) -> None:
    form, _answers = form_of(qtbot, StepCommand("curl https://ann:hunter2@example.org", "shell"))
    form.commands.items[0].copy_button.click()
    assert "hunter2" not in QApplication.clipboard().text()


def test_run_it_wants_the_command_run_once(qtbot: QtBot) -> None:
    form, answers = form_of(qtbot, PIPE, DF)
    form.commands.items[1].run_button.click()
    form.commands.items[1].run_button.click()
    assert answers == [Answer(run="df -h")]


def test_what_cannot_be_run_says_why_and_can_be_copied(qtbot: QtBot) -> None:
    form, _answers = form_of(qtbot, PIPE)
    [item] = form.commands.items
    said = item.run_button.isEnabled(), item.copy_button.isEnabled(), item.run_button.toolTip()
    assert said == (False, True, "Only a shell can run this.")


@pytest.mark.parametrize(("output", "shown"), [("full", "full"), ("", "It printed nothing.")])
def test_what_a_command_printed_stands_in_the_form(output: str, shown: str, qtbot: QtBot) -> None:
    form, _answers = form_of(qtbot, DF, ran=(CommandRun("df -h", output),))
    assert [view.toPlainText() for view in form.commands.findChildren(CallView)] == ["df -h", shown]


def run_until_it_asks_again(window: MainWindow, folder: Path, qtbot: QtBot, note: str = "") -> RequestForm:
    """The form of a step that is asked again after its command was run, *note* having been written before."""
    (folder / "desk.md").write_text(STEPS, encoding="utf-8")
    window.files.open_path(folder / "desk.md")
    window.context.runs.start()
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)

    def form() -> RequestForm | None:
        return panel.form if isinstance(panel.form, RequestForm) else None

    qtbot.waitUntil(lambda: form() is not None)
    asking = form()
    assert asking is not None
    asking.note.setText(note)
    asking.commands.items[0].run_button.click()
    qtbot.waitUntil(lambda: isinstance(panel.form, ApprovalForm))
    assert isinstance(panel.form, ApprovalForm)
    panel.form.buttons["allow"].click()
    qtbot.waitUntil(lambda: form() is not None)
    again = form()
    assert again is not None
    return again


def test_a_command_is_run_under_leave_and_then_the_step_is_answered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    again = run_until_it_asks_again(window, tmp_path, qtbot)
    assert [view.toPlainText() for view in again.commands.findChildren(CallView)] == ["echo full", "full"]
    again.submit("done")
    runs = window.context.runs
    qtbot.waitUntil(lambda: not runs.is_running)
    assert runs.run is not None
    assert runs.run.result == 1


def test_what_was_written_before_a_command_is_run_is_there_afterwards(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    again = run_until_it_asks_again(window, tmp_path, qtbot, note="looks full")
    assert again.note.text() == "looks full"
