"""``workbench enforce``: the right decision for each call of many lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from workbench.engine.audit.deeds import plan_at_end
from workbench.engine.journal.journal import Journal

ENFORCE = DATA / "enforce"
CASES = yaml.safe_load((ENFORCE / "cases.yaml").read_text(encoding="utf-8"))
IN_ORDER = [one["call"] for one in CASES[0]["calls"]]


def write(path: Path, calls: list[dict[str, Any]]) -> Path:
    """A file of calls."""
    path.write_text(yaml.safe_dump({"calls": calls}, allow_unicode=True), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_call_of_a_list_is_judged(case: dict[str, Any], terminal: Terminal, tmp_path: Path) -> None:
    calls = write(tmp_path / "calls.yaml", [one["call"] for one in case["calls"]])
    done = terminal.run("enforce", ENFORCE / case["playbook"], "--calls", calls, "--json")
    *lines, last = [json.loads(line) for line in done.out.splitlines()]
    assert [line["violation"] or "allowed" for line in lines] == [one["says"] for one in case["calls"]]
    assert [line["allowed"] for line in lines] == [one["says"] == "allowed" for one in case["calls"]]
    assert last["plan"]["completed"] is case["is_complete"]


ALIKE = [
    *((one["playbook"], [each["call"] for each in one["calls"]]) for one in CASES),
    ("refund.yaml", [*IN_ORDER[:3], {"tool": "skip_step"}, *IN_ORDER[3:4], {"tool": "complete_step"}]),
    ("refund.yaml", [{"tool": "complete_step"}, *IN_ORDER]),
    ("deployment.json", [*[{"tool": name} for name in ("build_image", "skip_step")], {"text": "done"}]),
]


@pytest.mark.parametrize(("playbook", "calls"), ALIKE)
def test_a_run_by_the_same_calls_comes_to_the_same_plan(
    playbook: str, calls: list[dict[str, Any]], terminal: Terminal, tmp_path: Path
) -> None:
    script = write(tmp_path / "calls.yaml", calls)
    said = terminal.run("enforce", ENFORCE / playbook, "--calls", script, "--json").out.splitlines()
    terminal.run("run", ENFORCE / playbook, "--script", script, "--store", tmp_path)
    journal = Journal(tmp_path / "runs.sqlite")
    plan = plan_at_end(journal.check(journal.runs()[0].id), journal)
    journal.close()
    assert plan is not None
    judged = json.loads(said[-1])["plan"]
    assert plan.completed is judged["completed"]
    statuses = {one["step_id"]: one["status"] for one in judged["executions"]}
    assert {one.step_id: one.status.value for one in plan.executions} == statuses


def test_a_statement_that_does_not_hold_is_told_as_not_taken(terminal: Terminal, tmp_path: Path) -> None:
    calls = write(tmp_path / "calls.yaml", [{"tool": "complete_step"}, {"tool": "skip_step"}])
    done = terminal.run("enforce", ENFORCE / "refund.yaml", "--calls", calls, "--json")
    *lines, _plan = [json.loads(line) for line in done.out.splitlines()]
    assert [line["violation"] for line in lines] == ["evidence_incomplete", "step_required"]
    assert done.code == 1


def test_the_exit_code_tells_whether_the_plan_was_kept(terminal: Terminal, tmp_path: Path) -> None:
    calls = write(tmp_path / "calls.yaml", IN_ORDER)
    assert terminal.run("enforce", ENFORCE / "refund.yaml", "--calls", calls).code == 0
    write(calls, [{"tool": "issue_refund"}])
    assert terminal.run("enforce", ENFORCE / "refund.yaml", "--calls", calls).code == 1


def test_a_graph_is_never_judged_as_a_list(terminal: Terminal, tmp_path: Path) -> None:
    calls = tmp_path / "calls.yaml"
    calls.write_text("calls: []\n", encoding="utf-8")
    done = terminal.run("enforce", DATA / "steplists" / "graph-v2.yaml", "--calls", calls)
    assert done.code == 2
    assert "not run as a list" in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a list named calls"),
        ("calls: 3\n", "Line 1"),
        ("calls:\n- {}\n", "Line 2"),
        ("calls:\n- {tool: a, reslt: 1}\n", "reslt"),
        ("a: [\n", "Line"),
        ("calls:\n- 5\n", "Line 2"),
        ("calls:\n- tool: a\n  args: text\n", "calls.yaml: args must be a mapping"),
        ("calls:\n- tool: a\n  args: 5\n", "Line 3"),
        ("calls:\n- tool: a\n  args: [1, 2]\n", "Line 3"),
        ("calls:\n- tool: a\n  args: '{\"x\": 1}'\n", "Line 3"),
        ("calls:\n- tool: a\n  args: &a [*a]\n", "Line 3"),
        ("calls:\n- tool: a\n  args: &a {x: *a}\n", "Line 3"),
        ("calls:\n- tool: a\n  result: &a [*a]\n", "Line 3"),
        ("calls:\n- tool: a\n  result: .nan\n", "Line 3"),
        ("calls:\n- tool: [a]\n", "calls.yaml: tool must be a text"),
        ("calls:\n- {tool: a, batch: {x: 1}}\n", "batch must be a text"),
        ("calls:\n- {tool: a, error: [x]}\n", "error must be a text"),
    ],
)
@pytest.mark.parametrize("command", ["enforce", "run"])
def test_a_file_of_calls_that_cannot_be_read_is_refused_with_its_line(
    command: str, text: str, told: str, terminal: Terminal, tmp_path: Path
) -> None:
    calls = tmp_path / "calls.yaml"
    calls.write_text(text, encoding="utf-8")
    how = ("--calls", calls) if command == "enforce" else ("--script", calls, "--store", tmp_path)
    done = terminal.run(command, ENFORCE / "refund.yaml", *how)
    assert done.code == 2
    assert told in done.err


def test_a_call_may_be_written_with_what_others_have_in_common(terminal: Terminal, tmp_path: Path) -> None:
    calls = tmp_path / "calls.yaml"
    calls.write_text(
        "calls:\n- &find {tool: lookup_order, args: {order: A-17}}\n- {<<: *find, tool: lookup_payment}\n",
        encoding="utf-8",
    )
    done = terminal.run("enforce", ENFORCE / "refund.yaml", "--calls", calls, "--json")
    assert [json.loads(line)["allowed"] for line in done.out.splitlines()[:-1]] == [True, True]
