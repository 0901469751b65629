"""Runs in the terminal that a model judges, behind a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal
from tests.core.sample_model import answering
from tests.model_replies import Asked, Call, Reply
from tests.model_server import ModelServer

_BOOK = "# Book\n## Main\n### Steps\n- Water the plants\n- Extract $n:int from the letter\n- Return $n\n"


def answers(asked: Asked) -> Reply:
    """Words, or a number."""
    return Reply("All of them are watered.") if asked.schema is None else Reply(data={"n": 7})


@contextmanager
def served(terminal: Terminal, replies: object = answers) -> Iterator[ModelServer]:
    """An endpoint called ``test`` that says *replies*."""
    with ModelServer(replies) as server:  # type: ignore[arg-type]  # a function, or a list of replies
        added = (
            "models",
            "add",
            "test",
            "--url",
            server.url,
            "--model",
            "small",
            "--input-usd",
            "10",
            "--output-usd",
            "20",
        )
        assert terminal.run(*added).code == 0
        yield server


def written(folder: Path, text: str = _BOOK) -> Path:
    """A playbook in *folder*."""
    path = folder / "book.md"
    path.write_text(text, "utf-8")
    return path


def run(terminal: Terminal, folder: Path, *options: object) -> Done:
    """The run of the book in *folder*."""
    return terminal.run("run", written(folder), "--store", folder, *options)


@pytest.mark.usefixtures("own_places")
def test_a_model_judges_a_run_and_its_cost_is_told(tmp_path: Path, terminal: Terminal) -> None:
    with served(terminal):
        done = run(terminal, tmp_path, "--model", "test")
    assert done.code == 0, done.err
    assert "All of them are watered." in done.out
    assert "Models: 2 requests, tokens in 200 (cached 0), out 20, cost $0.0024" in done.out


@pytest.mark.usefixtures("own_places")
def test_a_budget_pauses_a_run_that_goes_on_with_more(tmp_path: Path, terminal: Terminal) -> None:
    with served(terminal) as server:
        done = run(terminal, tmp_path, "--judge", "model", "--max-requests", "1")
        assert (done.code, len(server.requests)) == (3, 1)
        assert "as often as they may: 1 (limit 1)" in done.err
        prefix = terminal.run("runs", "--store", tmp_path, "--json").json[0]["run"]
        again = terminal.run("resume", prefix, "--store", tmp_path, "--max-requests", "5")
    assert (again.code, len(server.requests)) == (0, 2)


@pytest.mark.usefixtures("own_places")
def test_a_run_is_repeated_without_a_model(tmp_path: Path, terminal: Terminal) -> None:
    with served(terminal) as server:
        assert run(terminal, tmp_path, "--model", "test").code == 0
        again = run(terminal, tmp_path, "--judge", "replay", "--json")
    assert (again.code, len(server.requests)) == (0, 2)
    assert json.loads(again.out.splitlines()[-1])["body"]["return"] == 7


@pytest.mark.usefixtures("own_places")
def test_a_request_can_be_read_as_it_was_sent(tmp_path: Path, terminal: Terminal) -> None:
    with served(terminal) as server:
        run(terminal, tmp_path, "--model", "test")
        prefix = terminal.run("runs", "--store", tmp_path, "--json").json[0]["run"]
        shown = terminal.run("runs", "context", prefix, "2", "--store", tmp_path)
        listed = terminal.run("runs", "show", prefix, "--store", tmp_path)
    assert server.requests[1].system in shown.out
    assert "Judged: All of them are watered." in shown.out
    assert "Models: 2 requests" in listed.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--judge", "oracle"), "is not one of"),
        (("--judge", "letters=model"), "is not one of"),
        (("--judge", "script"), "A script judges only where one is given"),
        (("--judge", "replay"), "There is no earlier run"),
        (("--max-cost", "-1"), "is not a limit"),
    ],
)
def test_what_makes_no_sense_is_said(options: Sequence[str], told: str, tmp_path: Path, terminal: Terminal) -> None:
    done = run(terminal, tmp_path, *options)
    assert (done.code, told in done.err) == (2, True), done.err


@pytest.mark.usefixtures("own_places")
def test_every_sample_comes_to_its_end_with_a_model(sample: Path, tmp_path: Path, terminal: Terminal) -> None:
    script = sample.with_suffix(".script.yaml")
    rest = ("--script", script, "--trust", "--json", "--store", tmp_path)
    by_script = terminal.run("run", sample, *rest)
    with served(terminal, answering(script.read_text("utf-8"))):
        by_model = terminal.run("run", sample, "--model", "test", *rest)
    ends = [json.loads(done.out.splitlines()[-1]) for done in (by_script, by_model)]
    assert [end["type"] for end in ends] == ["run.completed"] * 2
    assert ends[0]["body"]["return"] == ends[1]["body"]["return"]


def acts(asked: Asked) -> Reply:
    """A command, and then words about what it printed."""
    if asked.messages[-1][0] == "user":
        return Reply(calls=[Call("shell", {"command": ["echo", "all", "green"]})])
    return Reply(f"It says: {asked.messages[-1][1]}")


@pytest.mark.usefixtures("own_places")
@pytest.mark.parametrize(
    ("allowed", "code", "requests"), [((), 3, 1), (("--allow", "shell=echo all green"), 0, 2)], ids=["not", "allowed"]
)
def test_a_command_that_a_model_wants_needs_leave(
    allowed: Sequence[str], code: int, requests: int, tmp_path: Path, terminal: Terminal
) -> None:
    book = written(tmp_path, "# Book\n## Main\n### Steps\n- Find out how things are\n")
    with served(terminal, acts) as server:
        done = terminal.run("run", book, "--model", "test", "--store", tmp_path, "--json", *allowed)
    assert (done.code, len(server.requests)) == (code, requests), done.err
    assert ("It says:" in done.out) is (code == 0)


@pytest.mark.usefixtures("own_places")
@pytest.mark.parametrize(("limit", "most"), [("--max-step-cost", "0.001"), ("--max-seconds", "0.000001")])
def test_one_step_can_be_limited(limit: str, most: str, tmp_path: Path, terminal: Terminal) -> None:
    book = written(tmp_path, "# Book\n## Main\n### Steps\n- Find out how things are\n")
    given = ("--model", "test", "--store", tmp_path, "--allow", "shell=echo all green", limit, most)
    with served(terminal, acts) as server:
        done = terminal.run("run", book, *given)
    assert (done.code, len(server.requests)) == (1, 1), done.err
    assert "(limit " in done.err + done.out


_LIST = """\
id: order
name: Order
steps:
  - {id: find, description: Find it, expected_tools: [lookup]}
  - {id: pay, description: Pay it back, expected_tools: [refund]}
  - {id: tell, description: Tell the customer}
"""
_CALLS = """\
calls:
- {tool: refund, result: too early}
- {tool: lookup, error: the register is down}
- {tool: lookup, result: found}
- {tool: refund, result: paid}
- {text: You have it back.}
"""


def test_the_run_of_a_list_is_repeated_call_by_call(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "list.yaml").write_text(_LIST, "utf-8")
    (tmp_path / "calls.yaml").write_text(_CALLS, "utf-8")
    rest = ("--store", tmp_path, "--json")
    first = terminal.run("run", tmp_path / "list.yaml", "--script", tmp_path / "calls.yaml", *rest)
    again = terminal.run("run", tmp_path / "list.yaml", "--judge", "replay", *rest)
    assert (first.code, again.code) == (0, 0), again.err
    told = [[json.loads(line)["type"] for line in done.out.splitlines()] for done in (first, again)]
    assert told[0] == told[1]
