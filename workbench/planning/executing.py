"""The last moves of a cycle: compiling, carrying out, keeping; and what is done where the run is not as planned.

A run that deviates stops. What follows says the policy for that kind of deviation: it is stopped, tried again, gone on
with as it is, or goes on with another text; or somebody is asked which of these. Another text comes from whoever
judges, keeps what is done, calls nothing that the playbook could not call before, and is accepted before it is used.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace

from workbench.engine.backends.limits import tools_named
from workbench.engine.decider import Consult, Decision, Draft, Drafts
from workbench.engine.expressions.data import digest_of
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.run_events import PlaybookExited, RunCompleted, RunFailure
from workbench.engine.ports import RequestKind
from workbench.engine.state.fold import RunFold
from workbench.i18n import _
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import Variable
from workbench.model.plans.policies import DEVIATION, policies_in
from workbench.planning.checking import problems_in, read_text
from workbench.planning.moves import SPAN, Looking, is_praise, text_instead
from workbench.planning.request import ROUNDS, DeviationKind, PlanRequest, Policy
from workbench.planning.stages import NAME, Stage

RETRIES = 2
"""So often a step is tried again by policy."""
BY_POLICY = "policy"


class _Deviating(Looking):
    """What is done about a run that is not as planned."""

    def _deviated(self, fold: RunFold) -> Decision:
        at = self.at
        assert at.deviation is not None
        kind = DeviationKind(at.deviation.kind)
        program = read_text(at.text, at.request.format).program
        by_rule = at.request.policy_for(kind, program, at.deviation.step)
        policy = Policy(at.answered) if at.answered else by_rule
        if policy is Policy.ASK:
            return self._asked_what(fold, kind)
        if policy is Policy.GO_ON and not kind.is_end:
            return self._drafts(cycle.DeviationAnswered(policy.value, BY_POLICY, is_over=True))
        if policy is Policy.RETRY and at.tries <= RETRIES:
            return self._again()
        if policy in {Policy.SEGMENT, Policy.REST}:
            return self._regenerated(fold, policy)
        return self._stopped(at.deviation.actual)

    def _asked_what(self, fold: RunFold, kind: DeviationKind) -> Decision:
        at = self.at
        if at.said is not None and at.said[0] == "deviation":
            chosen = Policy(at.said[1]["values"]["how"])
            is_over = chosen is Policy.GO_ON and not kind.is_end
            return self._drafts(cycle.DeviationAnswered(chosen.value, at.said[2] or self._asked, is_over=is_over))
        not_now = {Policy.ASK, Policy.GO_ON} if kind.is_end else {Policy.ASK}
        how = Variable("how", False, f"literal[{', '.join(each.value for each in Policy if each not in not_now)}]")
        words = _("The run is not as planned. What is to be done?")
        return self._ask(fold, "deviation", (words, *self._what_differs()), how)

    def _what_differs(self) -> tuple[str, ...]:
        deviation = self.at.deviation
        assert deviation is not None
        return (
            _("Step {step}: {text}").format(step=deviation.step, text=deviation.text),
            _("Expected: {text}").format(text=deviation.expected),
            _("What happened: {text}").format(text=deviation.actual),
        )

    def _looked(self, fold: RunFold, look: cycle.LookDue) -> Decision:
        """Whether the run still leads to the goal, as whoever judges says; where it does not, that is a deviation."""
        at = self.at
        if at.drift:
            goal = at.request.goal
            noted = cycle.DeviationNoted(DeviationKind.DRIFT.value, look.run, look.step, look.text, goal, at.drift)
            return self._drafts(noted)
        if at.said is not None and at.said[0] == "look":
            said = str(at.said[1]["values"]["verdict"] or "").strip()
            is_fine = is_praise(said)
            return self._drafts(cycle.DriftJudged(not is_fine, at.said[2] or self._asked, "" if is_fine else said))
        goal = _("The goal: {goal}").format(goal=at.request.goal)
        words = _("Does what was done so far lead to the goal, as the plan wants it? Say ok, or in a sentence why not.")
        lines = (goal, "", _("What was done last, and what has come of it:"), *look.evidence)
        return self._ask(fold, "look", (words, *lines), Variable("verdict", False, "str"))

    def _again(self) -> Drafts:
        """The run goes on before the step that deviated, as another run with the text at hand."""
        deviation = self.at.deviation
        assert deviation is not None
        step = deviation.step if DeviationKind(deviation.kind).is_end else ""
        return self._drafts(cycle.PlaybookBegun(self._hands.new_run(), self.at.begun, step))

    def _stopped(self, reason: str) -> Drafts:
        return self._drafts(cycle.PlaybookEnded(self.at.begun, RunStatus.FAILED.value, None, reason))

    def _regenerated(self, fold: RunFold, policy: Policy) -> Decision:
        at = self.at
        if at.candidate is not None and at.candidate.problems and at.candidate.round >= ROUNDS:
            return self._stopped("; ".join(at.candidate.problems))
        if at.candidate is None or at.candidate.problems:
            return self._rewritten(fold, policy)
        if at.is_taken is None:
            return self._accepted(fold)
        return self._again() if at.is_taken else self._stopped(_("The other text was not accepted."))

    def _rewritten(self, fold: RunFold, policy: Policy) -> Decision:
        at = self.at
        if at.said is not None and at.said[0] == "regenerate":
            text = str(at.said[1]["values"]["text"])
            count = at.candidate.round if at.candidate is not None else 0
            return self._other(text, at.said[2] or self._asked, count, policy)
        words = (
            _("Change only the step that deviated, or put other steps in its place:")
            if policy is Policy.SEGMENT
            else _("Change what is not done yet, so that the goal is reached all the same:")
        )
        problems = at.candidate.problems if at.candidate is not None else ()
        asked = (words, *self._what_differs(), *problems, "", at.text)
        return self._ask(fold, "regenerate", asked, Variable("text", False, "str"))

    def _other(self, text: str, by: str, before: int, policy: Policy) -> Drafts:
        """The *text* to go on with that *by* has written as *policy* wants it, after *before* others."""
        whole = text if text.endswith("\n") else f"{text}\n"
        found = self._against(whole, policy)
        return self._drafts(cycle.PlaybookRegenerated(whole, policy.value, by, found, before + 1))

    def _against(self, text: str, policy: Policy) -> tuple[str, ...]:
        """Why the run cannot go on with *text*."""
        at = self.at
        wrong = tuple(each.words for each in problems_in(text, _as_before(at.request, at.text)) if each.is_error)
        if not wrong and _said_of_deviations(text, at.request) != _said_of_deviations(at.text, at.request):
            wrong = (_("What the playbook says about deviations must stay as it is."),)
        return wrong or self._hands.against(at, text, is_segment=policy is Policy.SEGMENT)

    def _accepted(self, fold: RunFold) -> Decision:
        at = self.at
        assert at.candidate is not None
        if at.request.accepts_by_policy:
            return self._drafts(cycle.RegenerationReviewed(True, BY_POLICY))
        if at.said is not None and at.said[0] == "take":
            answer, by = at.said[1], at.said[2] or self._asked
            other = text_instead(answer)
            if other and other != at.candidate.text:
                return self._other(other, by, at.candidate.round, Policy(at.candidate.scope))
            return self._drafts(cycle.RegenerationReviewed(bool(answer["decision"]), by, str(answer.get("text") or "")))
        lines = difflib.unified_diff(at.text.splitlines(), at.candidate.text.splitlines(), "old", "new", lineterm="")
        words = _("The run goes on with this text. Is that right?")
        return self._ask(fold, "take", (words, "", *lines), kind=RequestKind.DECIDE)


class Moves(_Deviating):
    """What is next in each stage: what was done is left, what was answered is used, and else it is asked or done."""

    def next(self, stage: Stage, fold: RunFold) -> Decision:
        """The next thing to do in *stage*, which has begun."""
        of_stage: Mapping[Stage, Callable[[RunFold], Decision]] = {
            Stage.PLAN: self._plan,
            Stage.GENERATE: self._generate,
            Stage.CHECK: self._check,
            Stage.REVIEW: self._review,
            Stage.COMPILE: self._compile,
            Stage.EXECUTE: self._execute,
            Stage.STORE: self._store,
        }
        return of_stage[stage](fold)

    def end(self) -> Drafts:
        """The last events, when all stages are over."""
        at = self.at
        exited = Draft(PlaybookExited(NAME, at.text), span=SPAN)
        ended = at.ended
        if ended is not None and ended.status != RunStatus.COMPLETED.value:
            message = _("The playbook was made, and its run did not reach its end: {reason}")
            return (exited, Draft(RunFailure(message.format(reason=ended.error or ended.status))))
        return (exited, Draft(RunCompleted(at.text)))

    def _compile(self, _fold: RunFold) -> Decision:
        at = self.at
        if at.compiled is not None:
            return self._leave()
        snapshot = read_text(at.text, at.request.format)
        whole = at.text if snapshot.program.format.is_steplist else compile_assembly(snapshot).text
        return self._drafts(cycle.PlaybookCompiled(digest_of(whole), len(whole.splitlines())))

    def _execute(self, fold: RunFold) -> Decision:
        at = self.at
        if not at.request.is_run:
            return self._leave(StepStatus.SKIPPED)
        if at.ended is not None:
            is_done = at.ended.status == RunStatus.COMPLETED.value
            return self._leave(StepStatus.DONE if is_done else StepStatus.FAILED)
        if not at.begun:
            run = self._hands.new_run()
            return self._drafts(cycle.PlaybookBegun(run)) if run else self._leave(StepStatus.SKIPPED)
        if at.deviation is not None:
            return self._deviated(fold)
        if at.look is not None:
            return self._looked(fold, at.look)
        return Consult(lambda _tell: self._drafts(self._hands.carry_out(at.begun, at)))

    def _store(self, _fold: RunFold) -> Decision:
        if self.at.stored is not None:
            return self._leave()
        return Consult(lambda _tell: self._kept())

    def _kept(self) -> Drafts:
        stored = self._hands.store(self.at)
        return self._leave(StepStatus.SKIPPED) if stored is None else self._drafts(stored)


def _said_of_deviations(text: str, request: PlanRequest) -> list[dict[str, str]]:
    """What the file and the playbooks of *text* say about deviations."""
    program = read_text(text, request.format).program
    settings = [program.front_matter, *(each.metadata for each in program.playbooks)]
    return [found for each in settings if (found := policies_in(dict(each).get(DEVIATION)))]


def _as_before(request: PlanRequest, text: str) -> PlanRequest:
    """*request* with only those offers that the playbook *text* could call: a run never gets more by going on."""
    named = tools_named(read_text(text, request.format).program.front_matter)
    kept = (each for each in request.offers if (each.name in named if named is not None else each.name in text))
    return replace(request, offers=tuple(kept))
