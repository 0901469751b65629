"""``workbench diff``: at the terminal, as JSON, as a page, and as the real git calls it."""

from __future__ import annotations

import html.parser
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal

OLD = """\
# Desk
## Main
### Steps
- Ask user for $name
- If $name == "Zoe"
  - Tell user "Hello <Zoe>"
- Count the parcels
- Weigh the parcels
"""
NEW = (
    OLD.replace("- Count the parcels\n", "")
    .replace('Zoe>"\n', 'Zoe>"\n  - Count the parcels\n')
    .replace("# Desk", "# Hall")
)
NEW = NEW.replace("Weigh the", "Weigh all") + "- Write it down\n"
IN_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """An old and a new version."""
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text(OLD, encoding="utf-8")
    new.write_text(NEW, encoding="utf-8")
    return old, new


def git(folder: Path, *words: str, **environment: str) -> str:
    """What git says in *folder*; nothing that the person has set counts."""
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **environment}
    names = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    done = subprocess.run(
        ["git", *names, *words], cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    """A file of which git has the old version, and which is the new one."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    file = folder / "book.md"
    file.write_text(OLD, encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "old")
    file.write_text(NEW, encoding="utf-8")
    return file


def test_the_terminal_tells_what_became_of_each_step(terminal: Terminal, files: tuple[Path, Path]) -> None:
    done = terminal.run("diff", *files)
    assert done.code == 1
    assert "- 1 step added, 1 step changed, 1 step moved." in done.out
    assert "→ Main:03 → Main:02.02  Count the parcels (moved)" in done.out
    assert "≠ Main:03  Weigh [-the-]{+all+} parcels (changed)" in done.out
    assert "+ Main:04  Write it down" in done.out
    assert "heading: Desk → Hall" in done.out


def test_every_line_that_differs_is_printed_where_that_is_wanted(terminal: Terminal, files: tuple[Path, Path]) -> None:
    assert "  - - Weigh the parcels\n" not in terminal.run("diff", *files).out
    assert "  - - Weigh the parcels\n  +   - Count the parcels\n" in terminal.run("diff", *files, "--lines").out


def test_the_exit_code_says_whether_they_differ(terminal: Terminal, files: tuple[Path, Path], tmp_path: Path) -> None:
    assert terminal.run("diff", files[0], files[0]).code == 0
    other = tmp_path / "marked.md"
    other.write_bytes(b"\xef\xbb\xbf" + OLD.encode())
    told = terminal.run("diff", files[0], other)
    assert (told.code, "another encoding" in told.out) == (1, True)
    assert terminal.run("diff", files[0], tmp_path / "none.md").code == 2
    assert terminal.run("diff", *files, files[0]).code == 2
    assert terminal.run("diff", *files, "--rev", "HEAD").code == 2


def test_json_has_the_words_the_places_and_the_lines(terminal: Terminal, files: tuple[Path, Path]) -> None:
    told = terminal.run("diff", *files, "--json").json
    assert (told["differs"], told["only_layout"]) == (True, False)
    moved = next(each for each in told["steps"] if each["fates"] == ["moved"])
    assert (moved["old"]["address"], moved["new"]["address"], moved["new"]["parent"]) == (
        "Main:03",
        "Main:02.02",
        "Main:02",
    )
    text = files[0].read_text(encoding="utf-8")
    assert all(each["old"]["text"] in text for each in told["hunks"])


class Page(html.parser.HTMLParser):
    """The tags of a page, and the words of those that say what differs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.marked: list[tuple[str, str]] = []
        self.classes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.classes.update((dict(attrs).get("class") or "").split())

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in ("ins", "del"):
            self.marked.append((self.tags[-1], data))


def test_the_page_marks_differences_on_both_flowcharts_and_needs_nothing_else(
    terminal: Terminal, files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.html"
    assert terminal.run("diff", *files, "-o", out).code == 1
    text = out.read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags.count("svg") == 2
    assert {("del", "the"), ("ins", "all")} <= set(page.marked)
    assert {"added", "changed", "moved", "mark"} <= page.classes
    assert not {"script", "link", "img", "zoe"} & set(page.tags)
    assert terminal.run("diff", *files, "--html").out == text


def test_a_file_of_another_program_is_compared_line_by_line(terminal: Terminal, tmp_path: Path) -> None:
    old, new = tmp_path / "ci.yaml", tmp_path / "ci2.yaml"
    old.write_text("on: push\njobs:\n  a:\n    runs-on: x\n", encoding="utf-8")
    new.write_text("on: push\njobs:\n  a:\n    runs-on: y\n", encoding="utf-8")
    told = terminal.run("diff", old, new).out
    assert "-     runs-on: x" in told
    assert "+     runs-on: y" in told


@IN_GIT
def test_one_file_is_compared_with_what_git_has_of_it(terminal: Terminal, committed: Path) -> None:
    done = terminal.run("diff", committed)
    assert done.code == 1
    assert done.out.startswith(f"--- {committed} (HEAD)\n+++ {committed}\n")
    link = committed.parents[1] / "link.md"
    link.symlink_to(committed)
    assert terminal.run("diff", link, "--json").json["differs"]
    git(committed.parent, "commit", "-qam", "new")
    assert terminal.run("diff", committed).code == 0
    assert terminal.run("diff", committed, "--rev", "HEAD~1").code == 1


@IN_GIT
def test_what_git_does_not_have_is_told(terminal: Terminal, committed: Path) -> None:
    other = committed.with_name("other.md")
    other.write_text(NEW, encoding="utf-8")
    assert "git has no such file" in terminal.run("diff", other).err
    assert terminal.run("diff", committed, "--rev", "nowhere").code == 2
    assert "is no revision" in terminal.run("diff", committed, "--rev=--textconv").err


@IN_GIT
def test_the_real_git_shows_differences_with_it(committed: Path) -> None:
    command = f'"{sys.executable}" -m workbench diff'
    folder = committed.parent
    here = {"PYTHONPATH": str(Path(__file__).parents[2])}
    told = git(folder, "diff", GIT_EXTERNAL_DIFF=command, **here)
    assert "diff book.md" in told
    assert "→ Main:03 → Main:02.02  Count the parcels (moved)" in told
    tool = ("-c", f'difftool.playbook.cmd={command} "$LOCAL" "$REMOTE"')
    told = git(folder, *tool, "difftool", "--no-prompt", "--tool=playbook", "--", "book.md", **here)
    assert "Count the parcels (moved)" in told


def test_a_file_that_git_did_not_have_is_all_new(terminal: Terminal, files: tuple[Path, Path]) -> None:
    done = terminal.run("diff", "old.md", os.devnull, ".", ".", files[0], "0" * 40, "100644")
    assert done.code == 0
    assert done.out.startswith("diff old.md\n- 5 steps added.")
    renamed = terminal.run("diff", "old.md", files[0], "0", "100644", files[1], "0", "100644", "new.md", "similarity")
    assert renamed.out.startswith("diff new.md\n")


def test_git_is_told_what_it_cannot_show_without_being_ended(terminal: Terminal, files: tuple[Path, Path]) -> None:
    binary = files[0].with_name("binary.md")
    binary.write_bytes(b"a\0b")
    done = terminal.run("diff", "binary.md", binary, "0", "100644", files[1], "0", "100644")
    assert done.code == 0
    assert "is not a text file" in done.out
