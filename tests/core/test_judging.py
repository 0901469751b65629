"""Steps that a model judges: asked once, answered in a form that fits, and journaled before anything is done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.engine_driver import book, scripted
from tests.core.model_driver import MODEL, FakeModel, data, judge, options, said
from workbench.engine.journal.choices import RunStatus
from workbench.engine.judges import Limits
from workbench.errors import InputNeeded, ModelFailed


def test_a_model_fills_in_the_fields_of_a_step(tmp_path: Path) -> None:
    model = FakeModel([data(city="Oslo", people=7)])
    played = judge("- Extract $city:str and $people:int from the letter\n- Return $city\n", tmp_path, model)
    assert played.run.result == "Oslo"


def test_a_condition_is_decided_by_one_request(tmp_path: Path) -> None:
    model = FakeModel([data(reason="it says so", decision=True)])
    played = judge('- If the letter is friendly\n  - Return "yes"\n- Return "no"\n', tmp_path, model)
    assert (played.run.result, len(model.sent)) == ("yes", 1)


def test_a_step_without_fields_is_answered_in_words(tmp_path: Path) -> None:
    played = judge("- Water the plants\n", tmp_path, FakeModel([said("Watered.")]))
    assert played.bodies("input.given")[0]["answer"]["text"] == "Watered."


def test_the_journal_says_who_gave_the_answer(tmp_path: Path) -> None:
    played = judge("- Water the plants\n", tmp_path, FakeModel([said("Watered.")]))
    assert played.bodies("input.given")[0]["judge"] == "small-1"


def test_an_answer_that_does_not_fit_is_repaired_once(tmp_path: Path) -> None:
    model = FakeModel([data(people="many"), data(people=7)])
    played = judge("- Extract $people:int from the letter\n- Return $people\n", tmp_path, model)
    assert (played.run.result, len(model.sent)) == (7, 2)
    assert "“many” is not a whole number" in model.sent[1].messages[-1].text


def test_two_answers_that_do_not_fit_fail_the_step(tmp_path: Path) -> None:
    model = FakeModel([data(people="many"), said("seven")])
    played = judge("- Extract $people:int from the letter\n", tmp_path, model)
    assert "did not give an answer that can be used" in played.state.error


def test_what_the_model_said_is_journaled_before_the_answer(tmp_path: Path) -> None:
    played = judge("- Water the plants\n", tmp_path, FakeModel([said("Watered.")]))
    names = [event.name for event in played.events]
    assert names[names.index("input.asked") :][:4] == ["input.asked", "model.asked", "model.answered", "input.given"]


def test_a_model_that_cannot_be_reached_pauses_the_run(tmp_path: Path) -> None:
    played = judge("- Water the plants\n", tmp_path, FakeModel([ModelFailed("no route to the model")]))
    assert isinstance(played.run.halt, InputNeeded)
    assert (played.state.status, str(played.run.halt)) == (RunStatus.PAUSED, "no route to the model")


def test_a_person_accepts_or_changes_what_is_proposed(tmp_path: Path) -> None:
    model = FakeModel([data(people=7)])
    chosen = options(model, replace(MODEL, is_proposing=True))
    answers = scripted('answers: [{step: "Main:01", values: {people: 8}}]')
    played = judge("- Extract $people:int from the letter\n- Return $people\n", tmp_path, model, chosen, answers)
    assert played.bodies("model.proposed")[0]["answer"]["values"] == {"people": 7}
    assert played.run.result == 8


def test_a_model_that_does_not_know_hands_over(tmp_path: Path) -> None:
    model = FakeModel([data(people=None, cannot="there is no letter")])
    chosen = options(model, replace(MODEL, is_handing_over=True))
    answers = scripted('answers: [{step: "Main:01", values: {people: 8}}]')
    played = judge("- Extract $people:int from the letter\n- Return $people\n", tmp_path, model, chosen, answers)
    assert "there is no letter" in played.bodies("model.handed_over")[0]["reason"]
    assert played.run.result == 8


@pytest.mark.parametrize("limits", [Limits(requests=1), Limits(tokens=120), Limits(cost_usd=0.001)])
def test_a_budget_stops_before_the_next_request(limits: Limits, tmp_path: Path) -> None:
    model = FakeModel([said("Watered."), said("Fed.")])
    played = judge("- Water the plants\n- Feed the cat\n", tmp_path, model, options(model, limits=limits))
    assert played.state.status is RunStatus.PAUSED
    assert len(model.sent) == (0 if limits.tokens else 1)


def test_the_user_is_asked_and_not_the_model(tmp_path: Path) -> None:
    model = FakeModel([said("Watered.")])
    answers = scripted("answers: [{values: {name: Ada}}]")
    played = judge("- Ask user for $name\n- Water the plants\n- Return $name\n", tmp_path, model, None, answers)
    assert played.run.result == "Ada"


def test_a_playbook_may_ask_for_a_person_and_cannot_bring_in_a_model(tmp_path: Path) -> None:
    text = "# Book\n## Main\njudge: person\n### Steps\n- Water the plants\n<!-- judge: model -->\n- Feed the cat\n"
    model = FakeModel([said("Fed.")])
    answers = scripted("answers: [{text: By hand.}]")
    played = judge(book("", text), tmp_path, model, None, answers)
    assert [body["answer"]["text"] for body in played.bodies("input.given")] == ["By hand.", "Fed."]
