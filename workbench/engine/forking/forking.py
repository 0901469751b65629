"""Forks a run: first a plan that says what comes of it, then the new run, whose journal begins with the old one's.

Nothing that stands before the fork is carried out again, and the run that is forked is only read. So it may have ended,
be paused, or be carried out elsewhere at this moment.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.engine.expressions.data import NotData, as_data
from workbench.engine.forking.plan import CannotFork, ForkPlan, ForkWish, LaterCall, OpenCall
from workbench.engine.forking.points import wanted_point
from workbench.engine.journal.choices import Scope, StepStatus
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, StepEntered, ToolCalled, ToolResult
from workbench.engine.language.procedures.start import who
from workbench.engine.running.controls import EditVariable
from workbench.engine.running.stopping import edited_in
from workbench.engine.starting import new_run_id
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import ApprovalState, Intent
from workbench.engine.state.run_state import RunState
from workbench.i18n import _
from workbench.tools.values import CallSafety

_FINISHED = frozenset({StepStatus.DONE, StepStatus.SKIPPED, StepStatus.FAILED})


def plan_fork(journal: Journal, wish: ForkWish) -> ForkPlan:
    """What comes of *wish*; nothing is written.

    Raises CannotFork where there is no such event, and StoreFailed where there is no such run.
    """
    events = journal.read(wish.source)
    seq = wanted_point(events, wish)
    before, after = events[: seq + 1], events[seq + 1 :]
    fold = RunFold(RunState())
    for event in before:
        fold.apply(event)
    edits = (*wish.edits, *(_by_name(fold, name, value) for name, value in wish.values.items()))
    old = fold.origin.pb_hash
    forked = RunForked(wish.source, seq, old, old, who(), tuple(dict.fromkeys(each.name for each in edits)))
    step, text = _next(after)
    return ForkPlan(
        wish.source,
        before,
        forked,
        tuple(_edited(fold, edit) for edit in edits),
        step,
        text,
        kept=tuple(address for address, status in fold.step_statuses.items() if status in _FINISHED),
        open_calls=tuple(_open_calls(fold, after)),
        later_calls=tuple(_later_calls(after)),
    )


def fork_run(journal: Journal, plan: ForkPlan) -> RunId:
    """The new run that *plan* describes, which has not begun to go on: ``resume_run`` lets it.

    All of it is written, or nothing. Raises CannotFork where *plan* says that it cannot be.
    """
    if not plan.is_possible:
        raise CannotFork(" ".join(plan.refusals))
    run = new_run_id()
    for content in filter(None, (plan.text, plan.plan)):
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


def _next(after: Iterable[RunEvent]) -> tuple[str, str]:
    """The step with which the run has gone on, and its words."""
    entered = next((each for each in after if isinstance(each.payload, StepEntered)), None)
    if entered is None or not isinstance(entered.payload, StepEntered):
        return "", ""
    return entered.step, entered.payload.text


_MAY_HAVE_BEGUN = frozenset({ApprovalState.FREE, ApprovalState.USED})


def _open_calls(fold: RunFold, after: Iterable[RunEvent]) -> Iterator[OpenCall]:
    stacks = (fold.frames, *fold.world.parked.values())
    intents = [each for frames in stacks for frame in frames for each in frame.intents]
    ends = {each.span: each.payload for each in after if isinstance(each.payload, ToolResult | CallResolved)}
    for intent in intents:
        if intent.approval.state in _MAY_HAVE_BEGUN:
            yield _open_call(intent, ends.get(intent.span))


def _open_call(intent: Intent, end: ToolResult | CallResolved | None) -> OpenCall:
    given = {str(number): value for number, value in enumerate(intent.positional, 1)} | dict(intent.named)
    return OpenCall(intent.tool, given, () if end is None else (end.value,))


def _later_calls(after: Iterable[RunEvent]) -> Iterator[LaterCall]:
    for event in after:
        if isinstance(event.payload, ToolCalled) and event.payload.safety is CallSafety.UNSAFE:
            yield LaterCall(event.step, event.payload.tool)
