"""``workbench history``: earlier states of a file are listed, shown, named and restored without a window."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.places import Places
from workbench.editing.document import Document
from workbench.editing.keeping.states import Reason, keep_state, states_beside, states_of

FIRST = b"# Shop\r\n- Pack"


@pytest.fixture
def file(tmp_path: Path, own_places: Places) -> Path:
    """A file with two states."""
    path = tmp_path / "shop.md"
    path.write_bytes(b"# Shop\n")
    keep_state(states_beside(own_places.edits_dir), path, FIRST, Reason.FOUND, time.time_ns() - 3 * 86_400 * 10**9)
    keep_state(states_beside(own_places.edits_dir), path, b"# Shop\n", Reason.SAVED)
    return path


def test_states_are_listed_shown_and_named(terminal: Terminal, file: Path) -> None:
    lines = terminal.run("history", file).out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["saved", "was there before"]
    assert lines[1].startswith("  2  2")
    assert terminal.run("history", file, "name", "2", "--as", "The first").code == 0
    assert terminal.run("history", file, "show", "The first").out == FIRST.decode()
    states = terminal.run("history", file, "--json").json["states"]
    assert [(each["reason"], each["name"]) for each in states] == [("saved", ""), ("found", "The first")]


def test_a_state_is_restored_so_that_the_window_can_undo_it(terminal: Terminal, file: Path, own_places: Places) -> None:
    assert terminal.run("history", file, "restore", "2").code == 0
    assert file.read_bytes() == FIRST
    assert states_of(states_beside(own_places.edits_dir), file)[0].reason is Reason.SAVED
    document = Document.open(file, own_places.edits_dir)
    document.undo()
    assert document.snapshot.text == "# Shop\n"
    document.close()
    file.unlink()
    assert terminal.run("history", file, "restore", "2").code == 0
    assert file.read_bytes() == b"# Shop\n"


def test_what_is_not_there_is_told(terminal: Terminal, file: Path) -> None:
    done = terminal.run("history", file, "show", "9")
    assert (done.code, "There is no state “9”" in done.err) == (2, True)
    assert "No states of “other.md” are kept yet." in terminal.run("history", file.with_name("other.md")).out
