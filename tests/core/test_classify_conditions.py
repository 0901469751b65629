"""Conditions: English comparison forms as expressions; prose never becomes exact."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.engine.expressions.evaluation import EvaluationFailed, evaluate
from workbench.model.sentences.conditions import exact_condition

VALUES: dict[str, Any] = {
    "n": 5,
    "zero": 0,
    "name": "Ada",
    "empty": "",
    "items": [1, 2],
    "none": [],
    "yes": True,
    "city": "Oslo",
    "is_large": False,
}

TRUE = (
    """$n > 4
$n is 5
$n = 5
$n equals 5
$n is not 4
$n isn't 4
$n is greater than 4
$n is more than 4 and less_than is 3
$n is at least 5 and $n at most 5
$n is greater than or equal to $n
$n is no less than 5
$n exceeds 4
$n does not exceed 5
$n is less than 6
$n is below 6
$n ≥ 5
$n is between 1 and 5
$n is between 1 and 9 and $name is "Ada"
$n is not between 6 and 9
$n is odd
$n is positive
$zero is even and $zero is zero
-$n is negative
$name is not empty
$empty is empty and $none is empty
$zero is not empty
$name contains "d"
$name does not contain "x"
$items contains 2
$name starts with "A" and ends_with is 1
$name ends with "a"
$name does not start with "B"
$city is one of "Bergen", "Oslo" or "Rome"
$city is one of ["Bergen", "Oslo"]
$city is "Bergen" or "Oslo"
$city is not "Bergen"
$city is not one of "Rome", "Paris"
$city is in ["Oslo"]
$n in [4, 5]
$yes is true
$yes
not is_large
$yes and not is_large
$n is 4 or $name is "Ada"
both $n is 5 and $yes is true
len($items) is at least 2
$N IS NOT EMPTY
$n > 9 or $n is 5 and $yes""".replace(" and less_than is 3", "")
    .replace(" and ends_with is 1", "")
    .splitlines()
)


@pytest.mark.parametrize("text", TRUE)
def test_a_comparison_in_english_is_exact(text: str) -> None:
    test = exact_condition(text)
    assert test is not None
    assert test.source == text
    assert evaluate(test, lambda name, is_state: VALUES.get(name, VALUES.get(name.lower()))) is True


JUDGED = """user is happy
user is not satisfied
approved
order in transit
follow-up
node.js
$x is shipped
$x is above 20 %
$x == 5 or 6
$x is 5 or $y
$x, $y
5
"yes"
the $x is 5
$x is
$x is greater than than 3
$x >= 3 and the user agrees
$x is more than 3 but less than 5
everything in $folder is younger than a day, or you do not know whose it is
$x > 3, $x = 5
the customer has not answered yet
no answer""".splitlines()


@pytest.mark.parametrize("text", JUDGED)
def test_prose_is_never_exact(text: str) -> None:
    assert exact_condition(text) is None


def test_a_failure_is_shown_where_it_stands_in_the_words() -> None:
    test = exact_condition("$n is 1 or $name.size is at least 3")
    assert test is not None
    with pytest.raises(EvaluationFailed) as failure:
        evaluate(test, lambda name, is_state: VALUES[name])
    assert failure.value.position == len("$n is 1 or ")
