"""The moves of a cycle, stage by stage: what was done is left, what was answered is used, and else it is asked or done.

Whatever is sent back is sent back three times at most; then the cycle ends, and all that it has stands in its journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.engine.decider import (
    Decision,
    Draft,
    Drafts,
    Where,
    draft_at,
)
from workbench.engine.journal import cycle_events as cycle
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.cycle_events import WovenNote
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    InputAsked,
    RunFailure,
    StepExited,
    StepFailure,
)
from workbench.engine.ports import JudgementBackend, Request, RequestKind
from workbench.engine.state.fold import RunFold
from workbench.i18n import _, ngettext, numeral
from workbench.model.checks.names import BUILT_IN
from workbench.model.meaning import Variable
from workbench.model.plans.writing import markdown_of, same_words, step_list_of, with_imports
from workbench.model.snapshot import Snapshot
from workbench.planning.checking import problems_in, read_text, verdicts_on
from workbench.planning.plan import Plan, PlanRefused, PlanStep, plan_from_json, plan_to_json
from workbench.planning.request import ROUNDS, KnownPlaybook, PersonalNote, PlanRequest, PlaybookFormat, Review
from workbench.planning.stages import SHELF, CycleFold, Hands, Stage
from workbench.syntax.signatures import normalise_name

RULES = "rules"
SPAN = "cycle"
_FINE = frozenset({"ok", "fine", "yes", "true", ""})


def check_calls(plan: Plan, request: PlanRequest) -> None:
    """Raise PlanRefused where *plan* wants something called that *request* does not offer."""
    own = {normalise_name(each.name).name for each in plan.reactions} | BUILT_IN
    unknown = sorted(plan.calls - own - {each.name for each in request.offers})
    if unknown:
        raise PlanRefused([_("There is nothing to call named {name} here.").format(name=each) for each in unknown])


class _Stages:
    """What all stages have in common: where they stand, what they ask, and how they end."""

    def __init__(self, snapshot: Snapshot, hands: Hands, asked: JudgementBackend) -> None:
        self.snapshot = snapshot
        self.at = CycleFold()
        self._hands = hands
        self._backend = asked

    @property
    def _asked(self) -> str:
        """Who has answered last, where no model did."""
        return self._backend.name

    @property
    def here(self) -> Where:
        """The stage at hand."""
        assert self.at.stage is not None
        place = self.of_stage(self.at.stage)
        return Where(place.step, place.line, self.at.open, SPAN)

    def of_stage(self, stage: Stage) -> Where:
        """Where *stage* stands in the text of the cycle."""
        step = self.snapshot.at_address(stage.address)
        return Where(stage.address, self.snapshot.line(step.id) if step is not None else 0)

    def _ask(
        self, fold: RunFold, what: str, words: tuple[str, ...], *fields: Variable, kind: RequestKind = RequestKind.JUDGE
    ) -> Drafts:
        place = self.here
        text = "\n".join(words).strip()
        request = Request(f"{what}:{fold.next_seq}", kind, place.step, text, fields)
        span = f"s{fold.spans + 1}"
        return (Draft(InputAsked.of(request), place.step, place.line, span, self.at.open),)

    def give_up(self, problems: tuple[str, ...]) -> Drafts:
        """The end of a cycle that does not get any further; all that it has is in its journal."""
        count = ngettext("{count} round", "{count} rounds", ROUNDS).format(count=numeral(ROUNDS))
        message = _("The goal did not become a playbook, after at most {rounds} of corrections: {problems}")
        told = message.format(rounds=count, problems="; ".join(problems))
        return (*self._drafts(StepFailure(told)), Draft(RunFailure(told)))

    def _leave(self, status: StepStatus = StepStatus.DONE) -> Drafts:
        return self._drafts(StepExited(status))

    def _drafts(self, payload: EventPayload) -> Drafts:
        return (draft_at(self.here, payload),)


class _Making(_Stages):
    """From the goal to a text in which nothing is wrong."""

    def _plan(self, fold: RunFold) -> Decision:
        at = self.at
        if at.plan is not None:
            return self._leave()
        if at.given_plan is not None:
            return self._made_of(at.given_plan, at.given_by)
        if at.request.known is not None and (at.reuse is None or at.reuse.is_taken):
            return self._reused(fold, at.request.known)
        if at.said is not None:
            _what, answer, judge = at.said
            return self._made_of(answer["values"]["plan"], judge or self._asked)
        if at.plan_round >= ROUNDS:
            return self.give_up(at.sent_back)
        text = _("Plan how to reach this goal: {goal}").format(goal=at.request.goal)
        return self._ask(fold, "plan", (text, at.request.context, *at.sent_back), Variable("plan", False, "dict"))

    def _reused(self, fold: RunFold, known: KnownPlaybook) -> Decision:
        """Whether a kept playbook will do; its plan, where it does."""
        at = self.at
        if at.reuse is not None:
            plan = known.plan or plan_to_json(Plan(known.title, "", (PlanStep(at.request.goal),)))
            return self._drafts(cycle.PlanMade(plan, SHELF))
        if at.said is not None:
            said = cycle.PlaybookReused(
                known.id, known.version, bool(at.said[1]["decision"]), at.said[2] or self._asked
            )
            return self._drafts(said)
        words = _("There is a playbook that may do this: {title} ({record}). Is it taken?")
        text = words.format(title=known.title, record=known.record)
        return self._ask(fold, "reuse", (text, "", known.text), kind=RequestKind.DECIDE)

    def _made_of(self, data: Any, by: str) -> Drafts:
        try:
            plan = plan_from_json(data)
            check_calls(plan, self.at.request)
        except PlanRefused as error:
            if self.at.given_plan is not None:
                return self.give_up(error.problems)
            return self._drafts(cycle.PlanSentBack(error.problems, self.at.plan_round + 1))
        return self._drafts(cycle.PlanMade(plan_to_json(plan), by))

    def _generate(self, fold: RunFold) -> Decision:
        at = self.at
        assert at.plan is not None
        if at.text:
            return self._leave()
        if at.given_text:
            return self._generated(at.given_text, at.given_by)
        if at.reuse is not None and at.reuse.is_taken and at.request.known is not None:
            return self._generated(at.request.known.text, SHELF)
        plan, effects = woven_into(at.plan, at.request.notes)
        if effects and not at.is_woven:
            return self._drafts(cycle.NotesWoven(plan_to_json(plan), _addressed(effects, at.plan, at.request)))
        if not at.request.is_free:
            return self._generated(playbook_text(at.plan, at.request.format), RULES)
        if at.said is not None:
            return self._generated(at.said[1]["values"]["text"], at.said[2] or self._asked)
        words = _("Write this plan as a playbook: {title}").format(title=at.plan.title)
        return self._ask(fold, "text", (words,), Variable("text", False, "str"))

    def _generated(self, text: Any, by: str) -> Drafts:
        written = str(text)
        whole = written if written.endswith("\n") else f"{written}\n"
        if self.at.request.format is PlaybookFormat.MARKDOWN:
            whole = with_imports(whole, self.at.request.imports)
        return self._drafts(cycle.PlaybookGenerated(whole, self.at.request.format.value, by))

    def _check(self, fold: RunFold) -> Decision:
        at = self.at
        if not at.is_checked:
            found = tuple(
                cycle.FoundProblem(each.line, each.column, each.code, each.severity, each.message)
                for each in problems_in(at.text, at.request)
            )
            is_wrong = any(each.severity == "error" for each in found)
            return self._drafts(cycle.PlaybookChecked(found, at.round + 1 if is_wrong else 0))
        if not at.errors:
            return self._leave()
        told = tuple(f"{each.line}:{each.column} {each.message} ({each.code})" for each in at.errors)
        return self._corrected(fold, told)

    def _corrected(self, fold: RunFold, problems: tuple[str, ...]) -> Decision:
        """Another text, in which none of *problems* is; after three rounds, the end."""
        at = self.at
        if at.said is not None and at.said[0] == "correct":
            return self._generated(at.said[1]["values"]["text"], at.said[2] or self._asked)
        if at.round > ROUNDS:
            return self.give_up(problems)
        words = _("Correct this playbook. What is wrong in it:")
        return self._ask(fold, "correct", (words, *problems, "", at.text), Variable("text", False, "str"))


class Looking(_Making):
    """Whether the playbook may go on: first somebody looks at each step, then it is accepted or sent back."""

    def _review(self, fold: RunFold) -> Decision:
        at = self.at
        if at.back is not None:
            return self._leave()
        if at.verdicts is None:
            return self._observed(fold)
        if at.review is None:
            return self._reviewed(fold)
        return self._leave() if at.review.is_accepted else self._corrected(fold, (at.review.reason,))

    def _observed(self, fold: RunFold) -> Decision:
        at = self.at
        assert at.plan is not None
        snapshot = read_text(at.text, at.request.format)
        by_rule = verdicts_on(snapshot, at.plan, at.request)
        if not at.request.has_observer:
            return self._drafts(cycle.PlaybookObserved(by_rule, RULES))
        if at.said is not None and at.said[0] == "observe":
            said = at.said[1]["values"]["verdicts"]
            return self._drafts(cycle.PlaybookObserved((*by_rule, *_verdicts(said)), at.said[2] or self._asked))
        words = _("Does each step of this playbook do what the goal and the plan want, and nothing else?")
        return self._ask(fold, "observe", (words, "", at.text), Variable("verdicts", False, "dict"))

    def _reviewed(self, fold: RunFold) -> Decision:
        at = self.at
        against = [f"{each.step} {each.reason}".strip() for each in at.verdicts or () if not each.is_fine]
        if at.request.review is Review.RULES:
            reviewed = cycle.PlaybookReviewed(not against, RULES, "\n".join(against), at.round + bool(against))
            return self._drafts(reviewed)
        if at.said is not None and at.said[0] == "accept":
            other = text_instead(at.said[1])
            if other and other != at.text:
                return self._generated(other, at.said[2] or self._asked)
            return self._said_of(at.said[1], at.said[2] or self._asked)
        words = _("May this playbook go on as it is?")
        told = [_("Objections:"), *against] if against else []
        return self._ask(fold, "accept", (words, *told, "", at.text), kind=RequestKind.DECIDE)

    def _said_of(self, answer: Mapping[str, Any], by: str) -> Drafts:
        """What the review came to; a no without a reason gives nobody anything to correct."""
        is_accepted, reason = bool(answer["decision"]), str(answer.get("text") or "")
        if not is_accepted and not reason:
            reviewed = self._drafts(cycle.PlaybookReviewed(False, by))
            return (*reviewed, *self.give_up((_("It was not accepted."),)))
        count = 0 if is_accepted else self.at.round + 1
        return self._drafts(cycle.PlaybookReviewed(is_accepted, by, reason, count))


def text_instead(answer: Mapping[str, Any]) -> str:
    """The text of a playbook that *answer*, a yes, wants in the place of what was asked about; empty for none.

    It has more than one line: less is a remark.
    """
    text = str(answer.get("text") or "")
    is_text = bool(answer.get("decision")) and len(text.strip().splitlines()) > 1
    return "" if not is_text else text if text.endswith("\n") else f"{text}\n"


def is_praise(words: str) -> bool:
    """Whether *words* say that something is fine, and nothing else."""
    return words.lower().rstrip(".!") in _FINE


def _verdicts(said: Mapping[str, Any]) -> tuple[cycle.StepVerdict, ...]:
    """What somebody said of each step; a word that it is fine needs no reason."""
    found = []
    for step, value in said.items():
        words = "ok" if value is True else str(value or "").strip()
        is_fine = is_praise(words)
        found.append(cycle.StepVerdict(str(step), is_fine, "" if is_fine else words))
    return tuple(found)


def playbook_text(plan: Plan, format_: PlaybookFormat) -> str:
    """*plan* as a playbook in *format_*."""
    return markdown_of(plan) if format_ is PlaybookFormat.MARKDOWN else step_list_of(plan)


def woven_into(plan: Plan, notes: Sequence[PersonalNote]) -> tuple[Plan, tuple[WovenNote, ...]]:
    """*plan* as the *notes* that work by rule want it, and what each of them has changed, by the step's place."""
    effects: list[WovenNote] = []
    steps = tuple(_woven(plan.steps, notes, "steps", effects))
    reactions = tuple(
        replace(each, steps=tuple(_woven(each.steps, notes, f"reactions[{number}].steps", effects)))
        for number, each in enumerate(plan.reactions, 1)
    )
    if not steps:  # a plan of which nothing would be left stays as it is
        return plan, ()
    return replace(plan, steps=steps, reactions=reactions), tuple(effects)


