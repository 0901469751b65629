"""What a run would start is told before it starts, all of it; nothing starts before it is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.core.mcp_servers import PLAIN_SERVER
from workbench.gui.forms.approval_form import ApprovalForm, Word
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

PLAYBOOK = "# Desk\n\n## Main\n\n- Return 1\n"
SERVERS = {
    "plain": {"command": PLAIN_SERVER[0], "args": list(PLAIN_SERVER[1:]), "env": {"KEY": "${DESK_KEY}"}},
    "far": {"type": "http", "url": "https://tools.example.org/mcp"},
}


class Asking:
    """A real window that was told to run a playbook of a project with servers."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window, self.folder = window, folder
        (folder / "desk.md").write_text(PLAYBOOK, "utf-8")
        self.name_servers(SERVERS)
        window.files.open_path(folder / "desk.md")

    def name_servers(self, servers: object) -> None:
        (self.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")

    def run(self) -> TrustDialog:
        """The dialog that comes when Run is pressed."""
        self.window.context.runs.start()
        return next(
            each for each in QApplication.topLevelWidgets() if isinstance(each, TrustDialog) and each.isVisible()
        )


@pytest.fixture
def asking(window: MainWindow, tmp_path: Path) -> Asking:
    return Asking(window, tmp_path)


def test_every_server_is_told_with_what_is_started_or_reached(asking: Asking) -> None:
    said = "\n".join(row.words for row in asking.run().rows)
    for part in (PLAIN_SERVER[-1], "DESK_KEY", "https://tools.example.org/mcp", ".mcp.json", "you are asked"):
        assert part in said


def test_the_button_that_does_no_harm_is_the_default(asking: Asking) -> None:
    assert asking.run().cancel_button.isDefault()


def test_nothing_runs_where_it_is_not_allowed(asking: Asking) -> None:
    asking.run().reject()
    assert asking.window.context.runs.run is None


def test_a_tool_of_an_allowed_server_is_called_after_a_person_has_seen_the_call(qtbot: QtBot, asking: Asking) -> None:
    asking.name_servers({"plain": {"command": PLAIN_SERVER[0], "args": [*PLAIN_SERVER[1:], str(asking.folder)]}})
    window = asking.window
    window.context.documents.open_text('# Desk\n\n## Main\n\n- $x = plain.echo(words="hi")\n- Return $x\n')
    window.context.documents.save(asking.folder / "call.md")
    asking.run().accept()
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    qtbot.waitUntil(lambda: isinstance(panel.form, ApprovalForm))
    assert isinstance(panel.form, ApprovalForm)
    assert '"words": "hi"' in panel.form.view.toPlainText()
    panel.form.submit(Word.ALLOW.value)
    qtbot.waitUntil(lambda: not window.context.runs.is_running)
    assert window.context.runs.run is not None
    assert "hi" in str(window.context.runs.run.result)


def test_what_has_changed_since_is_shown_as_a_difference(qtbot: QtBot, asking: Asking) -> None:
    with qtbot.waitSignal(asking.window.context.runs.run_finished):
        asking.run().accept()
    asking.name_servers({**SERVERS, "far": {"type": "http", "url": "https://other.example.org/mcp"}})
    marked = [mark.cursor.block().text() for mark in asking.run().code.extraSelections()]
    assert [line[0] for line in marked] == ["-", "+"]
    assert "other.example.org" in marked[1]


def test_what_was_allowed_is_not_asked_about_again(qtbot: QtBot, asking: Asking) -> None:
    for start in (asking.run().accept, asking.window.context.runs.start):
        with qtbot.waitSignal(asking.window.context.runs.run_finished):
            start()


def test_a_server_that_cannot_be_used_is_told_with_the_reason(asking: Asking) -> None:
    asking.name_servers({**SERVERS, "odd": {"type": "pigeon"}})
    assert any(row.is_problem and "odd" in row.words for row in asking.run().rows)
