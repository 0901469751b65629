"""``workbench run`` on a step list."""

from __future__ import annotations

import json
import os
import pty
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.journal import Journal

PROMPT = re.compile(r"(words|finish\)|Enter|result): \Z")

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


def test_what_a_file_holds_decides_and_not_what_it_is_called(terminal: Terminal, tmp_path: Path) -> None:
    named, script = tmp_path / "refund.txt", tmp_path / "calls.yaml"
    named.write_bytes(REFUND.read_bytes())
    script.write_text(CALLS, encoding="utf-8")
    assert terminal.run("check", named).code == 0
    assert terminal.run("enforce", named, "--calls", script).code == 1  # one call comes too early
    done = terminal.run("run", named, "--script", script, "--store", tmp_path, "--json")
    assert done.code == 0
    assert json.loads(done.out.splitlines()[-1])["type"] == "run.completed"


def test_a_list_that_is_damaged_is_told_with_its_line(terminal: Terminal, tmp_path: Path) -> None:
    damaged = tmp_path / "list.txt"
    damaged.write_text("id: x\nname: X\nsteps:\n- 3\n", encoding="utf-8")
    done = terminal.run("run", damaged, "--store", tmp_path)
    assert done.code == 2
    assert f"{damaged}:4:" in done.err


def test_a_list_runs_by_itself(terminal: Terminal, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_bytes(REFUND.read_bytes())
    done = terminal.run("run", REFUND, other, "--store", tmp_path)
    assert done.code == 2
    assert "by itself" in done.err


def test_a_script_for_the_other_kind_of_playbook_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    book, script = tmp_path / "book.pb", tmp_path / "script.yaml"
    book.write_text("# Desk\n## Main\n### Steps\n- Do it\n", encoding="utf-8")
    script.write_text(CALLS, encoding="utf-8")
    assert "is for step lists" in terminal.run("run", book, "--script", script, "--store", tmp_path).err
    script.write_text("answers: []\n", encoding="utf-8")
    assert "a list named calls" in terminal.run("run", REFUND, "--script", script, "--store", tmp_path).err


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
    assert "not run as a list" in done.err


def test_a_run_whose_script_is_over_goes_on_with_the_longer_one(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("".join(CALLS.splitlines(keepends=True)[:4]), encoding="utf-8")
    first = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json")
    assert first.code == 3
    run = json.loads(first.out.splitlines()[0])["run"]
    script.write_text(CALLS, encoding="utf-8")
    again = terminal.run("resume", run, "--script", script, "--store", tmp_path, "--json")
    events = [json.loads(line) for line in again.out.splitlines()]
    assert again.code == 0
    assert [event["body"]["tool"] for event in events if event["type"] == "tool.call"] == [
        "check_policy",
        "issue_refund",
    ]


def test_a_run_without_a_script_and_without_a_person_is_not_resumed(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("calls:\n- {tool: lookup_order}\n", encoding="utf-8")
    first = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json")
    run = json.loads(first.out.splitlines()[0])["run"]
    assert terminal.run("resume", run, "--store", tmp_path).code == 3


def test_where_only_records_are_kept_nothing_is_blocked(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("calls:\n- {tool: issue_refund, result: refunded}\n", encoding="utf-8")
    done = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json", "--record-only")
    kinds = [json.loads(line)["type"] for line in done.out.splitlines()]
    assert "tool.blocked" not in kinds
    assert {"tool.call", "plan.violation"} <= set(kinds)


def test_a_person_walks_the_list_at_the_terminal(tmp_path: Path) -> None:
    entries = [
        *("issue_refund", "", "", "paid"),
        *("lookup_order", "order = A-17", "", "", "120 EUR"),
        *("lookup_payment", '{"card": 4711}', "", "paid by card"),
        *("check_policy", "", "", "allowed"),
        *("issue_refund", "amount = 120", "", "", "refunded 120"),
        *("done", "told by mail"),
    ]
    screen, code = at_terminal(
        [sys.executable, "-m", "workbench", "run", str(REFUND), "--store", str(tmp_path)], entries
    )
    assert code == 0
    assert "Not done: issue_refund was blocked" in screen
    assert "Hint: The order number is on the confirmation" in screen
    journal = Journal(tmp_path / "runs.sqlite")
    calls = [encoded(event.payload) for event in journal.read(journal.runs()[0].id) if event.name == "tool.call"]
    journal.close()
    assert [(call["tool"], call["named"]) for call in calls] == [
        ("lookup_order", {"order": "A-17"}),
        ("lookup_payment", {"card": 4711}),
        ("check_policy", {}),
        ("issue_refund", {"amount": 120}),
    ]


def at_terminal(command: list[str], entries: list[str]) -> tuple[str, int]:
    """What the screen shows, and the exit code, when a person types *entries* line by line."""
    pid, screen = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    shown = b""
    prompts = 0
    while True:
        try:
            part = os.read(screen, 65_536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
        if PROMPT.search(shown[-200:].decode("utf-8", "replace")):
            # one prompt too many ends the input, so that the test fails instead of waiting for ever
            os.write(screen, f"{entries[prompts]}\n".encode() if prompts < len(entries) else b"\x04")
            prompts += 1
            shown += b"\n"
    return shown.decode("utf-8", "replace"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_what_has_worked_before_is_in_the_context_of_the_model(terminal: Terminal, tmp_path: Path) -> None:
    told = ("--type", "refund", "--description", "Refund an order", "--store", tmp_path)
    record = ("patterns", "record", "lookup_order", "issue_refund", *told)
    for _round in range(3):
        assert terminal.run(*record).code == 0
    script = tmp_path / "calls.yaml"
    script.write_text(CALLS, encoding="utf-8")
    done = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json")
    asked = next(event for event in map(json.loads, done.out.splitlines()) if event["type"] == "llm.request")
    assert "lookup_order -> issue_refund" in asked["body"]["context"]


def test_a_run_that_goes_on_is_told_too_what_has_worked_before(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "calls.yaml"
    script.write_text("calls:\n- {tool: lookup_order}\n", encoding="utf-8")
    first = terminal.run("run", REFUND, "--script", script, "--store", tmp_path, "--json")
    told = ("--type", "refund", "--description", "Refund an order", "--store", tmp_path)
    assert terminal.run("patterns", "record", "lookup_order", "issue_refund", *told).code == 0
    script.write_text(CALLS, encoding="utf-8")
    run = json.loads(first.out.splitlines()[0])["run"]
    again = terminal.run("resume", run, "--script", script, "--store", tmp_path, "--json")
    asked = [event for event in map(json.loads, again.out.splitlines()) if event["type"] == "llm.request"]
    assert "lookup_order -> issue_refund" in asked[-1]["body"]["context"]


@pytest.mark.usefixtures("own_places")
@pytest.mark.parametrize(
    "command",
    [
        ("run", "bad.yaml"),
        ("serve", "good.yaml", "bad.yaml"),
        ("convert", "bad.yaml", "--to", "markdown"),
        ("generate", "Count", "--template", "bad.yaml"),
        ("enforce", "bad.yaml", "--calls", "calls.yaml"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_file(
    command: tuple[str, ...], terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = "id: x\nname: X\nsteps:\n- id: a\n  description: Count\n"
    (tmp_path / "good.yaml").write_text(good, "utf-8")
    (tmp_path / "bad.yaml").write_text(good + "  colour: blue\n", "utf-8")
    (tmp_path / "calls.yaml").write_text("calls: []\n", "utf-8")
    told = terminal.run(*command)
    assert told.code == 2 and "bad.yaml:6:3: “colour” is not" in told.err


def test_what_is_wrong_in_a_script_is_told_with_its_file(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").write_text("answers: []\ncolour: blue\n", "utf-8")
    told = terminal.run("run", REFUND, "--script", tmp_path / "answers.yaml", "--store", tmp_path)
    assert told.code == 2 and f"Line 2 of the script {tmp_path / 'answers.yaml'}:" in told.err
