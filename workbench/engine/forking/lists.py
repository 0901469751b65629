"""The run of a step list that goes on with another list: its plan is folded once more, by the steps of the new one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.engine.enforcement import records
from workbench.engine.forking.plan import Changeover, ForkPlan, ForkWish, Lost, LostStep, another_kind
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import OtherText
from workbench.engine.journal.journal import Journal
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import RunFold
from workbench.engine.steplists.origin import new_plan, plan_of, runnable
from workbench.engine.steplists.places import StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold, canonical_playbook
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import PlaybookStep, playbook_from_json, with_skills
from workbench.model.snapshot import Snapshot


def next_of_list(plan: ForkPlan, text: Snapshot, journal: Journal) -> tuple[str, str]:
    """Address and words of the step with which the fork of *plan* goes on, whose list is *text*; empty at its end."""
    fold = new_plan(plan.events, journal)
    assert fold is not None, "the run of a step list has one"
    if plan.contents:
        other = playbook_from_json(json.loads(plan.contents[1]))
        fold = PlanFold(other, plan.source, blocks=fold.enforcer.blocks)
    fold.take(plan.events)
    step = fold.plan.current_step
    places = StepListPlaces(fold.plan.playbook, text)
    return ("", "") if step is None or fold.plan.completed else (places.of(step.id).step, step.description)


@dataclass(frozen=True, slots=True)
class _Plans:
    """The plan of a run by its own list, and by the other one; and where the steps of each stand."""

    old: PlanFold
    new: PlanFold
    places: StepListPlaces
    places_now: StepListPlaces

    def steps(self) -> Iterator[tuple[PlaybookStep, PlaybookStep | None]]:
        """Each step of the old list, with what it is in the new one."""
        for step in self.old.plan.playbook.steps:
            yield step, self.new.plan.playbook.get_step(step.id)


def list_changeover(journal: Journal, fold: RunFold, events: Sequence[RunEvent], wish: ForkWish) -> Changeover:
    """What comes of going on after *events*, which lead to *fold*, with the list in the text of *wish*."""
    assert wish.text is not None
    content = wish.text.source.encode()
    if not wish.text.program.format.is_steplist:
        return Changeover(None, (), (another_kind(),), (content,))
    try:
        playbook = with_skills(runnable(wish.text), wish.skills)
    except RunFailed as error:
        return Changeover(None, (), (str(error),), (content,))
    old = plan_of(events, journal)
    assert old is not None, "the run of a step list has one"
    new = PlanFold(playbook, events[0].run, blocks=old.enforcer.blocks)
    new.take(events)
    own = StepListPlaces(old.plan.playbook, snapshot_of(fold.state(), journal))
    plans = _Plans(old, new, own, StepListPlaces(playbook, wish.text))
    contents = (content, canonical_playbook(playbook))
    other = _other_text(fold, plans, wish.path, pack(contents[1])[0])
    return Changeover(other, tuple(_lost(plans)), tuple(_refusals(plans)), contents)


def _other_text(fold: RunFold, plans: _Plans, path: str, plan_hash: str) -> OtherText:
    origin = fold.origin
    return OtherText(
        path or origin.path,
        origin.read_as,
        origin.chapters,
        origin.linked,
        plan_hash=plan_hash,
        steps=dict(_addresses(fold, plans)) or None,
    )


def _addresses(fold: RunFold, plans: _Plans) -> Iterator[tuple[str, list[Any] | None]]:
    """The steps that the run knows of and that stand elsewhere now."""
    for was, now in plans.steps():
        before, after = plans.places.of(was.id), plans.places_now.of(was.id)
        if before.step in fold.step_statuses and (
            now is None or (before.step, before.line) != (after.step, after.line)
        ):
            yield before.step, None if now is None else [after.step, after.line]


def _lost(plans: _Plans) -> Iterator[LostStep]:
    """The steps that are done or under way and are not what they were."""
    for was, now in plans.steps():
        if was != now and plans.old.plan.get_step_execution(was.id) is not None:
            is_open = plans.old.plan.status(was.id) not in records.FINISHED
            why = Lost.GONE if now is None else Lost.CHANGED
            yield LostStep(plans.places.of(was.id).step, was.description, why, is_open)


def _refusals(plans: _Plans) -> Iterator[str]:
    """Why the plan cannot go on."""
    for was, now in plans.steps():
        address, status = plans.places.of(was.id).step, plans.old.plan.status(was.id)
        is_done, is_begun = status in records.FINISHED, plans.old.plan.get_step_execution(was.id) is not None
        if is_begun and not is_done and now is None:
            message = _("Step {step} is under way at this event and is not in the other text.")
            yield message.format(step=address)
        elif is_done and was == now and plans.new.plan.status(was.id) is not status:
            message = _("Step {step}, which is done, would not be done in the other text.")
            yield message.format(step=address)
