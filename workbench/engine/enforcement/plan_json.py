"""Plans as JSON: with every call and every violation."""

from __future__ import annotations

import datetime as dt
from dataclasses import fields
from typing import Any

from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.records import (
    CallOutcome,
    CallRecord,
    EnforcementViolation,
    StepExecution,
    StepStatus,
)
from workbench.model.loader.steplist import playbook_to_json


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


def _plain(value: StepExecution | CallRecord | EnforcementViolation) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    names = [one.name for one in fields(value)] if isinstance(value, StepExecution) else list(value._fields)
    for name in names:
        item = getattr(value, name)
        if name == "is_mock" and not item:  # said only of those that are
            continue
        if isinstance(item, dt.datetime):
            item = item.isoformat()
        elif isinstance(item, set):
            item = sorted(item)
        plain[name] = str(item) if isinstance(item, StepStatus | CallOutcome) else item
    return plain
