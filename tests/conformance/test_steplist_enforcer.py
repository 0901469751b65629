"""Step lists: what may be called, what counts, when a step is done, and when a run may end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.enforcing import StillClock, call, enforcer, kinds, step, steplist
from tests.core.steplist_driver import Counting, Watching, go_on, rehearsed, walk, wants
from workbench.engine.enforcement.binding import ToolsMissing, check_tools, missing_tools
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude, context_text
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import CallOutcome, StepStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.scripts import ScriptedCall
from workbench.model.loader.steplist import Playbook, RequiredProbe


def test_an_expected_tool_is_allowed_with_the_hints_of_its_step() -> None:
    keeper = enforcer(steplist(step("a", "t", hints=("look twice",))))
    answer = keeper.validate_tool_call("t")
    assert (answer.allowed, answer.violation, answer.hints) == (True, None, ("look twice",))


BLOCKED = {
    "an unexpected tool": (
        steplist(step("a", "t", "u", hints=("h",))),
        (),
        "x",
        ("unexpected_tool", ("Current step expects: t, u", "h")),
    ),
    "a tool of a later step, even where extras are allowed": (
        steplist(step("a", "t", hints=("h",)), step("b", "u"), allow_extra_tools=True),
        (),
        "u",
        ("out_of_sequence", ("Current step expects: t", "h")),
    ),
    "any call where the limit is zero": (
        steplist(step("a", "t", max_tool_calls=0)),
        (),
        "t",
        ("max_tool_calls", ("Consider moving to the next step",)),
    ),
    "a call after the end": (
        steplist(step("a", "t")),
        ("t",),
        "t",
        ("playbook_complete", ("Playbook execution is complete",)),
    ),
}


@pytest.mark.parametrize(("playbook", "before", "tool", "told"), BLOCKED.values(), ids=BLOCKED)
def test_what_may_not_be_called_is_blocked_with_a_reason_and_hints(
    playbook: Playbook, before: tuple[str, ...], tool: str, told: tuple[str, tuple[str, ...]]
) -> None:
    keeper = enforcer(playbook)
    for earlier in before:
        call(keeper, earlier)
    answer = keeper.validate_tool_call(tool)
    assert not answer.allowed
    assert answer.violation is not None
    assert answer.violation.blocked
    assert (answer.violation.violation_type, answer.hints) == told


def test_calls_that_are_not_made_yet_count_towards_the_limit() -> None:
    keeper = enforcer(steplist(step("a", "t", "u", max_tool_calls=2, hints=("h",)), step("b", "v")))
    call(keeper, "t")
    keeper.validate_tool_call("t")
    answer = keeper.validate_tool_call("t")
    assert answer.violation is not None
    assert answer.violation.violation_type == "max_tool_calls"
    assert answer.hints == ("h", "Consider moving to the next step")


def test_a_limit_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="below zero"):
        step("a", "t", max_tool_calls=-1)


def test_without_blocking_it_is_allowed_and_noted() -> None:
    keeper = enforcer(steplist(step("a", "t")), block_violations=False)
    assert call(keeper, "x").allowed
    assert [one.blocked for one in keeper.violations] == [False]


def test_without_recording_the_answer_still_carries_the_violation() -> None:
    keeper = enforcer(steplist(step("a", "t")), record_violations=False)
    answer = keeper.validate_tool_call("x")
    assert not answer.allowed
    assert answer.violation is not None
    assert keeper.violations == ()


def test_an_extra_tool_is_allowed_and_counts_for_nothing() -> None:
    keeper = enforcer(steplist(step("a", "t", max_tool_calls=1), allow_extra_tools=True))
    assert call(keeper, "x").allowed
    assert keeper.plan.calls[0].is_extra
    assert not keeper.plan.is_step_complete("a")
    assert call(keeper, "t").allowed
    assert keeper.plan.completed


def test_extras_may_run_ahead_where_the_playbook_says_so() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u"), allow_extra_tools=True, extras_may_run_ahead=True))
    assert keeper.validate_tool_call("u").allowed


def test_without_a_strict_sequence_any_open_step_may_come_first() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u"), strict_sequence=False))
    assert call(keeper, "u").allowed
    assert keeper.plan.is_step_complete("b")
    assert not keeper.plan.completed
    assert call(keeper, "t").allowed
    assert keeper.plan.completed


def test_a_tool_of_two_open_steps_counts_for_the_earlier_one_that_lacks_it() -> None:
    keeper = enforcer(steplist(step("a", "t", "v"), step("b", "t"), strict_sequence=False))
    call(keeper, "t")
    call(keeper, "t")
    assert keeper.plan.is_step_complete("b")
    assert not keeper.plan.is_step_complete("a")


def test_optional_steps_are_skipped_when_the_next_required_tool_comes() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False), step("b", "u", required=False), step("c", "v")))
    assert call(keeper, "v").allowed
    assert [keeper.plan.status(one) for one in "abc"] == [StepStatus.SKIPPED, StepStatus.SKIPPED, StepStatus.COMPLETED]
    assert "v" in str(keeper.plan.step_executions["a"].result)


def test_a_required_step_is_never_jumped() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False), step("b", "u"), step("c", "v")))
    assert not call(keeper, "v").allowed
    assert keeper.plan.status("a") is StepStatus.PENDING


def test_a_step_without_tools_lets_none_through_unless_it_says_so() -> None:
    assert not call(enforcer(steplist(step("a"))), "t").allowed
    assert call(enforcer(steplist(step("a", any_tool=True))), "t").allowed
    assert call(enforcer(steplist(step("a"), locus_compat=True)), "t").allowed


def test_a_step_without_tools_is_done_by_words_or_by_saying_so() -> None:
    by_words = enforcer(steplist(step("a"), step("b", "t")))
    assert conclude(by_words, "here is the summary").kind is ConclusionKind.STEP_DONE
    assert by_words.plan.step_executions["a"].result == "here is the summary"
    by_hand = enforcer(steplist(step("a"), step("b", "t")))
    assert by_hand.complete_current_step("done")
    by_calls = enforcer(steplist(step("a", any_tool=True, min_tool_calls=2), step("b", "t")))
    call(by_calls, "x")
    call(by_calls, "y")
    assert by_calls.plan.is_step_complete("a")


def test_all_calls_used_without_being_done_is_a_failure() -> None:
    keeper = enforcer(steplist(step("a", "t", "u", max_tool_calls=2), step("b", "v")))
    call(keeper, "t")
    call(keeper, "t")
    assert keeper.plan.status("a") is StepStatus.FAILED
    assert keeper.plan.failed


def batch(*tools: str) -> tuple[ScriptedCall, ...]:
    """Calls that are asked for together."""
    return tuple(ScriptedCall(tool, batch=1) for tool in tools)


def test_a_batch_reserves_so_that_a_limit_holds_within_it() -> None:
    keeper = enforcer(steplist(step("a", "t", "u", max_tool_calls=1), step("b", "t")))
    answers = [keeper.validate_tool_call("t") for _round in range(3)]
    assert [one.allowed for one in answers] == [True, False, False]
    assert keeper.plan.status("b") is StepStatus.PENDING
    planned = rehearsed(steplist(step("a", "t", max_tool_calls=1), step("b", "u")), *batch("t", "t", "t"))
    assert [one.allowed for one in planned.judged] == [True, False, False]


def test_a_batch_in_order_is_allowed_and_each_call_counts_for_its_step() -> None:
    found = rehearsed(steplist(step("a", "t"), step("b", "u"), step("c", "v")), *batch("t", "u", "v"))
    assert all(one.allowed for one in found.judged)
    assert [one.step_id for one in found.plan.calls] == ["a", "b", "c"]


def test_after_a_failure_the_rest_of_a_batch_is_not_made() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u")))
    call(keeper, "t", error="no")
    assert not call(keeper, "u").allowed


def test_a_failed_call_is_noted_and_satisfies_nothing() -> None:
    keeper = enforcer(steplist(step("a", "t", "u"), step("b", "v")))
    call(keeper, "t", error="no")
    call(keeper, "u")
    assert keeper.plan.status("a") is StepStatus.IN_PROGRESS
    assert keeper.plan.calls[0].error == "no"


def test_failed_calls_do_not_use_up_the_limit_unless_the_step_says_so() -> None:
    kind, hard = step("a", "t", max_tool_calls=1), step("a", "t", max_tool_calls=1, count_failures=True)
    patient, stern = enforcer(steplist(kind)), enforcer(steplist(hard))
    call(patient, "t", error="no")
    call(stern, "t", error="no")
    assert call(patient, "t").allowed
    assert patient.plan.completed
    assert stern.plan.status("a") is StepStatus.FAILED


@pytest.mark.parametrize(
    ("fields", "status", "is_stopped"),
    [
        ({}, StepStatus.FAILED, True),
        ({"required": False, "on_failure": "skip"}, StepStatus.SKIPPED, False),
        ({"on_failure": "ask"}, StepStatus.FAILED, True),
    ],
)
def test_past_the_retry_limit_a_step_fails_as_its_policy_says(
    fields: dict[str, object],
    status: StepStatus,
    is_stopped: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    keeper = enforcer(steplist(step("a", "t", retry_limit=1, **fields), step("b", "u")))
    call(keeper, "t", error="one")
    call(keeper, "t", error="two")
    assert keeper.plan.status("a") is status
    assert keeper.plan.failed is is_stopped
    assert keeper.plan.errors == ["Step a: two"]
    assert keeper.plan.step_executions["a"].is_waiting is (fields.get("on_failure") == "ask")


def test_expected_tools_in_any_order_complete_a_step() -> None:
    keeper = enforcer(steplist(step("a", "t", "u"), step("b", "v")))
    call(keeper, "u")
    call(keeper, "t")
    assert keeper.plan.current_step_index == 1


def test_a_tool_may_be_repeated_before_the_others() -> None:
    keeper = enforcer(steplist(step("a", "t", "u", max_tool_calls=3)))
    assert call(keeper, "t").allowed
    assert call(keeper, "t").allowed
    assert call(keeper, "u").allowed
    assert keeper.plan.completed


def test_completing_the_last_step_ends_the_plan() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u")))
    assert keeper.complete_current_step()
    assert not keeper.complete_current_step()
    assert keeper.plan.completed


def test_after_the_end_everything_may_be_called_where_nothing_is_blocked() -> None:
    keeper = enforcer(steplist(step("a", "t")), block_violations=False)
    call(keeper, "t")
    assert keeper.validate_tool_call("t").allowed
    assert kinds(keeper) == ["playbook_complete"]


def test_after_the_end_extras_are_allowed_where_the_playbook_allows_them() -> None:
    keeper = enforcer(steplist(step("a", "t"), allow_extra_tools=True))
    call(keeper, "t")
    assert keeper.validate_tool_call("x").allowed


def test_only_optional_steps_can_be_skipped_and_get_times() -> None:
    required, optional = enforcer(steplist(step("a", "t"))), enforcer(steplist(step("a", "t", required=False)))
    assert not required.skip_current_step("no")
    assert required.plan.status("a") is StepStatus.PENDING
    assert optional.skip_current_step("not today")
    record = optional.plan.step_executions["a"]
    assert (record.status, record.result) == (StepStatus.SKIPPED, "not today")
    assert record.started_at is not None
    assert record.completed_at is not None


def test_without_a_current_step_nothing_happens() -> None:
    keeper = enforcer(steplist())
    call(keeper, "t", error="no")
    assert (keeper.complete_current_step(), keeper.skip_current_step()) == (False, False)


def test_a_failed_step_is_final_in_its_run() -> None:
    keeper = enforcer(steplist(step("a", "t", retry_limit=0), step("b", "u")))
    call(keeper, "t", error="broken")
    answer = keeper.validate_tool_call("t")
    assert answer.violation is not None
    assert answer.violation.violation_type == "step_failed"
    assert not keeper.complete_current_step()
    assert (keeper.plan.failed, keeper.plan.completed) == (True, False)
    anew = enforcer(keeper.plan.playbook)
    assert call(anew, "t").allowed
    assert anew.plan.is_step_complete("a")


def test_below_the_least_calls_a_step_cannot_be_completed() -> None:
    keeper = enforcer(steplist(step("a", "t", validation={"min_tool_calls": 2}), step("b", "u")))
    call(keeper, "t")
    assert not keeper.complete_current_step()
    assert "validation_failed" in kinds(keeper)
    assert keeper.plan.current_step_index == 0
    call(keeper, "t")
    assert keeper.plan.is_step_complete("a")


def test_required_keywords_must_occur_in_the_results() -> None:
    rules = {"required_result_keywords": ["Passed", "healthy"]}
    keeper = enforcer(steplist(step("a", "t", validation=rules), step("b", "u")))
    call(keeper, "t", result="tests PASSED")
    assert "healthy" in keeper.violations[0].message
    assert "Passed" not in keeper.violations[0].message
    call(keeper, "t", result={"state": "Healthy"})
    assert keeper.plan.is_step_complete("a")


def test_a_step_fails_when_its_time_is_up() -> None:
    clock = StillClock()
    keeper = enforcer(steplist(step("a", "t", timeout_seconds=30), step("b", "u")), clock)
    clock.go_on(31)
    answer = keeper.validate_tool_call("t")
    assert not answer.allowed
    assert kinds(keeper)[0] == "timeout"
    assert keeper.plan.status("a") is StepStatus.FAILED


def test_an_optional_step_may_be_skipped_when_its_time_is_up() -> None:
    clock = StillClock()
    late = step("a", "t", timeout_seconds=30, required=False, on_failure="skip")
    keeper = enforcer(steplist(late, step("b", "u")), clock)
    clock.go_on(31)
    assert call(keeper, "u").allowed
    assert keeper.plan.status("a") is StepStatus.SKIPPED


@pytest.mark.parametrize("limit", [0, -1, float("inf"), float("nan")])
def test_a_time_limit_is_finite_and_above_zero(limit: float) -> None:
    with pytest.raises(ValueError, match="timeout_seconds"):
        step("a", "t", timeout_seconds=limit)


def test_after_the_last_turn_the_run_stops() -> None:
    found = rehearsed(steplist(step("a", "t", "u", "v"), max_iterations=2), *wants("t", "u", "v"))
    assert found.plan.turns == 2
    assert [violation.violation_type for violation in found.plan.violations] == ["playbook_max_iterations"]
    with pytest.raises(ValueError, match="max_iterations"):
        steplist(max_iterations=0)


def test_finishing_early_is_refused_once_and_then_noted() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u", required=False)))
    first, second = conclude(keeper), conclude(keeper)
    assert (first.kind, second.kind) == (ConclusionKind.REMINDED, ConclusionKind.INCOMPLETE)
    assert "a" in first.message
    assert kinds(keeper) == ["conclusion_unresolved"]


def test_with_all_required_steps_done_finishing_is_accepted() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u", required=False)))
    call(keeper, "t")
    assert conclude(keeper).kind is ConclusionKind.ACCEPTED


def test_control_tools_need_not_be_expected_and_a_blocked_one_ends_nothing() -> None:
    keeper = enforcer(steplist(step("a", "t")))
    assert keeper.validate_tool_call("ask_user").allowed
    assert keeper.validate_tool_call("task_complete").allowed
    assert conclude(keeper).kind is ConclusionKind.REMINDED
    assert not keeper.plan.completed


def test_the_context_names_the_current_step_and_is_replaced_at_each_turn() -> None:
    first = step("a", "t", hints=("hint of a",))
    keeper = enforcer(steplist(first, step("b", "u")))
    before = context_text(keeper)
    call(keeper, "t")
    after = context_text(keeper)
    call(keeper, "u")
    assert "do a" in before
    assert "hint of a" in before
    assert "- do b" in before
    assert "do a" not in after
    assert context_text(keeper) == ""


def test_a_blocked_call_gives_the_model_reason_and_hints() -> None:
    keeper = enforcer(steplist(step("a", "t", hints=("look",))))
    text = keeper.validate_tool_call("x").refusal_text
    assert text.startswith("Blocked by the playbook: ")
    assert text.endswith("Current step expects: t look")


def test_two_runs_have_independent_plans() -> None:
    playbook = steplist(step("a", "t"), step("b", "u"))
    first, second = enforcer(playbook), enforcer(playbook)
    call(first, "t")
    assert not second.validate_tool_call("u").allowed


def test_a_resumed_plan_goes_on_where_it_was(tmp_path: Path) -> None:
    playbook, journal = steplist(step("a", "t"), step("b", "u")), Journal(tmp_path / "runs.sqlite")
    tools = Counting().tools("t", "u")
    first = walk(playbook, journal, Watching(*wants("t")).using(tools))
    resumed = go_on(first.run.id, journal, Watching(*wants("t", "u")).using(tools))
    assert [one.outcome for one in resumed.plan.calls] == [CallOutcome.DONE, CallOutcome.BLOCKED, CallOutcome.DONE]
    assert resumed.stop_reason == "complete"


def test_a_retry_that_succeeds_counts() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u")))
    keeper.validate_tool_call("t")
    keeper.record_tool_call(FinishedCall("t", error="first try"))
    keeper.record_tool_call(FinishedCall("t", result="second try"))
    assert keeper.plan.is_step_complete("a")


def test_a_tool_that_is_not_there_is_reported_before_the_run() -> None:
    playbook = steplist(step("a", "read_file"))
    with pytest.raises(ToolsMissing, match="Did you mean read_files"):
        check_tools(playbook, ["read_files", "write"])
    check_tools(playbook, ["read_file"])


@pytest.mark.parametrize("offered", ["Read_File", "read_file ", "mcp__fs__read_file", "read-file"])
def test_names_are_compared_exactly_and_near_misses_are_named(offered: str) -> None:
    missing = missing_tools(steplist(step("a", "read_file")), [offered])
    assert missing[0].near[0] == offered


def test_effort_and_evidence_are_noted_and_may_be_made_to_block() -> None:
    probe = RequiredProbe("log", "error 42")
    careful = step("a", "t", min_tool_calls=2, required_probes=(probe,))
    noting = enforcer(steplist(careful, step("b", "u")))
    assert noting.complete_current_step()
    assert kinds(noting) == ["insufficient_effort", "evidence_incomplete"]
    blocking = enforcer(steplist(careful, step("b", "u"), blocking_evidence=True))
    assert not blocking.complete_current_step()
    call(blocking, "t", arguments={"search": "ERROR 42"})
    call(blocking, "t")
    assert blocking.plan.is_step_complete("a")


def test_a_thousand_equal_violations_are_one_that_counts() -> None:
    clock = StillClock()
    keeper = enforcer(steplist(step("a", "t")), clock)
    for _round in range(1000):
        keeper.validate_tool_call("x")
        clock.go_on(1)
    assert len(keeper.violations) == 1
    assert keeper.violations[0].times == 1000
    assert (keeper.violations[0].last_at - keeper.violations[0].timestamp).total_seconds() == 999
