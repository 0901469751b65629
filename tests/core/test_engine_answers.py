"""Questions: what is asked, who answers, and what becomes of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import begin, finished, play, scripted, wait_for
from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.starting import resume_run
from workbench.errors import CannotRead, InputNeeded
from workbench.model.meaning import Variable


def test_answers_fill_the_variables_with_their_types(tmp_path: Path) -> None:
    steps = "- Ask user for $name and $age:int\n- Return [$name, $age + 1]\n"
    assert play(steps, tmp_path, 'answers: [{values: {name: Ada, age: "36"}}]').run.result == ["Ada", 37]


def test_a_question_shows_the_values_of_variables(tmp_path: Path) -> None:
    steps = "- $city = 'Oslo'\n- Find out how the weather in $city is and note it as $weather\n- Return $weather\n"
    played = play(steps, tmp_path, "answers: [{values: {weather: rain}}]")
    (asked,) = played.bodies("input.asked")
    assert "in Oslo is" in asked["text"]
    assert "$weather" in asked["text"]
    assert played.run.result == "rain"


def test_a_tell_fills_in_its_text(tmp_path: Path) -> None:
    played = play("- $name = 'Ada'\n- Tell user \"Hello {$name}, $name!\"\n- Tell user about $name\n", tmp_path)
    assert played.told()[0] == "Hello Ada, Ada!"
    assert "Ada" in played.told()[1]


def test_answers_for_a_step_wait_for_it_and_others_are_used_in_turn(tmp_path: Path) -> None:
    steps = "- Ask user for $a\n- Ask user for $b\n- Ask user for $c\n- Return [$a, $b, $c]\n"
    script = "answers: [{step: 'Main:2', values: {b: 2}}, {values: {a: 1}}, {values: {c: 3}}]"
    assert play(steps, tmp_path, script).run.result == [1, 2, 3]


def test_a_missing_answer_names_the_step_and_leaves_the_run_to_be_resumed(tmp_path: Path) -> None:
    played = play("- $a = 1\n- Ask user for $b\n- Return $b\n", tmp_path)
    assert isinstance(played.run.halt, InputNeeded)
    assert "Main:02" in str(played.run.halt)
    assert played.state.status is RunStatus.PAUSED
    journal = Journal(tmp_path / "runs.sqlite")
    again = finished(resume_run(played.run.id, journal, scripted("answers: [{values: {b: 5}}]")), journal)
    assert again.run.result == 5
    assert len(again.bodies("input.asked")) == 1


def test_an_answer_of_the_wrong_type_fails_the_step(tmp_path: Path) -> None:
    played = play("- Ask user for $n:int\n", tmp_path, "answers: [{values: {n: many}}]")
    assert played.state.status is RunStatus.FAILED
    assert "Main:01" in played.state.error
    assert "whole number" in played.state.error


def test_nobody_cannot_answer(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    played = finished(begin("- Ask user for $b\n", journal, NobodyBackend()), journal)
    assert isinstance(played.run.halt, InputNeeded)


def test_a_person_answers_from_another_thread(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin("- Ask user for $n:int\n- If the moon is full\n  - Return $n\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    while (request := run.pending) is None:
        pass
    assert request.fields == (Variable("n", True, "int"),)
    assert not run.answer("q0", Answer(values=(("n", 3),)))
    assert not run.answer(request.id, Answer(values=(("n", "many"),)))
    assert run.answer(request.id, Answer(values=(("n", "3"),)))
    wait_for(run, "input.asked")
    while (request := run.pending) is None:
        pass
    assert request.kind is RequestKind.DECIDE
    assert run.answer(request.id, Answer(decision=True))
    assert finished(run, journal).run.result == 3


@pytest.mark.parametrize(
    ("type_", "written", "value"),
    [
        ("int", "7", 7),
        ("float", "7.5", 7.5),
        ("bool", "yes", True),
        ("list[str]", "a, b", ["a", "b"]),
        ("list", "[1, 2]", [1, 2]),
        ("dict", '{"a": 1}', {"a": 1}),
        ("str", 5, "5"),
        ("", "as it is", "as it is"),
        ("date", "2026-01-01", "2026-01-01"),
    ],
)
def test_what_is_written_becomes_the_type_that_is_wanted(type_: str, written: object, value: object) -> None:
    request = Request("q1", RequestKind.ASK, "Main:01", "", (Variable("x", True, type_),))
    assert checked(request, Answer(values=(("x", written),)))["values"] == {"x": value}


def test_a_decision_that_is_missing_is_refused() -> None:
    with pytest.raises(AnswerRefused, match="yes or no"):
        checked(Request("q1", RequestKind.DECIDE, "Main:01", ""), Answer(text="perhaps"))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("answers: [", "Line 1 of the script: YAML syntax error"),
        ("- 1", "must be a mapping"),
        ("answer: []", "“answer” is none of these"),
        ("answers: []\ntools: [1]", "Line 2 of the script: tools must be a mapping of names"),
        ("answers:\n- {stp: 1}", "Line 2 of the script: “stp” is not one of"),
        ("answers: [{decision: maybe}]", "decision must be true or false"),
        ("answers: [{choice: perhaps}]", "choice must be one of"),
        ("answers: [{values: {x: !!binary aGk=}}]", "would create an object"),
    ],
)
def test_a_script_that_cannot_be_used_says_why(script: str, words: str) -> None:
    with pytest.raises(CannotRead, match=words):
        scripted(script)


def test_tool_results_come_from_the_script_in_turn(tmp_path: Path) -> None:
    steps = "- $a = Weather(city='Oslo')\n- $b = Weather(city='Rome')\n- $c = Today()\n- Return [$a, $b, $c]\n"
    played = play(steps, tmp_path, "tools: {Weather: [rain, sun], Today: 2026-01-02}")
    assert played.run.result == ["rain", "sun", "2026-01-02"]
    assert [body["tool"] for body in played.bodies("tool.call")] == ["Weather", "Weather", "Today"]


def test_a_tool_whose_results_are_used_up_fails_the_step(tmp_path: Path) -> None:
    played = play("- $a = Weather()\n- $b = Weather()\n", tmp_path, "tools: {Weather: [rain]}")
    assert "Main:02" in played.state.error
    assert "(1) have been used" in played.state.error


def test_a_call_that_nothing_can_make_is_asked_of_whoever_judges(tmp_path: Path) -> None:
    played = play("- $a = Weather('Oslo')\n- Return $a\n", tmp_path, "answers: [{values: {result: rain}}]")
    assert played.bodies("input.asked")[0]["text"] == "Weather('Oslo')"
    assert played.run.result == "rain"
