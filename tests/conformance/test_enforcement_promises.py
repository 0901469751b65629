"""Step lists: what is promised of enforcement, held where it can be seen from outside."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conformance.enforcing import StillClock, call, enforcer, kinds, step, steplist
from tests.core.steplist_driver import Counting, Watching, go_on, says, walk, wants
from workbench.engine.enforcement.binding import ToolsMissing
from workbench.engine.enforcement.conclusion import ConclusionKind, conclude
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import StepStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.scripts import ScriptedCall
from workbench.errors import InputNeeded
from workbench.model.loader.loading import PlaybookLoadError, load_playbook
from workbench.model.loader.steplist import Playbook


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal on disk."""
    return Journal(tmp_path / "runs.sqlite")


def test_descriptions_and_hints_reach_the_model(journal: Journal) -> None:
    model = Watching(*wants("t"))
    walk(steplist(step("marker-of-a", "t", hints=("hint-of-a",))), journal, model.using(Counting().tools("t")))
    assert "do marker-of-a" in model.turns[0].context
    assert "hint-of-a" in model.turns[0].context


def test_without_a_strict_sequence_steps_come_in_any_order() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u"), strict_sequence=False))
    assert [call(keeper, tool).allowed for tool in ("u", "t")] == [True, True]
    assert keeper.plan.completed


def test_with_a_strict_sequence_skipping_ahead_is_blocked_even_where_extras_are_allowed() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u"), allow_extra_tools=True))
    assert not call(keeper, "u").allowed
    assert keeper.plan.status("a") is not StepStatus.COMPLETED


def test_optional_steps_can_be_passed_over() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False), step("b", "u")))
    assert call(keeper, "u").allowed
    assert keeper.plan.completed


def test_validation_is_checked() -> None:
    rules = {"min_tool_calls": 2, "required_result_keywords": ["passed"]}
    keeper = enforcer(steplist(step("a", "t", validation=rules)))
    call(keeper, "t", result="failed")
    call(keeper, "t", result="failed")
    assert not keeper.plan.completed
    call(keeper, "t", result="passed")
    assert keeper.plan.completed


def test_a_time_limit_holds() -> None:
    clock = StillClock()
    keeper = enforcer(steplist(step("a", "t", timeout_seconds=0.05)), clock)
    clock.go_on(0.3)
    assert not keeper.validate_tool_call("t").allowed
    assert kinds(keeper)[0] == "timeout"


def test_the_number_of_turns_is_limited(journal: Journal) -> None:
    model = Watching(*wants("t", "u"))
    playbook = steplist(step("a", "t"), step("b", "u"), max_iterations=1)
    assert walk(playbook, journal, model.using(Counting().tools("t", "u"))).stop_reason == "playbook_max_iterations"
    assert len(model.turns) == 1


def test_the_limit_of_calls_is_a_hard_one() -> None:
    keeper = enforcer(steplist(step("a", "t", "v", max_tool_calls=1), step("b", "u")))
    assert [keeper.validate_tool_call("t").allowed for _round in range(3)] == [True, False, False]
    keeper.record_tool_call(FinishedCall("t"))
    assert keeper.plan.status("a") is StepStatus.FAILED
    assert keeper.plan.status("b") is StepStatus.PENDING


def test_calls_in_order_in_one_message_are_all_made(journal: Journal) -> None:
    counting = Counting()
    batch = [ScriptedCall(tool, batch=1) for tool in ("t", "u", "v")]
    playbook = steplist(step("a", "t"), step("b", "u"), step("c", "v"))
    result = walk(playbook, journal, Watching(*batch).using(counting.tools("t", "u", "v")))
    assert result.stop_reason == "complete"
    assert list(counting.done) == ["t", "u", "v"]


def test_extra_calls_neither_use_up_the_limit_nor_complete_a_step() -> None:
    keeper = enforcer(steplist(step("a", "t", max_tool_calls=1), allow_extra_tools=True))
    call(keeper, "x")
    assert keeper.plan.status("a") is StepStatus.PENDING
    assert call(keeper, "t").allowed


def test_a_step_without_tools_lets_none_through() -> None:
    assert not call(enforcer(steplist(step("a"))), "t").allowed


