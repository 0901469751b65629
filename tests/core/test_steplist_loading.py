"""What a list in groups keeps, and that a check refuses what the loader refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import StepExecution, StepStatus
from workbench.model.loader.loading import PlaybookLoadError, load_playbook, load_text, read_steplist
from workbench.model.loader.steplist import Playbook

GROUPED = """\
playbook_id: orders
step_groups:
- id: look
  title: Look
  goal: know what happened
  priority: 2
  product: shop
  guidance: {skill_refs: [logs]}
  steps:
  - id: find
    description: Find the order
    goal: one order
    service_type: web
    priority: 1
    guidance: {skill_refs: [orders, logs]}
- steps:
  - {id: tell, title: Tell}
"""


def test_a_list_in_groups_keeps_goals_and_notes_and_skills() -> None:
    first, second = load_text(GROUPED).steps
    assert first.description == "Look – know what happened: Find the order – one order"
    assert first.metadata == {"priority": 1, "product": "shop", "service_type": "web"}
    assert first.uses == ("logs", "orders")
    assert second.description == "Tell"


@pytest.mark.parametrize("names", ["playbook_id: orders", "id: orders"])
def test_a_list_in_groups_is_named_by_its_id_where_it_has_no_name(names: str) -> None:
    assert load_text(GROUPED.replace("playbook_id: orders", names)).name == "orders"


def test_steps_win_over_groups_and_that_is_told() -> None:
    text = GROUPED + "steps: [{id: own, description: Own}]\nid: x\nname: X\n"
    found = read_steplist(text)
    assert found.playbook is not None
    assert [step.id for step in found.playbook.steps] == ["own"]
    assert [one.code for one in found.diagnostics] == ["groups-not-used"]


@pytest.mark.parametrize(
    "fields",
    ["expected_tools: [a, b], max_tool_calls: 1", "min_tool_calls: 3, max_tool_calls: 2",
     "validation: {min_tool_calls: 2}, max_tool_calls: 1"],
)  # fmt: skip
def test_a_step_that_can_only_fail_is_found(fields: str) -> None:
    found = read_steplist(f"id: x\nname: X\nsteps: [{{id: a, description: A, {fields}}}]\n")
    assert [one.code for one in found.diagnostics] == ["too-few-calls"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.yaml", "id: a\n", "name is missing"),
        ("a.yaml", "name: a\ndescription: b\n", "id is missing"),
        ("a.json", '{"id":"x"}', "name is missing"),
        ("a.json", '{"id":"x", ', "double quotes"),
        ("a.yaml", "", "There is nothing in this YAML"),
    ],
)
def test_a_check_refuses_what_the_loader_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(PlaybookLoadError, match=says):
        load_playbook(path)
    done = Terminal(capsys).run("check", path)
    assert done.code == 1
    assert says in done.out
    assert "heading" not in done.out


def test_a_record_that_is_put_into_a_plan_counts() -> None:
    playbook = load_text("id: x\nname: X\nsteps: [{id: a, description: A}, {id: b, description: B}]\n")
    assert isinstance(playbook, Playbook)
    plan = PlaybookPlan(playbook)
    plan.step_executions["a"] = StepExecution("a", StepStatus.COMPLETED)
    assert plan.progress == 0.5
    assert plan.summary()["pending"] == 1


FOREIGN = {
    "package.json": '{"name": "pkg", "version": "1.0.0", "scripts": {"a": "b"}}',
    "rules.yml": "groups:\n- name: a\n  rules: []\n",
    "compose.yaml": "services:\n  web:\n    image: x\n",
    "flow.json": '{"name": "Flow", "nodes": [], "connections": {}}',
    "list.json": "[1, 2]",
    "tasks.yml": "- name: a\n  shell: b\n",
    "extension.json": '{"name": "pkg", "version": 1, "main": "x"}',
    "comments.json": '// why\n{"name": "dev", /* x */ "image": "y"}',
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_another_program_has_no_findings(name: str, tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / name).write_text(FOREIGN[name], encoding="utf-8")
    done = terminal.run("check", tmp_path / name)
    assert done.code == 0
    assert "It is shown as it is, read-only, and kept byte for byte." in done.out
