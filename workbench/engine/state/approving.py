"""The rules of the fold for leave: what was asked for stands with the intent of the call.

An event that does not fit (another call, another digest, leave that nobody has asked for) changes nothing: leave
cannot be given twice, nor for anything but what was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.journal import approval_events as told
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.ports import Scope
from workbench.engine.state.frames import Approval, ApprovalState, Intent
from workbench.engine.state.live_run import LiveRun


def _asked(fold: LiveRun, event: RunEvent, asked: told.ApprovalAsked) -> None:
    intent = _intent(fold, asked.key, ApprovalState.NEEDED)
    if intent is None:
        return
    fold.pending = asked.request_at(event.step)
    fold.step_statuses[event.step] = StepStatus.WAITING
    _put(fold, replace(intent, approval=Approval(ApprovalState.ASKED, asked.digest, event.at_ns)))


def _granted(fold: LiveRun, event: RunEvent, granted: told.ApprovalGranted) -> None:
    intent = _intent(fold, granted.key, ApprovalState.ASKED) or _intent(fold, granted.key, ApprovalState.NEEDED)
    if intent is None or (intent.approval.digest or granted.digest) != granted.digest:
        return
    digest = granted.changed or granted.digest
    approval = Approval(ApprovalState.GRANTED, digest, intent.approval.asked_ns or event.at_ns)
    if granted.arguments is not None:
        intent = replace(intent, positional=(), named=tuple(granted.arguments.items()))
    _settle(fold, event, replace(intent, approval=approval))
    if granted.scope is Scope.RUN and granted.subject:
        fold.allowed |= {granted.subject}


def _denied(fold: LiveRun, event: RunEvent, denied: told.ApprovalDenied) -> None:
    intent = _intent(fold, denied.key, ApprovalState.ASKED) or _intent(fold, denied.key, ApprovalState.NEEDED)
    if intent is not None:
        _settle(fold, event, replace(intent, approval=Approval(ApprovalState.DENIED, reason=denied.reason)))


def _expired(fold: LiveRun, event: RunEvent, expired: told.ApprovalExpired) -> None:
    intent = _intent(fold, expired.key, ApprovalState.ASKED) or _intent(fold, expired.key, ApprovalState.GRANTED)
    if intent is not None:
        _settle(fold, event, replace(intent, approval=Approval(ApprovalState.NEEDED)))


def _begun(fold: LiveRun, _event: RunEvent, begun: told.ApprovedCallBegun) -> None:
    intent = _intent(fold, begun.key, ApprovalState.GRANTED)
    if intent is not None and intent.approval.digest == begun.digest:
        _put(fold, replace(intent, approval=replace(intent.approval, state=ApprovalState.USED)))


def _settle(fold: LiveRun, event: RunEvent, intent: Intent) -> None:
    """The question is no longer open."""
    fold.pending = None
    fold.step_statuses[event.step] = StepStatus.RUNNING
    _put(fold, intent)


def _intent(fold: LiveRun, key: str, state: ApprovalState) -> Intent | None:
    """The call at hand, where it is the one of *key* and leave for it has come to *state*."""
    intent = fold.intent
    return intent if intent is not None and (intent.key, intent.approval.state) == (key, state) else None


def _put(fold: LiveRun, intent: Intent) -> None:
    fold.top.intents[-1] = intent


APPROVAL_RULES: dict[type[EventPayload], Callable[[Any, RunEvent, Any], None]] = {
    told.ApprovalAsked: _asked,
    told.ApprovalGranted: _granted,
    told.ApprovalDenied: _denied,
    told.ApprovalExpired: _expired,
    told.ApprovedCallBegun: _begun,
}
