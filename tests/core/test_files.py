"""The door for files: whatever stands under a name, nobody waits for it and nothing but words comes back."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.hostile_paths import HOSTILE, LONGEST_NAME, TROUBLES, Make, fifo, unreachable
from workbench.cli.reading import files_named, read_program
from workbench.disk import files
from workbench.disk.files import Kind, is_file, is_folder, look_at, read_beginning, read_file, way_to
from workbench.disk.outputs import write_file, write_output
from workbench.editing.document import Document
from workbench.editing.keeping.storage import DiskState, disk_state, save
from workbench.engine.scripts import read_script, script_beside
from workbench.errors import CannotRead, CannotSave, WorkbenchError
from workbench.library.exchange import import_patterns
from workbench.library.skills.importing import find_skills, import_skills
from workbench.library.store import PatternStore
from workbench.library.task_types import load_words
from workbench.model.loader.loading import load_playbook
from workbench.settings import Settings

PLAYBOOK = "# Desk\n\n## Main\n### Steps\n- Answer\n"
each_hostile = pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
each_trouble = pytest.mark.parametrize("trouble", TROUBLES)


@each_hostile
def test_what_is_no_ordinary_file_is_refused_in_words(make: Make, tmp_path: Path) -> None:
    path = make(tmp_path)
    with pytest.raises(CannotRead, match=r"^(Could not open “|“).*\.$"):
        read_file(path)
    assert not is_file(path) or make.__name__ == "huge"


@each_hostile
def test_a_document_whose_file_became_something_else_is_neither_read_nor_written_over(
    make: Make, tmp_path: Path
) -> None:
    path = make(tmp_path)
    assert disk_state(path, "digest") in {DiskState.UNREADABLE, DiskState.MISSING}
    kind = look_at(path).kind
    assert kind is Kind.MISSING or is_refused(partial(save, path, b"text", "digest"))
    assert look_at(path).kind is kind


@each_hostile
def test_a_path_that_a_program_hands_over_is_refused_in_words(make: Make, tmp_path: Path) -> None:
    path = make(tmp_path)
    for read in (Document.open, read_script, load_playbook, lambda one: read_program([one]), import_from):
        assert is_refused(partial(read, path))
    assert look_at(path).kind is Kind.MISSING or is_refused(partial(load_words, path))
    assert look_at(path).kind is Kind.MISSING or is_refused(PatternStore(path).count)
    assert make.__name__ in {"huge", "below_a_file"} or is_refused(partial(write_file, path, b"text"))
    assert Settings().with_recent(path).recent_files == (str(path),)


def import_from(path: Path) -> None:
    """Take in what is published at *path*."""
    import_patterns(PatternStore(path.with_name("p.sqlite")), path)


def is_refused(act: Callable[[], object]) -> bool:
    """True when *act* says in words why it cannot be done."""
    try:
        act()
    except WorkbenchError:
        return True
    return False


COMMANDS = (
    ("check", "{path}"),
    ("check", "--fix", "{path}"),
    ("compile", "{path}"),
    ("convert", "{path}", "--to", "steplist"),
    ("graph", "{path}"),
    ("edit", "{path}", "delete", "Main:01"),
    ("run", "{path}"),
    ("enforce", "{path}", "--script", "{path}"),
    ("run", "{good}", "--script", "{path}"),
    ("patterns", "import", "{path}"),
    ("patterns", "list", "--store", "{path}"),
    ("runs", "--store", "{path}"),
    ("compile", "{good}", "-o", "{path}"),
    ("compile", "{importing}"),
)


@each_hostile
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_waits_or_breaks(command: tuple[str, ...], make: Make, tmp_path: Path, terminal: Terminal) -> None:
    path, good = make(tmp_path), tmp_path / "good.md"
    good.write_text(PLAYBOOK)
    importing = tmp_path / "importing.md"
    importing.write_bytes(f"{PLAYBOOK}!import {path}\n".encode())
    done = terminal.run(*(word.format(path=path, good=good, importing=importing) for word in command))
    assert done.code in {0, 1, 2, 3}
    assert "Traceback" not in done.err


@each_trouble
def test_what_cannot_be_reached_is_neither_there_nor_missing(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mount" / "a.md"
    path.parent.mkdir()
    path.write_text(PLAYBOOK)
    with unreachable(path.parent, trouble, monkeypatch):
        look = look_at(path)
        assert (look.kind, is_file(path), is_folder(path)) == (Kind.UNREACHABLE, False, False)
        assert look.reason
        assert disk_state(path, "digest") is DiskState.UNREADABLE
        assert files_named([path]) == [path]
        assert script_beside(path) is None
        with pytest.raises(CannotRead):
            read_beginning(path, 10)
        with pytest.raises(CannotSave):
            save(path, b"text", "digest")


@each_trouble
def test_a_folder_that_cannot_be_listed_holds_nothing(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mount" / "inner").mkdir(parents=True)
    (tmp_path / "mount" / "inner" / "SKILL.md").write_text("---\nname: a\n---\n")
    with unreachable(tmp_path / "mount", trouble, monkeypatch):
        assert files.entries(tmp_path / "mount" / "inner") == ()
        assert files.fitting(tmp_path, "mount/*/*.md") == ()
        assert list(find_skills(tmp_path)) == []
        assert import_skills(PatternStore(tmp_path / "p.sqlite"), tmp_path).added == 0
        with pytest.raises(CannotRead, match="No file matches"):
            files_named([tmp_path / "*" / "*" / "*.md"])


def test_a_file_that_grows_while_it_is_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * 100)
    real = os.read
    monkeypatch.setattr(os, "read", lambda handle, count: real(handle, 1) or b"x" * count)
    with pytest.raises(CannotRead, match="files up to"):
        read_file(path, 1000)


def test_a_pipe_that_takes_the_place_of_a_file_between_look_and_opening_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "pipe.md", os.open

    def exchanged(*arguments: object) -> int:
        path.unlink()
        fifo(tmp_path)
        return real(*arguments)  # type: ignore[arg-type]

    path.write_text(PLAYBOOK)
    monkeypatch.setattr(os, "open", exchanged)
    with pytest.raises(CannotRead, match="not a regular file"):
        read_file(path)


def test_without_a_current_folder_paths_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert files.absolute(Path("a.md")) == files.real_path(Path("a.md")) == Path("a.md")
    assert way_to(Path("a.md")) == ()
    with pytest.raises(CannotRead, match="does not exist"):
        read_program([Path("a.md")])


def test_output_goes_into_a_pipe_that_is_read_and_into_no_other(tmp_path: Path) -> None:
    pipe, got = fifo(tmp_path), []
    with pytest.raises(CannotSave, match=r"Could not write “pipe\.md”"):
        write_output(pipe, b"text")
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    reader = threading.Thread(target=lambda: got.append(os.read(handle, 100)))
    write_output(pipe, b"text")
    reader.start()
    reader.join()
    os.close(handle)
    assert got == [b"text"]


def test_the_longest_name_is_saved(tmp_path: Path) -> None:
    path = tmp_path / ("n" * (LONGEST_NAME - 3) + ".md")
    path.write_text(PLAYBOOK)
    document = Document.open(path, tmp_path / "edits")
    document.save()
    assert [each.name for each in tmp_path.glob("*.md")] == [path.name]


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({}, ["", "a", "a/b", "a/b/c.md"]),
        ({"a": "x"}, ["", "x", "x/b", "x/b/c.md"]),
        ({"a": "x", "x": "deep/y"}, ["", "deep", "deep/y", "deep/y/b", "deep/y/b/c.md"]),
        ({"x/b": "../z/b", "a": "x"}, ["", "x", "z", "z/b", "z/b/c.md"]),
        ({"a/b/c.md": "../../real.md"}, ["", "a", "a/b", "real.md"]),
        ({"a": "a"}, ["", "a"]),
    ],
)
def test_every_folder_on_the_way_decides_what_a_path_stands_for(
    links: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    for name, target in links.items():
        link = tmp_path / name
        link.parent.mkdir(parents=True, exist_ok=True)
        (link.parent / target).parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    way = way_to(tmp_path / "a/b/c.md")
    assert {tmp_path / name for name in expected} <= set(way)
    assert way[0] == Path("/")