def test_a_playbook_that_ends_with_a_summary_can_be_completed(journal: Journal) -> None:
    playbook = steplist(step("a", "t"), step("middle"), step("b", "u"), step("summarize"))
    model = Watching(*wants("t"), says("half way"), *wants("u"), says("the summary"))
    result = walk(playbook, journal, model.using(Counting().tools("t", "u")))
    assert result.stop_reason == "complete"
    assert result.plan.progress == 1.0


def test_failed_calls_do_not_advance_a_step() -> None:
    keeper = enforcer(steplist(step("a", "t", "u")))
    call(keeper, "t", error="no")
    call(keeper, "u")
    assert keeper.plan.status("a") is StepStatus.IN_PROGRESS


def test_a_failed_call_is_no_deadlock() -> None:
    keeper = enforcer(steplist(step("a", "t", max_tool_calls=1), step("b", "u")))
    call(keeper, "t", error="no")
    assert call(keeper, "t").allowed
    assert call(keeper, "u").allowed


def test_a_step_can_fail_and_the_plan_says_so() -> None:
    keeper = enforcer(steplist(step("a", "t", retry_limit=0)))
    call(keeper, "t", error="broken")
    assert keeper.plan.status("a") is StepStatus.FAILED
    assert keeper.plan.errors == ["Step a: broken"]


def test_the_result_carries_its_plan_and_the_plan_its_executions(journal: Journal) -> None:
    result = walk(steplist(step("a", "t")), journal, Watching(*wants("t")).using(Counting().tools("t")))
    assert [one.step_id for one in result.plan.executions] == ["a"]
    json.dumps(plan_to_json(result.plan))


def test_a_run_gives_its_plan_and_events_of_steps_and_violations(journal: Journal) -> None:
    model = Watching(*wants("x", "t"))
    result = walk(steplist(step("a", "t")), journal, model.using(Counting().tools("t", "x")))
    assert {"step.entered", "step.exited", "plan.violation"} <= {event.name for event in result.events}
    assert json.loads(json.dumps(plan_to_json(result.plan)))["completed"]


def test_times_arguments_and_violations_are_kept_for_an_audit() -> None:
    clock = StillClock()
    keeper = enforcer(steplist(step("a", "t")), clock)
    keeper.validate_tool_call("x", {"secret": 1})
    keeper.validate_tool_call("t")
    started = clock.now
    clock.go_on(2)
    keeper.record_tool_call(FinishedCall("t", {"id": 7}, "ok", None, started))
    told = json.loads(json.dumps(plan_to_json(keeper.plan)))
    done = told["calls"][-1]
    times = [dt.datetime.fromisoformat(done[name]) for name in ("started_at", "ended_at")]
    assert (times[1] - times[0]).total_seconds() == 2
    assert len(done["arguments_digest"]) == 64
    assert len(told["violations"]) == 1


def test_an_agent_cannot_stop_at_once_unnoticed(journal: Journal) -> None:
    result = walk(steplist(step("a", "t")), journal, Watching(says("x"), says("y")).using(Counting().tools("t")))
    assert result.stop_reason == "playbook_incomplete"
    assert [one.violation_type for one in result.plan.violations] == ["conclusion_unresolved"]


def test_a_blocked_end_does_not_end_the_run(journal: Journal) -> None:
    model = Watching(*wants("task_complete", "t"))
    assert walk(steplist(step("a", "t")), journal, model.using(Counting().tools("t"))).stop_reason == "complete"


def test_without_blocking_nothing_is_blocked_after_the_end_either() -> None:
    keeper = enforcer(steplist(step("a", "t")), block_violations=False)
    call(keeper, "t")
    assert call(keeper, "t").allowed
    assert [one.blocked for one in keeper.violations] == [False]


def test_a_blocked_call_is_written_down_as_blocked_before_anything_else_sees_it(journal: Journal) -> None:
    model = Watching(*wants("x", "t"))
    result = walk(steplist(step("a", "t")), journal, model.using(Counting().tools("t", "x")))
    assert [event.name for event in result.events if event.name.startswith("tool.")] == ["tool.blocked", "tool.call"]


def test_progress_counts_what_is_settled_and_every_step_is_in_one_bucket() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False), step("b", "u", "v")))
    call(keeper, "u")
    summary = keeper.plan.summary()
    assert keeper.plan.progress == 0.5
    assert StepStatus.PENDING not in (keeper.plan.status("a"), keeper.plan.status("b"))
    assert sum(summary[one.value] for one in StepStatus) == 2


