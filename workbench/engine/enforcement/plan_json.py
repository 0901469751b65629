"""Plans as JSON and back: with every call and every violation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from workbench.engine.enforcement.plan import PlaybookPlan
from workbench.engine.enforcement.values import (
    CallOutcome,
    CallRecord,
    Clock,
    EnforcementViolation,
    StepExecution,
    StepStatus,
    utc_now,
)
from workbench.model.loader.steplist import playbook_from_json, playbook_to_json

_TIMES = frozenset({"started_at", "completed_at", "ended_at", "timestamp", "last_at"})


def plan_to_json(plan: PlaybookPlan) -> dict[str, Any]:
    """*plan* as JSON values."""
    return {
        "playbook": playbook_to_json(plan.playbook),
        "run": plan.run,
        "digest": plan.digest,
        "started_at": plan.started_at.isoformat(),
        "entered_at": plan.entered_at.isoformat(),
        "current_step_index": plan.current_step_index,
        "failed": plan.failed,
        "completed": plan.completed,
        "progress": plan.progress,
        "total_tool_calls": plan.total_tool_calls,
        "turns": plan.turns,
        "was_reminded": plan.was_reminded,
        "errors": list(plan.errors),
        "metadata": dict(plan.metadata),
        "executions": [_plain(one) for one in plan.executions],
        "calls": [_plain(one) for one in plan.calls],
        "violations": [_plain(one) for one in plan.violations],
    }


def plan_from_json(data: Mapping[str, Any], clock: Clock = utc_now) -> PlaybookPlan:
    """The plan in *data*, as ``plan_to_json`` writes it."""
    plan = PlaybookPlan(playbook_from_json(data["playbook"]), data["run"], data["digest"], clock)
    for entry in data["executions"]:
        execution = _execution(entry)
        status, execution.status = execution.status, StepStatus.PENDING
        completed_at = execution.completed_at
        plan.step_executions[execution.step_id] = execution
        plan.set_status(execution, status)
        execution.completed_at = completed_at
    plan.calls = [CallRecord(**{**_timed(one), "outcome": CallOutcome(one["outcome"])}) for one in data["calls"]]
    for one in data["violations"]:
        plan.add_violation(EnforcementViolation(**_timed(one)))
    for name in ("current_step_index", "failed", "total_tool_calls", "turns", "was_reminded"):
        setattr(plan, name, data[name])
    plan.errors = list(data["errors"])
    plan.metadata = dict(data["metadata"])
    plan.started_at = dt.datetime.fromisoformat(data["started_at"])
    plan.entered_at = dt.datetime.fromisoformat(data["entered_at"])
    return plan


def _plain(value: StepExecution | CallRecord | EnforcementViolation) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    names = [one.name for one in fields(value)] if isinstance(value, StepExecution) else list(value._fields)
    for name in names:
        item = getattr(value, name)
        if isinstance(item, dt.datetime):
            item = item.isoformat()
        elif isinstance(item, set):
            item = sorted(item)
        plain[name] = str(item) if isinstance(item, StepStatus | CallOutcome) else item
    return plain


def _timed(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: dt.datetime.fromisoformat(item) if key in _TIMES and item else item for key, item in data.items()}


def _execution(data: Mapping[str, Any]) -> StepExecution:
    values = _timed(data)
    return StepExecution(**{**values, "status": StepStatus(values["status"]), "successes": set(values["successes"])})
