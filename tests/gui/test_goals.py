"""From a goal to a playbook in the window: described, planned, written, checked, reviewed, changed, done once more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.gui.control.planning.cycles import GoalWish
from workbench.gui.control.planning.goals import Goal
from workbench.gui.planning.goal_dialog import GoalDialog
from workbench.gui.planning.goal_panel import GoalPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.planning.plan import Plan, PlanStep
from workbench.planning.request import PlanRequest


class GoalDriver:
    """Somebody with a goal, in the real window."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self.context = window.context

    @property
    def form(self) -> GoalDialog:
        """The form, opened by the action, with what may be called known."""
        dialog = self.window.files.goals.dialog
        if not dialog.isVisible():
            self.context.actions.trigger("file.new-goal")
            self.qtbot.waitUntil(lambda: bool(dialog.offers))
        return dialog

    @property
    def panel(self) -> GoalPanel:
        """The pane, as it is now."""
        panel = self.window.panes.panel("goal")
        assert isinstance(panel, GoalPanel)
        self.window.panes.bring_forward("goal")
        panel.refresh()
        return panel

    @property
    def goal(self) -> Goal:
        """The goal that is shown."""
        assert self.context.goals.shown is not None
        return self.context.goals.shown

    def write_step(self, words: str) -> None:
        """Add a step to the plan."""
        self.form.plan.add()
        self.form.plan.fields.intent.selectAll()
        QTest.keyClicks(self.form.plan.fields.intent, words)

    def make(self) -> None:
        """Push *Make the playbook*, and wait for the first question or the end."""
        self.form.make.click()
        assert not self.form.said.text()
        self.qtbot.waitUntil(lambda: self.context.goals.shown is not None)

    def asked(self, what: str) -> GoalPanel:
        """The pane when the goal asks *what*."""
        self.qtbot.waitUntil(lambda: self.goal.asks == what)
        return self.panel

    def push(self, name: str, note: str = "") -> None:
        """Push the button *name* of the question, with *note* in the line."""
        answers = self.panel.answers
        if note:
            answers.note.setText(note)
        request = self.goal.request
        QTest.keyClick(answers.buttons.buttons[name], Qt.Key.Key_Space)
        self.qtbot.waitUntil(lambda: self.goal.request != request)

    def over(self) -> None:
        """Wait for the end."""
        self.qtbot.waitUntil(lambda: not self.goal.is_going)


@pytest.fixture
def person(qtbot: QtBot, window: MainWindow) -> GoalDriver:
    return GoalDriver(qtbot, window)


def texts(panel: GoalPanel) -> list[str]:
    """What came of the stage that is shown."""
    return [panel.rows.item(row).text().strip() for row in range(panel.rows.count())]


def states(panel: GoalPanel) -> list[str]:
    """The stages as they are read aloud."""
    role = Qt.ItemDataRole.AccessibleTextRole
    return [panel.stages.item(row).data(role) for row in range(panel.stages.count())]


def test_a_goal_with_steps_of_a_person_becomes_a_playbook_in_a_tab(person: GoalDriver) -> None:
    form = person.form
    form.make.click()
    assert "The goal is empty" in form.said.text()
    QTest.keyClicks(form.goal, "Greet a guest")
    form.make.click()
    assert "There are no steps yet" in form.said.text() and form.isVisible()
    person.write_step("Ask user for $name")
    person.write_step('Tell user "Hello, {$name}"')
    person.make()
    panel = person.asked("accept")
    assert person.context.documents.snapshot.text == person.goal.at.text
    assert "- Ask user for $name\n" in person.context.documents.snapshot.text
    assert states(panel)[0] == "Plan: done – 2 steps by you" and "waits for you" in states(panel)[3]
    assert panel.answers.question is not None and list(panel.answers.buttons.buttons) == ["yes", "no"]
    person.push("yes")
    person.over()
    panel = person.panel
    assert [each.partition(": ")[2].partition(" – ")[0] for each in states(panel)] == [
        *("done", "done", "done", "done", "done", "left out", "done")
    ]
    assert panel.answers.isHidden()


def begun(person: GoalDriver, **wishes: object) -> GoalDriver:
    """A goal that was begun with two steps."""
    steps = (PlanStep("Ask user for $name"), PlanStep('Tell user "Hello, {$name}"'))
    request = PlanRequest("Greet a guest", **wishes)  # type: ignore[arg-type]
    person.context.goals.begin(GoalWish(request, Plan("Greet a guest", "", steps)))
    person.qtbot.waitUntil(lambda: person.context.goals.shown is not None)
    return person


def test_what_a_person_changes_in_the_tab_is_checked_and_reviewed_again(person: GoalDriver) -> None:
    begun(person).asked("accept")
    editor = person.window.centre.source.editor
    found = editor.document().find("Hello")
    editor.setTextCursor(found)
    QTest.keyClicks(editor, "Good morning")
    assert list(person.panel.answers.buttons.buttons) == ["mine"]
    person.push("mine")
    person.asked("accept")
    assert "Good morning" in person.goal.at.text and person.goal.at.text_by == "person"
    assert len(person.goal.texts) == 2
