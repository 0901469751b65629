"""What a run tells of leave for calls: asked for, given, refused, or no longer good.

Between the intent of a call and the call itself. Each names the call by its *key*, and by the *digest* what leave was
asked for: an answer about anything else is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import Question
from workbench.engine.ports import CallToAllow, LeaveScope, Request
from workbench.tools.values import Preview


@dataclass(frozen=True, slots=True)
class ApprovalAsked(Question):
    """A person is asked whether a call may be made. *source*: who offers the tool. *preview*: what they are shown."""

    tool: str = ""
    source: str = ""
    digest: str = ""
    preview: Preview | None = None

    @classmethod
    def about(cls, request: Request, call: CallToAllow) -> Self:
        """What is journaled of *request*, which is about *call*; its arguments stand with the intent."""
        asked = cls.of(request, call.key)
        return replace(asked, tool=call.tool, source=call.source, digest=call.digest, preview=call.preview)

    def request_at(self, step: str) -> Request:
        """The question, asked by the step at the address *step*; without the arguments and their schema."""
        request = super(ApprovalAsked, self).request_at(step)
        preview = self.preview or Preview("")
        call = CallToAllow(self.key, self.tool, self.source, {}, {}, self.digest, preview)
        return replace(request, call=call)


@dataclass(frozen=True, slots=True)
class ApprovalGranted(EventPayload):
    """The call may be made. *by*: ``person``, ``script``, or ``policy`` where nobody needs to be asked any more.

    *digest*: of what was asked about. *arguments*, *changed*: those with which it is made instead, and the digest of
    that. *subject*: what else needs no leave in this run, by the name that the permissions have for it; empty for
    nothing.
    """

    key: str
    digest: str
    by: str
    scope: LeaveScope = LeaveScope.CALL
    subject: str = ""
    arguments: Mapping[str, Any] | None = None
    changed: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalDenied(EventPayload):
    """The call is not made. *reason*: in the person's words, or why nobody was asked."""

    key: str
    digest: str
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalExpired(EventPayload):
    """What was asked, or granted, is too old, not what would happen now, or no question any more."""

    key: str
    digest: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ApprovedCallBegun(EventPayload):
    """Leave was used: the call begins now, so that from here on it may have been made."""

    key: str
    digest: str