def _addressed(effects: tuple[WovenNote, ...], plan: Plan, request: PlanRequest) -> tuple[WovenNote, ...]:
    """*effects* with the addresses of the steps as *plan* has them, where its text is made by rule; as for copies."""
    if request.is_free:
        return effects
    reactions = tuple(
        replace(each, steps=tuple(_marked(each.steps, f"reactions[{number}].steps")))
        for number, each in enumerate(plan.reactions, 1)
    )
    marked = replace(plan, steps=tuple(_marked(plan.steps, "steps")), reactions=reactions)
    snapshot = read_text(playbook_text(marked, request.format), request.format)
    found: dict[str, str] = {}
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            mark = step.text.rpartition(_MARK)[2].partition(" ")[0] if _MARK in step.text else ""
            found.setdefault(mark, snapshot.address(step.id))
    return tuple(replace(each, place=found.get(each.place, each.place)) for each in effects)


_MARK = "Step "


def _marked(steps: Sequence[PlanStep], at: str) -> Iterator[PlanStep]:
    """*steps*, each of which says where it stands in the plan."""
    for number, step in enumerate(steps, 1):
        place = f"{at}[{number}]"
        inner, others = _marked(step.steps, f"{place}.steps"), _marked(step.otherwise, f"{place}.otherwise")
        yield replace(step, intent=f"{_MARK}{place}", steps=tuple(inner), otherwise=tuple(others))


def _woven(
    steps: Sequence[PlanStep], notes: Sequence[PersonalNote], at: str, effects: list[WovenNote]
) -> Iterator[PlanStep]:
    for number, step in enumerate(steps, 1):
        place = f"{at}[{number}]"
        said = next((each for each in notes if each.old and same_words(each.old, step.intent) and not step.call), None)
        if said is not None:
            effects.append(WovenNote(said.id, place, step.intent, said.new))
        if said is not None and not said.new:
            continue
        changed = step if said is None else replace(step, intent=said.new)
        inner = tuple(_woven(changed.steps, notes, f"{place}.steps", effects))
        others = tuple(_woven(changed.otherwise, notes, f"{place}.otherwise", effects))
        yield replace(changed, steps=inner, otherwise=others)
