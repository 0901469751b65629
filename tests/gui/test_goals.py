"""From a goal to a playbook in the window: described, planned, written, checked, reviewed, changed, done once more."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from tests.conftest import PATIENCE_S
from tests.model_replies import Asked, Reply
from tests.model_server import ModelServer
from workbench.editing.document import hand_over
from workbench.engine.schemas import object_schema
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.planning.cycles import GoalWish
from workbench.gui.control.planning.goals import Goal
from workbench.gui.control.planning.plan_rows import (
    STEPS,
    parameters_of,
    rows,
    value_of,
    written_of,
    written_parameters,
)
from workbench.gui.planning.goal_dialog import GoalDialog
from workbench.gui.planning.goal_panel import GoalPanel
from workbench.gui.resume.resume_dialog import ResumeDialog
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.planning.moves import playbook_text
from workbench.planning.offering import usual_offers
from workbench.planning.plan import Plan, PlanStep
from workbench.planning.request import Offer, PlanRequest, PlaybookFormat
from workbench.planning.stages import Stage
from workbench.providers.endpoints import Endpoint, WireProtocol, endpoint_table


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
    said: list[str] = []
    person.window.announcer.announced.connect(said.append)
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
    assert any(words.startswith("Review: going on") for words in said)
    assert sum(words.startswith("Store: done") for words in said) == 1
    person.qtbot.waitUntil(lambda: "tags" in person.panel.acts.buttons)
    panel.acts.buttons["tags"].click()
    (dialog,) = panel.findChildren(QInputDialog)
    dialog.setTextValue("kind, warm")
    dialog.accept()
    person.qtbot.waitUntil(lambda: "Tags: kind, warm" in texts(person.panel))
    assert texts(panel)[0] == "On the shelf as “Greet a guest”"


def test_who_has_no_model_and_no_script_is_told_what_to_do(person: GoalDriver, tmp_path: Path) -> None:
    form = person.form
    form.goal.setPlainText("Greet a guest")
    for who, said in (("model", "No model is set up. Set one up"), ("script", "No script is named. Choose its file")):
        form.who.setCurrentIndex(form.who.findData(who))
        form.make.click()
        assert form.said.text().startswith(said)
    form.script.path.setText(str(tmp_path / "none.yaml"))
    form.make.click()
    assert "none.yaml" in form.said.text()
    form.who.setCurrentIndex(form.who.findData("person"))
    form.plan.show_steps((PlanStep("look", "read_file", {"path": "a.md"}), PlanStep("", "read_fil", result="1x")))
    form.make.click()
    assert form.said.text() == "steps[2].result: “1x” is no name of a variable."
    form.plan.show_steps((PlanStep("", "read_fil"), PlanStep("look")))
    form.make.click()
    assert form.said.text() == "There is nothing to call named read_fil here."
    assert form.isVisible() and person.context.goals.shown is None


def test_steps_of_a_plan_are_moved_by_keys(person: GoalDriver) -> None:
    plan = person.form.plan
    plan.show_steps((PlanStep("a"), PlanStep("b", condition="$x"), PlanStep("c")), ((STEPS, 2),))
    plan.tree.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Right):
        QTest.keyClick(plan.tree, key, Qt.KeyboardModifier.AltModifier)
    assert plan.steps == (PlanStep("a", steps=(PlanStep("c"),)), PlanStep("b", condition="$x"))
    plan.show_steps(plan.steps, ((STEPS, 1),))
    plan.otherwise_button.click()
    plan.fields.intent.setText("d")
    plan.fields.intent.textEdited.emit("d")
    assert plan.steps[1] == PlanStep("b", condition="$x", otherwise=(PlanStep("d"),))
    plan.tree.setFocus()
    QTest.keyClick(plan.tree, Qt.Key.Key_Delete)
    assert [path for path, _step in rows(plan.steps)] == [((STEPS, 0),), ((STEPS, 0), (STEPS, 0)), ((STEPS, 1),)]
    values = {"$x": "$x", "12": 12, '"12"': "12", "a b": "a b", '{"a": [1]}': {"a": [1]}}
    assert {written: value_of(written) for written in values} == values
    assert all(value_of(written_of(value)) == value for value in (*values.values(), " x", None, True, 1.5, ""))
    assert written_parameters(parameters_of("order: str,$amount")) == "order: str, amount"


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


def test_a_goal_that_was_cut_off_is_offered_and_goes_on_where_it_was(
    person: GoalDriver, another_window: MainWindow, qtbot: QtBot
) -> None:
    begun(person).asked("accept")
    editor = person.window.centre.source.editor
    editor.setTextCursor(editor.document().find("Hello"))
    QTest.keyClicks(editor, "Good morning")
    hand_over(person.context.documents.document)  # as a crash would
    person.context.runs.leave()
    StartupOffers(another_window.context, another_window.banners).show_offers()
    unsaved, banner = another_window.banners.banners
    assert "“Greet a guest”" in unsaved.notice.text  # by its heading, which is not its first line
    assert banner.notice.text == "The goal “Greet a guest” was interrupted. You can resume it."
    banner.buttons[0].click()
    (dialog,) = another_window.findChildren(ResumeDialog)
    dialog.resume_button.click()
    other = GoalDriver(qtbot, another_window)
    qtbot.waitUntil(lambda: other.context.goals.shown is not None)
    other.asked("accept")
    assert len(other.context.tabs.tabs) == 1 and not another_window.banners.banners
    assert "Good morning" in other.context.documents.snapshot.text
    other.push("mine")
    other.asked("accept")
    other.push("yes")
    other.over()
    assert other.goal.at.stored is not None and "Good morning" in other.goal.at.text


SCRIPT = """
answers:
  - step: Cycle:01
    values:
      plan:
        title: Refund
        description: Gives money back.
        steps:
          - {intent: load, call: load_order, arguments: {id: A-1}, result: found}
          - {intent: pay, call: pay_back, arguments: {id: A-1}}
  - {step: Cycle:06, values: {how: segment}}
  - {step: Cycle:06, values: {text: %s}}
