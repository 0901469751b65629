"""Answers that count for later runs: kept by file, or those of one earlier run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, begin, book, finished, play
from tests.core.model_driver import FakeModel, options
from tests.core.test_replaying import check_played
from workbench.engine.audit.deeds import deeds_of
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.debugging.pins import NoPin, Pins, answers_of, load_pins, pin_of, pins_at, save_pins
from workbench.engine.journal.instead import How
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import InputGiven
from workbench.engine.options import RunOptions
from workbench.errors import InputNeeded
from workbench.event_words import described
from workbench.model.snapshot import Snapshot

ASKS = """- Ask user for $name
- Ask user for $age
- Return [$name, $age]
"""
MOVED = """- $greeting = "hello"
- Ask user for $name
- Ask user for $age
- Return [$name, $age]
"""
ANSWERS = "answers:\n  - values: {name: Ann}\n  - values: {age: 7}\n"
LOOP = """- For each $n in [1, 2]:
  - Ask user for $name
- Return $name
"""


def answered(text: str, folder: Path, script: str = ANSWERS) -> tuple[Played, Snapshot]:
    """The first run of *text*, which a script answers."""
    snapshot = book(text)
    return play(snapshot, folder / "first", script), snapshot


def gone(text: str | Snapshot, folder: Path, pins: Pins) -> Played:
    """A run of *text* with *pins*, where nobody else answers."""
    journal = Journal(folder / "runs.sqlite")
    played = finished(begin(text, journal, NobodyBackend(), RunOptions(is_trusted=True, pins=pins)), journal)
    journal.close()
    return played


def test_a_pinned_answer_is_given_and_says_where_it_is_from(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    pins = tuple(pin_of(first.events, snapshot, step, "Ann") for step in ("Main:01", "Main:02"))
    played = gone(snapshot, tmp_path, pins)
    assert played.run.result == first.run.result == ["Ann", 7]
    given = [each for each in played.events if isinstance(each.payload, InputGiven)]
    instead = [each.payload.instead for each in given if isinstance(each.payload, InputGiven)]
    assert [(each.how, each.by, each.run) for each in instead if each] == [(How.PIN, "Ann", first.run.id)] * 2
    assert "answer kept from run" in described(given[0])
    assert "answer kept from run" in deeds_of(played.events)[0].result


def test_a_question_without_a_pinned_answer_is_asked(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    played = gone(snapshot, tmp_path, (pin_of(first.events, snapshot, "Main:01", ""),))
    assert isinstance(played.run.halt, InputNeeded) and "Main:02" in str(played.run.halt)


def test_an_answer_that_does_not_fit_is_not_given(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    pin = replace(pin_of(first.events, snapshot, "Main:01", ""), answer={"values": {"other": 1}, "text": ""})
    assert isinstance(gone(snapshot, tmp_path, (pin,)).run.halt, InputNeeded)


def test_a_pinned_answer_moves_with_its_step_and_goes_with_its_words(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    pin = pin_of(first.events, snapshot, "Main:02", "")
    assert [each.step for each in pins_at((pin,), book(MOVED))] == ["Main:03"]
    assert pins_at((pin,), book("- Ask user for $name\n- Ask user for $size\n")) == ()


def test_the_answers_of_a_run_are_given_once_each(tmp_path: Path) -> None:
    two = "answers:\n  - values: {name: Ann}\n  - values: {name: Bob}\n"
    first, snapshot = answered(LOOP, tmp_path, two)
    played = gone(snapshot, tmp_path, answers_of(first.events, snapshot, snapshot, ""))
    assert [body["answer"]["values"]["name"] for body in played.bodies("input.given")] == ["Ann", "Bob"]
    longer = book(LOOP.replace("[1, 2]", "[1, 2, 3]"))
    (tmp_path / "b").mkdir()
    halted = gone(longer, tmp_path / "b", answers_of(first.events, snapshot, longer, ""))
    assert isinstance(halted.run.halt, InputNeeded) and len(halted.bodies("input.given")) == 2


def test_the_answers_of_a_run_fit_a_text_that_was_changed(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    moved = book(MOVED)
    assert gone(moved, tmp_path, answers_of(first.events, snapshot, moved, "")).run.result == ["Ann", 7]


def test_no_model_is_asked_what_is_pinned(tmp_path: Path) -> None:
    steps = "- Judge whether $n is fine and set $fine\n- Return $fine\n"
    first, snapshot = answered(steps, tmp_path, "answers:\n  - values: {fine: very}\n")
    model = FakeModel()
    journal = Journal(tmp_path / "runs.sqlite")
    chosen = replace(options(model), pins=answers_of(first.events, snapshot, snapshot, ""))
    played = finished(begin(snapshot, journal, NobodyBackend(), chosen), journal)
    journal.close()
    assert played.run.result == "very" and played.bodies("model.asked") == []


def test_a_run_with_pinned_answers_is_replayed_as_it_was(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    check_played(gone(snapshot, tmp_path, answers_of(first.events, snapshot, snapshot, "")), tmp_path)


def test_only_what_was_answered_can_be_pinned(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    with pytest.raises(NoPin, match="Main:03"):
        pin_of(first.events, snapshot, "Main:03", "")


def test_pinned_answers_are_kept_by_file(tmp_path: Path) -> None:
    first, snapshot = answered(ASKS, tmp_path)
    store, pin = tmp_path / "state" / "answers.json", pin_of(first.events, snapshot, "Main:01", "Ann")
    save_pins(store, tmp_path / "a.md", (pin,))
    assert load_pins(store, tmp_path / "a.md") == (pin,) and load_pins(store, tmp_path / "b.md") == ()
    save_pins(store, tmp_path / "a.md", ())
    assert load_pins(store, tmp_path / "a.md") == ()
    store.write_text('{"x": [{"step": 1}, 3, {"kind": "other"}]}', "utf-8")
    assert load_pins(store, Path("/x")) == ()


def test_answers_are_pinned_and_taken_away_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    terminal, file, store = Terminal(capsys), tmp_path / "asks.md", ("--store", tmp_path / "store")
    file.write_text(f"# Book\n## Main\n### Steps\n{ASKS}", "utf-8")
    (tmp_path / "script.yaml").write_text(ANSWERS, "utf-8")
    assert terminal.run("run", file, "--script", tmp_path / "script.yaml", *store).code == 0
    run = terminal.run("runs", "--json", *store).json[0]["run"]
    assert terminal.run("run", file, "--answers-of", run, *store).code == 0
    assert '{"name": "Ann"}' in terminal.run("runs", "pin-answer", run, "Main:01", *store).out
    assert terminal.run("runs", "pin-answer", run, "Main:09", *store).code == 2
    done = terminal.run("run", file, "--pinned", *store)
    assert done.code == 3 and "answer kept from run" in done.out
    assert terminal.run("runs", "pinned", file, "--json").json[0]["step"] == "Main:01"
    assert "No answer is pinned" in terminal.run("runs", "pinned", file, "--remove", "Main:01").out
