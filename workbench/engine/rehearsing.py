"""The calls of a script, tried on a step list by the rules of a run: nothing is made, and nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.decider import Tools
from workbench.engine.enforcement.conclusion import conclude
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.enforcement.recording import FinishedCall
from workbench.engine.enforcement.records import EnforcementResult
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.run_events import ToolCalled
from workbench.engine.journal.steplist_events import CallBlocked, CallCancelled, PlanSteered, TurnTaken
from workbench.engine.options import RunOptions
from workbench.engine.running.controls import Controls
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.worker import Worker
from workbench.engine.scripts import ScriptedCall
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists.decider import StepListDecider
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.turns import Turns
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot

_RUN = RunId("")


@dataclass(frozen=True, slots=True)
class Judged:
    """What was decided about one call or answer."""

    call: ScriptedCall
    allowed: bool
    violation: str = ""
    message: str = ""
    step: str = ""
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """*judged*: every entry of the script, in order. *plan*: at the end."""

    judged: tuple[Judged, ...]
    plan: PlaybookPlan


def rehearse(playbook: Playbook, snapshot: Snapshot, calls: tuple[ScriptedCall, ...], *, blocks: bool) -> Rehearsal:
    """What a run of *playbook*, as it stands in *snapshot*, would say to *calls*.

    A run makes no more calls once it has ended; what it would say to those that are left is said all the same.
    """
    plan, walker = PlanFold(playbook, _RUN, blocks=blocks), ScriptedWalker(calls)
    decider = StepListDecider(plan, snapshot, Turns(plan, snapshot, walker, ""), Tools())
    judge = _Judge(plan, decider, calls)
    recorder = Recorder(_RUN, _Nowhere(), RunState(), judge.take)
    Worker(decider, recorder, walker, Controls(), RunOptions()).carry_out()
    left = [_after_the_end(plan, call) for call in walker.left]
    return Rehearsal((*judge.judged, *left), plan.plan)


class _Nowhere:
    """Keeps no events."""

    def append(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """Keep nothing."""
        return events

    def append_synced(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """Keep nothing."""
        return events


class _Judge:
    """Hears of each event beside the decider, and notes what it says to an entry of the script."""

    def __init__(self, plan: PlanFold, decider: StepListDecider, calls: tuple[ScriptedCall, ...]) -> None:
        self.judged: list[Judged] = []
        self._plan = plan
        self._decider = decider
        self._calls = calls

    def take(self, event: RunEvent) -> None:
        """Hear of *event*."""
        step = self._plan.plan.current_step
        hints, step_id = (step.hints, step.id) if step is not None else ((), "")
        self._decider.take(event)
        call = self._calls[len(self.judged)] if len(self.judged) < len(self._calls) else ScriptedCall()
        match event.payload:
            case ToolCalled() | CallBlocked():
                assert self._plan.answer is not None
                self.judged.append(_answered(call, self._plan.answer))
            case CallCancelled(message=message):
                self.judged.append(Judged(call, allowed=False, violation="cancelled", message=message, hints=hints))
            case PlanSteered(refused=refused):
                kind = self._plan.against[0].code if self._plan.against else ""
                self.judged.append(Judged(call, not refused, kind, refused, step_id, hints))
            case TurnTaken(calls=()):
                self.judged.append(self._concluded(call, step_id))
            case _:
                pass

    def _concluded(self, call: ScriptedCall, step: str) -> Judged:
        concluded = self._plan.turn.concluded
        assert concluded is not None
        kind = "" if concluded.is_taken else concluded.kind.value
        return Judged(call, concluded.is_taken, kind, concluded.message, step, self._plan.enforcer.current_step_hints)


def _answered(call: ScriptedCall, answer: EnforcementResult) -> Judged:
    violation = answer.violation
    kind, message = (violation.violation_type, violation.message) if violation is not None else ("", "")
    return Judged(call, answer.allowed, kind, message, answer.step.id if answer.step else "", answer.hints)


def _after_the_end(plan: PlanFold, call: ScriptedCall) -> Judged:
    """What is said to *call* once the run has ended."""
    if not call.tool:
        concluded = conclude(plan.enforcer, call.text)
        return Judged(call, concluded.is_taken, "" if concluded.is_taken else concluded.kind.value, concluded.message)
    judged = _answered(call, plan.enforcer.validate_tool_call(call.tool, call.arguments))
    if judged.allowed:
        plan.enforcer.record_tool_call(FinishedCall(call.tool, call.arguments, call.result, call.error))
    return judged
