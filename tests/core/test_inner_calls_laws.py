"""Generated expressions with calls come to what Python makes of them, with the same calls in the same order."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import Played, play

OTHERS = """
## Seen($it)
### Steps
- $calls = $calls + [$it]
- $x = $x + 1
- Return $it
## Given($it)
### Steps
- Return $it
"""

ATOMS = st.sampled_from(["$x", "2", "0", "Seen($x)", "Seen(0)", "Seen(3)", "Seen(Seen(1) + $x)", "len([$x])"])
JOINED = ("({0} + {1})", "({0} and {1})", "({0} or {1})", "({0} < {1})", "(1 if {0} else {1})", "[{0}, {1}][1]")
MADE = (
    "Seen({0})",
    "(not {0})",
    "sum([Seen(n) for n in [0, 1, 2] if n < {0}])",
    "({0} < Seen(1) < {0})",
    "({0} == None)",
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(JOINED), inner, inner).map(lambda parts: parts[0].format(*parts[1:])),
        st.tuples(st.sampled_from(MADE), inner).map(lambda parts: parts[0].format(parts[1])),
    ),
    max_leaves=4,
)
BEFORE = "- $calls = []\n- $x = 1\n"


def in_python(source: str) -> tuple[Any, list[Any], int]:
    """The value of *source*, what was called with, and what $x is then."""
    calls: list[Any] = []
    names: dict[str, Any] = {"x": 1}

    def seen(it: Any) -> Any:
        calls.append(it)
        names["x"] += 1
        return it

    names["Seen"] = seen
    value = eval(source.replace("$x", "x"), names)
    return value, calls, names["x"]


def run(steps: str) -> Played:
    with tempfile.TemporaryDirectory() as folder:
        return play(BEFORE + steps + OTHERS, Path(folder))


@given(EXPRESSIONS)
@settings(max_examples=examples(25))
def test_calls_in_an_assignment_are_made_as_python_makes_them(source: str) -> None:
    played = run(f"- $value = {source}\n- Return [$value, $calls, $x]\n")
    assert (played.state.error, played.state.result) == ("", [*in_python(source)])


@given(EXPRESSIONS)
@settings(max_examples=examples(12))
def test_calls_in_a_condition_and_a_return_are_made_as_python_makes_them(source: str) -> None:
    value, calls, _x = in_python(source)
    played = run(f'- If ({source}) == 77, return "no"\n- Return [$calls, $x]\n')
    assert (played.state.error, played.state.result) == ("", [calls, 1 + len(calls)])
    assert run(f"- Return {source}\n").state.result == value


@given(EXPRESSIONS)
@settings(max_examples=examples(12))
def test_calls_in_an_argument_and_a_placeholder_are_made_as_python_makes_them(source: str) -> None:
    value, calls, _x = in_python(source)
    played = run(f'- $value = Given({source})\n- Tell user "<{{$value}}>"\n- Return [$value, $calls]\n')
    assert (played.state.error, played.state.result) == ("", [value, calls])
    assert run(f'- Tell user "<{{{source}}}>"\n').told() == played.told()
