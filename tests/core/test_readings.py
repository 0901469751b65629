"""A text and a number that do not go together are a question where somebody is there, and a clear failure else."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest

from tests.core.engine_driver import Played, begin, finished, play, wait_for
from workbench.cli.running.prompt import ask
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.ports import Answer
from workbench.engine.readings import Operand, Unlike
from workbench.engine.starting import resume_run
from workbench.model.meaning import Variable

SUM = '- $n = "7"\n- $m = $n + 1\n- Return $m\n'


def answered(steps: str, folder: Path, name: str, value: object) -> Played:
    """A run of *steps* in which a person says that *name* is *value* when asked the first time."""
    journal, person = Journal(folder / "runs.sqlite"), PersonBackend()
    run = begin(steps, journal, person)
    (asked,) = [event for event in wait_for(run, "input.asked") if event.name == "input.asked"]
    while not person.answer(asked.payload.request, Answer(((name, value),))):  # type: ignore[attr-defined]
        run.wait(0.005)
    return finished(run, journal)


def test_a_text_that_a_number_is_added_to_can_be_read_as_a_number(tmp_path: Path) -> None:
    played = answered(SUM, tmp_path, "reading", "number")
    (asked,) = played.bodies("input.asked")
    assert asked["text"] == (
        "$n is the text “7”, and a number is needed in “$n + 1”. "
        "Where it is asked for, write $n:int, and it is a number."
    )
    assert asked["choices"] == ["number", "stop"]
    assert played.run.result == 8


def test_a_comparison_goes_on_once_it_is_known_how_it_is_read(tmp_path: Path) -> None:
    steps = '- $n = "12"\n- If $n > 5\n  - Return "more"\n- Return "less"\n'
    assert answered(steps, tmp_path, "reading", "number").run.result == "more"


def test_a_number_can_be_read_as_a_text(tmp_path: Path) -> None:
    steps = '- $n = 7\n- $m = "no. " + $n\n- Return $m\n'
    played = answered(steps, tmp_path, "reading", "text")
    (asked,) = played.bodies("input.asked")
    assert asked["text"] == (
        '$n is the number 7, and a text is needed in “"no. " + $n”. Write str($n), and it is a text.'
    )
    assert played.run.result == "no. 7"


def test_two_variables_can_be_read_either_way(tmp_path: Path) -> None:
    steps = '- $a = "1"\n- $b = 2\n- $c = $a + $b\n- Return $c\n'
    assert answered(steps, tmp_path, "reading", "number").run.result == 3
    (tmp_path / "text").mkdir()
    assert answered(steps, tmp_path / "text", "reading", "text").run.result == "12"


def test_a_text_that_is_no_number_can_be_replaced(tmp_path: Path) -> None:
    steps = '- $n = "seven"\n- $m = $n + 1\n- Return $m\n'
    assert answered(steps, tmp_path, "n", "7").run.result == 8


def test_who_stops_there_sees_why(tmp_path: Path) -> None:
    played = answered(SUM, tmp_path, "reading", "stop")
    assert played.state.status is RunStatus.FAILED
    assert played.state.error == (
        "Main:02 (line 5) failed: $n is the text “7”, and a number is needed in “$n + 1”. "
        "Where it is asked for, write $n:int, and it is a number."
    )


MIXED = [
    '- $n = "7"\n- If $n >= 5\n  - Return "yes"\n',
    '- $n = "7"\n- While $n > 6\n  - Return "yes"\n',
    '- $n = "7"\n- If -$n < 0\n  - Return "yes"\n',
    '- $n = "7"\n- If $n - 1 == 6\n  - Return "yes"\n',
    '- $n = "7"\n- If round($n) == 7\n  - Return "yes"\n',
    '- $n = "7"\n- If max($n, 3) == 7\n  - Return "yes"\n',
    '- $n = "7"\n- Repeat $n times\n  - Return "yes"\n',
    '- $n = "7"\n- Give($n + 1)\n## Give($x)\n### Steps\n- Return "yes"\n',
    '- $n = "7"\n- Tell user "{$n - 1}"\n- Return "yes"\n',
    '- n = "7"\n- If n > 5\n  - Return "yes"\n',
    '- $o = {"n": "7"}\n- If $o.n > 5\n  - Return "yes"\n',
    '- $o = [{"n": "7"}]\n- If $o[0]["n"] > 5\n  - Return "yes"\n',
]


@pytest.mark.parametrize("steps", MIXED)
def test_every_form_asks_and_goes_on(tmp_path: Path, steps: str) -> None:
    played = answered(steps, tmp_path, "reading", "number")
    assert played.state.status is RunStatus.COMPLETED


@pytest.mark.parametrize("steps", MIXED)
def test_every_form_fails_with_the_exact_form_where_nobody_is(tmp_path: Path, steps: str) -> None:
    played = play(steps, tmp_path)
    assert played.state.status is RunStatus.FAILED
    assert " is the text “7”, and a number is needed in “" in played.state.error


def test_a_script_can_say_how_it_is_read(tmp_path: Path) -> None:
    script = "answers: [{values: {x: 5}}, {step: 'Main:02', values: {reading: number}}]"
    assert play(SUM, tmp_path, script).run.result == 8


def test_a_call_in_an_expression_is_made_once(tmp_path: Path) -> None:
    steps = '- $n = "7"\n- $m = Two() + $n\n- Return $m\n## Two\n### Steps\n- Tell user "once"\n- Return 2\n'
    played = answered(steps, tmp_path, "reading", "number")
    assert played.run.result == 9
    assert played.told() == ["once"]


def test_what_a_call_gives_is_not_taken_for_the_variable_that_it_was_given(tmp_path: Path) -> None:
    steps = '- $n = "7"\n- $m = Same($n) + 1\n## Same($a)\n### Steps\n- Return $a\n'
    played = play(steps, tmp_path)
    assert played.state.status is RunStatus.FAILED
    assert "This does not work with a text and a number" in played.state.error
    assert played.state.error.endswith(
        "A text that is meant as a number goes into int(…), a number that is meant as text into str(…)."
    )


def test_a_part_of_a_record_is_read_otherwise_and_the_rest_stays(tmp_path: Path) -> None:
    steps = '- $o = {"n": "7", "list": ["1", "2"]}\n- $m = $o["list"][1] + 1\n- Return [$m, $o]\n'
    played = answered(steps, tmp_path, "reading", "number")
    assert played.run.result == [3, {"n": "7", "list": ["1", 2]}]


def test_what_is_no_reading_is_asked_for_again_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter(["", "seven", "number"])
    monkeypatch.setattr(builtins, "input", lambda _label: next(said))
    found = Unlike("$n + 1", Operand(Variable("n"), (), "7"), None, "7", 1)
    assert ask(found.request("q", "Main:02")) == Answer((("reading", "number"),))


def test_an_answer_that_is_no_reading_fails_the_step(tmp_path: Path) -> None:
    script = "answers: [{step: 'Main:02', values: {reading: maybe}}]"
    played = play(SUM, tmp_path, script)
    assert played.state.status is RunStatus.FAILED
    assert "“maybe” is not one of: number, stop" in played.state.error


def test_a_trigger_answers_where_nobody_is(tmp_path: Path) -> None:
    steps = '- F()\n## F\n### Steps\n- $n = "7"\n- $m = $n + 1\n'
    steps += '## G\n### Triggers\n- When F fails\n### Steps\n- Return "mended"\n'
    played = play(steps, tmp_path)
    assert played.state.status is RunStatus.COMPLETED


def test_a_run_that_was_cut_off_at_the_question_asks_again(tmp_path: Path) -> None:
    journal, person = Journal(tmp_path / "runs.sqlite"), PersonBackend()
    run = begin(SUM, journal, person)
    wait_for(run, "input.asked")
    run.leave()
    first = finished(run, journal)
    assert first.state.status is RunStatus.PAUSED
    again = finished(resume_run(run.id, journal, _Says("number")), journal)
    assert again.run.result == 8
    assert len(again.bodies("input.asked")) == 1


class _Says(NobodyBackend):
    """Gives one reading to every question."""

    def __init__(self, reading: str) -> None:
        self._reading = reading

    def judge(self, _request: object) -> Answer:
        """The reading."""
        return Answer((("reading", self._reading),))
