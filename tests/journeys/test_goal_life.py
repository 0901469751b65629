"""The life of a goal, by keys alone: described, planned, reviewed, run, gone on with otherwise, kept, used, shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from tests.journeys import shelf as on_shelf
from tests.journeys.author import Author, Keys, Mouse
from workbench.disk.places import Places
from workbench.gui.control.planning.goals import Goal
from workbench.gui.planning.goal_dialog import GoalDialog
from workbench.gui.planning.goal_panel import GoalPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.versions.version_dialog import VersionDialog

GOAL = "Say what is to be done today"


class Planner(Keys):
    """Somebody who has a goal."""

    name = "goal"

    @property
    def form(self) -> GoalDialog:
        """The form of a goal."""
        return self.window.files.goals.dialog

    @property
    def panel(self) -> GoalPanel:
        """The pane, as it is now."""
        panel = self.window.panes.panel("goal")
        assert isinstance(panel, GoalPanel)
        panel.refresh()
        return panel

    @property
    def goal(self) -> Goal:
        """The goal that is shown."""
        assert self.context.goals.shown is not None
        return self.context.goals.shown

    def describe(self, goal: str) -> None:
        """Open the form, and say what is to be reached."""
        self.do("file.new-goal")
        self.qtbot.waitUntil(lambda: bool(self.form.offers))
        self.fill(self.form.goal, goal)

    def add_step(self, words: str, call: str = "", path: str = "", result: str = "") -> None:
        """A step of the plan: what is done, and the tool that does it with a file."""
        fields = self.form.plan.fields
        self.push(self.form.plan.add_button)
        self.type(words)
        if call:
            self.choose_in(fields.call, call)
            self.fill(fields.arguments["path"], path)
            self.fill(fields.result, result)

    def change_run(self) -> None:
        """Want it carried out as well, or no longer."""
        tabs = self.form.tabs
        self.reach(tabs.tabBar())
        self.press("Right", "Right")
        self.push(self.form.more.runs)

    def make(self, asked: str) -> None:
        """Have the playbook made, until the goal asks *asked*."""
        before = self.context.goals.shown
        self.push(self.form.make)
        assert self.form.said.text() == ""
        self.qtbot.waitUntil(lambda: self.context.goals.shown is not before and self.goal.asks == asked)

    def go_to_stages(self) -> None:
        """Go to the pane, and in it to its beginning: from there, Tab leads to all of it."""
        self.go_to(self.panel)
        for _press in range(60):
            if self.focus is self.panel.stages:
                return
            self.press("Shift+Tab")

    def say(self, name: str, asked: str = "") -> None:
        """Push the button *name* of what the goal asks, until it asks *asked*, or is over."""
        self.go_to_stages()
        before = self.goal.request
        self.push(self.panel.answers.buttons.buttons[name])
        self.qtbot.waitUntil(lambda: self.goal.request != before)
        self.qtbot.waitUntil(lambda: self.goal.asks == asked if asked else not self.goal.is_going)

    def act(self, name: str) -> None:
        """Push the button *name* below."""
        self.go_to_stages()
        self.push(self.panel.acts.buttons[name])

    def write_instead(self, old: str, new: str) -> None:
        """Write *new* in the place of *old* in the text."""
        editor = self.window.centre.source.editor
        self.go_to(self.window.centre.source)
        editor.setTextCursor(editor.document().find(old))
        self.type(new)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a file, and without the one that is looked for first."""
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "todo.md").write_text("water the plants\n")
    return folder


@pytest.fixture
def planner(qtbot: QtBot, window: MainWindow, desk: Path) -> Planner:
    window.context.settings.change(lambda settings: replace(settings, project_folder=str(desk)))
    planner = Planner(qtbot, window)
    with qtbot.waitActive(window):
        window.activateWindow()
    return planner


def plan(planner: Planner) -> None:
    """The goal is typed with its steps, and one of them is put otherwise when the playbook can be seen."""
    planner.describe(GOAL)
    planner.add_step("see what is there", "list_files", ".", "files")
    planner.add_step("read it", "read_file", "tasks.md", "tasks")
    planner.add_step('Tell user "Today: $tasks"')
    planner.picture("1-form", planner.form)
    planner.change_run()
    planner.make("accept")
    planner.picture("2-written")
    planner.act("plan")
    planner.reach(planner.form.plan.tree)
    planner.press("End")
    planner.fill(planner.form.plan.fields.intent, 'Tell user "To do: {$tasks}"')
    planner.picture("3-plan-edited", planner.form)
    planner.make("accept")
    assert "To do: " in planner.text and len(planner.context.tabs.tabs) == 1


def go_on_otherwise(planner: Planner) -> None:
    """The file is not there: another one is read in its place, which old and new show on the flowchart."""
    planner.say("yes", "deviation")
    assert planner.goal.at.deviation is not None and "tasks.md" in planner.goal.at.deviation.actual
    planner.picture("5-deviation")
    planner.say("segment", "regenerate")
    planner.write_instead("tasks.md", "todo.md")
    planner.say("written", "take")
    planner.act("compare")
    (dialog,) = planner.window.findChildren(VersionDialog)
    planner.qtbot.waitUntil(lambda: dialog.view.changes.rowCount() > 0)
    planner.picture("6-old-and-new", dialog)
    planner.push(next(each for each in dialog.findChildren(QPushButton) if each.text() == "Close"))
    planner.say("yes")


def say_it_otherwise(planner: Planner) -> None:
    """Another goal, begun with the playbook that is open: a step is said otherwise, which becomes a note."""
    planner.describe("Remind somebody kindly")
    planner.choose_in(planner.form.start, "open")
    planner.change_run()
    planner.make("accept")
    planner.write_instead("To do: ", "Please do: ")
    planner.say("mine", "accept")
    planner.say("yes")
    assert "Please do: " in planner.goal.at.text


@pytest.fixture
def somebody_else(planner: Planner, tmp_path: Path) -> Iterator[Author]:
    """A person with settings and stores of their own, who uses the mouse."""
    windows = Windows(Places(*(tmp_path / name for name in ("config", "data", "state"))))
    yield Mouse(planner.qtbot, windows.in_front())
    windows.take_away()


def test_the_life_of_a_goal(planner: Planner, somebody_else: Author, tmp_path: Path) -> None:
    plan(planner)
    planner.select("$tasks = read_file")
    planner.picture("4-reviewed")
    go_on_otherwise(planner)
    planner.picture("7-finished")
    at = planner.goal.at
    assert at.ended is not None and (at.ended.status, at.ended.error) == ("completed", "")
    assert at.stored is not None and planner.text == at.text
    kept = planner.text
    say_it_otherwise(planner)
    found = on_shelf.search(planner, "what should be done today", GOAL)
    assert (found.successes, found.failures) == (1, 0)
    assert on_shelf.reuse_with_notes(planner) == kept.replace("To do: ", "Please do: ")
    planner.picture("8-reused")
    on_shelf.export(planner, tmp_path / "today.json")
    taken = on_shelf.take_in(somebody_else, tmp_path / "today.json", GOAL)
    somebody_else.picture("9-imported")
    assert (taken.goal, taken.successes) == (GOAL, 0)
    assert on_shelf.reuse(somebody_else) == kept
