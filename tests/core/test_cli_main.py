"""The command line as a whole: what opens a window, what does not, and what is said instead."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from workbench.cli.main import COMMANDS, parser_for, run_command_line
from workbench.resources import sample_playbooks


class Recorder:
    """An entry that remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[list[str]] = []

    def __call__(self, arguments: Sequence[str]) -> int:
        self.given.append(list(arguments))
        return 0


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> None:
    """A display to open windows on."""
    monkeypatch.setenv("DISPLAY", ":99")


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing to open windows on."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("arguments", [[], ["--reset"], ["some/where.md"], ["where.md"]], ids=str)
def test_everything_but_a_command_opens_the_window(arguments: list[str]) -> None:
    window = Recorder()
    assert run_command_line(arguments, window, Recorder()) == 0
    assert window.given == [arguments]


@pytest.mark.usefixtures("no_display")
@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="there is always a display")
def test_without_a_display_the_commands_are_named(terminal: Terminal) -> None:
    done = terminal.run()
    assert done.code == 2
    assert "no display" in done.err


@pytest.mark.parametrize("module", sorted(set(COMMANDS.values())))
def test_the_table_names_what_each_module_registers(module: str) -> None:
    commands = argparse.ArgumentParser().add_subparsers()
    import_module(f"workbench.cli.{module}").register(commands)
    assert set(commands.choices) == {name for name, home in COMMANDS.items() if home == module}


def test_the_version_is_told_without_loading_a_command() -> None:
    script = (
        "import sys; from workbench.cli.main import run_command_line\n"
        "try: run_command_line(['--version'], None, None)\n"
        "except SystemExit: print([name for name in sys.modules if name.startswith('workbench.model')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["[]"]


def test_a_screenshot_is_taken_without_the_commands_of_the_terminal() -> None:
    pictures = Recorder()
    assert run_command_line(["screenshot", "a.md", "-o", "b.png"], Recorder(), pictures) == 0
    assert pictures.given == [["a.md", "-o", "b.png"]]


def test_a_misspelt_command_is_no_file(terminal: Terminal) -> None:
    done = terminal.run("chek", "a.md")
    assert done.code == 2
    assert "check" in done.err


@pytest.mark.parametrize("arguments", [["check"], ["graph"], ["edit", "a.md", "fly"], ["check", "--what"]], ids=str)
def test_wrong_usage_is_exit_code_2(terminal: Terminal, arguments: list[str]) -> None:
    done = terminal.run(*arguments)
    assert done.code == 2
    assert "usage" in done.err


def test_the_help_names_every_command(terminal: Terminal) -> None:
    done = terminal.run("--help")
    commands = ("check", "graph", "edit", "run", "resume", "runs", "patterns", "screenshot")
    assert done.code == 0
    assert all(command in done.out for command in commands)


def test_a_reader_that_goes_away_causes_no_traceback() -> None:
    command = f"{sys.executable} -m workbench graph '{sample_playbooks()[0]}' | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert "Traceback" not in done.stderr


def parsers_of(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands below *parser*, and of their verbs."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in dict.fromkeys(action.choices.values()):
                yield from ([child] if child.epilog else [])
                yield from parsers_of(child)


WHOLE = parser_for(dict.fromkeys(COMMANDS.values()))


@pytest.mark.parametrize("parser", list(parsers_of(WHOLE)), ids=lambda parser: parser.prog)
def test_the_example_of_a_command_is_a_call_of_it(parser: argparse.ArgumentParser) -> None:
    example = parser.epilog.removeprefix("Example: ")
    options = WHOLE.parse_args(shlex.split(example.removeprefix("workbench ")))
    assert callable(options.execute)
    assert set(parser.prog.replace(" FILE", "").split()) <= set(shlex.split(example))


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "screenshot"])
def test_the_help_of_a_command_says_first_what_it_does(command: str, terminal: Terminal) -> None:
    listed = next(line for line in terminal.run("--help").out.splitlines() if line.split()[:1] == [command])
    summary = " ".join(listed.split()[1:])
    text = " ".join(terminal.run(command, "--help").out.split())
    assert summary[1:20] in text.partition("positional arguments")[0].partition("options:")[0]
