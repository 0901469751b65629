"""Which files of a project are shown, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from workbench.disk.listing import ListedFile, ListedFolder
from workbench.model.kinds import FileKind
from workbench.project.index import FileEntry, ProjectIndex
from workbench.project.rows import FileRow, choice_of, rows_of

FOLDERS = (
    ("", ("Empty", "code", "how"), ("b.md", "A.md", "ci.yml", "x.py")),
    ("Empty", (), ()),
    ("code", (), ("y.py",)),
    ("how", ("deep",), ("to.md",)),
    ("how/deep", (), ("er.pb", "er.script.yaml")),
)
ENTRIES = (
    FileEntry("A.md", 0, 0, FileKind.PROCEDURE, "Restart the shop"),
    FileEntry("ci.yml", 0, 0, FileKind.FOREIGN),
    FileEntry("how/to.md", 0, 0, None),
)


def project(entries: Iterable[FileEntry] = ENTRIES) -> ProjectIndex:
    """A project in which *entries* have been read."""
    folders = tuple(
        ListedFolder(path, inner, tuple(ListedFile(n, 0, 0) for n in names)) for path, inner, names in FOLDERS
    )
    return ProjectIndex(Path("/p"), {entry.path: entry for entry in entries}, 5, folders)


def paths(rows: tuple[FileRow, ...]) -> Iterator[str]:
    """The paths of all *rows*, as they stand below each other."""
    for row in rows:
        yield row.path
        yield from paths(row.rows)


def test_folders_come_first_and_what_is_none_of_ours_is_left_out() -> None:
    shown = list(paths(rows_of(project(), choice_of("", is_all=False))))
    assert shown == ["Empty", "how", "how/deep", "how/deep/er.pb", "A.md", "b.md"]


def test_what_has_not_been_read_may_be_ours() -> None:
    shown = list(paths(rows_of(project(()), choice_of("", is_all=False))))
    assert shown == ["Empty", "how", "how/deep", "how/deep/er.pb", "how/to.md", "A.md", "b.md", "ci.yml"]


def test_all_files_are_shown_by_choice() -> None:
    shown = list(paths(rows_of(project(), choice_of("", is_all=True))))
    assert len(shown) == sum(len(folders) + len(names) for _path, folders, names in FOLDERS)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("er.p", ["how", "how/deep", "how/deep/er.pb"]),
        ("HOW pb", ["how", "how/deep", "how/deep/er.pb"]),
        ("restart shop", ["A.md"]),
        ("py", []),
        ("  ", ["Empty", "how", "how/deep", "how/deep/er.pb", "A.md", "b.md"]),
    ],
)
def test_words_choose_by_path_and_title(written: str, shown: list[str]) -> None:
    assert list(paths(rows_of(project(), choice_of(written, is_all=False)))) == shown
