"""Whether what a run is about to do, or has done once, is what a breakpoint waits for, and what that reads there."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.engine.debugging.breakpoints import Breakpoint, StopKind
from workbench.engine.decider import Draft, Drafts
from workbench.engine.expressions.evaluation import Lookup
from workbench.engine.journal.instead import said_in
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    InputGiven,
    RunFailure,
    StepEntered,
    StepFailure,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.steplist_events import CallBlocked, PlanSteered, PlanViolated, TurnAsked
from workbench.engine.state.fold import RunFold

_BEGINNINGS = StepEntered | TurnAsked


def is_at(breakpoint_: Breakpoint, drafts: Drafts, fold: RunFold) -> bool:
    """Whether *drafts*, which follow on *fold*, are what *breakpoint_* waits for; a cost is none of that."""
    match breakpoint_.kind:
        case StopKind.STEP:
            return any(each.step == breakpoint_.at and isinstance(each.payload, _BEGINNINGS) for each in drafts)
        case StopKind.TOOL:
            return breakpoint_.at in _tools(drafts)
        case StopKind.RESULT:
            is_end = any(isinstance(each.payload, ToolResult | ToolError) for each in drafts)
            return is_end and fold.intent is not None and fold.intent.tool == breakpoint_.at
        case StopKind.ANSWER:
            return any(each.step == breakpoint_.at and isinstance(each.payload, InputGiven) for each in drafts)
        case StopKind.ERROR:
            # what fails because of a step has been stopped before already
            failures = StepFailure if fold.failure else StepFailure | RunFailure
            return any(isinstance(each.payload, failures) for each in drafts)
        case StopKind.VIOLATION:
            return any(_is_violation(each.payload) for each in drafts)
        case StopKind.COST:
            return False


def names_at(names: Lookup, draft: Draft) -> Lookup:
    """*names*, where *draft* is the result of a call with that as ``$result``, and an answer as ``$answer``."""
    match draft.payload:
        case ToolResult(value=value):
            known, called = value, "result"
        case InputGiven(answer=answer):
            known, called = said_in(answer), "answer"
        case _:
            return names

    def look_up(name: str, is_state: bool) -> object:
        return known if name == called and is_state else names(name, is_state)

    return look_up


def _tools(drafts: Drafts) -> Iterator[str]:
    return (each.payload.tool for each in drafts if isinstance(each.payload, ToolCalled))


def _is_violation(payload: EventPayload) -> bool:
    is_refused = isinstance(payload, PlanSteered) and bool(payload.refused)
    return is_refused or isinstance(payload, PlanViolated | CallBlocked)
