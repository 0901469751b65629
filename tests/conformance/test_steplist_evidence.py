"""Step lists: what counts as evidence, what is only noted, and how an optional step is left out."""

from __future__ import annotations

import pytest

from tests.conformance.enforcing import call, enforcer, kinds, step, steplist
from tests.core.steplist_driver import rehearsed, says, wants
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude, context_text
from workbench.engine.enforcement.records import StepStatus
from workbench.engine.enforcement.satisfaction import missing_words
from workbench.engine.enforcement.statements import say
from workbench.engine.scripts import ScriptedCall
from workbench.model.loader.loading import PlaybookLoadError, load_playbook
from workbench.model.loader.steplist import Playbook, RequiredProbe

LOG = RequiredProbe("the error log", "error.log")
REPORT = steplist(
    step("gather", "fetch_rows"), step("analyze", "sum_up"), step("check", "plot", required=False), step("summarize")
)


def left_out(playbook: Playbook, *calls: ScriptedCall) -> tuple[bool, StepStatus]:
    """Whether *calls* complete *playbook*, and what became of its step ``check``."""
    plan = rehearsed(playbook, *wants("fetch_rows", "sum_up"), *calls).plan
    return plan.completed, plan.status("check")


@pytest.mark.parametrize("is_strict", [True, False])
@pytest.mark.parametrize(
    "calls",
    [
        [says("Sales went up.")],
        [ScriptedCall("skip_step", {"reason": "no screen"}), says("Sales went up.")],
        [ScriptedCall("skip_step"), ScriptedCall("complete_step", {"result": "Sales went up."})],
    ],
    ids=["by words", "by a statement", "by statements alone"],
)
def test_an_optional_step_before_one_without_tools_is_left_out(
    calls: list[ScriptedCall],
    is_strict: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    playbook = steplist(*REPORT.steps, strict_sequence=is_strict)
    assert left_out(playbook, *calls) == (True, StepStatus.SKIPPED)


def test_an_optional_step_may_be_done_all_the_same() -> None:
    assert left_out(REPORT, *wants("plot"), says("Sales went up.")) == (True, StepStatus.COMPLETED)


def test_words_do_not_reach_over_a_required_step() -> None:
    keeper = enforcer(REPORT)
    call(keeper, "fetch_rows")
    assert conclude(keeper, "Sales went up.").kind is ConclusionKind.REMINDED
    assert keeper.plan.status("summarize") is StepStatus.PENDING


def test_nothing_is_left_out_for_an_empty_answer() -> None:
    assert left_out(REPORT, says(" ")) == (False, StepStatus.PENDING)


def test_a_model_is_told_how_an_optional_step_is_left_out() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False)))
    assert "skip_step" in context_text(keeper)


def test_a_required_step_is_not_skipped_and_the_reason_is_told() -> None:
    keeper = enforcer(REPORT)
    assert "gather is required" in say(keeper, "skip_step", {})[0].message
    assert keeper.plan.status("gather") is StepStatus.PENDING


@pytest.mark.parametrize("last", [says("done"), ScriptedCall("task_complete")], ids=["words", "a statement"])
def test_what_is_optional_at_the_end_is_left_out_when_the_end_is_said(last: ScriptedCall) -> None:
    found = rehearsed(steplist(step("a", "t"), step("b", "u", required=False)), ScriptedCall("t"), last)
    assert all(one.allowed for one in found.judged)
    assert (found.plan.completed, found.plan.progress) == (True, 1.0)


def test_evidence_that_is_missing_when_calls_close_a_step_is_noted_once() -> None:
    keeper = enforcer(steplist(step("look", "read", required_probes=(LOG,)), step("mend", "write")))
    call(keeper, "read", arguments={"path": "access.log"})
    assert call(keeper, "write").allowed
    assert kinds(keeper) == ["evidence_incomplete"]
    assert (keeper.violations[0].times, keeper.violations[0].blocked) == (1, False)
    assert "the error log" in keeper.violations[0].message


def test_evidence_that_is_missing_stands_in_the_events_of_a_run() -> None:
    playbook = steplist(step("look", "read", required_probes=(LOG,)), step("mend", "write"))
    assert [one.violation_type for one in rehearsed(playbook, *wants("read", "write")).plan.violations] == [
        "evidence_incomplete"
    ]


def test_what_came_back_is_no_evidence() -> None:
    keeper = enforcer(steplist(step("look", "read", required_probes=(LOG,)), step("mend", "write")))
    call(keeper, "read", result="see error.log for more")
    assert kinds(keeper) == ["evidence_incomplete"]


def test_what_was_asked_for_is_evidence_by_name_or_arguments() -> None:
    by_name = RequiredProbe("a look", "READ")
    keeper = enforcer(steplist(step("look", "read", required_probes=(LOG, by_name)), step("mend", "write")))
    call(keeper, "read", arguments={"paths": ["/var/Error.Log"]})
    assert kinds(keeper) == []


def test_evidence_that_blocks_is_not_met_by_what_came_back() -> None:
    keeper = enforcer(steplist(step("look", "read", required_probes=(LOG,)), blocking_evidence=True))
    call(keeper, "read", result="error.log")
    assert not keeper.plan.completed
    call(keeper, "read", arguments={"path": "error.log"})
    assert keeper.plan.completed


