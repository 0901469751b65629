"""What a run is given on the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal

_ENTRY = (
    "# Tool\n## First\n### Triggers\n- When program starts\n### Steps\n- Say('also started')\n"
    "## Pack($folder, $max_items:int = 3, $dry:bool = false)\ncli_entry: true\n### Steps\n"
    "- Say('{$folder} {$max_items + 1} {$dry}')\n"
)


@pytest.fixture
def terminal(capfd: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capfd)


def _run(terminal: Terminal, folder: Path, text: str, *arguments: str) -> Done:
    file = folder / "tool.md"
    file.write_text(text, encoding="utf-8")
    return terminal.run("run", file, "--store", folder, *arguments)


def _told(done: Done) -> list[str]:
    return [line.split("say.told", 1)[1].strip() for line in done.out.splitlines() if "say.told" in line]


def test_the_parameters_of_an_entry_are_flags_with_types(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, _ENTRY, "--folder", "a b", "--max-items", "5", "--dry")
    assert (done.code, _told(done)) == (0, ["a b 6 True", "also started"])


def test_flags_may_be_left_out_where_there_is_a_default(tmp_path: Path, terminal: Terminal) -> None:
    assert _told(_run(terminal, tmp_path, _ENTRY, "--folder=x"))[0] == "x 4 False"


def test_arguments_are_given_by_name_too(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, _ENTRY, "--arg", "folder=x", "--set", "max_items=7")
    assert _told(done)[0] == "x 8 False"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--folder", "x", "--colour", "red"), "Unknown option “--colour”. Options of the playbook: --folder,"),
        (("--folder", "x", "--max_items", "many"), "not a whole number"),
        (("--folder",), "expected one argument"),
    ],
)
def test_flags_that_do_not_fit_are_named(
    arguments: tuple[str, ...], message: str, tmp_path: Path, terminal: Terminal
) -> None:
    done = _run(terminal, tmp_path, _ENTRY, *arguments)
    assert done.code == 2
    assert message in done.err


def test_a_parameter_that_is_missing_is_named(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, _ENTRY)
    assert (done.code, "needs a value for folder" in done.err) == (1, True)


def test_other_playbooks_take_no_flags(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, _ENTRY.replace("cli_entry: true\n", ""), "--folder", "x")
    assert (done.code, "Options of the playbook: none." in done.err) == (2, True)


def test_other_commands_take_no_unknown_options(terminal: Terminal) -> None:
    done = terminal.run("runs", "--colour=red")
    assert (done.code, "unrecognized arguments: --colour=red" in done.err) == (2, True)


def test_the_input_is_the_startup_message_where_it_is_used(
    tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("two words\n"))
    done = _run(terminal, tmp_path, "# T\n## Main\n### Steps\n- Say($startup_message)\n")
    assert _told(done) == ["two words"]


def test_the_input_is_left_alone_where_it_is_not_used(
    tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("two words\n"))
    done = _run(terminal, tmp_path, "# T\n## Main\n### Steps\n- Say('hello')\n")
    assert (_told(done), "startup_message" in done.out) == (["hello"], False)


def test_assembly_runs_with_flags_as_well(tmp_path: Path, terminal: Terminal) -> None:
    file = tmp_path / "tool.pbasm"
    file.write_text(
        "# Tool\n## Twice($n:int)\nmetadata:\n  cli_entry: true\n---\nDoubles.\n### Triggers\n- T1:BGN At start\n"
        "### Steps\n- 01:EXE $m = $n * 2\n- 02:RET $m\n",
        encoding="utf-8",
    )
    done = terminal.run("run", file, "--store", tmp_path, "--n", "4")
    assert done.code == 0, done.err
    assert "run.completed     8" in done.out


def test_python_that_is_made_for_the_command_line_takes_flags(tmp_path: Path, terminal: Terminal) -> None:
    text = "# B\n```python\n@playbook(cli_entry=True)\ndef twice(n: int, m: int = 2):\n    return n * m\n```\n"
    done = _run(terminal, tmp_path, text, "--n", "4", "--trust")
    assert done.code == 0, done.err
    assert "run.completed     8" in done.out
