"""Forks a run: first a plan that says what comes of it, then the new run, whose journal begins with the old one's.

Nothing that stands before the fork is carried out again, and the run that is forked is only read. So it may have ended,
be paused, or be carried out elsewhere at this moment. Where a step list goes on with another list, its plan is folded
once more, by the steps of the new one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.enforcement import records
from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.forking.moving import next_step
from workbench.engine.forking.plan import (
    FINISHED,
    CannotFork,
    Changeover,
    ForkPlan,
    ForkWish,
    LaterCall,
    Lost,
    LostStep,
    OpenCall,
    another_kind,
)
from workbench.engine.forking.text import Trail, changeover
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import (
    CallResolved,
    RunCompleted,
    RunCreated,
    RunFailure,
    StepEntered,
    ToolCalled,
    ToolResult,
)
from workbench.engine.language.procedures.start import who
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.linked import linked_from
from workbench.engine.running.controls import EditVariable
from workbench.engine.running.stopping import edited_in
from workbench.engine.starting import new_run_id, read_as_begun, snapshot_of
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import ApprovalState, Intent
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists.origin import new_plan, plan_of, runnable
from workbench.engine.steplists.places import StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold, canonical_playbook
from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import PlaybookStep, playbook_from_json, with_skills
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText
from workbench.tools.values import CallSafety


def plan_fork(journal: Journal, wish: ForkWish) -> ForkPlan:
    """What comes of *wish*; nothing is written.

    Raises CannotFork where there is no such event, and StoreFailed where there is no such run.
    """
    events = journal.read(wish.source)
    if events and isinstance(events[0].payload, RunCreated) and events[0].payload.is_cycle:
        raise CannotFork(_("A run that makes a playbook from a goal cannot be forked. Generate it once more."))
    seq = _wanted_point(events, wish)
    before, after = events[: seq + 1], events[seq + 1 :]
    fold, trail = _followed(before)
    edits = (*wish.edits, *(_by_name(fold, name, value) for name, value in wish.values.items()))
    old = fold.origin.pb_hash
    plan = ForkPlan(
        wish.source,
        before,
        RunForked(wish.source, seq, old, old, who(), tuple(dict.fromkeys(each.name for each in edits))),
        tuple(_edited(fold, edit) for edit in edits),
        kept=tuple(address for address, status in fold.step_statuses.items() if status in FINISHED),
        open_calls=tuple(_open_calls(fold, after)),
        later_calls=tuple(_later_calls(after)),
    )
    if wish.text is not None and fold.origin.steplist is not None:
        plan = _with_text(plan, _list_changeover(journal, fold, before, wish))
    elif wish.text is not None:
        plan = _with_text(plan, changeover(journal, fold, wish, trail))
    return plan if plan.refusals else _with_next(journal, plan, fold)


def _followed(events: Iterable[RunEvent]) -> tuple[RunFold, Trail]:
    """Where a run stands after *events*, and which instruction led each of its playbooks to where that is."""
    fold, trail = RunFold(RunState()), dict[str, int]()
    for event in events:
        frame = fold.frames[-1] if fold.frames else None
        before = frame.pc if frame is not None else 0
        fold.apply(event)
        if isinstance(event.payload, RunForked):
            trail.clear()  # what led there may be in another text
        elif frame is not None and frame.pc != before:
            trail[frame.span] = before
    return fold, trail


def _with_text(plan: ForkPlan, change: Changeover) -> ForkPlan:
    """*plan*, which goes on with another text."""
    forked = replace(plan.forked, new=change.digest, text=change.text)
    lost = {each.step for each in change.lost}
    return replace(
        plan,
        forked=forked,
        kept=tuple(step for step in plan.kept if step not in lost),
        lost=change.lost,
        contents=change.contents,
        refusals=change.refusals,
    )


def _with_next(journal: Journal, plan: ForkPlan, fold: RunFold) -> ForkPlan:
    """*plan*, which says with which step it goes on from where *fold* stands."""
    linked = linked_from(fold.origin.linked, journal)
    fold.apply(RunEvent(plan.source, plan.seq + 1, plan.forked, fold.at_ns, 0))
    text = plan.contents[0] if plan.contents else journal.kept(fold.origin.pb_hash)
    snapshot = read_as_begun(SourceText.decode(text), fold.origin)
    if fold.origin.steplist is not None:
        found = _next_of_list(plan, snapshot, journal)
    else:
        book = Book(snapshot, linked=linked)
        book.learn(fold.world.written)
        found = next_step(book, fold)
    return replace(plan, next_step=found[0], next_text=found[1])


def fork_run(journal: Journal, plan: ForkPlan, name: RunId | None = None) -> RunId:
    """The new run that *plan* describes, which has not begun to go on: ``resume_run`` lets it.

    *name*: that it has, one that no other run has; None: any.

    All of it is written, or nothing. Raises CannotFork where *plan* says that it cannot be.
    """
    if not plan.is_possible:
        raise CannotFork(" ".join(plan.refusals))
    run = name or new_run_id()
    for content in plan.contents:
        journal.keep(content)
    taken = tuple(replace(event, run=run) for event in plan.events)
    at_ns, mono_ns = max(time.time_ns(), taken[-1].at_ns), time.monotonic_ns()
    own: list[EventPayload] = [plan.forked, *plan.edited]
    told = (
        RunEvent(run, seq, payload, at_ns, mono_ns, actor="user") for seq, payload in enumerate(own, len(plan.events))
    )
    journal.append_synced((*taken, *told), RunId(plan.forked.source) if plan.forked.source else None)
    return run


def _by_name(fold: RunFold, name: str, value: object) -> EditVariable:
    """The edit of the variable that *name* is for the playbook at work."""
    frame = fold.frames[-1] if fold.frames else None
    agent = frame.agent if frame is not None else fold.agent
    span = frame.span if frame is not None else ""
    is_local = frame is not None and name in frame.locals and name not in fold.agents.get(agent, {})
    return EditVariable(name, Scope.LOCAL if is_local else Scope.STATE, agent, span, value)


def _edited(fold: RunFold, edit: EditVariable) -> StateEdited:
    """The event of *edit*. Raises CannotFork where there is no place for it."""
    if not fold.agents:
        message = _("No playbook has begun at this event, so {name} cannot be set. Fork at a later event.")
        raise CannotFork(message.format(name=edit.name))
    if edit.scope is Scope.LOCAL and not any(frame.span == edit.frame for frame in fold.frames):
        message = _("The playbook that {name} belongs to is not under way at this event.")
        raise CannotFork(message.format(name=edit.name))
    try:
        return edited_in(fold, replace(edit, value=as_data(edit.value)))
    except NotData as error:
        raise CannotFork(f"{error}.") from error


_MAY_HAVE_BEGUN = frozenset({ApprovalState.FREE, ApprovalState.USED})


def _open_calls(fold: RunFold, after: Iterable[RunEvent]) -> Iterator[OpenCall]:
    stacks = (fold.frames, *fold.world.parked.values())
    intents = [each for frames in stacks for frame in frames for each in frame.intents]
    ends = {each.span: each.payload for each in after if isinstance(each.payload, ToolResult | CallResolved)}
    for intent in intents:
        if intent.approval.state in _MAY_HAVE_BEGUN and intent.mock is None and intent.held is None:
            yield _open_call(intent, ends.get(intent.span))


def _open_call(intent: Intent, end: ToolResult | CallResolved | None) -> OpenCall:
    given = {str(number): value for number, value in enumerate(intent.positional, 1)} | dict(intent.named)
    return OpenCall(intent.tool, given, () if end is None else (end.value,))


def _later_calls(after: Iterable[RunEvent]) -> Iterator[LaterCall]:
    for event in after:
        if isinstance(event.payload, ToolCalled) and event.payload.safety is CallSafety.UNSAFE:
            yield LaterCall(event.step, event.payload.tool)


_ENDS = (RunCompleted, RunFailure)


def _wanted_point(events: Sequence[RunEvent], wish: ForkWish) -> int:
    """The number of the last of *events* that a fork takes over. Raises CannotFork where there is none."""
    if not events or not isinstance(events[0].payload, RunCreated):
        message = _("The journal of run {run} is damaged: what the run began with is missing.")
        raise CannotFork(message.format(run=wish.source))
    if wish.step:
        return _before_step(events, wish.step)
    return _latest_point(events) if wish.seq is None else _checked_point(events, wish.seq)


def _before_step(events: Sequence[RunEvent], step: str) -> int:
    """The event directly before the step at the address *step* was entered last. Raises CannotFork."""
    found = [each.seq for each in events if each.step == step and isinstance(each.payload, StepEntered)]
    if not found:
        raise CannotFork(_("The run never came to step {step}.").format(step=step))
    return found[-1] - 1


def _latest_point(events: Sequence[RunEvent]) -> int:
    """The last event; of a run that has ended, the one before its last step, which a fork does once more."""
    if not isinstance(events[-1].payload, _ENDS):
        return events[-1].seq
    entered = [each.seq for each in events if isinstance(each.payload, StepEntered)]
    return entered[-1] - 1 if entered else events[0].seq


def _checked_point(events: Sequence[RunEvent], seq: int) -> int:
    """*seq*, where *events* have it and the run has not ended with it. Raises CannotFork."""
    if not 0 <= seq < len(events):
        message = _("There is no event {seq}; the run has events 0 to {last}.")
        raise CannotFork(message.format(seq=numeral(seq), last=numeral(len(events) - 1)))
    if isinstance(events[seq].payload, _ENDS):
        raise CannotFork(_("The run has ended with event {seq}. Fork it from an earlier one.").format(seq=numeral(seq)))
    return seq


def _next_of_list(plan: ForkPlan, text: Snapshot, journal: Journal) -> tuple[str, str]:
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


def _list_changeover(journal: Journal, fold: RunFold, events: Sequence[RunEvent], wish: ForkWish) -> Changeover:
    """What comes of going on after *events*, which lead to *fold*, with the list in the text of *wish*."""
    assert wish.text is not None
    content = wish.text.source.encode()
    if not wish.text.program.format.is_steplist:
        return Changeover(None, (), (another_kind(),), (content,))
    try:
        playbook = with_skills(runnable(wish.text, wish.path), wish.skills)
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
