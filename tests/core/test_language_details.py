"""Beginnings, events, calls, names, values and ids of the language, as a run sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import book, play
from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate, format_value
from workbench.engine.language.calling import bind
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.people import agent_meant, number_of
from workbench.engine.language.turn import StepFailed
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.engine.state.world import Message, is_from
from workbench.model.meaning import Call
from workbench.model.program import Playbook
from workbench.model.sentences.calls import call_of
from workbench.model.sentences.classify import classify_trigger
from workbench.syntax.expressions import parse_expression
from workbench.syntax.signatures import parse_signature


@pytest.mark.parametrize("text", ["T1:BGN At start", "When program starts", "At the start", "In the beginning"])
def test_beginnings_start_the_program(text: str) -> None:
    assert classify_trigger(text).is_start


@pytest.mark.parametrize("text", ["BGNX at noon", "When the BGN column is read"])
def test_a_word_that_only_contains_the_code_is_no_beginning(text: str) -> None:
    assert not classify_trigger(text).is_start


@pytest.mark.parametrize(
    "text", ["When user provides email", "Upon receiving message from Tax", "When invited to a party"]
)
def test_events_are_judged(text: str) -> None:
    trigger = classify_trigger(text)
    assert (trigger.is_start, trigger.condition, trigger.moment) == (False, None, "")


@pytest.mark.parametrize("text", ["When $amount > 1000", "T2:CND When $amount > 1000", "$amount > 1000"])
def test_conditions_are_exact(text: str) -> None:
    condition = classify_trigger(text).condition
    assert condition is not None
    assert condition.test is not None


def _call(text: str) -> Call:
    call = call_of(text)
    assert call is not None
    return call


@pytest.mark.parametrize(
    ("text", "target", "arguments"),
    [
        ("GetOrder()", "GetOrder", []),
        ("GetOrder($order_id)", "GetOrder", [("", "$order_id")]),
        ("F($a, $b)", "F", [("", "$a"), ("", "$b")]),
        ("F(id=$a)", "F", [("id", "$a")]),
        ("F($a, status='pending')", "F", [("", "$a"), ("status", "'pending'")]),
        ("Files.list_it(path=$folder, deep=true)", "Files.list_it", [("path", "$folder"), ("deep", "true")]),
        ("F(-1, null, None, false)", "F", [("", "-1"), ("", "null"), ("", "None"), ("", "false")]),
        ("F($x[0], len($items), $a.b.c)", "F", [("", "$x[0]"), ("", "len($items)"), ("", "$a.b.c")]),
        ("F([1, $x], $a + $b, $x[$i])", "F", [("", "[1, $x]"), ("", "$a + $b"), ("", "$x[$i]")]),
    ],
)
def test_calls_keep_what_is_written(text: str, target: str, arguments: list[tuple[str, str]]) -> None:
    call = _call(text)
    assert (call.target, [(each.name, each.value.source) for each in call.arguments]) == (target, arguments)


def test_an_agent_may_be_called_by_its_number() -> None:
    assert _call("Agent:1020.F()").target == "Agent:1020.F"


@pytest.mark.parametrize("text", ["F(**$x)", "F(*$x)", "F()()", "F(", "await F()"])
def test_what_is_no_call_is_none(text: str) -> None:
    assert call_of(text) is None


def _scope(**known: Any) -> Any:
    def lookup(name: str, _is_state: bool) -> object:  # noqa: FBT001 - as scopes are called
        if name in known:
            return known[name]
        raise UnknownName(name, tuple(known))

    return lookup


def test_a_parameter_shadows_the_agents_variable(tmp_path: Path) -> None:
    text = "# B\n## Main\n### Steps\n- $x = 1\n- $r = F(2)\n- Return [$r, $x]\n"
    text += "## F($x)\n### Steps\n- G()\n- Return $x\n## G\n### Steps\n- $x = 7\n"
    assert play(book("", text), tmp_path).run.result == [2, 7]


def test_a_missing_name_is_named_with_those_that_are_near() -> None:
    with pytest.raises(EvaluationFailed, match=r"ammount.*amount"):
        evaluate(parse_expression("$ammount"), _scope(amount=1))


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (123, "123"), (True, "True"), ([1, 2, 3], "[1, 2, 3]"), ({"key": "value"}, '{"key": "value"}')],
)
def test_values_as_text(value: object, text: str) -> None:
    assert format_value(value) == text


def test_long_values_stand_on_lines_of_their_own() -> None:
    assert format_value(["x" * 60, "y" * 60]).startswith('\n[\n  "xxx')


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("F($a, b, $c:int, d:str='x') -> bool", ["a", "b", "c", "d"]),
        ("F", []),
        ("F()", []),
        ("F(*args, **kw)", []),
        ("F($a, /, $b, *, $c=1)", ["a", "b", "c"]),
    ],
)
def test_the_names_of_parameters(heading: str, names: list[str]) -> None:
    assert [parameter.name for parameter in parse_signature(heading).parameters] == names


@pytest.mark.parametrize(
    ("written", "value"),
    [("10", 10), ("True", True), ('"hello"', "hello"), ("None", None), ("[]", []), ("'x, y'", "x, y")],
)
def test_defaults(written: str, value: object) -> None:
    assert bind(_playbook(f"F($a={written})"), (), {}) == {"a": value}


def test_a_default_that_is_a_variable_is_none() -> None:
    assert parse_signature("F($a, $b=$a)").parameters[1].default is None


def _playbook(heading: str) -> Playbook:
    return book("", f"# B\n## {heading}\n### Steps\n- Return 1\n").program.playbooks[0]


@pytest.mark.parametrize(
    ("positional", "named", "bound"),
    [
        ((1, 2), {}, {"a": 1, "b": 2, "c": 3}),
        ((1,), {"b": 5}, {"a": 1, "b": 5, "c": 3}),
        ((), {"b": 5, "a": 4, "c": 6}, {"a": 4, "b": 5, "c": 6}),
    ],
)
def test_values_are_bound_by_place_and_by_name(
    positional: tuple[int, ...], named: dict[str, Any], bound: dict[str, int]
) -> None:
    assert bind(_playbook("F($a, $b, $c=3)"), positional, named) == bound


@pytest.mark.parametrize(
    ("positional", "named"), [((1, 2, 3, 4), {}), ((1, 2), {"d": 1}), ((1,), {}), ((1,), {"a": 2})]
)
def test_too_many_unknown_and_missing_values_are_refused(positional: tuple[int, ...], named: dict[str, Any]) -> None:
    with pytest.raises(StepFailed):
        bind(_playbook("F($a, $b, $c=3)"), positional, named)


_AGENTS = "# Shop\n## Main\n### Steps\n- Return 1\n# Tax Office\n## Rate\n### Steps\n- Return 2\n"


@pytest.mark.parametrize(
    ("word", "agent"),
    [
        ("agent 1001", "TaxOffice"),
        ("AGENT 1001", "TaxOffice"),
        ("  agent 1001 ", "TaxOffice"),
        (" 1001 ", "TaxOffice"),
        ("1000", "Shop"),
        ("TaxOffice:1001", "TaxOffice"),
        ("TaxOffice:1000", ""),
        ("tax office", "TaxOffice"),
        ("1044", ""),
        ("nobody", ""),
    ],
)
def test_agents_are_meant_by_number_or_name(word: str, agent: str) -> None:
    made = Book(book("", _AGENTS))
    assert agent_meant(RunFold(RunState()), made, word) == agent


def test_numbers_begin_at_1000_and_lead_back() -> None:
    made, state = Book(book("", _AGENTS)), RunFold(RunState())
    assert [number_of(state, made, name) for name in ("Shop", "TaxOffice")] == [1000, 1001]


@pytest.mark.parametrize("word", ["human", "User", "HUMAN", " user "])
def test_the_user_is_meant_in_any_letter_case(word: str, tmp_path: Path) -> None:
    played = play(f"- $who = '{word}'\n- Say($who, 'hi')\n", tmp_path)
    assert [(body["text"], body.get("target")) for body in played.bodies("say.told")] == [("hi", None)]


def test_an_agent_and_a_meeting_with_the_same_digits_are_two() -> None:
    message = Message("agent", "hi", 100)
    assert (is_from(message, "meeting 100"), is_from(message, "100")) == (True, False)


def test_waiting_gives_all_that_came_and_nothing_where_nobody_sends(tmp_path: Path) -> None:
    steps = "- SendMessage('Book', 'a')\n- SendMessage('Book', 'b')\n- $m = WaitForMessage('*')\n"
    steps += "- $n = WaitForMessage('Book')\n- Return [len($m), $n]\n"
    assert play(steps, tmp_path).run.result == [2, []]
