"""Between what is wanted in a step list and the tools: what may be done, what is blocked, and what is only said."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.engine.decider import Drafts, Permission, Recollection, Tools, draft_at
from workbench.engine.enforcement.decisions import CONTROL_TOOLS, Decision
from workbench.engine.enforcement.records import digest_of
from workbench.engine.enforcement.statements import objections
from workbench.engine.enforcement.transitions import TIMEOUT
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.journal.run_events import ToolCalled, ToolResult
from workbench.engine.journal.steplist_events import (
    CallBlocked,
    CallCancelled,
    CallWish,
    Foreseen,
    PlanSteered,
    PlanViolated,
)
from workbench.engine.ports import Asked, CallToAllow, NeverBegun, Unknown
from workbench.engine.state.frames import Intent
from workbench.engine.steplists.places import WHOLE_LIST
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.telling import StepTeller
from workbench.engine.steplists.turns import Turns
from workbench.engine.steplists.walking import Tool
from workbench.errors import InputNeeded, RunFailed
from workbench.i18n import _
from workbench.tools.values import CallSafety, ToolSpec


class StepListTools(Tools):
    """The tools of who walks a step list, and *others*. What is written down beforehand is taken from there, and
    nothing is done.

    Of the others nobody knows afterwards what they have done.
    """

    def __init__(self, plan: PlanFold, tools: Mapping[str, Tool], others: Tools) -> None:
        self._plan = plan
        self._tools = tools
        self._others = others
        self.mocking = others.mocking

    def safety(self, agent: str, name: str) -> CallSafety | None:
        """Whether the tool *name* may be called again; None where nobody here can call it."""
        is_own = name in self._tools and self.mocking.of(name) is None
        return CallSafety.UNSAFE if is_own else self._others.safety(agent, name)

    def offered(self, agent: str) -> tuple[ToolSpec, ...]:
        """All tools that may be used besides those of who walks the list."""
        return self._others.offered(agent)

    def admit(self, agent: str, name: str) -> None:
        """Raise NotTrusted where calling *name* would do what nobody has allowed."""
        if self._is_other(name):
            self._others.admit(agent, name)

    def permission(self, call: ToolCalled | Intent, playbook: str) -> Permission:
        """Whether *call* needs leave: not where nothing is done, nor for who walks the list with tools of its own."""
        return self._others.permission(call, playbook) if self._is_other(call.tool) else Permission()

    def described(self, intent: Intent) -> CallToAllow:
        """What a person is shown of the call."""
        return self._others.described(intent)

    def _is_other(self, name: str) -> bool:
        return not self._plan.turn.is_foreseen and name not in self._tools

    def call(self, intent: Intent, on_output: Callable[[str], None]) -> ToolResult | Asked:
        """What the tool gives, as data. Whatever it raises is its failure, and becomes RunFailed."""
        foreseen = self._plan.turn.at_hand
        if foreseen is not None:
            return _given(foreseen)
        if intent.tool not in self._tools:
            return self._others.call(intent, on_output)
        try:
            return ToolResult(as_data(self._tools[intent.tool](dict(intent.named))))
        except (NotData, RunFailed) as error:
            raise RunFailed(str(error)) from error
        except InputNeeded:  # a script that says nothing about the call
            raise
        except Exception as error:  # whatever a tool raises is its failure, never ours
            raise RunFailed(f"{type(error).__name__}: {error}") from error

    def recall(self, _intent: Intent) -> Recollection:
        """Nothing was done where it is written down what the call gives."""
        return NeverBegun() if self._plan.turn.at_hand is not None else Unknown()

    def cancel(self) -> None:
        """Give up the call at hand; callable from any thread."""
        self._others.cancel()

    def close(self) -> None:
        """End all that goes on for these tools."""
        self._others.close()


def _given(foreseen: Foreseen) -> ToolResult:
    if foreseen.error is not None:
        raise RunFailed(foreseen.error)
    return ToolResult(foreseen.value)


class Gate:
    """Decides about one wanted call after the other; what becomes of it happens when the fold takes the events."""

    def __init__(self, plan: PlanFold, turns: Turns, teller: StepTeller, tools: Tools) -> None:
        self._tools = tools
        self._plan = plan.plan
        self._enforcer = plan.enforcer
        self._turn = plan.turn
        self._turns = turns
        self._places = turns.places
        self._teller = teller

    def ask(self, wanted: CallWish) -> Drafts:
        """The events by which *wanted* begins, is blocked, is given up, or is said to be done."""
        if self._turn.is_broken:
            return self._cancelled(wanted, _("An earlier call was not done, so this call was not made."))
        late = self._enforcer.moves.overdue
        if late is not None:
            step, message = late
            violated = PlanViolated(TIMEOUT, message, None, step.id, blocked=False, count=1)
            return (draft_at(self._places.of(step.id), violated),)
        decision = self._enforcer.decision(wanted.tool)
        if decision.problem and self._enforcer.blocks:
            return self._blocked(wanted, decision)
        if wanted.tool in CONTROL_TOOLS and not self._turns.offers(wanted.tool):
            return self._said(wanted)
        safety = CallSafety.READ if self._turn.is_foreseen else self._tools.safety("", wanted.tool)
        if safety is None and self._turns.is_person:  # or asked for by somebody who does not walk it any more
            text = _("The run has no such tool, and nobody is here to make the call.")
            return self._cancelled(wanted, text)
        return self._calling(wanted, decision, safety or CallSafety.UNSAFE)

    def _cancelled(self, wanted: CallWish, text: str) -> Drafts:
        return (draft_at(WHOLE_LIST, CallCancelled(wanted.tool, wanted.named, text)),)

    def _blocked(self, wanted: CallWish, decision: Decision) -> Drafts:
        step = self._plan.current_step
        digest = digest_of(wanted.named)
        why = (decision.problem, decision.message, decision.hints)
        blocked = CallBlocked(wanted.tool, (), wanted.named, digest, *why)
        return (draft_at(self._places.of(step.id if step is not None else None), blocked, self._turns.speaker),)

    def _said(self, wanted: CallWish) -> Drafts:
        """Something is said about the plan itself: that its step is done or left out, or that all is done."""
        step = self._plan.current_step
        where = self._places.of(step.id if step is not None else None)
        against = objections(self._enforcer, wanted.tool, wanted.named)
        said = PlanSteered(wanted.tool, wanted.named, " ".join(lack.message for lack in against))
        return (draft_at(where, said, self._turns.speaker),)

    def _calling(self, wanted: CallWish, decision: Decision, safety: CallSafety) -> Drafts:
        """The call is let through, once what it leaves behind has been left."""
        steps = self._plan.playbook.steps
        left = steps[self._plan.current_step_index : decision.place] if decision.passes else ()
        behind = self._teller.leave_behind(*left)
        if behind:
            return behind
        step = steps[decision.place].id if decision.place is not None else ""
        told = self._teller.enter(step) if step else ()
        key = f"call{self._plan.total_tool_calls + 1}"
        called = ToolCalled(wanted.tool, "", safety, key, (), wanted.named, digest_of(wanted.named), step)
        place = self._places.of(step).inside(f"turn{self._plan.turns}.{key}")
        return (*told, draft_at(place, called, self._turns.caller))
