"""What git is asked about files is right in every kind of repository, and none of them can have anything started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.disk.revisions import (
    Digests,
    GitState,
    changes_line_ends,
    is_kept_otherwise,
    read_committed,
    read_revision,
    repository_of,
    revisions_of,
    states_in,
)
from workbench.errors import CannotRead

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


EVIL = """
[core]
	fsmonitor = {evil}
	hooksPath = {hooks}
	pager = {evil}
	editor = {evil}
	sshCommand = {evil}
	askPass = {evil}
	untrackedCache = true
	repositoryformatversion = 1
[diff]
	external = {evil}
[diff "evil"]
	textconv = {evil}
	command = {evil}
[filter "evil"]
	clean = {evil}
	smudge = {evil}
	process = {evil}
	required = true
[gpg]
	program = {evil}
[gpg "ssh"]
	program = {evil}
[log]
	showSignature = true
[pager]
	log = {evil}
[credential]
	helper = {evil}
[protocol]
	allow = always
[extensions]
	partialClone = away
[remote "away"]
	url = ext::{evil}
	promisor = true
	uploadpack = {evil}
"""
"""All that the settings of a repository can name for git to start."""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the settings of this machine."""
    for name, value in _ALONE.items():
        monkeypatch.setenv(name, value)


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    command = ["git", *who, *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit of one file."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "book.md").write_bytes(b"# One\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "First ä")
    return folder


def names(states: object) -> dict[str, GitState]:
    assert isinstance(states, dict)
    return {path.name: state for path, state in states.items()}


def test_how_files_stand_to_the_last_commit(repository: Path) -> None:
    for name in ("same", "staged", "touched", "gone"):
        (repository / f"{name}.md").write_bytes(name.encode())
    (repository / ".gitignore").write_bytes(b"*.log\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "More")
    (repository / "book.md").write_bytes(b"# Two\n")
    (repository / "staged.md").write_bytes(b"other")
    (repository / "added.md").write_bytes(b"added")
    git(repository, "add", "staged.md", "added.md")
    os.utime(repository / "touched.md", (1, 1))
    (repository / "new ☃.md").write_bytes(b"new")
    (repository / "noise.log").write_bytes(b"noise")
    known: Digests = {}
    for _time in range(2):
        assert names(states_in(repository, (".md",), known)) == {
            "book.md": GitState.MODIFIED,
            "staged.md": GitState.MODIFIED,
            "added.md": GitState.ADDED,
            "new ☃.md": GitState.UNTRACKED,
        }
    # as large as before, and changed in the same moment as the index
    (repository / "same.md").write_bytes(b"emas")
    assert names(states_in(repository, (".md",), known))["same.md"] is GitState.MODIFIED
    assert states_in(repository, (".yaml",)) == {}


def test_a_conflict_is_told(repository: Path) -> None:
    git(repository, "checkout", "-qb", "other")
    (repository / "book.md").write_bytes(b"# Theirs\n")
    git(repository, "commit", "-qam", "Theirs")
    git(repository, "checkout", "-q", "main")
    (repository / "book.md").write_bytes(b"# Ours\n")
    git(repository, "commit", "-qam", "Ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "-q", "other")
    assert names(states_in(repository)) == {"book.md": GitState.CONFLICTED}


def test_a_renamed_file_has_its_revisions_and_what_it_was(repository: Path) -> None:
    git(repository, "mv", "book.md", "tome.md")
    tome = repository / "tome.md"
    assert read_committed(tome) == b"# One\n"
    git(repository, "commit", "-qm", "Rename")
    tome.write_bytes(b"# Three\n")
    git(repository, "commit", "-qam", "Third | a\tb")
    found = revisions_of(tome)
    assert [(each.subject, each.name) for each in found] == [
        ("Third | a\tb", "tome.md"),
        ("Rename", "tome.md"),
        ("First ä", "book.md"),
    ]
    assert [read_revision(tome, each.id, each.name) for each in found] == [b"# Three\n", b"# One\n", b"# One\n"]
    assert (found[0].author, len(found[0].id)) == ("Ada", 40)


def test_where_there_is_no_commit_no_repository_and_no_folder_nothing_is_said(tmp_path: Path) -> None:
    assert (repository_of(tmp_path), states_in(tmp_path), read_committed(tmp_path / "a.md")) == (None, {}, None)
    assert repository_of(tmp_path / "missing") is None
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    assert (repository_of(tmp_path / "bare.git"), states_in(tmp_path / "bare.git")) == (None, {})
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q")
    (tmp_path / "new" / "a.md").write_bytes(b"a")
    assert names(states_in(tmp_path / "new")) == {"a.md": GitState.UNTRACKED}
    git(tmp_path / "new", "add", "a.md")
    assert names(states_in(tmp_path / "new")) == {"a.md": GitState.ADDED}
    with pytest.raises(CannotRead):
        revisions_of(tmp_path / "new" / "a.md")


def test_worktrees_and_submodules_are_repositories_of_their_own(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / "book.md").write_bytes(b"# Changed\n")
    assert names(states_in(tmp_path / "tree")) == {"book.md": GitState.MODIFIED}
    found = repository_of(tmp_path / "tree")
    assert found is not None
    assert (found.top, (found.git_dir / "HEAD").is_file()) == (tmp_path / "tree", True)
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repository), "inner")
    git(outer, "commit", "-qm", "With a submodule")
    (outer / "inner" / "book.md").write_bytes(b"# Changed\n")
    assert names(states_in(outer / "inner")) == {"book.md": GitState.MODIFIED}
    assert states_in(outer) == {}
    assert read_committed(outer / "inner" / "book.md") == b"# One\n"


def test_line_ends_that_git_puts_there_are_no_change(repository: Path) -> None:
    book = repository / "book.md"
    assert not changes_line_ends(book)
    git(repository, "config", "core.autocrlf", "true")
    assert changes_line_ends(book)
    book.write_bytes(b"# One\r\n")
    assert states_in(repository) == {}
    (repository / ".gitattributes").write_bytes(b"*.md -text\n")
    assert not changes_line_ends(book)


def test_a_repository_can_have_nothing_started(repository: Path, tmp_path: Path) -> None:
    marker = tmp_path / "was-started"
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch '{marker}'\ncat\n", "utf-8")
    evil.chmod(0o755)
    (repository / ".gitattributes").write_bytes(b"*.md filter=evil diff=evil merge=evil working-tree-encoding=UTF-8\n")
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "-qm", "Attributes")
    hooks = repository / ".git" / "hooks"
    for hook in ("post-index-change", "post-checkout", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(evil, hooks / hook)
    config = repository / ".git" / "config"
    config.write_text(config.read_text("utf-8") + EVIL.format(evil=evil, hooks=hooks), "utf-8")
    marker.unlink(missing_ok=True)
    (repository / "book.md").write_bytes(b"# Two\n")
    (repository / "new.md").write_bytes(b"# New\n")
    # how a file differs that a filter has to make, nobody can tell without starting it
    assert names(states_in(repository)) == {"new.md": GitState.UNTRACKED}
    assert is_kept_otherwise(repository / "book.md")
    assert read_committed(repository / "book.md") == b"# One\n"
    assert len(revisions_of(repository / "book.md")) == 1
    changes_line_ends(repository / "book.md")
    with pytest.raises(CannotRead):
        read_revision(repository / "book.md", "0" * 39 + "1")
    with pytest.raises(CannotRead):
        read_revision(repository / "book.md", "--output=x")
    assert not marker.exists()


def test_no_repository_that_the_surroundings_name_is_meant(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(repository.parent / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository.parent / "index"))
    assert read_committed(repository / "book.md") == b"# One\n"


@pytest.mark.skipif(sys.platform == "win32", reason="another way to put a program before git")
def test_git_that_is_missing_or_hangs_is_told(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert (repository_of(repository), states_in(repository)) == (None, {})
    with pytest.raises(CannotRead, match="not installed"):
        revisions_of(repository / "book.md")
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"
    slow.write_text("#!/bin/sh\nexec /bin/sleep 1000\n", "utf-8")
    slow.chmod(0o755)
    monkeypatch.setattr("workbench.disk.revisions._PATIENCE_S", 0.2)
    with pytest.raises(CannotRead, match="too long"):
        revisions_of(repository / "book.md")
