"""The plan pane: expected against actual, step by step, and whether calls are held to the plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.engine.ports import Answer, Request
from workbench.gui.canvas.painting.overlay import MarkStatus
from workbench.gui.plan.plan_model import CALLS, LIMIT, STATUS, SUCCESSES, TOOLS, VALIDATION, VIOLATIONS
from workbench.gui.plan.plan_panel import PlanPanel
from workbench.gui.runs.card import CardKind
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

REFUND = """\
id: refund
name: Refund
steps:
  - id: find
    description: Find the order
    expected_tools: [lookup]
    max_tool_calls: 3
    validation: {min_tool_calls: 2}
    hints: [The number is on the confirmation]
  - id: gift
    description: Send a gift
    expected_tools: [send_gift]
    required: false
  - id: pay
    description: Pay it back
    expected_tools: [refund]
    timeout_seconds: 600
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A step list."""
    path = tmp_path / "refund.yaml"
    path.write_text(REFUND, encoding="utf-8")
    return path


@pytest.fixture
def running(qtbot: QtBot, window: MainWindow, file: Path) -> MainWindow:
    """A window in which the step list waits for its first entry."""
    window.context.documents.open(file)
    window.context.actions.action("run.start").trigger()
    question(qtbot, window)
    return window


def question(qtbot: QtBot, window: MainWindow, after: Request | None = None) -> Request:
    runs = window.context.runs
    qtbot.waitUntil(lambda: runs.request is not None and runs.request != after)
    assert runs.request is not None
    return runs.request


def enter(qtbot: QtBot, window: MainWindow, action: str, **more: str) -> None:
    asked = question(qtbot, window)
    assert window.context.runs.answer(asked.id, Answer((("action", action), *more.items())))
    qtbot.waitUntil(lambda: window.context.runs.request != asked)


def plan(window: MainWindow) -> PlanPanel:
    panel = window.panes.panel("plan")
    assert isinstance(panel, PlanPanel)
    window.panes.bring_forward("plan")
    return panel


def cell(window: MainWindow, row: int, column: int) -> str:
    model = plan(window).table.model()
    return str(model.index(row, column).data())


def stop(qtbot: QtBot, window: MainWindow) -> None:
    window.context.runs.stop()
    qtbot.waitUntil(lambda: not window.context.runs.is_running)


def test_without_a_run_the_pane_says_what_it_is_for(window: MainWindow) -> None:
    assert plan(window).table.model() is None


def test_every_step_stands_in_the_plan_with_what_it_expects(qtbot: QtBot, running: MainWindow) -> None:
    assert [cell(running, row, 0) for row in range(3)] == [
        "01  Find the order",
        "02  Send a gift (optional)",
        "03  Pay it back",
    ]
    assert [cell(running, 0, column) for column in (STATUS, TOOLS, CALLS, SUCCESSES, VALIDATION)] == [
        *("running", "lookup", "0 of 3", "0 of 2", "open")
    ]
    stop(qtbot, running)


def test_calls_are_counted_while_the_run_goes_on(qtbot: QtBot, running: MainWindow) -> None:
    enter(qtbot, running, "lookup", result="A-17")
    question(qtbot, running)
    qtbot.waitUntil(lambda: cell(running, 0, CALLS) == "1 of 3")
    assert cell(running, 0, TOOLS) == "✓ lookup"
    enter(qtbot, running, "lookup", result="A-17")
    question(qtbot, running)
    qtbot.waitUntil(lambda: cell(running, 0, STATUS) == "done")
    assert cell(running, 0, VALIDATION) == "met"
    stop(qtbot, running)


def test_a_blocked_call_is_a_shield_a_card_and_a_violation(qtbot: QtBot, running: MainWindow) -> None:
    enter(qtbot, running, "refund")
    question(qtbot, running)
    qtbot.waitUntil(lambda: cell(running, 0, VIOLATIONS) == "1")
    marks = running.context.shown.marks
    assert [mark.status for mark in marks.values()] == [MarkStatus.BLOCKED]
    panel = running.panes.panel("run")
    assert isinstance(panel, RunPanel)
    blocked = [card for card in panel.conversation.cards if card.kind is CardKind.BLOCKED]
    assert [card.text for card in blocked] == ["refund()"]
    assert "The number is on the confirmation" in blocked[0].outcome
    stop(qtbot, running)


def test_the_time_of_a_step_is_shown_beside_its_limit(qtbot: QtBot, running: MainWindow) -> None:
    assert cell(running, 2, LIMIT) == "600 s"
    for action in ("lookup", "lookup", "skip"):
        enter(qtbot, running, action)
    question(qtbot, running)
    qtbot.waitUntil(lambda: cell(running, 2, LIMIT) == "0 of 600 s")
    stop(qtbot, running)
    assert cell(running, 2, LIMIT) == "600 s"


def test_a_click_selects_the_step(qtbot: QtBot, running: MainWindow) -> None:
    panel = plan(running)
    spot = panel.table.visualRect(panel.table.model().index(2, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    snapshot = running.context.documents.snapshot
    assert [snapshot.step(step).text for step in running.context.selection.selected] == ["Pay it back"]
    stop(qtbot, running)


def test_the_step_that_is_selected_elsewhere_is_shown(qtbot: QtBot, running: MainWindow) -> None:
    snapshot = running.context.documents.snapshot
    pay = next(step for step in snapshot.program.playbooks[0].steps if step.text == "Pay it back")
    running.context.selection.select((pay.id,), "outline")
    assert plan(running).table.currentIndex().row() == 2
    stop(qtbot, running)


def test_the_status_bar_says_whether_calls_are_held_to_a_plan(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    label = window.status.enforcement_label
    assert label.text() == "Plan enforcement: off"
    window.context.documents.open(file)
    assert label.text() == "Plan enforcement: on"
    window.context.actions.action("run.record-only").trigger()
    assert label.text() == "Plan enforcement: audit only"
    window.context.actions.action("run.start").trigger()
    question(qtbot, window)
    enter(qtbot, window, "refund", result="paid too early")
    question(qtbot, window)
    assert "audit only" in plan(window).words.text()
    stop(qtbot, window)
    window.context.actions.action("run.record-only").trigger()
    assert label.text() == "Plan enforcement: on"


def test_the_timeline_nests_run_step_and_call(qtbot: QtBot, running: MainWindow) -> None:
    enter(qtbot, running, "refund")
    enter(qtbot, running, "lookup", result="A-17")
    enter(qtbot, running, "lookup", result="A-17")
    question(qtbot, running)
    board = running.panes.panel("timeline").board  # type: ignore[attr-defined]
    table = board.run.table
    kinds = [
        {table.bar(lane, index).tint.kind.value for index in range(len(each))} for lane, each in enumerate(table.lanes)
    ]
    assert kinds == [{"playbook"}, {"step"}, {"question", "call"}]
    stop(qtbot, running)


def test_a_run_that_was_let_go_of_goes_on_with_its_plan(qtbot: QtBot, running: MainWindow) -> None:
    enter(qtbot, running, "lookup", result="A-17")
    question(qtbot, running)
    runs = running.context.runs
    assert runs.run is not None
    runs.leave()
    runs.resume(runs.run.id)
    question(qtbot, running)
    qtbot.waitUntil(lambda: cell(running, 0, CALLS) == "1 of 3")
    enter(qtbot, running, "lookup", result="A-17")
    qtbot.waitUntil(lambda: cell(running, 0, STATUS) == "done")
    stop(qtbot, running)


def test_a_list_that_cannot_be_run_says_why(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    graph = tmp_path / "graph.yaml"
    graph.write_text("version: playbook.v2\nid: g\nname: G\nsteps:\n  - id: a\n    title: A\n", encoding="utf-8")
    window.context.documents.open(graph)
    assert window.status.enforcement_label.text() == "Plan enforcement: off"
    with qtbot.waitSignal(window.context.runs.run_refused) as refused:
        window.context.actions.action("run.start").trigger()
    assert "not run as a list" in refused.args[0]


def test_a_markdown_run_has_no_plan(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "desk.md"
    path.write_text("# Desk\n\n## Main\n\n### Steps\n\n- $n = 1\n", encoding="utf-8")
    window.context.documents.open(path)
    window.context.actions.action("run.start").trigger()
    qtbot.waitUntil(lambda: not window.context.runs.is_running)
    assert plan(window)._watch is None
    assert window.status.enforcement_label.text() == "Plan enforcement: off"
