"""What is known of the files of a project: kinds, titles, links in and out; what has not changed is not read again."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.disk.files import real_path
from workbench.disk.listing import folders_below
from workbench.disk.places import Places, places_under
from workbench.errors import CannotRead
from workbench.model.kinds import FileKind
from workbench.project import index as index_module
from workbench.project.index import FileEntry, ProjectIndex, indexed
from workbench.project.kept import keep, kept_entries
from workbench.project.targets import linked_file, linked_snapshot, place_of, project_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with files of several kinds that link to each other."""
    folder = tmp_path / "project"
    _write(
        folder / "restart.md", "# Restart the *shop*\n\n## Steps\n1. Drain it, see [drain](how/drain.md#now)\n2. Wait\n"
    )
    _write(
        folder / "how/drain.md",
        "# Drain\n- Back to [restart](../restart.md), [[Notes  ]] [[my notes]]\n- Go [on](/x.md)\n",
    )
    _write(folder / "how/my-notes.md", "Some notes\n")
    _write(folder / "list.yaml", "id: a\nname: A list\nsteps:\n- id: one\n  description: Do it\n")
    _write(folder / "data.json", '{"a": 1}\n')
    _write(folder / "skill/SKILL.md", "---\nname: shout\ndescription: Shouts\n---\n# Shouting\n")
    _write(folder / "restart.script.yaml", "answers: []\n")
    _write(folder / "node_modules/a/README.md", "# Not ours\n")
    _write(folder / "image.png", "x")
    return real_path(folder)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def whole(project: Path, known: dict[str, FileEntry] | None = None) -> ProjectIndex:
    """The whole index of *project*."""
    *_growing, last = indexed(project, known or {})
    return last


def test_each_file_that_may_be_a_playbook_is_known(project: Path) -> None:
    assert list(whole(project).entries) == [
        "data.json", "how/drain.md", "how/my-notes.md", "list.yaml", "restart.md", "skill/SKILL.md",
    ]  # fmt: skip


def test_a_file_has_a_kind_a_title_and_steps(project: Path) -> None:
    entry = whole(project).entries["restart.md"]
    assert (entry.kind, entry.title, entry.steps) == (FileKind.PROCEDURE, "Restart the shop", 2)


def test_files_of_other_programs_are_none_of_ours(project: Path) -> None:
    ours = {path: entry.is_ours for path, entry in whole(project).entries.items() if path.endswith(("l", "n", "L.md"))}
    assert ours == {"data.json": False, "list.yaml": True, "skill/SKILL.md": True}


def test_links_lead_out_and_in(project: Path) -> None:
    index = whole(project)
    assert index.links_out("restart.md") == ("how/drain.md",)
    assert index.links_out("how/drain.md") == ("restart.md", "how/my-notes.md")
    assert index.links_in == {
        "how/drain.md": ("restart.md",), "how/my-notes.md": ("how/drain.md",), "restart.md": ("how/drain.md",),
    }  # fmt: skip


def test_a_link_to_a_file_that_comes_later_leads_there_then(project: Path) -> None:
    before = whole(project)
    _write(project / "x.md", "# X\n")
    assert whole(project, dict(before.entries)).links_out("how/drain.md")[-1] == "how/my-notes.md"
    assert "x.md" in whole(project, dict(before.entries)).links_out("how/drain.md")


def test_the_index_grows_and_can_be_left(project: Path) -> None:
    sizes = [(len(index.entries), index.count, index.is_whole) for index in indexed(project, {}, every=2)]
    assert sizes == [(0, 6, False), (2, 6, False), (4, 6, False), (6, 6, True)]


def test_only_what_has_changed_is_read_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = whole(project)
    _write(project / "how/drain.md", "# Drain it\n- Other\n")
    (project / "list.yaml").unlink()
    read: list[str] = []
    real = index_module.read_entry
    monkeypatch.setattr(
        index_module, "read_entry", lambda root, path, *said: read.append(path) or real(root, path, *said)
    )
    after = whole(project, dict(before.entries))
    assert (read, after.entries["how/drain.md"].title, "list.yaml" in after.entries) == (
        ["how/drain.md"],
        "Drain it",
        False,
    )