def test_one_playbook_serves_many_runs() -> None:
    playbook = steplist(step("a", "t"))
    for _run in range(2):
        keeper = enforcer(playbook)
        assert call(keeper, "t").allowed


def test_a_resumed_run_is_enforced_too(journal: Journal) -> None:
    playbook = steplist(step("a", "t"), step("b", "u"))
    first = walk(playbook, journal, Watching(*wants("t")).using(Counting().tools("t", "u", "x")))
    assert isinstance(first.run.halt, InputNeeded)
    counting = Counting()
    model = Watching(*wants("x", "u"))
    result = go_on(first.run.id, journal, model.using(counting.tools("t", "u", "x")))
    assert result.stop_reason == "complete"
    assert counting.done == {"u": 1}


def test_a_retry_that_succeeds_is_seen() -> None:
    keeper = enforcer(steplist(step("a", "t")))
    call(keeper, "t", error="first")
    call(keeper, "t")
    assert keeper.plan.completed


def test_the_same_call_counts_for_each_step_that_expects_it() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "t")))
    call(keeper, "t")
    call(keeper, "t")
    assert keeper.plan.completed


def test_an_empty_playbook_is_complete_and_lets_nothing_through() -> None:
    keeper = enforcer(steplist())
    assert keeper.plan.summary()["is_complete"]
    assert not call(keeper, "t").allowed


def test_a_failed_step_is_not_called_or_completed_any_more() -> None:
    keeper = enforcer(steplist(step("a", "t", retry_limit=0)))
    call(keeper, "t", error="broken")
    assert not call(keeper, "t").allowed
    assert not keeper.complete_current_step()
    assert keeper.plan.status("a") is StepStatus.FAILED


def test_typing_errors_in_keys_are_not_silent() -> None:
    with pytest.raises(PlaybookLoadError, match="Did you mean strict_sequence"):
        load_playbook({"id": "p", "name": "P", "strict_sequnce": False})


def test_a_tool_that_nobody_has_is_told_before_the_run(journal: Journal) -> None:
    with pytest.raises(ToolsMissing):
        walk(steplist(step("a", "nope")), journal, Watching().using(Counting().tools("t")))


def test_a_result_that_says_error_is_seen_by_its_validation() -> None:
    rules = {"required_result_keywords": ["ok"]}
    keeper = enforcer(steplist(step("a", "t", validation=rules)))
    call(keeper, "t", result="ERROR: no such file")
    assert not keeper.plan.completed
    assert kinds(keeper) == ["validation_failed"]


def test_two_steps_with_one_id_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="twin"):
        Playbook("p", "P", steps=(step("twin", "t"), step("twin", "u")))


def test_an_unexpected_call_that_is_recorded_directly_leaves_a_violation() -> None:
    keeper = enforcer(steplist(step("a", "t")))
    keeper.record_tool_call(FinishedCall("x"))
    assert kinds(keeper) == ["unexpected_tool"]
    assert keeper.plan.calls[0].is_extra


def test_the_tools_of_a_skill_are_enforced() -> None:
    skills: Mapping[str, frozenset[str]] = {"reading": frozenset({"read_file"})}
    keeper = enforcer(steplist(step("a", "read_file", "write_file", uses=("reading",))), skills=skills)
    assert not call(keeper, "write_file").allowed
    assert kinds(keeper) == ["tool_outside_skill"]
    assert call(keeper, "read_file").allowed


def test_effort_and_evidence_can_be_made_to_block() -> None:
    careful = step("a", any_tool=True, min_tool_calls=2)
    keeper = enforcer(steplist(careful, blocking_evidence=True))
    call(keeper, "x")
    assert not keeper.complete_current_step()
    call(keeper, "x")
    assert keeper.plan.completed


def test_a_call_out_of_sequence_is_really_not_made(journal: Journal) -> None:
    counting = Counting()
    model = Watching(*wants("u"), says("x"), says("y"))
    walk(steplist(step("a", "t"), step("b", "u")), journal, model.using(counting.tools("t", "u")))
    assert counting.done == {}
    assert conclude(enforcer(steplist(step("a", "t")))).kind is ConclusionKind.REMINDED
