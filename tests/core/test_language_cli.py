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
    assert (done.code, "needs a value for folder: --folder VALUE" in done.err) == (2, True)


def test_the_parameters_of_the_playbook_that_starts_are_flags_as_well(tmp_path: Path, terminal: Terminal) -> None:
    text = "# T\n## Main($name)\n### Triggers\n- At the start\n### Steps\n- Say('hello {$name}')\n"
    assert _told(_run(terminal, tmp_path, text, "--name", "Ada")) == ["hello Ada"]
    assert _told(
        _run(
            terminal,
            tmp_path,
            text + "## Other($n:int)\n### Steps\n- Say('{$n + 1}')\n",
            "--playbook",
            "Other",
            "--n",
            "4",
        )
    ) == ["5"]


def test_flags_of_a_playbook_without_parameters_are_named(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, "# T\n## Main\n### Steps\n- Say('hello')\n", "--folder", "x")
    assert (done.code, "Options of the playbook: none." in done.err) == (2, True)


def test_what_stands_behind_two_dashes_is_for_the_program(tmp_path: Path, terminal: Terminal) -> None:
    text = "# T\n## Main($message, $json:bool = false)\n### Steps\n- Say('{$message} {$json}')\n"
    done = _run(terminal, tmp_path, text, "--quiet", "--", "--message", "hi", "--json")
    assert (done.code, done.out) == (0, "hi True\n")


_HELP = """\
usage: workbench run {file} --folder FOLDER [--max-items MAX_ITEMS]
                             [--dry [DRY]]

Packs 100% of a folder.

options of Pack:
  --folder FOLDER       text or JSON; required
  --max-items MAX_ITEMS
                        whole number; default: 3
  --dry [DRY]           yes or no; default: false

Options of workbench itself, which go before or after FILE: workbench run --help
"""


def test_the_help_of_a_program_shows_its_parameters(
    tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    text = _ENTRY.replace("cli_entry: true\n", "cli_entry: true\nPacks 100% of a folder.\n")
    Path("tool.md").write_text(text, encoding="utf-8")
    done = terminal.run("run", "tool.md", "--help")
    assert (done.code, done.out) == (0, _HELP.format(file="tool.md"))


def test_the_help_without_a_file_is_that_of_the_command(terminal: Terminal) -> None:
    done = terminal.run("run", "--help")
    assert (done.code, "--quiet" in done.out, "130 interrupted" in done.out) == (0, True, True)


def test_the_help_of_python_shows_its_parameters(tmp_path: Path, terminal: Terminal) -> None:
    code = '@playbook\ndef twice(n: int, m: int = 2):\n    """Doubles a number."""\n    return n * m\n'
    done = _run(terminal, tmp_path, f"# B\n```python\n{code}```\n", "--playbook", "twice", "--help")
    assert [part in done.out for part in ("--n N [--m M]", "Doubles a number.", "options of twice:")] == [True] * 3


def test_python_runs_by_its_name(tmp_path: Path, terminal: Terminal) -> None:
    code = "@playbook\nasync def add_up(n: int, m: int = 2):\n    await Say('user', f'{n + m} by {self.klass}')\n"
    text = f"# B\n## Main\n### Steps\n- Say('no')\n# Till\n```python\n{code}```\n"
    done = _run(terminal, tmp_path, text, "--playbook", "add_up", "--n", "4", "--trust", "--quiet")
    assert (done.code, done.out) == (0, "6 by Till\n")


def test_a_playbook_that_is_not_there_is_named_beside_all_that_are(tmp_path: Path, terminal: Terminal) -> None:
    code = "@playbook\ndef add_up(n):\n    return n\n"
    done = _run(terminal, tmp_path, f"# B\n```python\n{code}```\n## Main\n### Steps\n- Say('x')\n", "--playbook", "x")
    assert (done.code, "It has: Main, add_up." in done.err) == (1, True)


@pytest.mark.parametrize("given", ["max_items=many", "dry=7"])
def test_values_of_another_type_end_with_two(given: str, tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, tmp_path, _ENTRY, "--arg", "folder=x", "--arg", given)
    assert (done.code, f"The value of {given.partition('=')[0]} does not fit" in done.err) == (2, True)


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
