"""A file gets another name: the links that lead to it follow, and nothing is written over what somebody changed."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cli_driver import Terminal
from workbench.disk.files import real_path
from workbench.disk.places import places
from workbench.editing.keeping.renaming_files import check_unchanged, rename_file, update_links
from workbench.engine.permissions import Said, said_for, say
from workbench.errors import CannotSave, ChangedOnDisk, WorkbenchError
from workbench.project.index import indexed
from workbench.project.renaming import renaming_of
from workbench.settings import Settings, load_settings, save_settings
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking

FILES = {
    "drain.md": "# Drain\n- See [here](#drain), [me](drain.md#drain), [notes](how/notes.md) and ![a](how/a.png)\n",
    "restart.md": (
        "# Restart\n\n1. [a](drain.md) [b](./drain.md#x 'T') [c](<drain.md>) [d](/drain.md) [[drain]] [[Drain|it]]\n"
        '2. [e][r] `[no](drain.md)` <a href="drain.md">x</a> [web](https://x.example/drain.md) '
        "[other](how/drain.md)\n\n[r]: drain.md\n"
    ),
    "how/notes.md": "- [up](../drain.md)\r\n- [down](a.png)\r\n",
    "how/drain.md": "Another one\n",
    "how/a.png": "x",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository."""
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    return real_path(tmp_path)


def renamed(project: Path, old: str, new: str) -> dict[str, str]:
    """What the files that change hold afterwards."""
    return {change.path: change.text_after for change in renaming_of(project, old, new).changes}


def test_every_way_to_write_a_link_follows(project: Path) -> None:
    (project / "how/drain.md").unlink()
    assert renamed(project, "drain.md", "empty it.md") == {
        "drain.md": FILES["drain.md"].replace("[me](drain.md#", "[me](empty%20it.md#"),
        "how/notes.md": FILES["how/notes.md"].replace("../drain.md", "../empty%20it.md"),
        "restart.md": (
            "# Restart\n\n1. [a](empty%20it.md) [b](./empty%20it.md#x 'T') [c](<empty it.md>) [d](/empty%20it.md) "
            '[[empty it]] [[empty it|it]]\n2. [e][r] `[no](drain.md)` <a href="empty%20it.md">x</a> '
            "[web](https://x.example/drain.md) [other](how/drain.md)\n\n[r]: empty%20it.md\n"
        ),
    }


def test_links_of_a_file_that_is_moved_count_from_its_new_folder(project: Path) -> None:
    after = renamed(project, "drain.md", "how/now/empty.md")["drain.md"]
    assert after == "# Drain\n- See [here](#drain), [me](empty.md#drain), [notes](../notes.md) and ![a](../a.png)\n"


def test_a_link_to_a_folder_stays_one(project: Path) -> None:
    (project / "drain.md").write_text("[a](how/) [b](how)\n")
    assert renamed(project, "drain.md", "there/empty.md")["drain.md"] == "[a](../how/) [b](../how)\n"


def test_a_name_that_two_files_have_is_left_alone_in_wiki_links(project: Path) -> None:
    assert "[[drain]] [[Drain|it]]" in renamed(project, "drain.md", "empty.md")["restart.md"]


def test_line_ends_and_all_else_stay(project: Path) -> None:
    assert renamed(project, "drain.md", "empty.md")["how/notes.md"] == "- [up](../empty.md)\r\n- [down](a.png)\r\n"


@pytest.mark.parametrize("new", ["../out.md", "/etc/x.md", "", ".git/x.md", "a\x00.md", "how/notes.md", "restart.md"])
def test_a_name_that_cannot_be_is_refused(new: str, project: Path) -> None:
    with pytest.raises(CannotSave):
        renaming_of(project, "drain.md", new)


def test_what_changed_meanwhile_is_not_written_over(project: Path) -> None:
    renaming = renaming_of(project, "drain.md", "empty.md")
    (project / "restart.md").write_text("Other\n")
    with pytest.raises(ChangedOnDisk):
        check_unchanged(renaming)
    rename_file(renaming)
    with pytest.raises(CannotSave) as told:
        update_links(renaming)
    assert str(told.value).endswith("could not be changed: restart.md.")
    assert (project / "restart.md").read_text() == "Other\n"
    assert "empty.md" in (project / "how/notes.md").read_text()


def test_a_name_that_is_taken_meanwhile_is_left_alone(project: Path) -> None:
    renaming = renaming_of(project, "drain.md", "empty.md")
    (project / "empty.md").write_text("Mine\n")
    with pytest.raises(CannotSave):
        rename_file(renaming)
    assert ((project / "empty.md").read_text(), (project / "drain.md").is_file()) == ("Mine\n", True)


