"""Parts of variables are set exactly: ``$order.status = "paid"``, and everything else in the variable stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.engine_driver import play
from tests.core.test_assembly import steps_of
from workbench.model.meaning import Assign, Judge
from workbench.model.sentences.classify import classify

GIVEN = '- $p = {"a": 1, "list": [1, 2, {"b": 3}]}\n- $k = "a"\n- $i = 1\n'
SET: dict[str, Any] = {
    "$p.a = 5": {"a": 5, "list": [1, 2, {"b": 3}]},
    '$p["a"] = "x"': {"a": "x", "list": [1, 2, {"b": 3}]},
    "$p[$k] = $i + 1": {"a": 2, "list": [1, 2, {"b": 3}]},
    "$p.new = [$i]": {"a": 1, "list": [1, 2, {"b": 3}], "new": [1]},
    "$p.list[0] = 9": {"a": 1, "list": [9, 2, {"b": 3}]},
    "$p.list[$i] = 9": {"a": 1, "list": [1, 9, {"b": 3}]},
    "$p.list[-1].b = 4": {"a": 1, "list": [1, 2, {"b": 4}]},
    '$p["list"][2]["c"] = null': {"a": 1, "list": [1, 2, {"b": 3, "c": None}]},
    "$p.a += 2": {"a": 3, "list": [1, 2, {"b": 3}]},
    "`$p.a = 5`": {"a": 5, "list": [1, 2, {"b": 3}]},
    "Set $p.a to 5": {"a": 5, "list": [1, 2, {"b": 3}]},
    "Increment $p.a": {"a": 2, "list": [1, 2, {"b": 3}]},
    "Append 4 to $p.list": {"a": 1, "list": [1, 2, {"b": 3}, 4]},
    "$p.a = Twice($i)": {"a": 2, "list": [1, 2, {"b": 3}]},
}
TWICE = "## Twice($n)\n### Steps\n- Return $n * 2\n"


@pytest.mark.parametrize("step", SET)
def test_a_part_is_set_and_the_rest_stays(step: str, tmp_path: Path) -> None:
    played = play(f"{GIVEN}- $q = $p\n- {step}\n- Return [$p, $q]\n{TWICE}", tmp_path)
    assert played.state.error == ""
    assert played.run.result == [SET[step], {"a": 1, "list": [1, 2, {"b": 3}]}]


REFUSED = {
    "$p.list[3] = 1": "There is no index 3; the last one is 2. ($p.list[3])",
    "$p.lst[0] = 1": "There is no “lst” in this record. Did you mean list? ($p.lst[0])",
    "$p.a.b = 1": "A number has no part “b” that can be set. ($p.a.b)",
    "$p[0] = 1": "A record has no part “0” that can be set. ($p[0])",
    "$never.a = 1": "$never has not been set.",
}


@pytest.mark.parametrize("step", REFUSED)
def test_what_has_no_such_part_is_a_clear_failure(step: str, tmp_path: Path) -> None:
    assert play(f"{GIVEN}- {step}\n", tmp_path).state.error.endswith(f"failed: {REFUSED[step]}")


def test_a_part_that_is_set_is_compiled_to_itself() -> None:
    steps = ['$p.list[$i].b = "x"', "$p.a = $p.a + 2"]
    assert steps_of('- $p.list[$i].b = "x"\n- $p.a += 2\n') == [f"0{n}:EXE {step}" for n, step in enumerate(steps, 1)]


def test_the_rest_of_the_variable_is_read() -> None:
    meaning = classify("$p.list[$i] = $x", has_children=False)
    assert isinstance(meaning, Assign)
    assert meaning.place is not None
    assert meaning.place.names == (("p", True), ("i", True))


def test_a_part_is_judged_where_its_value_is() -> None:
    meaning = classify("$p.a = the best of them", has_children=False)
    assert isinstance(meaning, Judge)
    assert [output.name for output in meaning.outputs] == ["p"]
