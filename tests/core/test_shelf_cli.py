"""``workbench shelf``, from a generated playbook to another person's project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.cycle_driver import PLAN
from workbench.engine.language.procedures.start import who
from workbench.planning.shelf.entries import Kept, Note, Origin
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf

pytestmark = pytest.mark.usefixtures("own_places")
_PLAN = {**PLAN, "parameters": [], "steps": [{"intent": 'Tell user "hello"'}], "returns": "", "title": "Greet people"}


def test_a_generated_playbook_is_found_shown_used_exported_and_imported(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_text(json.dumps(_PLAN), "utf-8")
    mine, theirs = ("--store", tmp_path / "mine"), ("--store", tmp_path / "theirs")
    goal = "Greet people kindly"
    assert terminal.run("generate", goal, "--plan", "plan.json", "--yes", "-o", "greet.md", *mine).code == 0
    assert terminal.run("run", "greet.md", *mine).code == 0
    (found,) = terminal.run("shelf", "search", "greet the people", "--json", *mine).json["playbooks"]
    assert (found["title"], found["successes"], found["goal"]) == ("Greet people", 1, goal)
    assert terminal.run("shelf", "search", "rockets", *mine).code == 1
    name = found["id"]
    shown = terminal.run("shelf", "show", name[:4], *mine).out
    assert "went well in 1 of 1 run" in shown and f"Goal: {goal}" in shown and "by form · rules" in shown
    assert terminal.run("shelf", "reuse", name, *mine).out == (tmp_path / "greet.md").read_text("utf-8")
    assert terminal.run("shelf", "tag", name, "kind", *mine).out.rstrip().endswith("[kind]")
    assert terminal.run("shelf", "export", name, "greet.json", *mine).code == 0
    assert "Greet people" in terminal.run("shelf", "import", "greet.json", *theirs).out
    (taken,) = terminal.run("shelf", "list", "--tag", "kind", "--json", *theirs).json["playbooks"]
    assert terminal.run("shelf", "promote", taken["id"], "project", *theirs).code == 0
    assert (tmp_path / "project" / "greet-people.md").is_file()
    told = terminal.run("generate", "Greet people", "--plan", "plan.json", "--yes", *theirs)
    assert "There is a playbook on the shelf that may do this" in told.err
    assert terminal.run("shelf", "remove", name, *mine).code == 0
    gone = terminal.run("shelf", "show", name, *mine)
    assert gone.code == 2 and "Nothing on the shelf" in gone.err


def test_a_run_that_is_replayed_counts_once(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = '# Greet\n\n## Main()\n\n### Triggers\n\n- At the beginning\n\n### Steps\n\n- Tell user "hello"\n'
    (tmp_path / "greet.md").write_text(text, "utf-8")
    shelf, store = Shelf(tmp_path / "shelf.sqlite", who()), ("--store", tmp_path)
    name = shelf.put(Kept("Greet", text, "markdown", Origin("Greet people", "model"))).id
    assert terminal.run("run", "greet.md", *store).code == 0
    (run,) = [each.run for each in shelf.runs(name)]
    # the window replays by these commands too
    assert terminal.run("replay", run, *store).code == 0
    assert terminal.run("runs", "save-test", run, *store).code == 0
    assert terminal.run("test", "greet.md").code == 0
    assert [each.run for each in shelf.runs(name)] == [run]
    shelf.close()


def test_notes_are_written_listed_switched_off_and_removed(terminal: Terminal, tmp_path: Path) -> None:
    store = ("--store", tmp_path)
    name = terminal.run("shelf", "note", "Amounts are in euros", *store).out.split()[0]
    assert "(not used)" in terminal.run("shelf", "ignore-note", name, *store).out
    assert terminal.run("shelf", "note", "Amounts are in francs", "--id", name, *store).code == 0
    terminal.run("shelf", "use-note", name, *store)
    (note,) = terminal.run("shelf", "notes", "--json", *store).json["notes"]
    assert (note["text"], note["is_on"], note["source"]) == ("Amounts are in francs", True, "person")
    assert terminal.run("shelf", "forget-note", name, *store).code == 0
    assert terminal.run("shelf", "notes", *store).out == ""


def test_notes_are_woven_in_unless_the_setting_says_no(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_text(json.dumps(_PLAN), "utf-8")
    store = ("--store", tmp_path)
    shelf = Shelf(tmp_path / "shelf.sqlite", who())
    Notes(shelf).add(Note("", "Be kind", old='Tell user "hello"', new='Tell user "my dear"'))
    shelf.close()
    made = ("generate", "Greet people", "--plan", "plan.json", "--yes", "--new", *store)
    assert "my dear" in terminal.run(*made).out
    assert terminal.run("settings", "set", "uses_notes", "false").code == 0
    plain = terminal.run(*made).out
    assert "my dear" not in plain
    name = terminal.run("shelf", "list", "--json", *store).json["playbooks"][0]["id"]
    assert terminal.run("shelf", "reuse", name, *store).out == plain
    woven = terminal.run("shelf", "reuse", name, "--notes", *store)
    assert "my dear" in woven.out and 'Main:01: Tell user "hello" → Tell user "my dear"' in woven.err
    named = terminal.run("shelf", "describe", name, "--title", "Greetings", "--owner", "bob", *store).out
    assert "Greetings" in named and named.rstrip().endswith("bob")


def test_playbooks_of_one_title_are_told_apart_and_none_is_meant_by_it_alone(
    terminal: Terminal, tmp_path: Path
) -> None:
    store = ("--store", tmp_path)
    shelf = Shelf(tmp_path / "shelf.sqlite", who())
    first = shelf.put(Kept("Greet", "# A\n", "markdown", Origin("Greet the guests", "model big")))
    second = shelf.put(Kept("Greet", "# B\n", "markdown", Origin("Greet the staff", "form")))
    other = shelf.put(Kept("Part", "# C\n", "markdown", Origin("Part from them", "form")))
    shelf.close()
    listed = terminal.run("shelf", "list", *store).out
    assert f"{first.id}  Greet" in listed and "model big" in listed and "Goal: Greet the staff" in listed
    assert "Goal: Part from them" not in listed  # nothing has its title
    assert f"{second.made_at[:8]}" in listed
    refused = terminal.run("shelf", "remove", "greet", *store)
    assert refused.code == 2 and f"{first.id}  Greet" in refused.err and f"{second.id}  Greet" in refused.err
    assert terminal.run("shelf", "reuse", " part ", *store).out == "# C\n"
    assert terminal.run("shelf", "remove", "Part", *store).out == f"Removed {other.id}.\n"
    assert terminal.run("shelf", "show", "", *store).code == 2


def test_notes_that_begin_alike_are_named_where_it_matters(terminal: Terminal, tmp_path: Path) -> None:
    store = ("--store", tmp_path)
    notes = [terminal.run("shelf", "note", f"Wish {number}", *store).out.split()[0] for number in range(17)]
    begin = next(each[0] for at, each in enumerate(notes) if each[0] in {other[0] for other in notes[:at]})
    refused = terminal.run("shelf", "forget-note", begin, *store)
    assert refused.code == 2
    assert all(each in refused.err for each in notes if each[0] == begin)