def test_what_is_no_text_has_no_kind(project: Path) -> None:
    (project / "a.md").write_bytes(b"\x00\x01\x02")
    assert whole(project).entries["a.md"].kind is None


def test_a_link_of_the_system_that_leads_out_is_not_read(project: Path, tmp_path: Path) -> None:
    _write(tmp_path / "secret.md", "# Secret\n")
    (project / "a.md").symlink_to(tmp_path / "secret.md")
    assert whole(project).entries["a.md"].title == ""


def test_a_folder_that_cannot_be_entered_is_empty(project: Path) -> None:
    (project / "how").rename(project / "was")
    (project / "how").symlink_to(project)  # in a circle
    assert "how" not in [folder.path for folder in folders_below(project)]


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Where things are kept."""
    return places_under(tmp_path / "home")


def test_what_is_known_is_kept(project: Path, where: Places) -> None:
    index = whole(project)
    keep(where, index)
    assert kept_entries(where, index.root) == index.entries


def test_what_is_kept_is_closed_to_others(project: Path, where: Places) -> None:
    keep(where, whole(project))
    modes = [os.stat(path).st_mode & 0o077 for path in (where.projects_dir, *where.projects_dir.iterdir())]  # noqa: PTH116
    assert modes == [0, 0]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"version": []}', b'{"version": 1, "files": [[1]]}', b"[" * 9999]
)
def test_what_is_damaged_is_as_good_as_nothing(damage: bytes, project: Path, where: Places) -> None:
    keep(where, whole(project))
    (kept,) = where.projects_dir.iterdir()
    kept.write_bytes(damage)
    assert kept_entries(where, project) == {}


def test_only_projects_of_late_are_kept(project: Path, where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.project.kept._MOST_KEPT", 2)
    index = whole(project)
    for number in range(4):
        keep(where, replace(index, root=project / str(number)))
        for kept in where.projects_dir.iterdir() if number < 3 else ():
            os.utime(kept, (number, number))
    assert len(list(where.projects_dir.iterdir())) == 2
    assert kept_entries(where, project / "3") == index.entries


def test_what_another_version_has_kept_does_not_count(
    project: Path, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(where, whole(project))
    monkeypatch.setattr("workbench.project.kept.__version__", "0.0.0")
    assert kept_entries(where, project) == {}


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("drain.md", "how/drain.md"),
        ("../restart.md", "restart.md"),
        ("/restart.md", "restart.md"),
        ("./a/../drain.md", "how/drain.md"),
        ("../../secret.md", None),
        ("/../secret.md", None),
        ("out.md", None),
        ("../.git/config", None),
        ("{name}.md", None),
        ("", None),
    ],
)
def test_a_link_stays_in_the_project(written: str, place: str | None, project: Path, tmp_path: Path) -> None:
    _write(tmp_path / "secret.md", "# Secret\n")
    (project / "how/out.md").symlink_to(tmp_path / "secret.md")
    found = place_of(project, project / "how/drain.md", written)
    assert (found and found.relative_to(project).as_posix()) == place


def test_a_linked_file_can_be_run_as_a_call(project: Path) -> None:
    snapshot = linked_snapshot(project, project / "restart.md", "how/drain.md")
    assert snapshot.text.startswith("# Drain")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("nobody.md", "There is no file “nobody.md”, which a link leads to."),
        ("../secret.md", "“../secret.md” leads out of the folder of the project, so it is not read."),
    ],
)
def test_what_cannot_be_linked_is_told(written: str, reason: str, project: Path) -> None:
    with pytest.raises(CannotRead) as told:
        linked_file(project, project / "restart.md", written)
    assert str(told.value) == reason


def test_the_project_is_the_repository_else_the_open_folder(project: Path) -> None:
    file = project / "how/drain.md"
    assert project_of(file) == project / "how"
    assert project_of(file, str(project)) == project
    assert project_of(file, str(project / "skill")) == project / "how"
    (project.parent / ".git").mkdir()
    assert project_of(file, str(project)) == project.parent
