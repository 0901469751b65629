"""What a call that was made does to the step it counts for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.enforcement.decisions import counted_calls
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import (
    FINISHED,
    CallOutcome,
    CallRecord,
    StepExecution,
    digest_of,
)
from workbench.engine.enforcement.satisfaction import (
    has_seen_all,
    is_satisfied,
    lacks_of,
    matching_probes,
    may_be_closed,
    text_of,
)
from workbench.engine.enforcement.transitions import Transitions
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import PlaybookStep

DEFAULT_RETRY_LIMIT = 2
"""How often a failed call may be tried again in one step, where the step says nothing."""


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call that was made: what it gave, or why it failed. *is_mock*: it was not made, and counts all the same."""

    tool: str
    arguments: Mapping[str, Any] | None = None
    result: Any = None
    error: str | None = None
    started_at: dt.datetime | None = None
    is_mock: bool = False


class CallRecorder:
    """Counts calls and ends steps by them."""

    def __init__(self, plan: PlaybookPlan, transitions: Transitions) -> None:
        self._plan = plan
        self._moves = transitions

    def record(self, call: FinishedCall, step: PlaybookStep | None) -> None:
        """Note *call*; it counts for *step*, or is an extra one."""
        now = self._plan.clock()
        outcome = CallOutcome.DONE if call.error is None else CallOutcome.FAILED
        digest = digest_of(call.arguments)
        owner = step.id if step else ""
        started = call.started_at or now
        made = CallRecord(call.tool, owner, outcome, started, now, digest, call.error or "")
        self._plan.calls.append(made._replace(is_extra=step is None, is_mock=call.is_mock))
        self._plan.total_tool_calls += 1
        if step is not None:
            self._count_for(step, call)

    def _count_for(self, step: PlaybookStep, call: FinishedCall) -> None:
        execution = self._plan.begin(step)
        _count(execution, step, call)
        if execution.status in FINISHED:
            return
        if call.error is not None:
            self._after_failure(step, execution, call.error)
        elif is_satisfied(self._plan.playbook, step, execution):
            self._moves.complete(step)
        else:
            self._after_success(step, execution)

    def _after_success(self, step: PlaybookStep, execution: StepExecution) -> None:
        if has_seen_all(step, execution):
            for lack in lacks_of(self._plan.playbook, step, execution):
                if lack.blocks:  # what does not is noted once, when the step is closed
                    self._moves.violation(lack.code, lack.message, step)
        self._check_cap(step)

    def _after_failure(self, step: PlaybookStep, execution: StepExecution, error: str) -> None:
        limit = DEFAULT_RETRY_LIMIT if step.retry_limit is None else step.retry_limit
        if execution.failure_count > limit:
            self._moves.fail(step, error)
        else:
            self._check_cap(step)

    def _check_cap(self, step: PlaybookStep) -> None:
        """A step that has used all its calls has failed, unless all that it must have is there."""
        cap = step.max_tool_calls
        if cap is None or not step.expected_tools or counted_calls(self._plan, step) < cap:
            return
        if may_be_closed(self._plan.playbook, step, self._plan.get_step_execution(step.id)):
            self._moves.complete(step)
            return
        message = _("All calls of step {step} ({cap}) have been used, and it is not done.")
        self._moves.fail(step, message.format(cap=numeral(cap), step=step.id))


def _count(execution: StepExecution, step: PlaybookStep, call: FinishedCall) -> None:
    execution.tool_calls.append(call.tool)
    execution.tool_call_count += 1
    if call.error is not None:
        execution.failure_count += 1
        return
    execution.success_count += 1
    execution.successes.add(call.tool)
    if step.result_keywords:
        execution.results.append(text_of(call.result))
    for probe in matching_probes(step.required_probes, call.tool, call.arguments):
        if probe not in execution.matched_probes:
            execution.matched_probes.append(probe)
