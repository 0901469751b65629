"""Small step lists, and an enforcer whose clock stands still until it is told to go on."""

from __future__ import annotations

import datetime as dt
from typing import Any

from workbench.engine.enforcement.enforcer import PlaybookEnforcer
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import EnforcementResult
from workbench.model.loader.steplist import Playbook, PlaybookStep


class StillClock:
    """A clock that shows what it is set to."""

    def __init__(self) -> None:
        self.now = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)

    def __call__(self) -> dt.datetime:
        return self.now

    def go_on(self, seconds: float) -> None:
        """Let *seconds* pass."""
        self.now += dt.timedelta(seconds=seconds)


def step(step_id: str, *tools: str, **fields: Any) -> PlaybookStep:
    """A step that expects *tools*."""
    return PlaybookStep(step_id, f"do {step_id}", tools, **fields)


def steplist(*steps: PlaybookStep, **fields: Any) -> Playbook:
    """A playbook of *steps*."""
    return Playbook("list", "List", steps=steps, **fields)


def enforcer(playbook: Playbook, clock: StillClock | None = None, **options: Any) -> PlaybookEnforcer:
    """An enforcer of a fresh plan."""
    return PlaybookEnforcer(PlaybookPlan(playbook, clock=clock or StillClock()), **options)


def call(
    keeper: PlaybookEnforcer,
    tool: str,
    result: Any = "ok",
    error: str | None = None,
    arguments: dict[str, Any] | None = None,
) -> EnforcementResult:
    """Ask for *tool*, and where it is allowed make the call."""
    answer = keeper.validate_tool_call(tool)
    if answer.allowed:
        keeper.record_tool_call(FinishedCall(tool, arguments, result, error))
    return answer


def kinds(keeper: PlaybookEnforcer) -> list[str]:
    """The kinds of all violations."""
    return [violation.violation_type for violation in keeper.violations]
