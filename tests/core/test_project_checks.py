"""What was found in a project holds as long as nothing that it depends on has changed."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.places import Places
from workbench.project import index as index_module
from workbench.project.checked import (
    Checked,
    Counts,
    Stamps,
    checked_by_the_way,
    checked_in,
    counts_of,
    keep_checks,
    kept_checks,
    unchecked,
)
from workbench.project.index import ProjectIndex, indexed
from workbench.project.reading import Readers
from workbench.syntax.diagnostics import Severity

PLAIN = "# A\n\n## Main\n### Steps\n- Tell user $never\n"
FILES = {
    "a.md": PLAIN,
    "links.md": "# A\n\n## Main\n### Steps\n- Tell user [more](deep/b.md#part)\n- Tell user [else](none.md)\n",
    "imports.md": "!import deep/part.txt\n# A\n\n## Main\n### Steps\n- Tell user 1\n",
    "deep/b.md": "# B\n\n## Part\n### Steps\n- Tell user 1\n",
    "deep/part.txt": "",
}


def index_of(folder: Path) -> ProjectIndex:
    *_earlier, whole = indexed(folder, {})
    return whole


def stamps_of(folder: Path) -> Stamps:
    return Stamps(index_of(folder), {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def checks(terminal: Terminal, folder: Path) -> dict[str, Checked]:
    """All of them, checked."""
    stamps = stamps_of(folder)
    files = [folder / path for path in unchecked(stamps, {})]
    lines = terminal.run("check", "--format", "jsonl", *files).out.splitlines()
    return dict(told for line in lines if (told := checked_in(stamps, line)))


def again(folder: Path, checks: dict[str, Checked]) -> tuple[str, ...]:
    """What is to be checked again."""
    return unchecked(stamps_of(folder), checks)


def test_only_what_may_have_other_findings_is_checked_again(folder: Path, checks: dict[str, Checked]) -> None:
    assert sorted(checks) == ["a.md", "deep/b.md", "imports.md", "links.md"]
    assert again(folder, checks) == ()
    (folder / "a.md").write_text(PLAIN + "- Tell user 2\n")
    assert again(folder, checks) == ("a.md", "imports.md")
    (folder / "a.md").unlink()
    assert again(folder, checks) == ("imports.md", "links.md")


def test_another_target_of_a_link_and_another_import_count(folder: Path, checks: dict[str, Checked]) -> None:
    (folder / "deep" / "part.txt").write_text("- x\n")
    assert again(folder, checks) == ("imports.md",)
    (folder / "deep" / "b.md").write_text("# Other\n")
    assert again(folder, checks) == ("deep/b.md", "imports.md", "links.md")


def test_what_a_person_says_of_the_chapters_of_a_file_counts(folder: Path, checks: dict[str, Checked]) -> None:
    said = {str(folder / "deep/b.md"): {"B": True}}
    assert "deep/b.md" in unchecked(Stamps(index_of(folder), said), checks)


def test_findings_are_kept_for_the_next_start_but_for_those_that_may_depend_on_anything(
    folder: Path, checks: dict[str, Checked], own_places: Places
) -> None:
    keep_checks(own_places, folder, checks)
    kept = kept_checks(own_places, folder)
    assert kept == {path: each for path, each in checks.items() if path != "imports.md"}
    assert [one.code for one in kept["a.md"].found] == ["unset-variable"]
    (file,) = own_places.projects_dir.iterdir()
    for damage in ("{", "[]", json.dumps({**json.loads(file.read_text()), "files": [[1]]})):
        file.write_text(damage)
        assert kept_checks(own_places, folder) == {}


NO_FILE = '{"file": "/none.md", "depends_on": "file", "findings": []}'


@pytest.mark.parametrize("line", ["", "{", "[]", '{"file": "a.md"}', NO_FILE])
def test_a_line_that_tells_of_no_file_is_left(folder: Path, line: str) -> None:
    assert checked_in(stamps_of(folder), line) is None


def test_findings_are_counted_by_their_severity() -> None:
    found = counts_of([Severity.INFO, Severity.ERROR, Severity.INFO])
    assert found == Counts(1, 0, 2)
    assert found + Counts(0, 3, 1) == Counts(1, 3, 3)


def test_what_is_found_while_files_are_read_holds_like_what_is_checked(
    folder: Path, checks: dict[str, Checked], tmp_path: Path
) -> None:
    for number in range(60):
        (folder / f"more-{number}.md").write_text(
            f"# More {number}\n\n## Main\n### Steps\n- Tell user $never\n" + "x\n" * 800
        )
    (folder / "odd\nname.md").write_text(PLAIN)
    (folder / "binary.md").write_bytes(b"\0\1")
    *earlier, whole = indexed(folder, {}, reader=Readers(lambda: False))
    assert not earlier[0].entries and len(earlier) > 2, "it grows"
    assert whole.entries == index_of(folder).entries, "read by other programs, it is what is read here"
    assert (whole.entries["binary.md"].kind, whole.entries["odd\nname.md"].title) == (None, "A")
    stamps = Stamps(whole, {})
    told = {path: checked_by_the_way(stamps, path, each) for path, each in whole.told.items()}
    assert {path: told[path] for path in checks if path != "imports.md"} == {
        path: replace(each, around=stamps.around(path, each.depends_on))
        for path, each in checks.items()
        if path != "imports.md"
    }
    assert unchecked(stamps, {path: each for path, each in told.items() if each}) == ("odd\nname.md",)


def test_reading_ends_with_who_wants_to_know(folder: Path) -> None:
    for number in range(90):
        (folder / f"more-{number}.md").write_text("# A\n" + "x\n" * 1000)
    over = threading.Event()
    for index in indexed(folder, {}, 1, reader=Readers(over.is_set)):
        if index.entries:
            over.set()
    assert not index.is_whole


def test_what_is_as_it_was_before_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = index_of(folder)
    text = (folder / "a.md").read_text()
    (folder / "a.md").write_text("# Other\n")
    *_growing, second = indexed(folder, first.entries)
    assert second.entries["a.md"].title == "Other"
    (folder / "a.md").write_text(text)
    os.utime(folder / "a.md", ns=(1, 1))
    monkeypatch.setattr(index_module, "read_entry", None)
    *_growing, third = indexed(folder, second.entries, reader=Readers(lambda: False, second.earlier))
    assert third.entries["a.md"] == replace(first.entries["a.md"], edited_ns=1)
    assert Stamps(third, {}).of("a.md") == Stamps(first, {}).of("a.md"), "so what was found in it holds"
