"""Stops a run before what its person wants to see, tells what log points tell, and does what is ordered meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace

from workbench.engine.answers import checked
from workbench.engine.debugging.breakpoints import Breakpoint, NoBreakpoint, StopKind, amount_of
from workbench.engine.debugging.goals import depth_of, is_reached
from workbench.engine.decider import Decider, Draft, Drafts
from workbench.engine.expressions.data import digest_of
from workbench.engine.expressions.evaluation import EvaluationFailed, Lookup, evaluate, render
from workbench.engine.journal import choices
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.debug_events import (
    AnswerHeld,
    AnswerRecalled,
    BreakpointHit,
    PointLogged,
    ResultHeld,
    StateEdited,
)
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    InputGiven,
    RunFailure,
    RunPaused,
    RunResumed,
    StepEntered,
    StepExited,
    StepFailure,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.steplist_events import CallBlocked, PlanSteered, PlanViolated
from workbench.engine.language.procedures.start import who
from workbench.engine.ports import ABOUT_TRIGGERS, Answer, Purpose, Request, RequestKind
from workbench.engine.running.controls import Controls, EditAnswer, EditVariable, Order, SkipStep
from workbench.engine.running.matching import is_at, names_at
from workbench.engine.running.recorder import Recorder
from workbench.engine.state.answering import answer_at_hand
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging_rules import question
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.syntax.expressions import ExpressionRefused, parse_expression, parse_template

_NOT_HELD = frozenset({*ABOUT_TRIGGERS, Purpose.TURN, Purpose.WAIT})
_ALL = frozenset(StopKind)
_BEFORE = _ALL - {StopKind.ANSWER}


class Debugger:
    """What stands between a decision and the journal, on the thread of the run.

    A stop comes before anything of the decision is written: what a person changes meanwhile counts, for the decision
    is made anew after it. ``may_happen`` therefore says no after each stop, and yes to the same thing the next time.
    """

    def __init__(self, decider: Decider, recorder: Recorder, controls: Controls) -> None:
        self._decider = decider
        self._recorder = recorder
        self._controls = controls
        self._hits: Counter[Breakpoint] = Counter()
        self._spent: set[Breakpoint] = set()
        self._since = depth_of(recorder.fold)
        self._passed: tuple[object, ...] | None = None

    def may_happen(self, drafts: Drafts, *, is_step: bool = False, is_answer: bool = False) -> bool:
        """Whether *drafts* are to be journaled; no: the run has stopped before them, so decide again.

        *is_step*: by them a step begins. *is_answer*: the world has said so; only what would be decided again in the
        same way (a failure, a call) is held up then, so that no answer is lost. Raises Cancelled and Left.
        """
        if not (is_step or self._controls.breakpoints):
            return True
        at, (passed, self._passed) = _key(drafts), (self._passed, None)
        if at == passed:
            return True
        hit = self._hit(drafts, _BEFORE) or (None if is_answer else self._dear())
        is_goal = is_step and self._is_at_goal(drafts[0].step)
        if hit is None and not is_goal and not (is_step and self._controls.is_holding):
            return True
        self._passed = at
        self._stop(drafts, hit)
        return False

    def held(self, outcome: ToolResult | ToolError, drafts: Drafts) -> ToolResult | ToolError:
        """*outcome* of the call at hand, by *drafts*; where the run has stopped before them, what it is after that.

        What was held is in the journal first, so that nothing is lost while somebody looks. Raises Cancelled and Left.
        """
        hit = self._hit(drafts, _ALL) if self._controls.breakpoints else None
        if hit is None:
            return outcome
        self._record(drafts[-1], ResultHeld.of(outcome))
        self._recorder.write_synced()
        before = _held(self._recorder.fold)
        self._stop(drafts, hit)
        now = _held(self._recorder.fold)
        return outcome if now is None or now is before else now.outcome  # what was held may have marks for secrets

    def answered(self, drafts: Drafts) -> Drafts:
        """*drafts*; where they answer a question, and the run has stopped before them, as they are after that.

        What was held is in the journal first, so that no answer is lost. Raises Cancelled and Left.
        """
        given = next((each for each in drafts if isinstance(each.payload, InputGiven)), None)
        fold = self._recorder.fold
        request = fold.pending or question(fold)
        if given is None or not isinstance(given.payload, InputGiven) or request is None or not can_hold(request):
            return drafts
        earlier = shown = fold.top.said
        hit = self._hit(drafts, {StopKind.ANSWER}) if self._controls.breakpoints else None
        if hit is not None:
            shown = earlier or AnswerHeld.of(given.payload)
            self._record(given, shown)
            self._recorder.write_synced()
            self._stop((given,), hit)
        said = fold.top.said
        if said is None or (earlier is None and said is shown):  # what was held may have marks for secrets
            return drafts
        if said.answer != given.payload.answer:
            drafts = self._decider.given(fold, request, dict(said.answer))
        return tuple(_said(each, said, given) for each in drafts)

    def _is_at_goal(self, address: str) -> bool:
        goal = self._controls.goal
        if goal is None or not is_reached(goal, self._since, self._recorder.fold, address):
            return False
        self._controls.reach()
        self._since = depth_of(self._recorder.fold)
        return self._controls.is_holding

    def _hit(self, drafts: Drafts, kinds: Container[StopKind]) -> Breakpoint | None:
        """The breakpoint of *kinds* to stop at before *drafts*; log points tell what they have to."""
        found = None
        for each in self._controls.breakpoints:
            if (
                each.is_on
                and each.kind in kinds
                and is_at(each, drafts, self._recorder.fold)
                and self._counts(each, drafts[-1])
            ):
                if each.log:
                    self._log(each, drafts[-1])
                else:
                    found = found or each
        return found

    def _counts(self, breakpoint_: Breakpoint, draft: Draft) -> bool:
        """Whether the condition of *breakpoint_* holds, often enough."""
        if breakpoint_.condition:
            try:
                if not evaluate(parse_expression(breakpoint_.condition), self._names(draft)):
                    return False
            except (EvaluationFailed, ExpressionRefused) as error:
                self._complain(breakpoint_, draft, error)
                return False
        self._hits[breakpoint_] += 1
        return breakpoint_.counts_at(self._hits[breakpoint_])

    def _dear(self) -> Breakpoint | None:
        """The breakpoint for cost that has been reached, and was not before."""
        cost = self._recorder.fold.used.cost_usd
        for each in self._controls.breakpoints:
            if each.is_on and each.kind is StopKind.COST and each not in self._spent and cost > _amount(each):
                self._spent.add(each)
                return each
        return None

    def _names(self, draft: Draft) -> Lookup:
        return names_at(self._decider.standing(self._recorder.fold).names, draft)

    def _log(self, breakpoint_: Breakpoint, draft: Draft) -> None:
        try:
            text = render(parse_template(breakpoint_.log), self._names(draft))
        except EvaluationFailed as error:
            self._complain(breakpoint_, draft, error)
        else:
            self._record(draft, PointLogged(str(breakpoint_), text))

    def _complain(self, breakpoint_: Breakpoint, draft: Draft, error: Exception) -> None:
        """Tell once why *breakpoint_* cannot be worked out."""
        if breakpoint_ not in self._spent:
            self._spent.add(breakpoint_)
            self._record(draft, PointLogged(str(breakpoint_), problem=str(error)))

    def _record(self, at: Draft, payload: EventPayload, actor: str = "engine") -> None:
        draft = Draft(payload, at.step, at.line, self._recorder.fold.open_span, actor=actor)
        self._recorder.record((draft,))

    def _stop(self, drafts: Drafts, hit: Breakpoint | None) -> None:
        before = drafts[-1]
        if hit is not None:
            self._record(before, BreakpointHit(str(hit), self._hits[hit], _problem(drafts)))
            self._controls.pause()
        self.hold(before)

    def hold(self, before: Draft | None = None) -> None:
        """Pause until the person goes on; *before*: what comes next, where that is known. Raises Cancelled and Left."""
        at = Draft(RunPaused()) if before is None else Draft(RunPaused(), before.step, before.line)
        self._recorder.record((at,))
        self._recorder.write()
        while (order := self._controls.wait()) is not None:
            try:
                done = _done(self._recorder.fold, order)
            except RunFailed as error:
                done = PointLogged("", problem=str(error))
            if done is None or isinstance(done, AnswerRecalled):
                break
            self._record(at, done, "user")
            self._recorder.write_synced()
        self._recorder.record((Draft(RunResumed()),))
        self._since = depth_of(self._recorder.fold)
        if order is not None:
            if done is None:
                self._skip(at)
            else:
                self._passed = _answered_again(self._recorder, replace(at, payload=done))

    def _skip(self, at: Draft) -> None:
        """Leave out the step that was about to begin; where nothing can be left out, the run stays where it is."""
        self._passed = None
        try:
            if _held(self._recorder.fold) is not None:
                raise RunFailed(_("The call has been made already, so it cannot be left out."))
            drafts = self._decider.standing(self._recorder.fold).skipped()
        except RunFailed as error:
            self._record(at, PointLogged("", problem=str(error)))
        else:
            self._recorder.record(drafts)


def _answered_again(recorder: Recorder, recalled: Draft) -> tuple[object, ...]:
    """What begins when the run has gone back to the step that was answered last, by *recalled*; see ``_key``."""
    fold = recorder.fold
    frame, last = fold.top, fold.top.answering
    if last is not None and frame.open and frame.open[-1].span == last.span:
        step = frame.open[-1]
        parent = frame.open[-2].span if len(frame.open) > 1 else frame.span
        recorder.record((Draft(StepExited(StepStatus.DONE), step.step, step.line, step.span, parent),))
    recorder.record_synced((replace(recalled, parent="", span=fold.open_span, actor="user"),))
    address = "" if last is None or last.request is None else last.request.step
    return ((StepEntered, address, fold.open_span),)


def _held(fold: RunFold) -> ResultHeld | None:
    """What the call at hand has come to, where the run stops at that."""
    return fold.intent.held if fold.intent is not None else None


def _done(fold: RunFold, order: Order) -> EventPayload | None:
    """The event that *order* is done where the run of *fold* stands; None: it leads on. Raises RunFailed."""
    match order:
        case EditVariable():
            return edited_in(fold, order)
        case EditAnswer(answer):
            return _answered_otherwise(fold, answer)
        case SkipStep():
            return None
    held = _held(fold)
    if held is None:
        raise RunFailed(_("The run has not stopped at the result of a call."))
    return held.edited(order.value, order.failure, who())


def _answered_otherwise(fold: RunFold, answer: Answer) -> AnswerHeld | AnswerRecalled:
    at, last, held = answer_at_hand(fold.state()), fold.top.answering, fold.top.said
    if at is None:
        raise RunFailed(_("The run has not stopped at an answer, nor directly behind the step that it was for."))
    other = checked(at.request, answer)
    if held is not None:
        return held.edited(other, who())
    assert last is not None, "else there is no answer at hand"
    first = AnswerHeld(at.request.kind, at.answer, last.judge, last.instead)
    return AnswerRecalled.with_other(first, last.seq, other, who())


def can_hold(request: Request) -> bool:
    """Whether a run can stop between an answer to *request* and its use."""
    return request.purpose not in _NOT_HELD and request.kind not in {RequestKind.IN_DOUBT, RequestKind.APPROVE}


def _said(draft: Draft, said: AnswerHeld, given: Draft) -> Draft:
    """*draft*, in which an answer is the one that was held of *given*."""
    if not isinstance(draft.payload, InputGiven):
        return draft
    payload = replace(draft.payload, judge=said.judge, instead=said.instead)
    return replace(draft, payload=payload, span=given.span)


def edited_in(fold: RunFold, edit: EditVariable) -> StateEdited:
    """The event that *edit* is done where the run of *fold* stands."""
    frame = next((each for each in fold.frames if each.span == edit.frame), None)
    place = fold.agents.get(edit.agent, {}) if edit.scope is choices.Scope.STATE else frame.locals if frame else {}
    old = digest_of(place[edit.name]) if edit.name in place else None
    return StateEdited(edit.name, edit.scope, edit.agent, edit.frame, old, edit.value, who())


def _key(drafts: Iterable[Draft]) -> tuple[object, ...]:
    """What *drafts* are about, the same when they are decided on anew."""
    return tuple((type(each.payload), each.step, each.parent) for each in drafts)


def _amount(breakpoint_: Breakpoint) -> float:
    try:
        return amount_of(breakpoint_)
    except NoBreakpoint:
        return float("inf")


def _problem(drafts: Drafts) -> str:
    """What fails, or which rule is broken, by *drafts*; empty where nothing is wrong."""
    for each in drafts:
        match each.payload:
            case StepFailure(message) | RunFailure(message):
                return message
            case CallBlocked() | PlanViolated() as broken:
                return broken.message
            case PlanSteered(refused=reason) if reason:
                return reason
    return ""
