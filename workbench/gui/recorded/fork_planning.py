"""From where a run can be gone on with, and what comes of it, made ready on a thread beside the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.forking.forking import plan_fork
from workbench.engine.forking.plan import ForkPlan, ForkWish
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.events import RunId
from workbench.engine.running.controls import EditVariable
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_steps import TextMatch
from workbench.gui.words.run_words import moment_words
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.pages.fork_words import plan_lines
from workbench.planning.lessons import skills_of


@dataclass(frozen=True, slots=True)
class Point:
    """From where a fork goes on: *words* tell it, *wish* says it."""

    words: str
    wish: ForkWish


@dataclass(frozen=True, slots=True)
class Known:
    """A variable at the event of the fork: as it is *shown*, and the edit that leaves it as it is."""

    shown: str
    edit: EditVariable


@dataclass(frozen=True, slots=True)
class Planned:
    """What comes of *wish*: the plan, its lines, and what is known at its event."""

    wish: ForkWish
    plan: ForkPlan
    lines: tuple[str, ...]
    known: tuple[Known, ...]


def points_of(context: WindowContext, run: RunId, step: StepId | None) -> tuple[Point, ...]:
    """From where *run*, which is shown, can be gone on with; what was asked for first: *step*, else the moment."""
    shown, selected = context.shown, context.selection.selected
    chosen = step or (selected[0] if len(selected) == 1 else None)
    address = _address_in_run(context, chosen) if chosen is not None else ""
    points = []
    if shown.moment is not None:
        seq = shown.moment.seq
        words = _("The moment that is shown: {moment}").format(moment=moment_words(seq, shown.moments.count))
        points.append(Point(words, ForkWish(run, seq)))
    if chosen is not None and address:
        words = _("Before {step}, where the run came to it last: {text}")
        text = plain_text(context.documents.snapshot.step(chosen))
        points.insert(0 if step is not None else len(points), _before(run, address, words, text))
    is_over = shown.latest is not None and shown.latest.is_over
    words = _("Before its last step") if is_over else _("Where the run stands")
    return (*points, Point(words, ForkWish(run)))


def _address_in_run(context: WindowContext, step: StepId) -> str:
    """Where *step* of the document is in the run that is shown, empty where it has none.

    Of a file that was opened anew no step is known whose line was changed: it stands where the run has one that is
    gone.
    """
    shown, document = context.shown, context.documents.snapshot
    if not document.has(step):
        return ""
    known, here = shown.steps.address_of(step), document.address(step)
    if known or shown.text_match is not TextMatch.CHANGED or shown.view is None or shown.view.ran is None:
        return known
    is_gone = shown.view.ran.at_address(here) is not None and shown.steps.id_of(here) is None
    return here if is_gone else ""


def _before(run: RunId, address: str, words: str, text: str) -> Point:
    return Point(words.format(step=address, text=" ".join(text.split())), ForkWish(run, step=address))


def other_text(context: WindowContext) -> Snapshot | None:
    """The text of the document, where the run that is shown is of that file and carries out another text."""
    return context.documents.snapshot if context.shown.text_match is TextMatch.CHANGED else None


def with_text(wish: ForkWish, text: Snapshot, path: str) -> ForkWish:
    """*wish*, which goes on with *text*, a file at *path*."""
    return replace(wish, text=text, path=path)


def planned(host: RunHost, wish: ForkWish) -> Planned | WorkbenchError:
    """What comes of *wish*, or why nothing can."""
    if wish.text is not None:
        wish = replace(wish, skills=skills_of(wish.text, wish.path))
    try:
        plan = plan_fork(host.journal, wish)
    except WorkbenchError as error:
        return error
    return Planned(wish, plan, tuple(plan_lines(plan)), tuple(_known(fold(plan.events))))


def _known(state: RunState) -> Iterator[Known]:
    """What the playbook at work knows: the variables of its agent, and its own."""
    frame = state.frames[-1] if state.frames else None
    agent = frame.agent if frame is not None else state.agent
    span = frame.span if frame is not None else ""
    for name, value in state.agents.get(agent, {}).items():
        yield Known(f"${name}", EditVariable(name, Scope.STATE, agent, span, value))
    for name, value in (frame.locals if frame is not None else {}).items():
        yield Known(name, EditVariable(name, Scope.LOCAL, agent, span, value))


def changed(known: Known, value: Any) -> EditVariable:
    """The edit that gives *known* another *value*."""
    return replace(known.edit, value=value)
