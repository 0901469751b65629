"""Leave for calls, between their intent and the call: asked of a person, bound to what was shown, used once.

What a person is shown is worked out again before the leave is used. Where it is not the same (the arguments, the
tool, the text of the playbook, a file that would be changed), the leave is void and the person is asked again. Leave
that was given and not used is good after an interruption too; from the event that it is used on, the call may have
begun. Nothing that a tool gives comes here: only the answer to the question of this call does.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Decider, Permission, draft_at
from workbench.engine.expressions.data import as_data, canonical
from workbench.engine.journal.approval_events import (
    ApprovalAsked,
    ApprovalDenied,
    ApprovalExpired,
    ApprovalGranted,
    ApprovedCallBegun,
)
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import ToolCalled
from workbench.engine.ports import CallToAllow, Leave, LeaveScope, Request, RequestKind
from workbench.engine.running.recorder import Recorder
from workbench.engine.state.frames import ApprovalState, Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.values import Asking

_POLICY = "policy"
_FREE = frozenset({ApprovalState.FREE, ApprovalState.USED})


def is_free(intent: Intent) -> bool:
    """Whether nothing stands between *intent* and the call, which may then have been made already."""
    return intent.approval.state in _FREE


class Approvals:
    """Leave for the calls of one run, on its thread. *limit_s*: how long it is good, asked for or given."""

    def __init__(self, decider: Decider, recorder: Recorder, limit_s: float) -> None:
        self._decider = decider
        self._tools = decider.tools
        self._recorder = recorder
        self._limit_ns = int(limit_s * 1e9)
        self._shown: CallToAllow | None = None

    def is_needed(self, call: ToolCalled) -> bool:
        """Whether *call*, which is about to be journaled, must not be made at once."""
        return not self._is_clear(self._permission(call))

    def go_on(self, intent: Intent) -> str | None:
        """Take the next step towards leave for *intent*; why it is not to be had, None where it may still be."""
        if intent.approval.state is ApprovalState.DENIED:
            return _("it was not allowed. {reason}").format(reason=intent.approval.reason).strip()
        permission = self._permission(intent)
        if permission.asking is Asking.FORBIDDEN:
            self._record(ApprovalDenied(intent.key, intent.approval.digest, _POLICY, permission.reason))
            return None
        try:
            call = self._described(intent)
        except RunFailed as error:
            return str(error)
        if intent.approval.state is ApprovalState.GRANTED:
            self._use(intent, call)
        elif self._is_clear(permission):
            self._record(ApprovalGranted(intent.key, call.digest, _POLICY))
        else:
            self._ask(call)
        return None

    def fresh(self, request: Request) -> Request | None:
        """*request* with all that is to be seen of its call now; None where nobody needs to be asked about it.

        That is so where it is something else than was asked, or where what holds for such calls was said meanwhile.
        """
        intent = self._recorder.fold.intent
        assert intent is not None and request.call is not None
        permission = self._permission(intent)
        if permission.asking is Asking.FORBIDDEN or self._is_clear(permission):
            self._expire(intent, _("Nobody needs to be asked any more."))
            return None
        if self._shown is not None and self._shown.digest == request.call.digest:
            return replace(request, call=self._shown)
        try:
            call = self._described(intent)
        except RunFailed as error:
            self._expire(intent, str(error))
            return None
        if call.digest != request.call.digest:
            self._expire(intent, _("What would happen is not what was asked about."))
            return None
        return replace(request, call=call)

    def take(self, request: Request, leave: Leave, text: str, by: str) -> None:
        """Journal the word of *by* about the call that *request* showed."""
        intent = self._recorder.fold.intent
        assert intent is not None and request.call is not None
        call = request.call
        if not leave.is_given:
            self._record(ApprovalDenied(call.key, call.digest, by, text))
        elif _is_too_old(intent, self._limit_ns):
            self._expire(intent, _("It was asked too long ago."))
        elif not self._is_as_shown(intent, call):
            self._expire(intent, _("What would happen is not what was asked about."))
        elif leave.arguments is not None and leave.arguments != call.arguments:
            self._take_changed(intent, call, leave, by)
        else:
            self._record(_granted(call.key, call.digest, by, leave, self._permission(intent)))

    def changed(self, arguments: Mapping[str, Any]) -> CallToAllow:
        """The call that is asked about, with other *arguments*; on any thread while the answer is waited for.

        Raises RunFailed where it could not be made.
        """
        intent = self._recorder.fold.intent
        assert intent is not None
        return self._described(_with(intent, as_data(arguments)))

    def _take_changed(self, intent: Intent, call: CallToAllow, leave: Leave, by: str) -> None:
        """What the person has changed is what they have allowed, where it can be done at all."""
        assert leave.arguments is not None
        changed = _with(intent, leave.arguments)
        permission = self._permission(changed)
        try:
            digest = self._described(changed).digest
        except RunFailed as error:
            self._expire(intent, str(error))
            return
        if permission.asking is Asking.FORBIDDEN:
            self._expire(intent, permission.reason)
            return
        if leave.seen not in {"", digest}:
            self._expire(intent, _("What would happen is not what was shown."))
            return
        granted = _granted(intent.key, call.digest, by, leave, permission)
        self._record(replace(granted, arguments=leave.arguments, changed=digest))

    def _is_as_shown(self, intent: Intent, call: CallToAllow) -> bool:
        try:
            return self._described(intent).digest == call.digest
        except RunFailed:
            return False

    def _use(self, intent: Intent, call: CallToAllow) -> None:
        if _is_too_old(intent, self._limit_ns):
            self._expire(intent, _("It was allowed too long ago."))
        elif call.digest != intent.approval.digest:
            self._expire(intent, _("What would happen is not what was allowed."))
        else:
            self._record(ApprovedCallBegun(intent.key, call.digest))

    def _ask(self, call: CallToAllow) -> None:
        fold = self._recorder.fold
        place = self._decider.place(fold)
        text = _("May {tool} be called? {summary}").format(tool=call.tool, summary=call.preview.summary)
        request = Request(f"leave{fold.next_seq}", RequestKind.APPROVE, place.step, text)
        self._shown = call
        self._record(ApprovalAsked.about(request, call))

    def _expire(self, intent: Intent, reason: str) -> None:
        self._record(ApprovalExpired(intent.key, intent.approval.digest, reason))

    def _described(self, intent: Intent) -> CallToAllow:
        """What is to be seen of *intent*, under the name of all that leave for it depends on. Raises RunFailed."""
        call = self._tools.described(intent)
        shown = [call.preview.summary, call.preview.detail]
        tool = [call.tool, call.source, call.description, call.schema]
        about = [*tool, call.arguments, shown, self._recorder.fold.origin.pb_hash]
        written = canonical(as_data(about)).encode("ascii")
        return replace(call, digest=hashlib.sha256(written).hexdigest())

    def _permission(self, call: ToolCalled | Intent) -> Permission:
        frames = self._recorder.fold.frames
        return self._tools.permission(call, frames[-1].playbook if frames else "")

    def _is_clear(self, permission: Permission) -> bool:
        if permission.asking is Asking.FORBIDDEN:
            return False
        return permission.asking is Asking.NEVER or permission.subject in self._recorder.fold.allowed

    def _record(self, payload: EventPayload) -> None:
        """Journal *payload* down to the disk, as something that happens to the call at hand."""
        self._recorder.record_synced((draft_at(self._decider.place(self._recorder.fold), payload, "user"),))


def _is_too_old(intent: Intent, limit_ns: int) -> bool:
    return time.time_ns() - intent.approval.asked_ns > limit_ns


def _with(intent: Intent, arguments: Mapping[str, Any]) -> Intent:
    return replace(intent, positional=(), named=tuple(arguments.items()))


def _granted(key: str, digest: str, by: str, leave: Leave, permission: Permission) -> ApprovalGranted:
    """The event that *leave* is given, as far as it goes."""
    is_for_run = leave.scope is LeaveScope.RUN or permission.asking is Asking.ONCE
    if not is_for_run or not permission.subject:
        return ApprovalGranted(key, digest, by)
    return ApprovalGranted(key, digest, by, LeaveScope.RUN, permission.subject)
