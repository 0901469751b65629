"""Tools in whole runs: of a person who walks a list, of the project's Python, and at the terminal."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.approving import Asked, allow, names_of, options_in, refuse, run_asked
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, finished
from tests.core.steplist_driver import text_of
from workbench.cli.running.leave import ask_leave
from workbench.engine.backends.script import scripted
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, CallToAllow, Leave, LeaveScope, Request, RequestKind
from workbench.engine.starting import start_run
from workbench.errors import InputNeeded
from workbench.model.format import TextFormat
from workbench.model.loader.steplist import Playbook, PlaybookStep
from workbench.tools.values import Preview

LIST = Playbook("p", "P", steps=(PlaybookStep("s", "Write it down", expected_tools=("write_file",)),))
WISH = {"path": "a.txt", "text": "hello"}


class Walking(Asked):
    """A person who lets the run make one call."""

    def __init__(self, *words: Any, **entry: Any) -> None:
        super().__init__(*words)
        self.entries = [{"action": "write_file", "arguments": WISH, **entry}]

    def judge(self, request: Request) -> Answer:
        """The entry, and then nothing more."""
        if request.kind is RequestKind.APPROVE:
            return super().judge(request)
        if not self.entries:
            raise InputNeeded("nobody is there")
        return Answer(tuple(self.entries.pop(0).items()))


def walk(person: Any, folder: Path) -> Played:
    """A run of the list with *person*."""
    journal = Journal(folder / "runs.sqlite")
    return finished(start_run(text_of(LIST), journal, person, options_in(folder)), journal)


def test_a_person_can_let_the_run_make_a_call_of_a_list(tmp_path: Path) -> None:
    played = walk(Walking(allow, make=True), tmp_path)
    assert (tmp_path / "a.txt").read_text("utf-8") == "hello"
    assert played.state.status is RunStatus.COMPLETED
    assert names_of(played, "approval.") == ["approval.asked", "approval.granted", "approval.used"]


def test_a_call_that_a_person_has_made_is_only_noted(tmp_path: Path) -> None:
    played = walk(Walking(result="written"), tmp_path)
    assert not (tmp_path / "a.txt").exists()
    assert played.state.status is RunStatus.COMPLETED
    assert names_of(played, "approval.") == []


def test_a_refused_call_of_a_list_has_failed(tmp_path: Path) -> None:
    played = walk(Walking(refuse, make=True), tmp_path)
    assert not (tmp_path / "a.txt").exists()
    assert "was not allowed. Not on a Friday." in played.bodies("effect.error")[0]["message"]


def test_a_list_whose_tool_nobody_has_says_so(tmp_path: Path) -> None:
    person = Walking(make=True, action="write_fil")
    played = walk(person, tmp_path)
    assert played.bodies("tool.call") == []


def test_a_script_of_a_list_says_what_calls_give_and_nothing_is_done(tmp_path: Path) -> None:
    script = "calls:\n  - tool: write_file\n    args: {path: a.txt, text: hello}\n    result: written\n"
    played = walk(scripted(script, TextFormat.STEPLIST_JSON), tmp_path)
    assert (played.state.status, names_of(played, "approval.")) == (RunStatus.COMPLETED, [])
    assert not (tmp_path / "a.txt").exists()


MODULE = '''"""Tools of a project."""

import pathlib

LIMIT = 3

@playbook
def count(words: list[str], least: int = 1) -> int:
    """How many words there are."""
    print("counting")
    return max(len(words), least) + LIMIT

@playbook(safety="read")
def broken():
    raise ValueError("no")
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a module of tools."""
    (tmp_path / "ops.py").write_text(MODULE, "utf-8")
    (tmp_path / "workbench.toml").write_text('[tools]\nmodules = ["ops.py"]\n', "utf-8")
    return tmp_path


def trusted(folder: Path) -> RunOptions:
    """A run there, whose Python may run."""
    return options_in(folder, is_trusted=True)


def test_python_of_the_project_is_called(project: Path) -> None:
    played = run_asked('- $n = count(["a", "b"])\n- Return $n\n', project, Asked(), trusted(project))
    assert (played.run.result, played.bodies("tool.output")[0]["text"]) == (5, "counting\n")
    assert not list((project / "calls").glob("*"))


def test_python_of_the_project_that_fails_says_where(project: Path) -> None:
    played = run_asked("- $n = broken()\n- Return $n\n", project, Asked(), trusted(project))
    assert "broken failed: ValueError: no, in line 15 of the Python block" in played.state.error


def test_python_of_the_project_that_fails_can_be_answered_by_a_trigger(project: Path) -> None:
    answering = '## Instead\n### Triggers\n- When broken fails\n### Steps\n- Return "mended"\n'
    played = run_asked("- $n = broken()\n- Return $n\n" + answering, project, Asked(), trusted(project))
    assert played.run.result == "mended"


