"""``workbench edit``: every verb changes only the lines that it must."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal

BOOK = """\
# Book

## Main
### Steps
- First
<!-- why -->
- If $x > 1
  - Inner
- Last

## Other
### Steps
- Main()
"""

VERBS = {
    "insert": (["insert", "New", "--after", "Main:01"], ["+- New"]),
    "insert before": (["insert", "New", "--before", "Main:01"], ["+- New"]),
    "insert into": (["insert", "New", "--into", "Main:02"], ["+  - New"]),
    "insert at the end": (["insert", "New", "--into", "Main"], ["+- New"]),
    "delete": (["delete", "Main:02"], ["-<!-- why -->", "-- If $x > 1", "-  - Inner"]),
    "move": (["move", "Main:03", "--before", "Main:01"], ["+- Last", "-- Last"]),
    "move into": (["move", "Main:01", "--into", "Main:02"], ["-- First", "+  - First"]),
    "text": (["text", "Main:01", "Second"], ["-- First", "+- Second"]),
    "duplicate": (["duplicate", "Main:01"], ["+- First"]),
    "unwrap": (["unwrap", "Main:02"], ["-- If $x > 1", "-  - Inner", "+- Inner"]),
    "invert": (["invert", "Main:02"], ["-- If $x > 1", "+- If $x <= 1"]),
    "add-otherwise": (["add-otherwise", "Main:02", "--text", "Look"], ["+- Otherwise", "+  - Look"]),
    "disable": (["disable", "Main:03"], ["+<!-- disabled", "+-->"]),
    "inline": (
        ["inline", "Other:01"],
        ["-- Main()", "+- First", "+<!-- why -->", "+- If $x > 1", "+  - Inner", "+- Last"],
    ),
    "extract": (["extract", "Main:03", "--name", "Apart"], ["+- Apart()", "+", "+## Apart()", "+### Steps"]),
    "rename-playbook": (["rename-playbook", "Main", "Start"], ["-## Main", "+## Start", "-- Main()", "+- Start()"]),
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A small playbook file."""
    path = tmp_path / "book.md"
    path.write_text(BOOK, encoding="utf-8")
    return path


def changed_lines(diff: str) -> list[str]:
    """The lines of a unified diff that add or remove something."""
    return [line for line in diff.splitlines() if line[:1] in "+-" and not line.startswith(("+++ ", "--- "))]


@pytest.mark.parametrize(("arguments", "lines"), VERBS.values(), ids=VERBS)
def test_a_dry_run_shows_only_the_lines_that_must_change(
    terminal: Terminal, book: Path, arguments: list[str], lines: list[str]
) -> None:
    done = terminal.run("edit", book, *arguments, "--dry-run")
    assert (done.code, changed_lines(done.out)) == (0, lines)
    assert book.read_text("utf-8") == BOOK


@pytest.mark.parametrize("arguments", [verb for verb, _ in VERBS.values()], ids=VERBS)
def test_the_diff_of_a_dry_run_is_what_the_edit_does(terminal: Terminal, book: Path, arguments: list[str]) -> None:
    diff = terminal.run("edit", book, "--dry-run", *arguments).out
    twin = book.with_name("twin.md")
    twin.write_text(BOOK, encoding="utf-8")
    subprocess.run(["patch", "-s", str(twin)], input=diff, text=True, check=True)
    assert terminal.run("edit", book, *arguments).code == 0
    assert book.read_bytes() == twin.read_bytes()


@pytest.mark.parametrize("form", ["if", "for-each", "while"])
def test_a_wrapped_step_moves_one_level_in(terminal: Terminal, book: Path, form: str) -> None:
    assert terminal.run("edit", book, "wrap", "Main:03", "--in", form).code == 0
    assert "\n  - Last\n" in book.read_text("utf-8")


@pytest.mark.parametrize("verb", [["delete", "Main:01"], ["text", "Main:01", "Zwölf 🧭"], ["duplicate", "Main:03"]])
def test_line_ends_mark_and_missing_final_line_end_stay(terminal: Terminal, book: Path, verb: list[str]) -> None:
    book.write_bytes(b"\xef\xbb\xbf" + BOOK.replace("\n", "\r\n").rstrip().encode())
    terminal.run("edit", book, *verb)
    data = book.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf#")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.endswith(b"- Main()")


