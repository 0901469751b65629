"""The shelf: playbooks kept with where they come from, found by goal, rated by runs, given to others; and notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.cycle_driver import PLAN, REFUND, RIGHT, cycled, decides, done, says, scripted, told
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.debugging.mocks import parse_mock
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.scripts import Script
from workbench.engine.starting import start_run
from workbench.errors import CannotRead, CannotSave, StoreFailed
from workbench.model.snapshot import derive
from workbench.planning.cycle import Means, Seed, begin
from workbench.planning.plan import plan_from_json
from workbench.planning.request import PlanRequest, Review
from workbench.planning.shelf.bundle import bundle_of, digest_of, look_into, read_bundle
from workbench.planning.shelf.entries import Kept, Note, NotOnShelf, Origin, RunOfIt
from workbench.planning.shelf.keeping import ShelfHands, known_for, rate
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.notes import told as as_told
from workbench.planning.shelf.promoting import promote
from workbench.planning.shelf.reusing import copy_of, take_copy
from workbench.planning.shelf.store import Shelf, describe, note_copy, versions_of
from workbench.syntax.imports import join_program
from workbench.syntax.text import SourceText

_SIMPLE = '# Greet\n\n## Main()\n\n### Triggers\n\n- At the beginning\n\n### Steps\n\n- Tell user "hello"\n'


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """An empty shelf."""
    made = Shelf(tmp_path / "shelf.sqlite", "ada")
    yield made
    made.close()


def kept(goal: str, title: str = "", text: str = _SIMPLE, **more: object) -> Kept:
    """A playbook for *goal*."""
    return replace(Kept(title or goal, text, "markdown", Origin(goal, "model")), **more)  # type: ignore[arg-type]


def test_a_playbook_is_found_by_a_similar_goal_and_the_one_that_worked_comes_first(shelf: Shelf) -> None:
    shelf.put(kept("Refund an order that was damaged"))
    good = shelf.put(kept("Refund a damaged order quickly", text=RIGHT))
    shelf.put(kept("Water the plants in the office"))
    for number in range(7):
        good = shelf.count_run(good.id, RunOfIt(f"r{number}", 1, f"2026-01-0{number + 1}", True))
    found = shelf.search("please refund the damaged orders")
    assert found[0].entry.id == good.id and len(found) == 2
    assert found[0].entry.record == "went well in 7 of 7 runs" and found[0].fit == 1.0
    assert shelf.search("launch a rocket") == shelf.search('"* OR NEAR(') == shelf.search("") == ()


def test_versions_tags_and_runs_are_kept_and_counted_once(shelf: Shelf) -> None:
    entry = shelf.put(kept("Greet people"))
    assert shelf.put(kept("Greet people")) == entry
    second = shelf.put(kept("Greet people", text=_SIMPLE + '- Tell user "bye"\n'), into=entry.id[:5])
    assert (second.id, second.version, shelf.kept(entry.id, 1).text) == (entry.id, 2, _SIMPLE)
    for _time in range(2):
        shelf.count_run(entry.id, RunOfIt("r1", 2, "2026-01-01", False, "no network"))
    assert (shelf.entry(entry.id).failures, shelf.runs(entry.id)[0].error) == (1, "no network")
    assert shelf.tag(entry.id, ["kind", " kind ", ""]).tags == ("kind",) and shelf.search("kind greeting")
    assert [each.id for each in shelf.entries("kind")] == [entry.id] and shelf.entries("other") == ()
    shelf.remove(entry.id)
    assert shelf.search("greet people") == ()
    for call in (shelf.entry, shelf.remove, shelf.runs):
        with pytest.raises(NotOnShelf, match="Nothing on the shelf"):
            call(entry.id)


def test_a_damaged_shelf_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "shelf.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreFailed, match="damaged"):
        Shelf(path)
    assert path.read_bytes().startswith(b"no database")


def test_a_cycle_keeps_its_playbook_and_is_offered_for_a_similar_goal(shelf: Shelf, tmp_path: Path) -> None:
    hands = ShelfHands(shelf.path, "ada", tmp_path)
    means, quiet = Means(hands, seed=Seed(plan_from_json(PLAN))), replace(REFUND, review=Review.RULES)
    first, events = cycled(quiet, (), means=means)
    (stored,) = told(events, "cycle.stored")
    assert shelf.entry(stored["place"]).version == 1 and shelf.kept(stored["place"]).origin.cycle == first.id
    assert [each["name"] for each in shelf.kept(stored["place"]).tools] == ["LoadOrder", "PayBack"]
    again = replace(quiet, goal="Refund this order")
    known = known_for(shelf, again)
    assert known is not None and known_for(shelf, replace(again, goal="Water plants")) is None
    yes = replace(says(1), answer=replace(says(1).answer, decision=True))
    run, retold = cycled(replace(again, known=known), (yes,), means=Means(hands))
    assert run.result == first.result and told(retold, "cycle.generated")[0]["by"] == "shelf"
    assert shelf.entry(stored["place"]).version == 1 and len(shelf.entries()) == 1
    no = replace(says(1), answer=replace(says(1).answer, decision=False))
    other, _retold = cycled(replace(again, known=known), (no, says(1, plan=PLAN)), means=Means(hands))
    assert other.result == first.result


def test_a_run_of_a_kept_text_rates_it_wherever_the_file_lies(shelf: Shelf) -> None:
    entry, journal = shelf.put(kept("Greet people")), Journal(IN_MEMORY)
    run = done(start_run(derive(SourceText(_SIMPLE)), journal, scripted(), RunOptions()))
    rate(shelf.path, "ada", run.state, _SIMPLE)
    rate(shelf.path, "ada", run.state, _SIMPLE + "\n")
    assert (shelf.entry(entry.id).successes, shelf.entry(entry.id).failures) == (1, 0)


def test_a_run_of_a_kept_text_with_the_files_that_it_imports_rates_it_unless_it_is_another_by_now(
    shelf: Shelf, tmp_path: Path
) -> None:
    file, text = tmp_path / "greet.md", f"{_SIMPLE}\n!import help.md\n"
    file.write_text(text, "utf-8")
    (tmp_path / "help.md").write_text("## Find()\n\n### Steps\n\n- Return 1\n", "utf-8")
    whole = join_program([(file, text)], lambda path: path.read_text("utf-8")).text
    entry, counted = shelf.put(kept("Greet people", text=text)), []
    for now in (text, text + "- Wait\n"):
        file.write_text(now, "utf-8")
        run = done(start_run(derive(SourceText(whole)), Journal(IN_MEMORY), scripted(), RunOptions(path=str(file))))
        counted.append(rate(shelf.path, "ada", run.state, whole))
    assert [each and (each.id, each.successes) for each in counted] == [(entry.id, 1), None]


def test_a_bundle_goes_over_to_another_shelf_without_secrets(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "hunter2-hunter2")
    text = RIGHT.replace("# Refund\n", "# Refund\n\nAsk hunter2-hunter2.\n").replace("LoadOrder", "Find")
    helping = {"help.md": "## Find($id: str)\n\n### Steps\n\n- Return 1\n"}
    tools = ({"name": "PayBack", "description": "", "schema": {}, "safety": "unsafe", "source": "", "order": []},)
    pay = {**tools[0], "schema": {"type": "object", "properties": {"id": {}}, "required": ["id"]}, "order": ["id"]}
    entry = shelf.put(kept("Refund", text=text + "\n!import help.md\n", imports=helping, tools=(pay,)))
    data = bundle_of(entry, shelf.kept(entry.id))
    assert b"hunter2" not in data
    other = Shelf(tmp_path / "other.sqlite", "bob")
    read, problems = read_bundle(data, "a.json")
    assert not any(each.is_error for each in problems) and read.origin.by == "imported (model)"
    taken = other.put(read)
    assert (taken.owner, taken.successes, other.kept(taken.id).imports) == ("bob", 0, helping)
    files = promote(other.kept(taken.id), tmp_path / "project")
    assert [each.name for each in files] == ["refund.md", "help.md"]
    (tmp_path / "project" / "help.md").write_text("mine", "utf-8")
    with pytest.raises(CannotSave, match="another one"):
        promote(other.kept(taken.id), tmp_path / "project")
    assert (tmp_path / "project" / "help.md").read_text("utf-8") == "mine"
    other.close()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"title": "Other"}, "was changed after"),
        ({"kind": "x"}, "does not say"),
        ({"version": 2}, "another version"),
        ({"text": _SIMPLE.replace("Tell user", "$x = Delete("), "digest": None}, "no exported playbook|is not right"),
        ({"text": _SIMPLE + '- $x = shell("ls")\n', "digest": None}, "nothing to call named shell"),
        ({"imports": {"../a.md": "x"}, "digest": None}, "imports"),
        ({"tools": [{"name": 1}], "digest": None}, "field is missing"),
        ({"plan": {"title": 3}, "digest": None}, "field is missing"),
    ],
)
def test_a_foreign_bundle_that_is_not_right_is_refused(shelf: Shelf, change: dict[str, object], problem: str) -> None:
    entry = shelf.put(kept("Greet"))
    whole = {**json.loads(bundle_of(entry, shelf.kept(entry.id))), **change}
    if "digest" in change:
        whole["digest"] = digest_of(whole)
    if problem.startswith("no exported"):
        whole["format"] = "odd"
        whole["digest"] = digest_of(whole)
    with pytest.raises(CannotRead, match=problem):
        read_bundle(json.dumps(whole).encode(), "a.json")
    with pytest.raises(CannotRead, match="not JSON"):
        read_bundle(b"{", "a.json")


def test_what_a_person_changes_is_noted_and_woven_in_next_time_and_it_is_seen_which_note_did_what(
    shelf: Shelf, tmp_path: Path
) -> None:
    steps = [{"intent": "Look at the order"}, {"intent": "Tell the user"}, {"intent": "Write a long report"}]
    plan = plan_from_json({**PLAN, "steps": steps, "returns": ""})
    hands, request = ShelfHands(shelf.path, "ada", tmp_path), PlanRequest("Answer a question", review=Review.RULES)
    run, _events = cycled(request, (), means=Means(hands, seed=Seed(plan)))
    before = str(run.result)
    after = before.replace("- Tell the user\n", "- Tell the user politely\n").replace("- Write a long report\n", "")
    cycled(request, (), means=Means(hands, seed=Seed(plan, after, "person", run.id, before)))
    notes = Notes(shelf)
    texts = {each.text for each in notes.all()}
    assert texts == {"Say “Tell the user politely” rather than “Tell the user”.", "Leave out “Write a long report”."}
    (entry,) = shelf.entries()
    assert entry.version == 2
    noted = replace(request, goal="Answer another question", notes=as_told(notes.woven()))
    third, events = cycled(noted, (), means=Means(hands, seed=Seed(plan)))
    assert "- Tell the user politely\n" in str(third.result) and "report" not in str(third.result)
    assert [each["place"] for each in told(events, "cycle.woven")[0]["effects"]] == ["Main:02", "Main:03"]
    assert {each.after for each in notes.effects(cycle=third.id)} == {"Tell the user politely", ""}
    for each in notes.all():
        notes.switch(each.id, is_on=False)
    assert notes.woven() == () and len(notes.effects()) == 2
    changed = notes.change(notes.all()[0].id, "Be brief")
    assert (changed.text, changed.old, changed.is_on) == ("Be brief", "", False)
    notes.forget(changed.id)
    assert len(notes.all()) == 1
    with pytest.raises(NotOnShelf, match="few words"):
        notes.add(Note("", " # "))


def test_the_reason_of_a_person_against_a_playbook_is_noted(shelf: Shelf, tmp_path: Path) -> None:
    class Person(ScriptBackend):
        name = "person"

    answers = (says(1, plan=PLAN), decides(False, "Ask before money is paid"), says(4, text=RIGHT), decides(True))
    means = Means(ShelfHands(shelf.path, "ada", tmp_path))
    run = done(begin(REFUND, Journal(IN_MEMORY), Person(Script(answers)), means))
    assert run.result == RIGHT and "Ask before money is paid" in {each.text for each in Notes(shelf).all()}


def test_a_copy_has_the_notes_woven_in_that_say_what_is_said_otherwise_and_its_runs_count(shelf: Shelf) -> None:
    steps = "- Look at the order\n- If $x is 1\n  - Write a report\n- tell the user.\n- Water the plants\n"
    entry, notes = shelf.put(kept("Answer", text=_SIMPLE + steps)), Notes(shelf)
    said = notes.add(Note("", "Be polite", old="Tell the user", new="Tell the user politely"))
    notes.add(Note("", "No reports", old="Write a report"))
    notes.add(Note("", "No plants", old="Water the plants"))
    notes.switch(notes.add(Note("", "Do not look", old="Look at the order")).id, is_on=False)
    copy = copy_of(shelf.kept(entry.id), notes.all())
    # a condition with nothing in it would be another playbook
    assert copy.text == _SIMPLE + "- Look at the order\n- If $x is 1\n  - Write a report\n- Tell the user politely\n"
    assert [(each.place, each.after) for each in copy.effects if each.note == said.id] == [
        ("Main:04", "Tell the user politely")
    ]
    take_copy(shelf, entry, 1, copy)
    assert {each.cycle for each in notes.effects()} == {f"copy:{entry.id}"}
    assert shelf.of_text(copy.text) == (entry.id, 1) and shelf.of_text(copy.text + " ") is None


def test_a_playbook_of_which_notes_would_leave_nothing_stays_as_it_is(shelf: Shelf) -> None:
    lists = "id: greet\nname: Greet\nsteps:\n  - id: one\n    description: Say hello\n"
    note = Note("a", "Be silent", old="Say hello")
    assert copy_of(kept("Greet", text=lists, format="steplist"), (note,)).text == lists
    other = copy_of(kept("Greet", text=lists, format="steplist"), (replace(note, new="Say hi"),))
    assert other.text == lists.replace("Say hello", "Say hi")


@pytest.mark.parametrize(
    ("steps", "woven"),
    [
        ("1. Write a report\n2. Look\n3. Go to step 2\n", "1. Look\n2. Go to step 1\n"),
        ("1. Write a report\n2. Look\n3. Go to step 1\n", "1. Write a report\n2. Look\n3. Go to step 1\n"),
        ("- Write a report\r\n- Look", "- Look"),
    ],
)
def test_a_step_that_a_note_leaves_out_takes_no_number_from_the_others(steps: str, woven: str) -> None:
    head = "# Answer\n\n## Main()\n\n### Steps\n\n"
    copy = copy_of(kept("Answer", text=head + steps), (Note("a", "No reports", old="Write a report"),))
    assert copy.text == head + woven


def test_a_run_stays_with_the_playbook_that_it_was_counted_for(shelf: Shelf) -> None:
    first, other = shelf.put(kept("Greet people")), shelf.put(kept("Water plants", text=_SIMPLE + "- Wait\n"))
    shelf.count_run(first.id, RunOfIt("r1", 1, "2026-01-01", False))
    # gone on with after its text came onto the shelf a second time
    shelf.count_run(other.id, RunOfIt("r1", 1, "2026-01-02", True))
    assert (shelf.entry(first.id).successes, shelf.entry(first.id).failures) == (1, 0)
    assert shelf.entry(other.id).record == "never run"


def test_title_owner_and_tags_are_changed_and_a_title_of_the_person_outlives_the_next_version(shelf: Shelf) -> None:
    entry = shelf.put(kept("Greet people", "Greetings", plan={"title": "Greetings"}))
    assert shelf.put(kept("Greet people", "Hello", plan={"title": "Hello"}, text="# A\n"), entry.id).title == "Hello"
    named = describe(shelf, entry.id, title=" My  greeting ", owner="bob", tags=["b", "a"])
    assert (named.title, named.owner, named.tags) == ("My greeting", "bob", ("a", "b"))
    later = shelf.put(kept("Greet people", "Hi", plan={"title": "Hi"}, text="# B\n"), entry.id)
    assert (later.title, later.version, later.owner) == ("My greeting", 3, "bob")
    assert [each.number for each in versions_of(shelf, entry.id)] == [3, 2, 1]
    assert shelf.search("my greeting")[0].entry.id == entry.id


def test_words_that_are_being_typed_are_found_by_their_beginning_and_tags_narrow_what_is_found(shelf: Shelf) -> None:
    shelf.put(kept("Refund an order", tags=("money",)))
    shelf.put(kept("Reset a password", text=RIGHT))
    for typed in ("r", "re", "refund an or"):
        assert "Refund an order" in [each.entry.goal for each in shelf.search(typed, is_typing=True)]
    assert shelf.search("re") == () and len(shelf.search("re", is_typing=True)) == 2
    assert [each.entry.goal for each in shelf.search("reset refund", tag="money")] == ["Refund an order"]


def test_a_shelf_of_the_first_version_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "shelf.sqlite"
    with Shelf(path).writing() as connection:
        connection.execute("DROP TABLE copy")
        connection.execute("PRAGMA user_version=1")
    again = Shelf(path)
    entry = again.put(kept("Greet people"))
    note_copy(again, entry.id, 1, "other")
    assert again.of_text("other") == (entry.id, 1)
    again.close()


def test_a_bundle_with_errors_is_looked_into_before_it_is_refused(shelf: Shelf) -> None:
    entry = shelf.put(kept("Greet"))
    whole = json.loads(bundle_of(entry, shelf.kept(entry.id)))
    whole["text"] += '- $x = shell("ls")\n'
    whole["digest"] = digest_of(whole)
    found = look_into(json.dumps(whole).encode(), "a.json")
    assert (found.digest, [each.code for each in found.errors]) == (whole["digest"], ["unknown-call"])
    for change in (
        {"title": "\ud800"},
        {"plan": "[]"},
        {"tags": "abc"},
        {"imports": []},
        {"tools": [3]},
        {"text": "x" * 400_001},
    ):
        broken = {**whole, **change}
        broken["digest"] = digest_of(broken)
        with pytest.raises(CannotRead, match="field is missing"):
            look_into(json.dumps(broken).encode(), "a.json")


def test_a_run_in_which_a_tool_was_only_seemingly_called_says_nothing(shelf: Shelf) -> None:
    text = _SIMPLE + "- $now = clock()\n"
    entry, journal = shelf.put(kept("Greet people", text=text)), Journal(IN_MEMORY)
    counted = []
    for mocks in ((parse_mock("clock=1"),), ()):
        run = done(start_run(derive(SourceText(text)), journal, scripted(), RunOptions(mocks=mocks)))
        counted.append(rate(shelf.path, "ada", run.state, text, journal.read(run.id)))
    assert counted[0] is None and counted[1] is not None
    # gone on with elsewhere, or told by a second window
    again = rate(shelf.path, "ada", run.state, text, journal.read(run.id))
    assert again is not None and (again.successes, again.failures) == (1, 0)
    assert shelf.runs(entry.id)[0].run == run.id
