"""A tool is mocked in the tools pane: runs of the document do not call it, and say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.test_tools_panel import Tools
from workbench.engine.debugging.mocks import Mock
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.tools.tool_pages import MockRow

CALLS = "# Desk\n\n## Main\n\n- $now = clock()\n- Return $now\n"


@pytest.fixture
def tools(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Tools:
    found = Tools(qtbot, window, tmp_path)
    (tmp_path / ".mcp.json").unlink()  # a run would ask whether its server may start
    return found


def row_of(tools: Tools, name: str) -> MockRow:
    """Where it is said that *name* is not called."""
    row = tools.tool(name).findChild(MockRow)
    assert isinstance(row, MockRow)
    return row


def mock(tools: Tools, name: str, outcome: str) -> None:
    """Have *name* mocked, as a person does."""
    row = row_of(tools, name)
    row.is_mocked.click()
    row.outcome.setText(outcome)
    row.outcome.editingFinished.emit()


def run(tools: Tools) -> object:
    """What a run of the document comes to."""
    runs = tools.window.context.runs
    with tools.qtbot.waitSignal(runs.run_finished):
        runs.start()
    assert runs.run is not None
    return runs.run.result


def test_a_run_gives_what_was_said_in_the_place_of_a_call(tools: Tools) -> None:
    tools.file.write_text(CALLS, "utf-8")
    tools.qtbot.waitUntil(lambda: tools.window.context.documents.snapshot.text == CALLS)
    mock(tools, "clock", "noon")
    assert run(tools) == "noon"
    row_of(tools, "clock").is_mocked.click()
    assert run(tools) != "noon"


def test_what_was_said_is_there_again_when_the_tool_is_chosen_again(tools: Tools) -> None:
    mock(tools, "clock", "!The clock has stopped")
    tools.tool("shell")
    row = row_of(tools, "clock")
    assert row.is_mocked.isChecked() and row.outcome.text() == "!The clock has stopped"
    assert tools.window.context.runs.mock_of("clock") == Mock("clock", failure="The clock has stopped")
    assert tools.window.context.runs.mock_of("shell") is None
