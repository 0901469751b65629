"""``workbench enforce``: the right decision for each call of many lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import DATA
from tests.core.cli_driver import Terminal

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


@pytest.mark.parametrize("text", ["", "calls: 3\n", "calls:\n- {}\n", "calls:\n- {tool: a, reslt: 1}\n", "a: [\n"])
def test_a_file_of_calls_that_cannot_be_read_is_told(text: str, terminal: Terminal, tmp_path: Path) -> None:
    calls = tmp_path / "calls.yaml"
    calls.write_text(text, encoding="utf-8")
    done = terminal.run("enforce", ENFORCE / "refund.yaml", "--calls", calls)
    assert done.code == 2
    assert done.err