def test_a_refusal_prints_its_reason_and_changes_nothing(terminal: Terminal, book: Path) -> None:
    done = terminal.run("edit", book, "move", "Main:02", "--into", "Main:02.01")
    assert (done.code, done.out) == (1, "")
    assert len(done.err) > len("workbench: ")
    assert book.read_text("utf-8") == BOOK


@pytest.mark.parametrize("address", ["Main:09", "Nobody:01", "01", ""])
def test_a_step_that_is_not_there_is_named(terminal: Terminal, book: Path, address: str) -> None:
    done = terminal.run("edit", book, "delete", address)
    assert done.code == 2
    assert f"“{address}”" in done.err


def test_a_binary_file_is_never_written(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"## Main\n- a\0b\n")
    assert terminal.run("edit", path, "delete", "Main:01").code == 2
    assert path.read_bytes() == b"## Main\n- a\0b\n"


NUMBERED = "# Book\n\n## Main\n### Steps\n1. A\n2. Go back to step 1, see steps 2 and 3\n3. Then see step 2\n"


def test_a_move_tells_how_many_mentions_of_steps_it_made_wrong(book: Path, terminal: Terminal) -> None:
    book.write_text(NUMBERED, encoding="utf-8")
    run = terminal.run("edit", book, "move", "Main:03", "--before", "Main:01")
    assert run.code == 0
    assert "4 references" in run.err
    assert "--update-references" in run.err


def test_a_move_updates_mentions_of_steps_on_wish(book: Path, terminal: Terminal) -> None:
    book.write_text(NUMBERED, encoding="utf-8")
    run = terminal.run("edit", book, "move", "Main:03", "--before", "Main:01", "--update-references")
    assert run.err == ""
    assert book.read_text(encoding="utf-8").endswith(
        "1. Then see step 3\n2. A\n3. Go back to step 2, see steps 3 and 1\n"
    )


RENUMBERING = {
    "insert": (["insert", "New", "--before", "Main:01"], "1. New\n2. A\n3. Go back to step 2, see steps 3 and 4\n"),
    "delete": (["delete", "Main:03"], "1. A\n2. Go back to step 1, see steps 2 and 3\n"),
    "duplicate": (["duplicate", "Main:01"], "1. A\n2. A\n3. Go back to step 1, see steps 3 and 4\n"),
    "wrap": (["wrap", "Main:01", "--in", "if", "--text", "x"], "2. Go back to step 1.1, see steps 2 and 3\n"),
}


@pytest.mark.parametrize(("verb", "expected"), RENUMBERING.values(), ids=RENUMBERING)
def test_every_verb_that_renumbers_steps_updates_mentions_on_wish(
    book: Path, terminal: Terminal, verb: list[str], expected: str
) -> None:
    book.write_text(NUMBERED, encoding="utf-8")
    assert terminal.run("edit", book, *verb, "--update-references").code == 0
    assert expected in book.read_text(encoding="utf-8")


def test_unwrapping_updates_mentions_on_wish(book: Path, terminal: Terminal) -> None:
    book.write_text("## Main\n### Steps\n- If x\n  - A\n- See step 1.1\n", encoding="utf-8")
    assert terminal.run("edit", book, "unwrap", "Main:01", "--update-references").err == ""
    assert book.read_text(encoding="utf-8").endswith("- A\n- See step 1\n")


def test_mentions_of_a_deleted_step_are_told_and_left_alone(book: Path, terminal: Terminal) -> None:
    book.write_text(NUMBERED, encoding="utf-8")
    run = terminal.run("edit", book, "delete", "Main:03", "--update-references")
    assert "One reference no longer points to a step" in run.err
    run = terminal.run("edit", book, "delete", "Main:01")
    assert "One reference no longer points to a step" in run.err
    assert "One reference to a step number is now wrong" in run.err


def test_a_playbook_that_other_files_call_is_renamed_with_a_word_about_them(book: Path, terminal: Terminal) -> None:
    (book.parent / "top.md").write_text("# Top\n## Run\n- Book.Other()\n- Other()\n!import book.md\n", encoding="utf-8")
    done = terminal.run("edit", book, "rename-playbook", "Other", "Another")
    assert "2 places in other files keep the old name (top.md)" in done.err
    assert "workbench rename --symbol" in done.err
    assert "other files" not in terminal.run("edit", book, "rename-playbook", "Another", "Other").err
