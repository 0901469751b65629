"""The tools of a playbook in the window: found, read, permitted, tried, and their servers seen to."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.core.mcp_servers import PLAIN_SERVER
from tests.gui.test_foreign_text import NASTY, faults
from workbench.engine.permissions import said_for
from workbench.gui.forms.approval_form import Word
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.tools.tool_pages import ServerPage, ToolPage
from workbench.gui.tools.tools_panel import ToolsPanel
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking

PLAYBOOK = "# Desk\n\n## Main\n\n- Return 1\n"


class Tools:
    """The pane of a real window, with a playbook of a project open, and a server named in it."""

    def __init__(self, qtbot: QtBot, window: MainWindow, folder: Path) -> None:
        self.qtbot, self.window, self.file = qtbot, window, folder / "desk.md"
        self.file.write_text(PLAYBOOK, "utf-8")
        server = {"command": PLAIN_SERVER[0], "args": [*PLAIN_SERVER[1:], str(folder)]}
        (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"plain": server}}), "utf-8")
        window.files.open_path(self.file)
        panel = window.panes.panel("tools")
        assert isinstance(panel, ToolsPanel)
        self.panel = panel
        with qtbot.waitSignal(panel.listed):
            window.panes.bring_forward("tools")

    def tool(self, name: str) -> ToolPage:
        self.panel.tree.choose(name)
        assert isinstance(self.panel.pages.page, ToolPage)
        return self.panel.pages.page

    def server(self) -> ServerPage:
        self.panel.tree.choose("/plain")
        assert isinstance(self.panel.pages.page, ServerPage)
        return self.panel.pages.page

    def started(self) -> ServerPage:
        """The server, once it has been started; all that it starts is allowed."""
        self.server().allow_button.click()
        page = self.server()
        self.qtbot.waitUntil(lambda: "works" in page.state.text())
        return self.server()

    def try_with(self, tool: str, *arguments: str) -> ToolPage:
        """Press *Try it* with *arguments*, in their order."""
        page = self.tool(tool)
        for field, text in zip(page.trial.fields.fields, arguments, strict=False):
            editor = field.field.editor
            assert isinstance(editor, QLineEdit)
            editor.setText(text)
        page.trial.button.click()
        return page

    @property
    def names(self) -> list[str]:
        """The tools in the list."""
        tree = self.panel.tree
        groups = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
        return [group.child(at).text(0) for group in groups if group is not None for at in range(group.childCount())]


@pytest.fixture
def tools(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Tools:
    return Tools(qtbot, window, tmp_path)


def test_looking_at_tools_lists_those_that_are_built_in_and_starts_no_server(tools: Tools) -> None:
    assert {"shell", "read_file", "clock"} <= set(tools.names)
    assert not any(name.startswith("plain.") for name in tools.names)


def test_the_filter_leaves_what_fits(tools: Tools) -> None:
    tools.panel.search.setText("date time")
    assert tools.names == ["clock"]


def test_a_tool_that_is_never_asked_about_is_tried_at_once(qtbot: QtBot, tools: Tools) -> None:
    page = tools.try_with("clock")
    qtbot.waitUntil(lambda: not page.trial.result.isHidden())
    assert page.trial.result.toPlainText().startswith("20")


def test_a_call_that_may_do_harm_is_shown_first_and_made_when_it_is_allowed(qtbot: QtBot, tools: Tools) -> None:
    page = tools.try_with("shell", '["echo", "hi"]')
    qtbot.waitUntil(lambda: page.trial.form is not None)
    assert page.trial.form is not None
    assert page.trial.form.summary.text() == "echo hi"
    page.trial.form.submit(Word.ALLOW.value)
    qtbot.waitUntil(lambda: not page.trial.result.isHidden())
    assert page.trial.result.toPlainText().strip() == "hi"


def test_a_refused_call_is_not_made(qtbot: QtBot, tools: Tools) -> None:
    page = tools.try_with("write_file", "a.txt", "x")
    qtbot.waitUntil(lambda: page.trial.form is not None)
    assert page.trial.form is not None
    page.trial.form.submit(Word.REFUSE.value)
    assert not (tools.file.parent / "a.txt").exists()


def test_a_call_that_goes_on_can_be_given_up(qtbot: QtBot, tools: Tools) -> None:
    page = tools.try_with("shell", json.dumps([sys.executable, "-c", "import time; time.sleep(600)"]))
    qtbot.waitUntil(lambda: page.trial.form is not None)
    assert page.trial.form is not None
    page.trial.form.submit(Word.ALLOW.value)

    def is_over() -> bool:
        page.trial.cancel_button.click()
        return page.trial.cancel_button.isHidden()

    qtbot.waitUntil(is_over)
    assert page.trial.problem.text() == "Cancelled."


def test_what_cannot_be_done_says_why(qtbot: QtBot, tools: Tools) -> None:
    page = tools.try_with("read_file", "missing.txt")
    qtbot.waitUntil(lambda: bool(page.trial.problem.text()))
    assert "missing.txt" in page.trial.problem.text()


def test_a_permission_is_kept_for_the_file_and_shown(qtbot: QtBot, tools: Tools) -> None:
    box = tools.tool("clock").asking
    box.setCurrentIndex(box.findData(Asking.FORBIDDEN.value))
    with qtbot.waitSignal(tools.panel.listed):
        box.activated.emit(box.currentIndex())
    kept = said_for(tools.window.context.places.permissions_file, tools.file)
    assert kept.rules == (Rule("clock", Asking.FORBIDDEN),)
    assert tools.tool("clock").row.asking is Asking.FORBIDDEN


def test_a_permission_is_never_looser_than_the_project(qtbot: QtBot, tools: Tools) -> None:
    (tools.file.parent / "workbench.toml").write_text('[tools]\nask = ["clock"]\n', "utf-8")
    box = tools.tool("clock").asking
    box.setCurrentIndex(box.findData(Asking.NEVER.value))
    with qtbot.waitSignal(tools.panel.listed):
        box.activated.emit(box.currentIndex())
    page = tools.tool("clock")
    assert (page.row.said, page.row.asking) == (Asking.NEVER, Asking.ALWAYS)
    assert "stricter" in page.stricter.text()


def test_a_server_tells_what_it_would_start_and_starts_only_when_it_is_allowed(qtbot: QtBot, tools: Tools) -> None:
    assert not tools.server().allow_button.isHidden()
    page = tools.started()
    assert "works" in page.state.text()
    assert any(name.startswith("plain.") for name in tools.names)


def test_names_and_commands_of_servers_are_shown_as_text(qtbot: QtBot, tools: Tools) -> None:
    server = {"command": NASTY, "args": [NASTY]}
    (tools.file.parent / ".mcp.json").write_text(
        json.dumps({"mcpServers": {NASTY: server, "x": {"type": NASTY}}}), "utf-8"
    )
    with qtbot.waitSignal(tools.panel.listed):
        tools.panel.refresh()
    tools.panel.tree.choose(f"/{NASTY}")
    assert isinstance(tools.panel.pages.page, ServerPage)
    assert faults() == []


def test_tools_that_have_changed_are_shown_and_can_be_approved(qtbot: QtBot, tools: Tools) -> None:
    tools.started()
    (tools.file.parent / "do").write_text("change", "utf-8")
    page = tools.server()
    with qtbot.waitSignal(page.reported):
        page.start_button.click()
    assert page.changes.extraSelections()
    with qtbot.waitSignal(page.reported):
        page.approve_button.click()
    assert page.changes.isHidden()