tools: {load_order: 120, pay_back: 5}
failures: {pay_back: {"1": the bank is closed}}
"""
OFFERS = tuple(Offer(name, schema=object_schema({"id": {}}, ("id",))) for name in ("load_order", "pay_back"))


def test_a_run_that_deviates_goes_on_with_what_the_person_accepts(person: GoalDriver) -> None:
    steps = (PlanStep("", "load_order", {"id": "A-1"}, "found"), PlanStep('Tell user "Paid by hand."'))
    other = playbook_text(Plan("Refund", "Gives money back.", steps), PlaybookFormat.MARKDOWN)
    script = SCRIPT % json.dumps(other)
    request = PlanRequest("Refund an order", offers=OFFERS, is_run=True)
    person.context.goals.begin(GoalWish(request, script=script))
    person.qtbot.waitUntil(lambda: person.context.goals.shown is not None)
    assert states(person.asked("accept"))[0] == "Plan: done – 2 steps by a script"
    person.push("yes")
    panel = person.asked("take")
    assert states(panel)[3] == "Review: done – accepted by you"
    assert texts(panel)[0].startswith("It failed: Main:02") and "the bank is closed" in texts(panel)[2]
    assert "compare" in panel.acts.buttons and "Paid by hand" not in person.context.documents.snapshot.text
    person.panel.answers.buttons.buttons["edit"].click()
    assert "Paid by hand" in person.context.documents.snapshot.text
    person.push("yes")
    person.over()
    at = person.goal.at
    assert at.ended is not None and at.ended.status == "completed" and at.detours
    assert person.context.documents.snapshot.text == at.text
    assert "Went on with another text" in texts(stage(person, Stage.EXECUTE))[0]


def stage(person: GoalDriver, wanted: Stage) -> GoalPanel:
    """The pane with *wanted* chosen."""
    panel = person.panel
    panel.stages.setCurrentRow(tuple(Stage).index(wanted))
    return panel


def test_a_stage_is_done_once_more_and_the_goal_before_goes_on_no_more(person: GoalDriver) -> None:
    begun(person).asked("accept")
    first = person.goal
    panel = stage(person, Stage.GENERATE)
    assert texts(panel) == ["Version 1"]
    panel.acts.buttons["again"].click()
    person.qtbot.waitUntil(lambda: person.goal is not first and person.goal.asks == "accept")
    person.qtbot.waitUntil(lambda: not first.is_going)
    assert person.goal.at.source == first.id and len(person.context.tabs.tabs) == 1
    panel = stage(person, Stage.REVIEW)
    panel.rows.itemActivated.emit(panel.rows.item(1))
    assert person.context.selection.selected == (person.context.documents.snapshot.at_address("Main:02").id,)  # type: ignore[union-attr]
    panel.acts.buttons["stop"].click()
    person.over()
    assert "new" in person.panel.acts.buttons


@pytest.mark.all_panes
def test_python_of_the_project_is_allowed_before_it_runs_for_a_goal(person: GoalDriver, tmp_path: Path) -> None:
    (tmp_path / "workbench.toml").write_text('[tools]\nmodules = ["ops.py"]\n', "utf-8")
    (tmp_path / "ops.py").write_text("@playbook\ndef twice(number):\n    return number * 2\n", "utf-8")
    plan = Plan("Double", "", (PlanStep("", "twice", {"number": 21}, "found"),), returns="$found")
    request = PlanRequest("Double a number", offers=usual_offers(tmp_path), is_run=True)
    person.context.goals.begin(GoalWish(request, plan, folder=str(tmp_path)))
    person.qtbot.waitUntil(lambda: person.context.goals.shown is not None)
    person.asked("accept").answers.buttons.buttons["yes"].click()
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, TrustDialog) and each.isVisible())
    assert person.goal.asks == "accept"
    dialog.allow_button.click()
    person.over()
    ended = person.goal.at.ended
    assert ended is not None and (ended.status, ended.result) == ("completed", 42)


GREETING = {"title": "Greet", "description": "", "parameters": [], "reactions": [], "returns": "", "expected": ""}
GREETING["steps"] = [{"intent": f'Tell user "Hello {number}"'} for number in range(7)]  # type: ignore[assignment]


class Served:
    """A model that is slow at first, then answers wrongly, then breaks off, and then does what it is asked."""

    def __init__(self) -> None:
        self.holds = threading.Event()
        self.first = [Reply(waits=self.holds), Reply("I would rather not."), Reply(data={"plan": {}}, drops_after=1)]

    def __call__(self, asked: Asked) -> Reply:
        """What it says to *asked*."""
        if self.first:
            return self.first.pop(0)
        names = (asked.schema or {}).get("properties", {})
        return Reply(data={"plan": GREETING} if "plan" in names else {"verdict": "ok"})


def described(person: GoalDriver, url: str) -> None:
    """A goal that the model at *url* plans, and looks at twice at most while it is carried out."""
    table = endpoint_table(Endpoint("team", WireProtocol.OPENAI, url, "", "scripted"))
    person.context.settings.change(lambda settings: replace(settings, endpoints={"team": table}))
    form = person.form
    form.goal.setPlainText("Greet a guest")
    form.who.setCurrentIndex(form.who.findData("model"))
    form.more.runs.setChecked(True)
    form.more.looks.setChecked(True)
    form.more.most_looks.setValue(2)


def test_a_goal_is_reached_with_a_served_model_that_is_slow_wrong_and_breaks_off(person: GoalDriver) -> None:
    qtbot = person.qtbot
    with ModelServer(Served()) as server:
        described(person, server.url)
        person.make()
        qtbot.waitUntil(server.arrived.is_set)
        assert states(person.panel)[0].startswith("Plan: going on – asking a model since ")
        stopped = person.goal
        person.panel.acts.buttons["stop"].click()
        person.over()
        assert states(person.panel)[0] == "Plan: stopped" and server.hung_up.wait(PATIENCE_S)
        person.panel.acts.buttons["resume"].click()
        qtbot.waitUntil(lambda: person.goal is not stopped)
        handed = person.goal
        told = person.asked("plan").answers.words.text()
        assert told.startswith("A model handed this over to you: ") and "connection" in told
        assert "not a JSON object" in texts(person.panel)[0]
        person.panel.answers.buttons.buttons["model"].click()
        qtbot.waitUntil(lambda: person.goal is not handed)
        person.asked("accept")
        person.push("yes")
        person.over()
        ended = person.goal.at.ended
        assert ended is not None and ended.status == "completed", ended
        # after the fifth step; the next look would come after the tenth
        assert (person.goal.at.request.looks, person.goal.at.looks) == (2, 1)
        assert states(person.panel)[6] == "Store: done – version 1"
