"""Step lists: their values, and a plan."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.enforcing import StillClock, call, enforcer, step, steplist
from tests.core.steplist_driver import Counting, Watching, says, walk, wants
from tests.core.work import lines_run
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import CallOutcome, StepStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunFailure
from workbench.model.loader.steplist import Playbook, PlaybookStep


def test_defaults_of_a_step() -> None:
    one = PlaybookStep("a", "first")
    assert (one.expected_tools, one.hints, one.required) == ((), (), True)
    assert (dict(one.validation), one.max_tool_calls, one.timeout_seconds, dict(one.metadata)) == ({}, None, None, {})


def test_defaults_of_a_playbook() -> None:
    one = Playbook("p", "P")
    assert (one.version, one.strict_sequence, one.allow_extra_tools) == ("1.0.0", True, False)
    assert (one.steps, one.tags) == ((), ())


def test_values_are_immutable_all_the_way_down() -> None:
    one = step("a", "t", metadata={"x": [1, {"y": 2}]})
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.id = "b"  # type: ignore[misc]
    assert isinstance(one.expected_tools, tuple)
    assert isinstance(one.metadata["x"], tuple)
    with pytest.raises(TypeError):
        one.metadata["x"][1]["y"] = 3


def test_unknown_ids_give_none_in_constant_time() -> None:
    many = steplist(*[step(f"s{number}") for number in range(10_000)])
    assert (many.get_step("nope"), many.get_step_index("nope")) == (None, None)
    many.get_step("s1")
    assert lines_run(lambda: many.get_step("s9999")) < 10


def test_two_steps_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="twins"):
        steplist(step("twins"), step("twins"))


def test_a_fresh_plan() -> None:
    plan = PlaybookPlan(steplist(step("a", "t"), step("b", "u")))
    assert (plan.current_step_index, plan.progress, plan.completed) == (0, 0.0, False)


def test_an_empty_playbook_is_complete_at_once() -> None:
    closed, open_ = enforcer(steplist()), enforcer(steplist(allow_extra_tools=True))
    assert closed.plan.completed
    assert closed.plan.progress == 1.0
    assert not call(closed, "t").allowed
    assert call(open_, "t").allowed


def test_progress_counts_skipped_steps_too() -> None:
    keeper = enforcer(steplist(step("a", "t", required=False), step("b", "u")))
    keeper.skip_current_step("not needed")
    summary = keeper.plan.summary()
    assert (keeper.plan.progress, summary["completed"], summary["skipped"]) == (0.5, 0, 1)


def test_the_buckets_add_up_to_the_total() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u", "v"), step("c", "w")))
    call(keeper, "t")
    call(keeper, "u")
    summary = keeper.plan.summary()
    assert keeper.plan.status("c") is StepStatus.PENDING
    assert [summary[one.value] for one in StepStatus] == [1, 1, 1, 0, 0]
    assert sum(summary[one.value] for one in StepStatus) == summary["total_steps"]


def test_a_plan_out_of_range_blocks() -> None:
    keeper = enforcer(steplist(step("a", "t")))
    keeper.plan.current_step_index = 7
    assert keeper.plan.current_step is None
    answer = keeper.validate_tool_call("t")
    assert not answer.allowed
    assert answer.violation is not None
    assert answer.violation.violation_type == "plan_inconsistent"


def test_a_plan_comes_back_from_the_journal_with_everything(tmp_path: Path) -> None:
    playbook = steplist(step("a", "t"), step("b", "u", metadata={"k": [1]}))
    model = Watching(*wants("nope", "t", "u"), says("x"), says("y"))
    walked = walk(playbook, Journal(tmp_path / "runs.sqlite"), model.using({**Counting().tools("t"), "u": broken}))
    end = walked.events[-1].payload
    assert isinstance(end, RunFailure)
    again = json.loads(json.dumps(plan_to_json(walked.plan)))
    assert without_times(again) == without_times(end.plan)
    assert [one["outcome"] for one in again["calls"]] == ["blocked", "done", "failed"]
    assert [one["violation_type"] for one in again["violations"]] == ["unexpected_tool", "conclusion_unresolved"]


def broken(_arguments: Mapping[str, Any]) -> Any:
    """A tool that fails."""
    raise RuntimeError("broken")


def without_times(value: Any) -> Any:
    """*value* without the times in it, which differ by what passes between a decision and its event."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if not key.endswith("_at") and key != "timestamp"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def test_executions_are_a_list_and_a_mapping() -> None:
    keeper = enforcer(steplist(step("a", "t"), step("b", "u")))
    call(keeper, "t")
    call(keeper, "u")
    assert [one.step_id for one in keeper.plan.executions] == ["a", "b"]
    assert keeper.plan.step_executions["b"] is keeper.plan.executions[1]


def test_each_call_keeps_times_digest_outcome_and_whether_it_was_blocked() -> None:
    clock = StillClock()
    keeper = enforcer(steplist(step("a", "t")), clock)
    begun = clock.now
    clock.go_on(5)
    call(keeper, "nope")
    call(keeper, "t")
    blocked, done = keeper.plan.calls
    assert (blocked.outcome, done.outcome) == (CallOutcome.BLOCKED, CallOutcome.DONE)
    assert len(done.arguments_digest) == 64
    assert keeper.plan.entered_at == begun
    assert done.ended_at == clock.now


def test_a_new_run_begins_anew(tmp_path: Path) -> None:
    playbook, journal = steplist(step("a", "t"), step("b", "u")), Journal(tmp_path / "runs.sqlite")
    first = walk(playbook, journal, Watching(*wants("t", "nope")).using(Counting().tools("t", "u")))
    second = walk(playbook, journal, Watching().using(Counting().tools("t", "u")))
    assert first.plan.total_tool_calls == len(first.plan.violations) == 1
    plan = second.plan
    assert (plan.current_step_index, plan.executions, plan.total_tool_calls, plan.violations) == (0, (), 0, ())
    assert plan.started_at > first.plan.started_at
