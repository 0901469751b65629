"""``workbench fork``, and forks in ``workbench runs``: what would be, what is done, and the tree of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal
from workbench.i18n import use_language

BOOK = """\
# Book
## Main
### Steps
- $a = 1
- Ask user for $name
- Tell user "Hello {$name}, {$a}"
- Return $name
"""


def answers(folder: Path, name: str) -> Path:
    """A script that gives *name*."""
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps({"answers": [{"step": "Main:02", "values": {"name": name}}]}), encoding="utf-8")
    return path


def runs_in(terminal: Terminal, folder: Path) -> list[dict[str, object]]:
    """All runs, the newest first."""
    found: list[dict[str, object]] = terminal.run("runs", "--json", "--store", folder).json
    return found


@pytest.fixture
def source(terminal: Terminal, tmp_path: Path) -> str:
    """A run that was completed, in the store of the test."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    script = answers(tmp_path, "Ann")
    assert terminal.run("run", tmp_path / "book.md", "--script", script, "--store", tmp_path, "--quiet").code == 0
    return str(runs_in(terminal, tmp_path)[0]["run"])


def fork(terminal: Terminal, folder: Path, source: str, *more: object) -> Done:
    """``workbench fork``."""
    return terminal.run("fork", source, "--store", folder, *more)


def test_a_fork_shows_its_plan_and_goes_on_to_its_end(terminal: Terminal, source: str, tmp_path: Path) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--set", "a=7")
    assert done.code == 0
    assert f"fork of {source} at event" in done.out and "2 steps stay done." in done.out
    assert "Goes on with Main:03" in done.out and "$a = 7" in done.out
    assert "Hello Ann, 7" in done.out
    newest = runs_in(terminal, tmp_path)[0]
    assert (newest["fork_of"], newest["status"]) == (source, "completed")


def test_a_fork_only_says_what_the_playbook_says_where_that_is_wanted(
    terminal: Terminal, source: str, tmp_path: Path
) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:02", "--script", answers(tmp_path, "Bob"), "--quiet")
    assert (done.code, done.out) == (0, "Hello Bob, 1\n")


def test_a_dry_run_shows_what_would_be_and_does_nothing(terminal: Terminal, source: str, tmp_path: Path) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--dry-run")
    assert done.code == 0 and "2 steps stay done." in done.out
    plan = fork(terminal, tmp_path, source, "--at", 4, "--dry-run", "--json").json
    assert (plan["fork_of"], plan["fork_seq"], plan["is_possible"]) == (source, 4, True)
    assert plan["event"]["seq"] == 4
    assert len(runs_in(terminal, tmp_path)) == 1


def test_the_plan_is_the_first_line_of_the_events(terminal: Terminal, source: str, tmp_path: Path) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--json")
    first, *events = [json.loads(line) for line in done.out.splitlines()]
    assert (first["type"], first["fork_of"]) == ("fork.plan", source)
    assert events[0]["type"] == "run.resumed" and events[-1]["type"] == "run.completed"
    assert {event["run"] for event in events} == {first["run"]}


def test_a_fork_that_cannot_be_says_why(terminal: Terminal, source: str, tmp_path: Path) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:09")
    assert done.code == 2 and "never came to step Main:09" in done.err
    assert fork(terminal, tmp_path, "nobody").code == 2
    assert fork(terminal, tmp_path, source, "--at", 3, "--at-step", "Main:01").code == 2


def test_a_fork_that_lacks_an_answer_can_be_resumed(terminal: Terminal, source: str, tmp_path: Path) -> None:
    done = fork(terminal, tmp_path, source, "--at-step", "Main:02", "--script", _empty(tmp_path))
    assert done.code == 3
    waiting = str(runs_in(terminal, tmp_path)[0]["run"])
    script = answers(tmp_path, "Zoe")
    again = terminal.run("resume", waiting, "--script", script, "--store", tmp_path, "--quiet")
    assert (again.code, again.out) == (0, "Hello Zoe, 1\n")


def _empty(folder: Path) -> Path:
    path = folder / "empty.yaml"
    path.write_text("answers: []\n", encoding="utf-8")
    return path


def test_the_list_of_runs_says_which_are_forks(terminal: Terminal, source: str, tmp_path: Path) -> None:
    fork(terminal, tmp_path, source, "--at-step", "Main:03", "--quiet")
    first, second = terminal.run("runs", "--store", tmp_path).out.splitlines()
    assert f"fork of {source} at event" in first and "fork of" not in second