def test_tools_of_the_project_have_schemas(project: Path) -> None:
    played = run_asked("- $n = count([])\n", project, Asked(), trusted(project))
    spec = next(each for each in played.run.decider.tools.offered("Book") if each.name == "count")
    assert (spec.description, spec.source) == ("How many words there are.", "ops.py")
    assert spec.schema["properties"] == {
        "words": {"type": "array", "items": {"type": "string"}},
        "least": {"type": "integer"},
    }
    assert spec.schema["required"] == ["words"]


CALL = CallToAllow(
    "k",
    "pay",
    "a server",
    {"n": 1},
    {"type": "object", "properties": {"n": {"type": "integer"}}},
    "d",
    Preview("pay 1"),
)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a person types, line after line."""
    lines: list[str] = []
    monkeypatch.setattr(builtins, "input", lambda _question: lines.pop(0))
    yield lines
    assert lines == []


@pytest.mark.parametrize(
    ("lines", "leave", "text"),
    [
        (["y"], Leave(True, "d"), ""),
        (["", "what?", "Y "], Leave(True, "d"), ""),
        (["a"], Leave(True, "d", scope=LeaveScope.RUN), ""),
        (["n", "Too much."], Leave(False, "d"), "Too much."),
        (["e", "nothing", '{"n": "x"}', '{"n": 2}'], Leave(True, "d", {"n": 2}), ""),
    ],
)
def test_leave_is_given_at_the_prompt(typed: list[str], lines: list[str], leave: Leave, text: str) -> None:
    typed += lines
    assert ask_leave(CALL) == Answer(text=text, leave=leave)


BOOK = '# Book\n## Main\n### Steps\n- $x = shell("echo hi")\n- Return $x\n'


def test_without_leave_a_run_of_the_terminal_needs_input(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    done = terminal.run("run", str(tmp_path / "book.md"), "--store", str(tmp_path))
    assert done.code == 3
    assert "May shell be called? echo hi" in done.err


def test_a_run_of_the_terminal_is_given_leave_beforehand(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    done = terminal.run("run", str(tmp_path / "book.md"), "--store", str(tmp_path), "--allow", "shell=echo *")
    assert done.code == 0
    assert done.out.splitlines()[-1].endswith("hi")


@pytest.mark.parametrize(
    ("pattern", "code", "told"),
    [
        ("shell=echo *", 0, ["expired", "granted", "used"]),
        ("shell=echo no", 3, []),
    ],
)
def test_leave_that_was_asked_for_can_be_given_when_a_run_goes_on(
    terminal: Terminal, tmp_path: Path, pattern: str, code: int, told: list[str]
) -> None:
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    assert terminal.run("run", str(tmp_path / "book.md"), "--store", str(tmp_path)).code == 3
    run = terminal.run("runs", "--store", str(tmp_path), "--json").json[0]["run"]
    done = terminal.run("resume", run, "--store", str(tmp_path), "--allow", pattern, "--json")
    assert done.code == code
    assert re.findall(r'"approval\.(\w+)"', done.out) == told


def test_calls_that_were_forbidden_meanwhile_are_not_asked_about(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(BOOK, "utf-8")
    assert terminal.run("run", str(tmp_path / "book.md"), "--store", str(tmp_path)).code == 3
    run = terminal.run("runs", "--store", str(tmp_path), "--json").json[0]["run"]
    assert terminal.run("tools", "permit", str(tmp_path), "shell", "forbid").code == 0
    done = terminal.run("resume", run, "--store", str(tmp_path), "--json")
    assert (done.code, "approval.denied" in done.out) == (1, True), done.err


def test_tools_are_tried_after_the_same_question(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text(BOOK, "utf-8")
    arguments = ("tools", "try", str(file), "shell", '{"command": "echo hi"}')
    assert terminal.run(*arguments).code == 3
    assert terminal.run("tools", "permit", str(tmp_path), "shell=echo *", "never").code == 0
    assert terminal.run(*arguments).out == "hi\n"
    assert terminal.run("tools", "permit", str(file), "shell", "forbid").code == 0
    assert "no tool called “shell” here" in terminal.run(*arguments).err


def test_tools_are_listed_with_when_one_is_asked(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text("---\ntools: [read_file, shell]\n---\n" + BOOK, "utf-8")
    listed = terminal.run("tools", "list", str(file)).out
    assert [line.split("  ")[:3] for line in listed.splitlines()] == [
        ["shell", "acts", "asked each time"],
        ["read_file", "reads", "not asked"],
    ]
