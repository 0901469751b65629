"""A person opens a step list, walks it, is refused once, completes it, and exports what was done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog
from pytestqt.qtbot import QtBot

from tests.journeys.person import Person
from workbench.cli.main import run_command_line
from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.background import finish_background_work
from workbench.gui.plan.plan_model import STATUS, VIOLATIONS
from workbench.gui.plan.plan_panel import PlanPanel
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.runs.special_fields import TurnFields
from workbench.gui.shell.main_window import MainWindow

REFUND = """\
# Refunds above 100 need a second pair of eyes.
id: refund
name: Refund
steps:
  - id: find
    description: Find the order
    expected_tools: [lookup_order]
    hints: [The number is on the confirmation]
  - id: tell
    description: Tell the customer how long it takes
  - id: pay
    description: Pay the money back
    expected_tools: [issue_refund]
    max_tool_calls: 1
"""


class Clerk(Person):
    """Fills in the form of a turn."""

    def form(self) -> RequestForm:
        panel = self.window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        self.qtbot.waitUntil(lambda: panel.form is not None)
        assert panel.form is not None
        return panel.form

    def enter(self, words: str, arguments: str = "", result: str = "") -> RequestForm:
        """Choose *words* in the form, fill in the rest, hand it over; the next form, or the same where it ended."""
        form = self.form()
        fields = form.special
        assert isinstance(fields, TurnFields)
        choose(fields.action, words)
        if words == "Another tool":
            fields.other.setText("issue_refund")
        fields.arguments.editor.setPlainText(arguments)  # type: ignore[attr-defined]
        fields.result.editor.setPlainText(result)  # type: ignore[attr-defined]
        form.submit("done")
        panel = self.window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        self.qtbot.waitUntil(lambda: panel.form is not form)
        return form


def choose(box: QComboBox, words: str) -> None:
    index = box.findText(words)
    assert index >= 0, [box.itemText(each) for each in range(box.count())]
    box.setCurrentIndex(index)


def shown(window: MainWindow, column: int) -> list[str]:
    panel = window.panes.panel("plan")
    assert isinstance(panel, PlanPanel)
    model = panel.table.model()
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def test_a_step_list_is_walked_refused_completed_and_audited(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "refund.yaml"
    path.write_text(REFUND, encoding="utf-8")
    clerk = Clerk(qtbot, window)
    clerk.open(path)
    assert window.status.enforcement_label.text() == "Plan enforcement: on"
    window.context.actions.action("run.start").trigger()
    is_refused_at_first(clerk)
    walk_to_the_end(clerk)
    assert shown(window, STATUS) == ["done", "done", "done"]
    assert shown(window, VIOLATIONS) == ["1", "–", "–"]
    assert path.read_text(encoding="utf-8") == REFUND
    events = exported(window, tmp_path / "audit.jsonl", monkeypatch)
    called = [event["body"] for event in events if event["type"] == "tool.call"]
    assert [(body["tool"], body["named"]) for body in called] == [
        ("lookup_order", {"order": "A-17"}),
        ("issue_refund", {"amount": 120}),
    ]
    assert [event["body"]["tool"] for event in events if event["type"] == "tool.blocked"] == ["issue_refund"]
    is_verified(window)


def is_refused_at_first(clerk: Clerk) -> None:
    """A payment before the order was looked up."""
    clerk.enter("Another tool", "amount = 120")
    refused = clerk.form().special
    assert isinstance(refused, TurnFields)
    assert "issue_refund does not belong to the current step" in refused.refused.text()
    assert refused.hints.text() == "The number is on the confirmation"


def walk_to_the_end(clerk: Clerk) -> None:
    """Everything in its order."""
    clerk.enter("Tool: lookup_order", "order = A-17", "120 EUR, paid by card")
    clerk.enter("This step is done", result="told by mail")
    clerk.enter("Tool: issue_refund", '{"amount": 120}', "paid back")
    runs = clerk.context.runs
    clerk.qtbot.waitUntil(lambda: not runs.is_running)
    assert runs.state is not None
    assert runs.state.status is RunStatus.COMPLETED


def exported(window: MainWindow, audit: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The audit, exported by the action of the Run menu."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(audit), "JSON lines (*.jsonl)"))
    window.context.actions.action("run.export-audit").trigger()
    finish_background_work()
    return [json.loads(line) for line in audit.read_text(encoding="utf-8").splitlines()]


def is_verified(window: MainWindow) -> None:
    """The command line finds the record as it was written."""
    run = window.context.runs.run
    assert run is not None
    store = window.context.places.runs_file.parent
    assert run_command_line(["audit", "verify", str(run.id), "--store", str(store)], no_window, no_window) == 0


def no_window(_arguments: object) -> int:
    raise AssertionError("a window was opened")
