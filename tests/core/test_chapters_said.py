"""What a person says of a chapter counts for the picture, for runs and at the terminal; the file stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import play
from workbench.disk.places import Places, places
from workbench.engine.options import RunOptions
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot, derive
from workbench.settings import Settings, change_settings, load_settings
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

TEXT = """\
# Lift

## Meaning

- Open the door
- Look inside

## Steps

1. Press the button
2. Wait

## References

Nothing.
"""
SAID = (("Meaning", True), ("Steps", False))


def done(snapshot: Snapshot) -> list[str]:
    """The chapters that are carried out."""
    return [each.title for each in snapshot.program.playbooks if each.is_carried_out]


def test_what_is_said_of_chapters_counts_more_than_their_words() -> None:
    assert done(derive(SourceText(TEXT))) == ["Steps"]
    assert done(derive(SourceText(TEXT), chapters=SAID)) == ["Meaning"]


def test_what_is_said_of_chapters_that_are_not_there_changes_nothing() -> None:
    assert done(derive(SourceText(TEXT), chapters=(("Elsewhere", True), ("References", True)))) == ["Steps"]


@given(st.integers(0, len(TEXT)), st.sampled_from(["", "\n", "## Steps\n", "- a\n", "1. b\n", "x"]))
@settings(max_examples=examples(60))
def test_the_next_snapshot_keeps_what_was_said(at: int, new: str) -> None:
    change = TextChange((TextEdit(Span(at, min(len(TEXT), at + 2)), new),))
    before = derive(SourceText(TEXT), chapters=SAID)
    after = advance(before, change)
    assert done(after) == done(derive(SourceText(after.text), chapters=SAID))


def test_a_run_knows_what_was_said_when_it_goes_on_later(tmp_path: Path) -> None:
    snapshot = derive(SourceText(TEXT), chapters=SAID)
    played = play(snapshot, tmp_path, "answers:\n- {step: Meaning:01}\n- {step: Meaning:02}\n", RunOptions())
    assert played.steps() == ["Meaning:01", "Meaning:02"]
    assert played.state.origin.chapters == dict(SAID)


def test_settings_remember_it_by_file(tmp_path: Path, own_places: Places) -> None:
    path = tmp_path / "lift.md"
    change_settings(own_places, lambda kept: kept.with_chapters(path, dict(SAID)))
    assert load_settings(own_places).chapters_of(path) == dict(SAID)
    change_settings(own_places, lambda kept: kept.with_chapters(path, {}))
    assert load_settings(own_places).chapters == {}


@pytest.mark.parametrize("kept", [{"x": 3}, {"x": {"Steps": "no"}}, {"x": []}])
def test_settings_that_were_changed_by_hand_harm_nothing(kept: object, own_places: Places) -> None:
    own_places.settings_file.parent.mkdir(parents=True, exist_ok=True)
    own_places.settings_file.write_text(json.dumps({"chapters": kept}), encoding="utf-8")
    assert load_settings(own_places).chapters_of(Path("x")) == {}


def test_by_itself_nothing_is_said() -> None:
    assert Settings().chapters_of(Path("x")) == {}


def test_a_journal_without_it_means_that_nothing_was_said(tmp_path: Path) -> None:
    played = play(
        derive(SourceText(TEXT)), tmp_path, "answers:\n- {step: Steps:01}\n- {step: Steps:02}\n", RunOptions()
    )
    assert "chapters" not in played.bodies("run.created")[0]


def test_the_terminal_goes_through_the_chapters_that_the_person_chose(tmp_path: Path, terminal: Terminal) -> None:
    path = tmp_path / "lift.md"
    path.write_text(TEXT, "utf-8")
    change_settings(places(), lambda kept: kept.with_chapters(path, dict(SAID)))
    script = tmp_path / "script.yaml"
    script.write_text("answers:\n- {step: Meaning:01}\n- {step: Meaning:02}\n", "utf-8")
    done_run = terminal.run("run", "--script", script, "--json", path)
    steps = [json.loads(line).get("step") for line in done_run.out.splitlines()]
    assert [step for step in dict.fromkeys(steps) if step] == ["Meaning:01", "Meaning:02"]