def test_the_tree_shows_forks_below_what_they_come_from(terminal: Terminal, source: str, tmp_path: Path) -> None:
    fork(terminal, tmp_path, source, "--at-step", "Main:03", "--quiet")
    middle = str(runs_in(terminal, tmp_path)[0]["run"])
    fork(terminal, tmp_path, middle, "--at-step", "Main:03", "--quiet")
    lines = terminal.run("runs", "tree", "--store", tmp_path).out.splitlines()
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 4]
    assert lines[0].startswith(source) and lines[1].strip().startswith(middle)
    (root,) = terminal.run("runs", "tree", "--json", "--store", tmp_path).json
    assert (root["run"], root["forks"][0]["run"]) == (source, middle)
    assert len(root["forks"][0]["forks"]) == 1


def test_a_fork_is_audited_like_any_run(terminal: Terminal, source: str, tmp_path: Path) -> None:
    fork(terminal, tmp_path, source, "--at-step", "Main:03", "--quiet")
    newest = str(runs_in(terminal, tmp_path)[0]["run"])
    assert terminal.run("audit", "verify", newest, "--store", tmp_path).code == 0
    for ending in ("jsonl", "html", "otlp.json"):
        assert terminal.run("export", newest, "-o", tmp_path / f"a.{ending}", "--store", tmp_path).code == 0


def test_a_fork_goes_on_with_an_edited_file(terminal: Terminal, source: str, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text(BOOK.replace("- $a = 1\n", "- $a = 2\n").replace("Hello", "Good day"), encoding="utf-8")
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--on", other)
    assert done.code == 0 and "Good day Ann, 1" in done.out
    assert "Done, and was changed: Main:01" in done.out
    newest = runs_in(terminal, tmp_path)[0]
    assert newest["path"] == str(other)
    assert terminal.run("audit", "verify", newest["run"], "--store", tmp_path).code == 0


def test_a_file_with_which_a_run_cannot_go_on_is_refused(terminal: Terminal, source: str, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text(BOOK.replace("## Main", "## Other"), encoding="utf-8")
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--on", other, "--dry-run")
    assert done.code == 1 and "Cannot fork: The playbook Main is under way" in done.out
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--on", other)
    assert done.code == 2 and "The playbook Main is under way" in done.err
    assert len(runs_in(terminal, tmp_path)) == 1


def test_a_file_is_run_from_a_step_on(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    begin = ("run", tmp_path / "book.md", "--store", tmp_path, "--from-step", "Main:03")
    done = terminal.run(*begin, "--set", "name=Eve", "--set", "a=5", "--quiet")
    assert (done.code, done.out) == (0, "Hello Eve, 5\n")
    assert "begun at a step" in terminal.run("runs", "--store", tmp_path).out
    assert terminal.run("run", tmp_path / "book.md", "--store", tmp_path, "--from-step", "Main:12").code == 2


def test_a_procedure_is_gone_through_from_a_step_on(terminal: Terminal, tmp_path: Path) -> None:
    text = "# Opening\n\n## Before\n1. Unlock the door\n2. Switch the light on\n\n## After\n1. Count the till\n"
    (tmp_path / "opening.md").write_text(text, encoding="utf-8")
    begin = ("run", tmp_path / "opening.md", "--kind", "procedure", "--store", tmp_path)
    script = tmp_path / "work.yaml"
    script.write_text(json.dumps({"answers": [{"step": one, "how": "done"} for one in ("Before:02", "After:01")]}))
    done = terminal.run(*begin, "--from-step", "Before:02", "--script", script, "--json")
    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0, done.err
    assert [each["step"] for each in told if each["type"] == "step.entered"] == ["Before:02", "After:01"]


def test_what_a_call_in_doubt_gave_is_known_from_the_run_that_is_forked(terminal: Terminal, tmp_path: Path) -> None:
    python = "```python\n@playbook\ndef pay(n):\n    return n * 2\n```\n"
    text = f"# Book\n{python}## Main\n### Steps\n- $a = pay(4)\n- Return $a\n"
    (tmp_path / "book.md").write_text(text, encoding="utf-8")
    ran = terminal.run("run", tmp_path / "book.md", "--trust", "--store", tmp_path, "--json")
    events = [json.loads(line) for line in ran.out.splitlines()]
    call = next(each for each in events if each["type"] == "tool.call")
    done = fork(terminal, tmp_path, call["run"], "--at", call["seq"], "--trust", "--in-doubt", "done", "--json")
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [each["gave"] for each in told[0]["open_calls"]] == [[8]]
    assert [each["body"]["return"] for each in told if each["type"] == "run.completed"] == [8]
    assert not any(each["type"] == "effect.result" for each in told)


def test_a_fork_is_told_in_the_language_of_the_person(terminal: Terminal, source: str, tmp_path: Path) -> None:
    use_language("de")
    done = fork(terminal, tmp_path, source, "--at-step", "Main:03", "--dry-run")
    use_language("en")
    assert "2 Schritte bleiben erledigt." in done.out
