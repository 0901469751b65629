"""Conversations in the terminal: what a person types, what a script says, and when they end."""

from __future__ import annotations

import json
import os
import pty
import sys
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.engine_driver import begin, book, finished, wait_for
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.journal import Journal

_DESK = """# Desk
## Main
### Triggers
- When program starts
### Steps
- Say("Welcome")
## Greet
### Triggers
- When the user says "hello"
### Steps
- Say("Hello yourself")
"""
_CLOCK = _DESK.replace('When the user says "hello"', "After 2 hours")


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A program that listens."""
    path = tmp_path / "desk.md"
    path.write_text(_DESK, encoding="utf-8")
    return path


def _names(out: str) -> list[str]:
    return [json.loads(line)["type"] for line in out.splitlines()]


def test_a_script_drives_a_conversation(desk: Path, terminal: Terminal) -> None:
    script = desk.with_name("script.yaml")
    script.write_text("messages: [hello]\n", encoding="utf-8")
    done = terminal.run("run", desk, "--script", script, "--store", desk.parent, "--json")
    assert (done.code, _names(done.out)[-2:]) == (0, ["conversation.ended", "run.completed"])
    assert "message.heard" in _names(done.out)


def test_a_program_ends_once_nobody_can_say_anything(desk: Path, terminal: Terminal) -> None:
    assert terminal.run("run", desk, "--store", desk.parent).code == 0


def test_once_does_not_wait_for_timers(desk: Path, terminal: Terminal) -> None:
    desk.write_text(_CLOCK, encoding="utf-8")
    done = terminal.run("run", desk, "--once", "--store", desk.parent, "--json")
    assert (done.code, _names(done.out)[-1]) == (0, "run.completed")


def test_what_a_run_waits_for_is_told_in_words(desk: Path, terminal: Terminal) -> None:
    done = terminal.run("run", desk, "--once", "--store", desk.parent)
    assert "waiting for a message" in done.out


def test_a_person_talks_until_the_input_ends(desk: Path) -> None:
    command = [sys.executable, "-m", "workbench", "run", str(desk), "--store", str(desk.parent)]
    pid, screen = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    shown, said = b"", [b"hello\n", b"\x04"]
    while True:
        try:
            part = os.read(screen, 65_536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
        if said and shown.endswith(b"done): "):
            os.write(screen, said.pop(0))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert "Hello yourself" in shown.decode("utf-8", "replace")


def test_the_list_of_runs_says_what_a_run_waits_for(tmp_path: Path, terminal: Terminal) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _CLOCK), journal, PersonBackend())
    wait_for(run, "wait.begun")
    listed = terminal.run("runs", "--store", tmp_path)
    shown = terminal.run("runs", "show", run.id, "--store", tmp_path)
    as_json = terminal.run("runs", "--json", "--store", tmp_path).json[0]
    run.stop()
    finished(run, journal)
    journal.close()
    assert all("waiting until " in done.out for done in (listed, shown))
    assert (as_json["status"], as_json["waits_until_ns"] > 0) == ("timed", True)