def test_the_terminal_renames_and_updates(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = Terminal(capsys).run("rename", project / "drain.md", project / "how/empty.md", "--update-links")
    assert (done.code, done.out) == (0, "Renamed drain.md to how/empty.md\n10 links change with it\n")
    assert (project / "how/notes.md").read_bytes() == b"- [up](empty.md)\r\n- [down](a.png)\r\n"
    assert not (project / "drain.md").exists()


def test_what_was_said_of_a_file_goes_along(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = project / "drain.md", project / "how/empty.md"
    said = Settings(
        recent_files=(str(project / "restart.md"), str(old)),
        kinds=MappingProxyType({str(old): "program", str(new): "skill"}),
        chapters=MappingProxyType({str(old): {"Drain": False}}),
        judging=MappingProxyType({str(old): {"kind": "person"}, str(project / "restart.md"): {}}),
    )
    save_settings(places(), said)
    say(places().permissions_file, old, Rule("shell", Asking.NEVER))
    assert Terminal(capsys).run("rename", old, new).code == 0
    settings = load_settings(places())
    assert settings.recent_files == (str(project / "restart.md"), str(new))
    assert settings.kinds == {str(new): "program"}
    assert settings.chapters == {str(new): {"Drain": False}}
    assert settings.judging == {str(new): {"kind": "person"}, str(project / "restart.md"): {}}
    assert said_for(places().permissions_file, new).rules == (Rule("shell", Asking.NEVER),)
    assert said_for(places().permissions_file, old) == Said()


def test_every_setting_by_path_follows_a_new_name() -> None:
    """A field more that is kept by path is to be renamed as well; here all are named, so that none is forgotten."""
    by_path = {"recent_files", "judging", "kinds", "chapters"}
    by_folder = {"trusted_folders", "promotion_thresholds", "project_folder"}
    no_path = {
        *("theme", "trusted", "layouts", "python_timeout_s", "python_memory_mb", "text_scale", "language"),
        *("is_following", "endpoints", "default_endpoint", "is_notified", "otlp_endpoint", "unknown"),
        *(
            "wraps_source",
            "shows_invisible",
            "timeline_lanes",
            "exporting",
            "motion",
            "font",
            "source_font",
            "tab_width",
        ),
        *("wrong", "damage", "keep_days", "keep_runs", "max_mib", "autosave", "autosave_pause_s", "key_scheme", "keys"),
        *("motion", "history_days", "history_states", "checks_project", "uses_notes"),
    }
    assert {each.name for each in fields(Settings)} == by_path | by_folder | no_path


def test_the_terminal_says_how_many_links_lead_nowhere_then(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = Terminal(capsys).run("rename", project / "drain.md", project / "empty.md")
    assert done.out.splitlines()[1] == "8 links no longer fit; --update-links changes them"
    assert (project / "restart.md").read_text() == FILES["restart.md"]


def test_a_dry_run_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = Terminal(capsys).run("rename", project / "drain.md", project / "how", "--update-links", "--dry-run")
    assert (done.code, "already" in done.err) == (2, True)
    done = Terminal(capsys).run("rename", project / "drain.md", project / "e.md", "--update-links", "--dry-run")
    assert "+- [up](../e.md)" in done.out
    assert {path: (project / path).read_bytes().decode() for path in FILES} == FILES


def test_a_file_does_not_leave_its_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = Terminal(capsys).run("rename", project / "drain.md", project.parent / "out.md")
    assert (done.code, "is outside of the project" in done.err) == (2, True)


NAMES = st.sampled_from(["a.md", "b.md", "how/c.md", "how/deep/d e.md", "x(1).md"])


@settings(max_examples=examples(25))
@given(
    pairs=st.lists(st.tuples(NAMES, NAMES), max_size=8),
    old=NAMES,
    new=st.sampled_from(["new.md", "how/new name.md", "n/e/w.md"]),
)
def test_all_links_lead_where_they_led(
    pairs: list[tuple[str, str]], old: str, new: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = real_path(tmp_path_factory.mktemp("project"))
    for path in ("a.md", "b.md", "how/c.md", "how/deep/d e.md", "x(1).md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        up = "../" * path.count("/")
        links = "".join(
            f"- [x](<{up}{target}>) [y]({up}{target.replace(' ', '%20')})\n" for one, target in pairs if one == path
        )
        (root / path).write_text(f"# A\n{links}")
    before = _links(root)
    renaming = renaming_of(root, old, new)
    rename_file(renaming)
    update_links(renaming)
    moved = {old: new}
    assert _links(root) == {
        moved.get(path, path): sorted(moved.get(target, target) for target in targets)
        for path, targets in before.items()
    }


def _links(root: Path) -> dict[str, list[str]]:
    *_growing, index = indexed(root, {})
    return {path: sorted(index.links_out(path)) for path in index.entries}


def test_failures_are_told_in_words(project: Path) -> None:
    with pytest.raises(WorkbenchError) as told:
        renaming_of(project, "nobody.md", "x.md")
    assert str(told.value) == "There is no file “nobody.md”."
