"""Finding what helps: by playbook, by words, by kind, and ranked by what the record is worth."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.library.entries import Evidence, Outcome, PatternEntry, lower_bound, wilson_bounds, worked
from workbench.library.relevance.content_words import content_words, count_tokens, words
from workbench.library.relevance.relevance import advice, proven_context, relevant_to
from workbench.library.store import PatternStore


@pytest.fixture
def store(tmp_path: Path) -> PatternStore:
    return PatternStore(tmp_path / "patterns.sqlite")


def worked_for(store: PatternStore, description: str, tool: str, times: int = 1, playbook: str = "") -> PatternEntry:
    for _time in range(times):
        entry = store.record("shell", description, [tool], evidence=Evidence(playbook=playbook))
    return entry


def found(store: PatternStore, task: str) -> list[str]:
    return [each.entry.tool_sequence[0] for each in relevant_to(store, task, 10)]


def test_more_shared_words_rank_higher(store: PatternStore) -> None:
    worked_for(store, "deploy the web site", "site")
    worked_for(store, "deploy the api with rollback", "api")
    worked_for(store, "bake bread", "bread")
    assert found(store, "please deploy our api, with a rollback")[:2] == ["api", "site"]
    assert "bread" not in found(store, "deploy the api")


def test_a_better_record_breaks_the_tie(store: PatternStore) -> None:
    worked_for(store, "clean the disk", "once")
    worked_for(store, "clean the disk", "often", times=9)
    assert found(store, "clean the disk") == ["often", "once"]


def test_what_never_worked_is_not_offered(store: PatternStore) -> None:
    store.record("shell", "clean the disk", ["a"], evidence=Evidence(outcome=Outcome.FAILURE))
    assert found(store, "run a shell command to clean the disk") == []


def test_any_words_at_all_are_searched_for(store: PatternStore) -> None:
    worked_for(store, 'say "AND" OR (NOT) near* col:x', "odd")
    for task in ('"', "AND", "NOT (", "col:x", "*", "^", "''", "near*", "日本", "a AND b OR"):
        relevant_to(store, task)
    assert found(store, 'say "AND" NOT near*') == ["odd"]


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60))
def test_no_task_breaks_the_search(task: str) -> None:
    assert all(word == word.casefold() for word in words(task))
    assert content_words(task) <= frozenset(words(task))


def test_advice_begins_with_what_worked_in_the_same_playbook(store: PatternStore) -> None:
    worked_for(store, "free the disk of a server", "like", times=9)
    worked_for(store, "something else", "own", playbook="disk.md:Main")
    ranked = advice(store, "disk.md:Main", "free the disk")
    assert [entry.tool_sequence[0] for entry in ranked] == ["own", "like"]
    assert advice(store, "", "paint the fence") == ()


def test_a_model_is_told_what_has_worked_within_its_budget(store: PatternStore) -> None:
    worked_for(store, "deploy the api with rollback", "deploy_api", times=3)
    text = proven_context(store, "deploy the api", 30)
    assert text == "[playbook] deploy the api with rollback (succeeded in 3 of 3 runs): deploy_api"
    assert count_tokens(proven_context(store, "deploy the api", 5)) <= 5
    assert proven_context(store, "paint the fence") == ""


def test_the_bound_of_a_success_rate_grows_with_the_evidence() -> None:
    assert wilson_bounds(0, 0) == (0.0, 1.0)
    assert lower_bound(2, 2) < lower_bound(19, 20) < lower_bound(200, 200) < 1
    assert wilson_bounds(5, 6)[0] == pytest.approx(0.4365, abs=1e-4)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_true_rate_of_the_sample_lies_between_its_bounds(successes: int, failures: int) -> None:
    attempts = successes + failures
    low, high = wilson_bounds(successes, attempts)
    assert 0 <= low <= high <= 1
    if attempts:
        assert low - 1e-12 <= successes / attempts <= high + 1e-12


def test_a_record_is_told_in_words() -> None:
    assert [worked(0, 0), worked(1, 1), worked(0, 1), worked(5, 6)] == [
        *("never tried", "succeeded once", "failed once", "succeeded in 5 of 6 runs")
    ]
