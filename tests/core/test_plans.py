"""Plans as values: what is one, and the playbooks that are written from them by rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cycle_driver import LOAD, PAY, PLAN, REFUND, RIGHT
from workbench.model.meaning import Branch, Loop
from workbench.model.plans.writing import with_imports, written_value
from workbench.planning.checking import problems_in, read_text
from workbench.planning.moves import playbook_text
from workbench.planning.plan import MOST_STEPS, Plan, PlanRefused, PlanStep, plan_from_json, plan_to_json
from workbench.planning.request import PlanRequest, PlaybookFormat, request_from_json, request_to_json
from workbench.syntax.expressions import parse_expression

_ODD = st.text(st.sampled_from("ab $.:#-`<!>*1)\n\t[]|~{}é\u202e"), max_size=14)
_NAMES = st.sampled_from(("LoadOrder", "PayBack"))


def _steps(inner: st.SearchStrategy[PlanStep]) -> st.SearchStrategy[PlanStep]:
    return st.builds(
        PlanStep,
        intent=st.just("Look at it"),
        call=st.just(""),
        condition=st.sampled_from(("", "$a > 1", "the sky is blue")),
        loop=st.sampled_from(("", "For each $x in [1, 2]", "3 times")),
        steps=st.lists(inner, max_size=2).map(tuple),
        expected=_ODD,
    )


_LEAVES = st.builds(
    PlanStep,
    intent=st.sampled_from(("Look at it", "Tell the user", "find out how it is")),
    call=st.one_of(st.just(""), _NAMES),
    arguments=st.dictionaries(st.sampled_from(("id", "amount")), st.one_of(_ODD, st.integers(), st.booleans())),
    result=st.sampled_from(("", "found")),
    expected=_ODD,
)
_PLANS = st.builds(
    Plan,
    title=_ODD,
    description=_ODD,
    steps=st.lists(st.recursive(_LEAVES, _steps, max_leaves=5), min_size=1, max_size=4).map(tuple),
)


@settings(max_examples=examples(12))
@given(_PLANS)
def test_a_plan_is_written_with_exactly_its_steps_whatever_its_texts_hold(plan: Plan) -> None:
    snapshot = read_text(playbook_text(plan, PlaybookFormat.MARKDOWN), PlaybookFormat.MARKDOWN)
    (playbook,) = snapshot.program.playbooks
    steps = [step for each in playbook.steps for step in each.walk()]
    heads = [step for step in steps if isinstance(step.meaning, Branch | Loop)]
    wanted = list(plan.walk())
    held = [step for step in wanted if (step.condition or step.loop) and step.steps and not step.call]
    assert len(steps) - len(heads) == len(wanted) - len(held)
    assert len(heads) == sum(bool(step.condition) + bool(step.loop) for step in wanted)


@settings(max_examples=examples(8))
@given(_PLANS)
def test_a_plan_is_written_as_a_step_list_that_can_be_read(plan: Plan) -> None:
    text = playbook_text(plan, PlaybookFormat.STEPLIST)
    request = PlanRequest("g", format=PlaybookFormat.STEPLIST, offers=(LOAD, PAY))
    assert [each for each in problems_in(text, request) if each.is_error] == []


@settings(max_examples=examples(20))
@given(
    st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), _ODD), lambda inner: st.lists(inner, max_size=3))
)
def test_a_value_is_written_as_an_expression_that_calls_nothing(value: Any) -> None:
    assert parse_expression(written_value(value)).calls == ()


def test_a_plan_and_a_request_stay_what_they_are_as_json() -> None:
    plan = plan_from_json(PLAN)
    assert plan_to_json(plan) == PLAN and plan_from_json(plan_to_json(plan)) == plan
    assert request_from_json(request_to_json(REFUND)) == REFUND


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"steps": []}, "has no steps"),
        ({"steps": "look"}, "steps: must be a list."),
        ({"steps": [{"intent": " "}]}, "steps[1].intent: is missing."),
        ({"steps": [{"intent": "a", "then": 1}]}, "steps[1]: has “then”"),
        ({"steps": [{"intent": "a", "result": "1x"}]}, "steps[1].result: “1x” is no name"),
        ({"steps": [{"intent": "a", "arguments": {"a b": 1}}]}, "steps[1].arguments: has “a b”"),
        ({"steps": [{"intent": "a", "otherwise": [{"intent": "b"}]}]}, "without a condition"),
        ({"steps": [{"intent": "a" * 3000}]}, "is too long"),
        ({"steps": [{"intent": "a"}] * (MOST_STEPS + 2)}, "one step too many"),
        ({"title": 3}, "title: must be a text."),
    ],
)
def test_what_is_no_plan_is_refused_with_its_place(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        plan_from_json({**PLAN, **change})
    assert any(problem in each for each in refused.value.problems), refused.value.problems


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (RIGHT.replace("LoadOrder", "shell"), "unknown-call"),
        (RIGHT.replace("LoadOrder", "Other.LoadOrders"), "unknown-call"),
        (RIGHT.replace("id=$order)", "$order, 3)"), "too-many-arguments"),
        (RIGHT.replace("- PayBack", '- Tell user "{shell(1)}"\n- PayBack'), "unknown-call"),
        ("---\nmcp: x\n---\n" + RIGHT, "brings-settings"),
        ("---\ntools: [shell]\n---\n" + RIGHT, "unknown-call"),
        (RIGHT + "\n```python\n@playbook\ndef f():\n    return 1\n```\n", "brings-python"),
        (RIGHT + "\n!import other.md\n", "brings-import"),
        (RIGHT + "\n# Clerk\nremote:\n  url: http://a\n\n## Do\n### Steps\n- Look\n", "brings-agent"),
        (RIGHT + "- Look\n  ```bash\n  rm -rf x\n  ```\n", "not-offered"),
        ("# Nothing\n\n## Main()\n", "no-steps"),
    ],
)
def test_a_generated_playbook_calls_what_is_offered_and_brings_nothing_with_it(text: str, code: str) -> None:
    assert code in {each.code for each in problems_in(text, REFUND) if each.is_error}


def test_files_that_were_offered_are_imported_once() -> None:
    once = with_imports(RIGHT, ("tools.md",))
    assert once.endswith("\n!import tools.md\n") and with_imports(once, ("tools.md",)) == once
