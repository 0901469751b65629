"""Forks a run: first a plan that says what comes of it, then the new run, whose journal begins with the old one's.

Nothing that stands before the fork is carried out again, and the run that is forked is only read. So it may have ended,
be paused, or be carried out elsewhere at this moment.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.forking.lists import list_changeover, next_of_list
from workbench.engine.forking.moving import next_step
from workbench.engine.forking.plan import FINISHED, CannotFork, Changeover, ForkPlan, ForkWish, LaterCall, OpenCall
from workbench.engine.forking.points import wanted_point
from workbench.engine.forking.text import Trail, changeover
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolResult
from workbench.engine.language.procedures.start import who
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.linked import linked_from
from workbench.engine.running.controls import EditVariable
from workbench.engine.running.stopping import edited_in
from workbench.engine.starting import new_run_id, read_as_begun
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import ApprovalState, Intent
from workbench.engine.state.run_state import RunState
from workbench.i18n import _
from workbench.syntax.text import SourceText
from workbench.tools.values import CallSafety


def plan_fork(journal: Journal, wish: ForkWish) -> ForkPlan:
    """What comes of *wish*; nothing is written.

    Raises CannotFork where there is no such event, and StoreFailed where there is no such run.
    """
    events = journal.read(wish.source)
    seq = wanted_point(events, wish)
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
        plan = _with_text(plan, list_changeover(journal, fold, before, wish))
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
        found = next_of_list(plan, snapshot, journal)
    else:
        book = Book(snapshot, linked=linked)
        book.learn(fold.world.written)
        found = next_step(book, fold)
    return replace(plan, next_step=found[0], next_text=found[1])


def fork_run(journal: Journal, plan: ForkPlan) -> RunId:
    """The new run that *plan* describes, which has not begun to go on: ``resume_run`` lets it.

    All of it is written, or nothing. Raises CannotFork where *plan* says that it cannot be.
    """
    if not plan.is_possible:
        raise CannotFork(" ".join(plan.refusals))
    run = new_run_id()
    for content in plan.contents:
        journal.keep(content)
    taken = tuple(replace(event, run=run) for event in plan.events)
    at_ns, mono_ns = max(time.time_ns(), taken[-1].at_ns), time.monotonic_ns()
    own: list[EventPayload] = [plan.forked, *plan.edited]
    told = (
        RunEvent(run, seq, payload, at_ns, mono_ns, actor="user") for seq, payload in enumerate(own, len(plan.events))
    )
    journal.append_synced((*taken, *told))
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
