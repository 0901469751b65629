"""Files that tools reach: those of the project, whatever a path is written like."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import RunFailed
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.builtin.toolbox import BuiltinTools
from workbench.tools.confinement import place_in

OUTSIDE = (
    "../secret.txt",
    "notes/../../secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "~/.ssh/id_rsa",
    "C:/windows/win.ini",
    "..\\secret.txt",
    "notes\\..\\..\\secret.txt",
    "link/secret.txt",
    "notes/link-to-file",
    "․․/secret.txt",  # two one dot leaders
    "．．/secret.txt",  # full width
    "notes／secret.txt",
    "notes/\u200bsecret.txt",
    "notes/\u202etxt.terces",
    "notes\n",
    "\0",
    "",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a folder, beside something that is none of its business, to which links lead."""
    folder = tmp_path / "project"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "today.md").write_text("milk\n", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (folder / "link").symlink_to(tmp_path)
    (folder / "notes" / "link-to-file").symlink_to(tmp_path / "secret.txt")
    return folder


def tools(project: Path | None) -> BuiltinTools:
    """The tools of a run there."""
    return BuiltinTools(BuiltinRules(project))


def use(project: Path | None, name: str, **arguments: object) -> object:
    """What the tool gives."""
    return tools(project).call(name, arguments, lambda _text: None)


@pytest.mark.parametrize("written", OUTSIDE)
@pytest.mark.parametrize("name", ["read_file", "write_file"])
def test_no_path_leads_out_of_the_project(project: Path, written: str, name: str) -> None:
    arguments = {"path": written, "text": "changed"} if name == "write_file" else {"path": written}
    with pytest.raises(RunFailed):
        use(project, name, **arguments)
    assert (project.parent / "secret.txt").read_text("utf-8") == "secret"


@pytest.mark.parametrize("written", OUTSIDE)
def test_what_cannot_be_written_is_not_shown_either(project: Path, written: str) -> None:
    with pytest.raises(RunFailed):
        tools(project).preview("write_file", {"path": written, "text": "changed"})


def test_a_folder_outside_is_not_listed(project: Path) -> None:
    with pytest.raises(RunFailed, match="leads out"):
        use(project, "list_files", path="link")


def test_a_link_within_the_project_leads_where_it_leads(project: Path) -> None:
    (project / "shortcut").symlink_to(project / "notes")
    assert place_in(project, "shortcut/today.md") == project.resolve() / "notes" / "today.md"


def test_a_file_of_the_project_is_read(project: Path) -> None:
    assert use(project, "read_file", path="notes/today.md") == "milk\n"


def test_a_file_is_written_with_the_folders_above_it(project: Path) -> None:
    use(project, "write_file", path="new/deep/file.txt", text="ä")
    assert (project / "new" / "deep" / "file.txt").read_text("utf-8") == "ä"


def test_folders_are_listed_with_a_slash(project: Path) -> None:
    (project / "b.md").touch()
    assert use(project, "list_files") == ["b.md", "link/", "notes/"]
    assert use(project, "list_files", pattern="*.md") == ["b.md"]


def test_a_change_is_shown_as_a_difference_with_hidden_characters(project: Path) -> None:
    preview = tools(project).preview("write_file", {"path": "notes/today.md", "text": "milk\u202e\nbread\n"})
    assert preview.is_difference
    assert preview.summary == "Change the file notes/today.md"
    assert "-milk\n+milk⟨U+202E⟩\n+bread" in preview.detail


def test_what_is_not_saved_has_no_files() -> None:
    with pytest.raises(RunFailed, match="not saved"):
        use(None, "read_file", path="a.md")


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("read_file", {}, "A value for path is missing."),
        ("read_file", {"path": 7}, "path must be of the type string."),
        ("read_file", {"path": "a", "mode": "rb"}, "There is no argument mode. There are: path."),
        ("format_disk", {}, "There is no tool called format_disk."),
    ],
)
def test_arguments_are_held_against_the_schema(project: Path, name: str, arguments: object, problem: str) -> None:
    assert isinstance(arguments, dict)
    with pytest.raises(RunFailed) as caught:
        tools(project).call(name, arguments, lambda _text: None)
    assert str(caught.value) == problem
