"""Finding and replacing in the files of a project, also in the terminal; files change together or not at all."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.editing.keeping.many_files import Written, taken_back, write_together, writings
from workbench.errors import CannotSave, ChangedOnDisk
from workbench.search.files import replaced, search_files, texts_below
from workbench.search.matching import Finder, Query
from workbench.search.replacing import Replacement
from workbench.syntax.text import SourceText

DESK = "# Desk\r\n## Main\r\n- Tell user the Total\r\n  - See the total of $total\r\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "below").mkdir(parents=True)
    (root / "desk.md").write_bytes(DESK.encode())
    (root / "below" / "list.yaml").write_bytes("\ufeffid: total\n".encode())
    (root / "picture.png").write_bytes(b"total\0total")
    (root / "away.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "secret.md").write_text("total")
    return root


def found_in(root: Path, query: Query, **opened: SourceText) -> dict[str, int]:
    """How often *query* is found, by file."""
    with closing(Finder()) as finder:
        files = texts_below(root, {f"{name}.md": text for name, text in opened.items()})
        return {each.file.path: len(each.found.matches) for each in search_files(finder, query, files)}


def test_only_texts_of_the_folder_are_looked_at(project: Path) -> None:
    assert found_in(project, Query("total")) == {"desk.md": 3, "below/list.yaml": 1}
    assert found_in(project, Query("total"), desk=SourceText("unsaved total")) == {"desk.md": 1, "below/list.yaml": 1}
    assert found_in(project, Query("(a", is_regex=True)) == {"desk.md": 0}, "one file says what is wrong"


def test_files_change_together_and_that_can_be_taken_back(project: Path) -> None:
    found = list(search_files(Finder(), Query("total"), texts_below(project)))
    made = writings(
        [replaced(each, Replacement("sum", keeps_case=True), {0: [1], 1: []}[at]) for at, each in enumerate(found)]
    )
    write_together(project, made)
    assert (project / "desk.md").read_bytes() == DESK.replace("Total", "Sum").replace("$total", "$sum").encode()
    assert (project / "below" / "list.yaml").read_bytes() == "\ufeffid: sum\n".encode()
    write_together(project, taken_back(made))
    assert (project / "desk.md").read_bytes() == DESK.encode()


def test_where_one_file_has_changed_meanwhile_none_is_written(project: Path) -> None:
    found = list(search_files(Finder(), Query("total"), texts_below(project)))
    (project / "below" / "list.yaml").write_text("id: other total\n")
    with pytest.raises(ChangedOnDisk, match="changed meanwhile"):
        write_together(project, writings([replaced(each, Replacement("x")) for each in found]))
    assert (project / "desk.md").read_bytes() == DESK.encode()


def test_where_one_file_cannot_be_written_the_others_are_as_they_were(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.editing.keeping import many_files  # noqa: PLC0415 - to put something in its place

    def failing(path: Path, data: bytes, expected: str | None) -> str:
        if path.name == "list.yaml":
            raise CannotSave("The disk is full.")
        return save(path, data, expected)

    save = many_files.save
    monkeypatch.setattr(many_files, "save", failing)
    both = (Written("desk.md", DESK.encode(), b"x"), Written("below/list.yaml", "\ufeffid: total\n".encode(), b"y"))
    with pytest.raises(CannotSave, match="full"):
        write_together(project, both)
    assert (project / "desk.md").read_bytes() == DESK.encode()


def test_the_terminal_finds_by_playbook_and_step(terminal: Terminal, project: Path) -> None:
    outcome = terminal.run("search", "total", str(project), "--json")
    told = [(each["file"], each["line"], each.get("step"), each["match"]) for each in json.loads(outcome.out)]
    assert told[:2] == [("desk.md", 3, "Main:01", "Total"), ("desk.md", 4, "Main:01.01", "total")]
    assert told[3] == ("below/list.yaml", 1, None, "total")
    shown = terminal.run("search", "total", str(project / "desk.md"), "--word", "--case")
    assert shown.code == 0
    assert "  Main:01.01  line 4: - See the total of $total" in shown.out
    assert "2 matches in 1 file" in shown.out
    assert terminal.run("search", "nowhere", str(project)).code == 1
    wrong = terminal.run("search", "(a", str(project), "--regex")
    assert wrong.code == 2 and "at character 1" in wrong.err
    assert terminal.run("search", "a", str(project / "missing.md")).code == 2


def test_the_terminal_replaces_only_when_it_is_told_to_write(terminal: Terminal, project: Path) -> None:
    words = ("search", r"(\w+) of", str(project), "--regex", "--replace", r"sum (\1) of")
    shown = terminal.run(*words)
    assert "+  - See the sum (total) of $total" in shown.out and "Would replace 1 match in 1 file" in shown.out
    assert (project / "desk.md").read_bytes() == DESK.encode()
    assert "Replaced 1 match in 1 file" in terminal.run(*words, "--write").out
    assert b"See the sum (total) of" in (project / "desk.md").read_bytes()


def test_the_terminal_renames_what_has_a_name(terminal: Terminal, project: Path) -> None:
    desk = project / "desk.md"
    dry = terminal.run("rename", str(desk), "$sum", "--symbol", "$total", "--dry-run")
    assert "+  - See the total of $sum" in dry.out and desk.read_bytes() == DESK.encode()
    assert (
        "Renamed $total to $sum: 1 place in 1 file"
        in terminal.run("rename", str(desk), "$sum", "--symbol", "$total").out
    )
    assert desk.read_bytes() == DESK.replace("$total", "$sum").encode()
    refused = terminal.run("rename", str(desk), "$sum", "--symbol", "$nothing")
    assert refused.code == 2 and "nothing called “$nothing”" in refused.err
