"""Patterns: how one becomes a skill or a playbook, and how that is undone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import yaml

from workbench.cli.main import run_command_line
from workbench.errors import CannotSave
from workbench.library.curation import reject, supersede, undo_promotion
from workbench.library.entries import PatternEntry, PromotionEvent, PromotionState
from workbench.library.rows import UnknownPattern
from workbench.library.skills.importing import find_skills, read_skill
from workbench.library.skills.promotion import Draft, PromotionKind, draft_promotion, promote
from workbench.library.store import PatternStore

PROMOTED = PromotionEvent("", PromotionState.ACCEPTED)


@pytest.fixture
def store(tmp_path: Path) -> PatternStore:
    return PatternStore(tmp_path / "data" / "patterns.sqlite")


def proven(store: PatternStore, times: int = 3, tool: str = "du") -> PatternEntry:
    for _time in range(times):
        entry = store.record("shell", "Free the disk", [tool, "rm"], "look first")
    return entry


def draft(store: PatternStore, folder: Path, kind: PromotionKind = PromotionKind.SKILL) -> Draft:
    return draft_promotion(store, store.patterns()[0].pattern_id, folder, kind)


def patterns_command(*arguments: object) -> int:
    return run_command_line(["patterns", *(str(argument) for argument in arguments)], _no_window, _no_window)


def _no_window(_arguments: object) -> int:
    pytest.fail("opened a window")


def test_the_threshold_is_inclusive_and_promoted_ones_stay_promoted(store: PatternStore) -> None:
    entry = proven(store, times=2)
    assert store.get_promotable() == ()
    proven(store, times=1)
    assert [each.pattern_id for each in store.get_promotable()] == [entry.pattern_id]
    store.set_state(entry.pattern_id, PROMOTED)
    proven(store, times=5)
    assert store.get_promotable() == ()


def test_a_promotion_has_states_and_a_history_and_can_be_undone(store: PatternStore) -> None:
    entry, other = proven(store), proven(store, tool="df")
    store.set_state(entry.pattern_id, PromotionEvent("", PromotionState.PROPOSED))
    reject(store, entry.pattern_id, "not yet")
    undo_promotion(store, entry.pattern_id)
    store.set_state(entry.pattern_id, PROMOTED)
    supersede(store, entry.pattern_id, other.pattern_id)
    assert [event.state.value for event in store.history(entry.pattern_id)] == [
        *("proposed", "rejected", "none", "accepted", "superseded")
    ]
    assert store.entry(entry.pattern_id).state is PromotionState.SUPERSEDED
    assert not store.entry(entry.pattern_id).promoted


def test_promoted_means_that_a_valid_file_was_written(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    assert len(store.get_promotable()) == 1
    assert not store.entry(entry.pattern_id).promoted
    path = promote(store, draft(store, tmp_path / "skills"))
    assert store.entry(entry.pattern_id).promoted
    assert read_skill(path.parent).problems == ()


def test_a_dry_run_lists_and_writes_nothing(
    store: PatternStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = proven(store)
    assert patterns_command("promote", "--to", tmp_path / "skills", "--dry-run", "--store", store.path) == 0
    assert "Would write" in capsys.readouterr().out
    assert not (tmp_path / "skills").exists()
    assert not store.entry(entry.pattern_id).promoted


def test_nothing_to_promote_names_the_threshold(
    store: PatternStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proven(store, times=1)
    assert patterns_command("promote", "--to", tmp_path, "--threshold", 7, "--store", store.path) == 0
    assert "7 or more successes" in capsys.readouterr().out
    with pytest.raises(ValueError, match="at least 1"):
        store.get_promotable(0)
    with pytest.raises(SystemExit):
        patterns_command("promote", "--to", tmp_path, "--threshold", 0, "--store", store.path)


def test_an_edited_draft_gets_a_second_version_with_a_diff(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    first = promote(store, draft(store, tmp_path))
    first.write_text(first.read_text() + "mine\n")
    undo_promotion(store, entry.pattern_id)
    second = draft(store, tmp_path)
    assert "-mine" in second.diff
    promote(store, second)
    assert first.read_text().endswith("mine\n")
    assert second.path.parent.name == first.parent.name + "-2"
    assert read_skill(second.path.parent).problems == ()


def test_a_failing_write_is_named_and_the_pattern_stays_promotable(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    (tmp_path / "skills").write_text("in the way")
    with pytest.raises(CannotSave, match=r"SKILL\.md"):
        promote(store, draft(store, tmp_path / "skills"))
    assert [each.pattern_id for each in store.get_promotable()] == [entry.pattern_id]


def test_drafts_are_never_in_the_scanned_folder(
    store: PatternStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proven(store)
    skills = tmp_path / "skills"
    seen: list[list[Path]] = []
    rename = Path.rename

    def watch(self: Path, target: Path) -> Path:
        seen.append(list(find_skills(skills)))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", watch)
    path = promote(store, draft(store, skills))
    assert seen == [[]]
    assert list(find_skills(skills)) == [path]


def test_a_pattern_becomes_an_enforced_playbook(store: PatternStore, tmp_path: Path) -> None:
    proven(store)
    loaded = yaml.safe_load(promote(store, draft(store, tmp_path, PromotionKind.STEPLIST)).read_text())
    assert [step["expected_tools"] for step in loaded["steps"]] == [["du"], ["rm"]]
    assert loaded["steps"][0]["hints"] == ["look first"]
    assert loaded["strict_sequence"] is True


def test_an_unknown_id_is_an_error_that_names_it(store: PatternStore, tmp_path: Path) -> None:
    for attempt in (partial(store.set_state, event=PROMOTED), store.entry, partial(undo_promotion, store)):
        with pytest.raises(KeyError, match="0123nope"):
            attempt("0123nope")
    with pytest.raises(UnknownPattern, match="0123nope"):
        draft_promotion(store, "0123nope", tmp_path, PromotionKind.SKILL)
