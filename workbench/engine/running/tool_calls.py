"""Tool calls that were journaled as intents: made once, whatever dies in between.

Whether a call has begun is known from what the tools remember (of Python: the child's ledger, which
outlives this process). A call that did not reach its tool is made; one that has ended is not made again, its
result is taken from there; one that began and did not end is *in doubt*, and is asked about. For Python
that is one whose function itself was cut off: run and child hold the ledger before a call is sent, and resuming
waits until both are gone, so nothing can begin unseen. Where another machine began the call, or the ledger is not
the one that the journal names, a call of which nothing is known is in doubt too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Decider, Draft, Drafts, Settled, draft_at
from workbench.engine.journal.instead import Instead, MockedCall, Noted
from workbench.engine.journal.run_events import (
    CallInDoubt,
    CallResolved,
    ToolCalled,
    ToolError,
    ToolPrinted,
    ToolResult,
)
from workbench.engine.language.procedures.start import who
from workbench.engine.options import RunOptions
from workbench.engine.ports import Asked, Broke, CalledBack, InDoubtChoice, LookedUp, Request, Unknown
from workbench.engine.running.approvals import Approvals, is_free
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.stopping import Debugger
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.secrets import holds_mark
from workbench.tools.values import CallSafety


def _unheard(_text: str) -> None:
    """What is printed by Python that nobody waits for any more."""


def _reply_of(answer: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """What a tool is told that has asked for something which came to *answer*."""
    if answer is not None and "raised" in answer:
        return {"failed": answer["raised"], "key": answer.get("key", "")}
    return {"value": answer["return"] if answer is not None else None}


def _noted_in(draft: Draft, noted: Noted) -> Draft:
    """*draft*, which says where a call that it lets be made again is noted."""
    payload = draft.payload
    return replace(draft, payload=replace(payload, noted=noted)) if isinstance(payload, CallResolved) else draft


def _stands_for(mock: MockedCall) -> ToolResult | ToolError:
    """What a call has come to that is not made."""
    if mock.failure:
        return ToolError(mock.failure, instead=mock.instead)
    return ToolResult(mock.value, instead=mock.instead)


def _ended(decider: Decider, fold: RunFold, outcome: ToolResult | ToolError) -> Drafts:
    """The events that the call at hand came to *outcome*."""
    if isinstance(outcome, ToolResult):
        return decider.returned(fold, outcome)
    return tuple(_instead(draft, outcome.instead) for draft in decider.broke(fold, outcome.message))


def _instead(draft: Draft, instead: Instead | None) -> Draft:
    """*draft*, in which a failure says that it is none of the tool."""
    payload = draft.payload
    return replace(draft, payload=replace(payload, instead=instead)) if isinstance(payload, ToolError) else draft


def _lost_secret(intent: Intent) -> str:
    """Why a call cannot be made that needs a secret; empty where it needs none."""
    is_lost = holds_mark([intent.positional, intent.named])
    return _("It needs a secret that the journal does not keep. Start the run again.") if is_lost else ""


class ToolCalls:
    """Makes the calls of one run, on its thread.

    *options*: they say what is done about calls that may have been made. *talking*: calls that wait for one of
    their own, the innermost last. *leave*: asks a person about those that need it.
    """

    def __init__(self, decider: Decider, recorder: Recorder, options: RunOptions, debugger: Debugger) -> None:
        self._decider = decider
        self._options = options
        self.leave = Approvals(decider, recorder, options.approval_limit_s)
        self._tools = decider.tools
        self._recorder = recorder
        self._debugger = debugger
        self._begun: set[tuple[str, int]] = set()
        self._talking: list[Intent] = []

    def begin(self, drafts: Drafts) -> None:
        """Journal *drafts*; the intent of a call, once it is allowed, down to the disk."""
        call = drafts[-1].payload
        if not isinstance(call, ToolCalled):
            self._recorder.record(drafts)
            return
        mock = self._tools.mocking.of(call.tool)
        if mock is None:
            self._tools.admit(call.agent, call.tool)
            noted = replace(call, noted=self._tools.noted(call.agent, call.tool), asks=self.leave.is_needed(call))
        else:
            noted = replace(call, mock=mock.call(who()), safety=CallSafety.READ)
        self._recorder.record_synced((*drafts[:-1], replace(drafts[-1], payload=noted)))
        self._begun.add((call.key, 1))

    def make(self, intent: Intent) -> None:
        """Make the call, unless a process before this one has, or go on with one that has called back."""
        self._drop_lost()
        if self._talking and self._talking[-1].key == intent.key:
            # what was done for it cannot be lost any more
            self._recorder.write_synced()
            self._reply(intent, _reply_of(self._recorder.fold.top.answer))
            return
        if intent.mock is not None:  # nothing is done, so nothing can be in doubt
            self._end(_stands_for(intent.mock))
            return
        if intent.held is not None:  # the run was let go of, or cut off, while somebody looked at the result
            self._end(intent.held.outcome)
            return
        if not is_free(intent):
            self._go_for_leave(intent)
            return
        if (intent.key, intent.attempt) not in self._begun and self._is_settled(intent):
            return
        self._begun.add((intent.key, intent.attempt))
        self._tools.admit(intent.agent, intent.tool)
        lost = _lost_secret(intent)
        if lost:
            self._end(ToolError(lost))
            return
        try:
            self._take(intent, self._tools.call(intent, self._on_output))
        except RunFailed as error:
            self._end(ToolError(str(error)))

    def _go_for_leave(self, intent: Intent) -> None:
        """Ask for leave, or use it: then nothing has been called yet, so that the next decision calls it."""
        denied = _lost_secret(intent) or self.leave.go_on(intent)
        if denied:
            self._end(ToolError(denied))
        elif self._recorder.fold.intent is not None and is_free(self._recorder.fold.intent):
            self._begun.add((intent.key, intent.attempt))

    def doubt(self) -> Request | Settled:
        """What is to be asked about the call in doubt, or what was said beforehand. Raises InputNeeded."""
        said = self._options
        if said.in_doubt is InDoubtChoice.DONE and said.gave:
            return Settled(InDoubtChoice.DONE, said.gave[0])
        return self._decider.doubt(self._recorder.fold, said.in_doubt)

    def resolve(self, settled: Settled) -> None:
        """Journal what was said about the call in doubt."""
        fold, intent = self._recorder.fold, self._recorder.fold.intent
        drafts = self._decider.resolved(fold, settled)
        if settled.how is InDoubtChoice.AGAIN and intent is not None:  # this process makes it, and no other
            self._begun.add((intent.key, intent.attempt + 1))
            noted = self._tools.noted(intent.agent, intent.tool)
            drafts = tuple(_noted_in(draft, noted) for draft in drafts)
        self._recorder.record_synced(drafts)

    def _reply(self, intent: Intent, reply: Mapping[str, Any]) -> None:
        """Let a tool go on with *reply* to what it asked for."""
        self._talking.pop()
        try:
            self._take(intent, self._tools.reply(intent.agent, reply, self._on_output))
        except RunFailed as error:
            self._end(ToolError(str(error)))

    def _take(self, intent: Intent, outcome: ToolResult | Asked) -> None:
        """Journal what a call gave, or let the run do what it asks for. Raises RunFailed where it fails meanwhile."""
        while not isinstance(outcome, ToolResult):
            reply = self._answered(intent, outcome)
            if reply is None:
                return
            outcome = self._tools.reply(intent.agent, reply, self._on_output)
        self._end(outcome)

    def _answered(self, intent: Intent, asked: Asked) -> Mapping[str, Any] | None:
        """The reply to what the call of *intent* has *asked* for; None where the run has to act first."""
        fold = self._recorder.fold
        try:
            if isinstance(asked, LookedUp):
                return {"value": self._decider.looked_up(fold, asked)}
            draft = self._decider.called_back(fold, asked)
        except RunFailed as error:
            return {"refused": f"{asked.name}: {error}"}
        self._talking.append(intent)
        self.begin((draft,))
        return None

    def _drop_lost(self) -> None:
        """End the tools that wait for a playbook which was left because it failed."""
        fold = self._recorder.fold
        frames = [*fold.frames, *(each for some in fold.world.parked.values() for each in some)]
        going = {intent.key for frame in frames for intent in frame.intents}
        while self._talking and self._talking[-1].key not in going:
            intent = self._talking.pop()
            outcome: object = CalledBack("", (), ())
            with contextlib.suppress(RunFailed):
                while isinstance(outcome, Asked):
                    outcome = self._tools.reply(intent.agent, {"refused": _("the call failed")}, _unheard)

    def _is_settled(self, intent: Intent) -> bool:
        """Whether there is nothing to call: what became of it is known, or nobody knows and it must be asked."""
        match self._tools.recall(intent):
            case ToolResult() as result:
                self._end(result)
            case Broke(message):
                self._end(ToolError(message))
            case Unknown() if intent.safety is CallSafety.UNSAFE:
                self._park(intent)
            case _:
                return False
        return True

    def _end(self, outcome: ToolResult | ToolError) -> None:
        """Journal what the call at hand has come to."""
        fold = self._recorder.fold
        drafts = _ended(self._decider, fold, outcome)
        held = self._debugger.held(outcome, drafts)
        self._recorder.record_synced(drafts if held is outcome else _ended(self._decider, fold, held))

    def _park(self, intent: Intent) -> None:
        """Ask about a call that may have been made, unless it is settled by what was said beforehand."""
        doubt = self.doubt()
        if isinstance(doubt, Settled):
            self.resolve(doubt)
        else:
            place = self._decider.place(self._recorder.fold)
            self._recorder.record_synced((draft_at(place, CallInDoubt.of(doubt, intent.key)),))

    def _on_output(self, text: str) -> None:
        place = self._decider.place(self._recorder.fold)
        self._recorder.record((draft_at(place, ToolPrinted(text), "tool"),))
