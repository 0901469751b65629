"""``workbench run`` on a step list."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import DATA
from tests.core.cli_driver import Terminal

REFUND = DATA / "enforce" / "refund.yaml"
CALLS = """calls:
- {tool: issue_refund}
- {tool: lookup_order, result: {total: 20}}
- {tool: lookup_payment}
- {tool: check_policy, result: fine}
- {tool: issue_refund, result: refunded 20}
- {text: "Dear customer"}
"""


def test_a_step_list_runs_by_its_script_and_blocks_what_comes_too_early(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text(CALLS, encoding="utf-8")
    done = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [event["body"]["tool"] for event in events if event["type"] == "tool.blocked"] == ["issue_refund"]
    assert events[-1]["type"] == "run.completed"
    assert events[-1]["body"]["return"] == "Dear customer"


def test_a_plan_that_is_not_done_is_a_failed_run(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("calls:\n- {text: done}\n- {text: really}\n", encoding="utf-8")
    done = terminal.run("run", REFUND, "--script", script, "--store", tmp_path)
    assert done.code == 1
    assert "Open steps: find, check, refund, tell" in done.out


def test_without_a_script_input_is_needed(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("run", REFUND, "--store", tmp_path).code == 3


def test_a_graph_is_not_run_as_a_list(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal.run("run", DATA / "steplists" / "graph-v2.yaml", "--store", tmp_path)
    assert done.code == 2
    assert "never run as a list" in done.err