def test_a_floor_of_calls_is_noted_once_and_lets_the_next_step_begin() -> None:
    keeper = enforcer(steplist(step("look", "read", min_tool_calls=2), step("mend", "write")))
    call(keeper, "read")
    assert call(keeper, "write").allowed
    assert [(one.violation_type, one.times) for one in keeper.violations] == [("insufficient_effort", 1)]
    assert keeper.plan.is_step_complete("look")


def test_a_floor_of_calls_can_be_reached() -> None:
    keeper = enforcer(steplist(step("look", "read", min_tool_calls=2), step("mend", "write")))
    for tool in ("read", "read", "write"):
        assert call(keeper, tool).allowed
    assert kinds(keeper) == []


@pytest.mark.parametrize("last", [says("done"), ScriptedCall("complete_step"), ScriptedCall("task_complete")])
def test_a_floor_of_calls_of_the_last_step_is_noted_when_the_end_is_said(last: ScriptedCall) -> None:
    plan = rehearsed(steplist(step("look", "read", min_tool_calls=3)), ScriptedCall("read"), last).plan
    assert plan.completed
    assert [(one.violation_type, one.times) for one in plan.violations] == [("insufficient_effort", 1)]


def test_a_floor_of_calls_blocks_where_the_playbook_says_so() -> None:
    playbook = steplist(step("look", "read", min_tool_calls=2), step("mend", "write"), blocking_evidence=True)
    keeper = enforcer(playbook)
    call(keeper, "read")
    assert not call(keeper, "write").allowed


def test_a_limit_below_the_floor_is_no_dead_end() -> None:
    keeper = enforcer(steplist(step("look", "read", min_tool_calls=3, max_tool_calls=1), step("mend", "write")))
    call(keeper, "read")
    assert (keeper.plan.failed, keeper.plan.is_step_complete("look")) == (False, True)
    assert kinds(keeper) == ["insufficient_effort"]


CAUSE = steplist(step("tell", validation={"required_result_keywords": ["Root cause"]}), step("mend", "write"))


@pytest.mark.parametrize(
    "said", [says("The root cause is a full disk."), ScriptedCall("complete_step", {"result": "root cause: disk"})]
)
def test_the_keywords_of_a_step_without_tools_are_met_by_its_words_or_its_result(said: ScriptedCall) -> None:
    found = rehearsed(CAUSE, said, ScriptedCall("write"))
    assert all(one.allowed for one in found.judged)
    assert found.plan.completed


@pytest.mark.parametrize("said", [says("It is the disk."), ScriptedCall("complete_step", {"result": "the disk"})])
def test_words_without_the_keywords_are_refused_with_the_reason_and_may_be_said_again(said: ScriptedCall) -> None:
    found = rehearsed(CAUSE, said, said, says("The root cause is the disk."), ScriptedCall("write"))
    assert [one.allowed for one in found.judged] == [False, False, True, True]
    assert found.judged[0].violation == "validation_failed"
    assert "Root cause" in found.judged[0].message


def test_words_do_not_meet_the_keywords_of_a_step_with_tools() -> None:
    keeper = enforcer(steplist(step("test", "run", validation={"required_result_keywords": ["passed"]})))
    call(keeper, "run", result="3 failed")
    assert say(keeper, "complete_step", {"result": "passed"})
    assert not keeper.plan.completed


@pytest.mark.parametrize(
    "said", ["approved", "was APPROVED by Ada", "disapproved", "not approved", '{"approved": false}']
)
def test_a_keyword_is_found_as_letters_anywhere(said: str) -> None:
    assert missing_words(["approved"], [said], is_whole=False) == ()


@pytest.mark.parametrize(
    "said",
    [
        "approved",
        "It was APPROVED by Ada.",
        '{"approved": true}',
        "approved: yes",
        "There is no doubt: approved",
        "not urgent, approved",
        "Das ist nicht neu, aber approved",
        "first not approved\nthen approved",
    ],
)
def test_a_keyword_that_is_matched_as_a_word_is_found(said: str) -> None:
    assert missing_words(["Approved"], [said], is_whole=True) == ()


@pytest.mark.parametrize(
    "said",
    [
        "disapproved",
        "un-approved",
        "approved_by",
        "not approved",
        "It was never approved.",
        "wasn't approved",
        "cannot be approved",
        "nicht approved",
        '{"approved": false}',
        "approved = no",
        "approved is false",
        "",
    ],
)
def test_a_keyword_that_is_matched_as_a_word_is_not_found_in_another_or_where_it_is_denied(said: str) -> None:
    assert missing_words(["approved"], [said], is_whole=True) == ("approved",)


def test_how_keywords_are_matched_is_said_in_the_list() -> None:
    rules = {"required_result_keywords": ["approved"], "match": "word"}
    raw = {"id": "a", "description": "A", "expected_tools": ["ask"], "validation": rules}
    keeper = enforcer(load_playbook({"id": "p", "name": "P", "steps": [raw]}))
    call(keeper, "ask", result="not approved")
    assert not keeper.plan.completed
    call(keeper, "ask", result="approved")
    assert keeper.plan.completed


def test_another_way_to_match_is_refused() -> None:
    raw = {"id": "a", "description": "A", "validation": {"required_result_keywords": ["x"], "match": "regex"}}
    with pytest.raises(PlaybookLoadError, match="match must be one of text, word"):
        load_playbook({"id": "p", "name": "P", "steps": [raw]})
