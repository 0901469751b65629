"""Steps as linear code: where every instruction leads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.engine_driver import book
from workbench.engine.expressions.data import NotData, as_data, canonical, digest_of
from workbench.engine.journal.choices import StepStatus
from workbench.engine.language.program.book import Book, PlaybookTarget, ToolTarget
from workbench.engine.language.program.code import Code, Op
from workbench.model.procedures.numbers import padded_number


def _code(steps: str) -> Code:
    return Book(book(steps)).code("Book", "Main")


def _ops(code: Code) -> list[tuple[Op, str]]:
    return [(line.op, line.address.partition(":")[2]) for line in code.instructions]


def test_a_step_is_entered_carried_out_and_left() -> None:
    assert _ops(_code("- $a = 1\n")) == [(Op.ENTER, "01"), (Op.ACT, "01"), (Op.LEAVE, "01"), (Op.FINISH, "")]


def test_a_taken_arm_leads_past_the_other_arms() -> None:
    code = _code("- If $a\n  - $b = 1\n- Otherwise\n  - $b = 2\n- $c = 3\n").instructions
    left = (line for line in code if line.op is Op.LEAVE and line.address == "Main:01")
    taken = next(line for line in left if line.status is StepStatus.DONE)
    assert (code[taken.next].op, code[taken.next].address) == (Op.ENTER, "Main:03")
    test = next(line for line in code if line.op is Op.TEST)
    assert code[test.otherwise].status is StepStatus.SKIPPED
    assert code[code[test.otherwise].next].address == "Main:02"


def test_the_end_of_a_loops_body_leads_to_its_next_round() -> None:
    code = _code("- While $a\n  - $b = 1\n- $c = 1\n").instructions
    body = next(line for line in code if line.op is Op.LEAVE and line.address == "Main:01.01")
    assert code[body.next].op is Op.ROUND
    assert code[code[code[body.next].otherwise].next].address == "Main:02"


def test_the_last_arm_inside_a_loop_leads_to_the_next_round_when_it_is_not_taken() -> None:
    code = _code("- While $a\n  - If $b\n    - $c = 1\n").instructions
    skipped = next(line for line in code if line.status is StepStatus.SKIPPED)
    assert code[skipped.next].op is Op.ROUND


def test_every_target_is_an_instruction() -> None:
    code = _code("- While $a\n  - If $b\n    - break\n  - Otherwise\n    - continue\n- go to step 1\n").instructions
    assert all(0 <= line.next < len(code) or line.op is Op.FINISH for line in code)


def test_instructions_know_which_steps_are_open_around_them() -> None:
    code = _code("- While $a\n  - If $b\n    - $c = 1\n").instructions
    act = next(line for line in code if line.op is Op.ACT)
    assert act.within == ("Main:01", "Main:01.01", "Main:01.01.01")


@pytest.mark.parametrize(
    ("written", "padded"),
    [("2", "02"), ("2.1", "02.01"), ("02.01", "02.01"), ("0", "00"), ("x", "x"), ("9" * 5000, "9" * 5000)],
)
def test_numbers_are_padded_like_addresses(written: str, padded: str) -> None:
    assert padded_number(written) == padded


def test_a_name_is_sought_with_the_agent_that_says_it_first() -> None:
    text = "# A\n## Go\n### Steps\n- Look()\n## Look\n### Steps\n- Return 1\n# B\n## Look\n### Steps\n- Return 2\n"
    made = Book(book("", text))
    owners = [made.resolve(*pair) for pair in (("A", "Look"), ("B", "Look"), ("A", "B.Look"), ("B", "Go"))]
    assert [each.agent for each in owners if isinstance(each, PlaybookTarget)] == ["A", "B", "B", "A"]
    assert made.resolve("A", "Nothing") is None


def test_python_functions_are_tools() -> None:
    made = Book(book("", "# A\n```python\n@playbook\ndef add(a): return a\n```\n## Go\n### Steps\n- add(1)\n"))
    assert isinstance(made.resolve("A", "add"), ToolTarget)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(_JSON)
def test_data_is_left_as_it_is(value: object) -> None:
    assert as_data(value) == value
    assert digest_of(as_data(value)) == digest_of(value)


@given(st.dictionaries(st.text(), st.integers()))
def test_equal_data_has_one_way_to_be_written(value: dict[str, int]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_other_collections_become_lists_and_keys_text() -> None:
    assert as_data({1: (1, {3, 2}), "r": range(2)}) == {"1": [1, [2, 3]], "r": [0, 1]}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"x", 1j])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(NotData):
        as_data([value])


def test_nesting_has_an_end() -> None:
    deep: list[object] = []
    for _count in range(5000):
        deep = [deep]
    with pytest.raises(NotData, match="100 levels deep"):
        as_data(deep)
