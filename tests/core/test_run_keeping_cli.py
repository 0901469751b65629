"""``workbench runs``: what is listed, pinned, pruned and compacted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.engine_driver import play
from workbench.engine.journal.journal import Journal


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a run that was completed, one that failed and one that waits."""
    play("- $fruit = 'apple'\n", tmp_path)
    play("- $a = 1 / 0\n", tmp_path)
    play("- Ask user for $a\n", tmp_path)
    return tmp_path


def _states(terminal: Terminal, store: Path, *options: str) -> list[str]:
    return [one["status"] for one in terminal.run("runs", "--json", "--store", store, *options).json]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ["paused", "failed", "completed"]),
        (("--state", "failed"), ["failed"]),
        (("--state", "live"), []),
        (("--text", "APPL"), ["completed"]),
        (("--text", "division zero"), ["failed"]),
        (("--playbook", "Main"), ["paused", "failed", "completed"]),
        (("--playbook", "Other"), []),
        (("--since", "1d"), ["paused", "failed", "completed"]),
        (("--until", "2020-01-01"), []),
        (("--pinned",), []),
    ],
)
def test_runs_are_listed_by_what_is_asked_for(
    options: tuple[str, ...], expected: list[str], terminal: Terminal, store: Path
) -> None:
    assert _states(terminal, store, *options) == expected


def test_a_list_that_is_empty_says_whether_there_are_others(terminal: Terminal, store: Path, tmp_path: Path) -> None:
    assert terminal.run("runs", "--state", "live", "--store", store).out == "No run is so.\n"
    assert terminal.run("runs", "--store", tmp_path / "none").out == "No runs yet.\n"


def test_a_time_that_is_none_is_refused(terminal: Terminal, store: Path) -> None:
    assert "is no time" in terminal.run("runs", "--since", "soon", "--store", store).err


def test_a_pinned_run_is_marked_and_kept(terminal: Terminal, store: Path) -> None:
    run = _runs(store)[-1]
    terminal.run("runs", "pin", run, "--store", store)
    assert "completed, pinned" in terminal.run("runs", "--pinned", "--store", store).out
    prune = ("runs", "prune", "--all", "--keep-runs", "1", "--store", store)
    assert "1 run would be removed" in terminal.run(*prune, "--dry-run").out
    assert len(_runs(store)) == 3
    assert "1 run was removed" in terminal.run(*prune).out
    terminal.run("runs", "unpin", run, "--store", store)
    assert terminal.run(*prune, "--json").json["runs"] == [run]
    assert len(_runs(store)) == 1


def test_a_project_says_how_long_its_runs_are_kept(terminal: Terminal, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    prune = ("runs", "prune", "--project", project, "--store", tmp_path / "store")
    assert "Nothing says which runs to keep" in terminal.run(*prune).err
    (project / "workbench.toml").write_text("[runs]\nkeep_runs = 1\n")
    (project / "a.md").write_text("# A\n\n## Main\n\n### Steps\n\n- $a = 1\n")
    (tmp_path / "b.md").write_text("# A\n\n## Main\n\n### Steps\n\n- $a = 1\n")
    for file in (tmp_path / "b.md", project / "a.md", project / "a.md"):
        assert terminal.run("run", file, "--store", tmp_path / "store").code == 0
    assert "1 run was removed" in terminal.run(*prune).out
    assert len(_states(terminal, tmp_path / "store", "--file", str(project))) == 1
    assert len(_states(terminal, tmp_path / "store")) == 2
    (project / "workbench.toml").write_text("[runs]\nkeep_runs = 'all'\n")
    assert "keep_runs" in terminal.run(*prune).err


def test_the_store_is_compacted(terminal: Terminal, store: Path) -> None:
    play("- $n = 0\n- Repeat 200 times\n  - $n = $n + 1\n", store)  # the words to search by take a few pages
    before = terminal.run("export", _runs(store)[0], "--store", store).out
    done = terminal.run("runs", "compact", "--json", "--store", store).json
    assert 0 < done["after"] <= done["before"]
    assert "Size of the store" in terminal.run("runs", "compact", "--store", store).out
    assert terminal.run("export", _runs(store)[0], "--store", store).out == before
    assert "KiB" in terminal.run("runs", "--store", store).out
    assert all(one["bytes"] > 0 for one in terminal.run("runs", "--json", "--size", "--store", store).json)


def _runs(store: Path) -> list[str]:
    journal = Journal(store / "runs.sqlite")
    found = [one.id for one in journal.runs()]
    journal.close()
    return list(found)
