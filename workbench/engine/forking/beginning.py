"""A run that begins at a step, with values that somebody has typed in the place of what stands before it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from workbench.engine.decider import Draft
from workbench.engine.forking.plan import CannotFork
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import MovedFrame, OtherText, RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCreated, RunStarted, StepEntered
from workbench.engine.judging.starting import with_judges
from workbench.engine.language.calling import begin_root
from workbench.engine.language.decider import origin_of
from workbench.engine.language.procedures.start import who
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.code import Code, Op
from workbench.engine.language.program.linked import linked_from
from workbench.engine.language.turn import StepFailed
from workbench.engine.options import RunOptions
from workbench.engine.starting import new_run_id
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.i18n import _
from workbench.model.meaning import Loop
from workbench.model.snapshot import Snapshot


def begin_at(snapshot: Snapshot, journal: Journal, options: RunOptions, step: str) -> RunId:
    """A new run that has come to *step*, an address, and not begun it: ``resume_run`` lets it go on.

    The values that it has are the arguments of *options*, which also name the playbook of the step. Raises CannotFork
    where the run cannot begin there, RunFailed where a value does not fit.
    """
    if snapshot.program.format.is_steplist:
        raise CannotFork(_("A step list is walked from its first step on."))
    origin = with_judges(origin_of(snapshot, journal, options), options)
    book = Book(snapshot, linked=linked_from(origin.linked, journal))
    told = _Told(new_run_id())
    told.tell(Draft(origin))
    told.tell(Draft(RunStarted()))
    try:
        told.tell(begin_root(told.fold, book))
    except StepFailed as error:
        raise CannotFork(str(error)) from error
    frame = told.fold.top
    code = book.code(frame.agent, frame.playbook)
    found = snapshot.at_address(step)
    place = _place_of(code, snapshot.address(found.id) if found is not None else step)
    for each in _around(snapshot, code, place):
        told.tell(each, f"s{told.fold.spans + 1}", told.fold.open_span)
    text, digest = _same_text(origin, MovedFrame(frame.span, place)), origin.pb_hash
    forked = RunForked("", len(told.events) - 1, digest, digest, who(), tuple(options.arguments), text)
    told.tell(Draft(forked, actor="user"))
    journal.append_synced(told.events)
    return told.run


def _same_text(origin: RunCreated, moved: MovedFrame) -> OtherText:
    """The text of *origin*, in which a playbook goes on where it has *moved* to."""
    starts = origin.program.starts if origin.program is not None else ()
    read = origin.read_as, origin.chapters, origin.linked
    return OtherText(origin.path, *read, starts, origin.goes_on, moved=(moved,))


class _Told:
    """The events of a run that begins, and where they lead."""

    def __init__(self, run: RunId) -> None:
        self.run = run
        self.fold = RunFold(RunState(run=run))
        self.events: list[RunEvent] = []

    def tell(self, draft: Draft, span: str = "", parent: str = "") -> None:
        """Add the event of *draft*, in *span* where that is given."""
        where = (span or draft.span, parent or draft.parent, draft.step, draft.line, draft.attempt, draft.actor)
        event = RunEvent(self.run, len(self.events), draft.payload, time.time_ns(), time.monotonic_ns(), *where)
        self.events.append(event)
        self.fold.apply(event)


def _place_of(code: Code, step: str) -> int:
    """Where the step at the address *step* begins in *code*. Raises CannotFork."""
    found = (place for place, at in enumerate(code.instructions) if at.op is Op.ENTER and at.address == step)
    place = next(found, None)
    if place is None:
        message = _("There is no step {step} that could be carried out in this playbook.")
        raise CannotFork(message.format(step=step))
    return place


def _around(snapshot: Snapshot, code: Code, place: int) -> Iterator[Draft]:
    """The beginnings of the steps around the one that begins at *place*, the outermost first. Raises CannotFork."""
    for address in code.instructions[place].within:
        found = snapshot.at_address(address)
        if found is None or isinstance(found.meaning, Loop):
            message = _("The step stands in the loop {step}, whose round nobody knows. Begin at the loop.")
            raise CannotFork(message.format(step=address))
        yield Draft(StepEntered(found.text), address, code.lines[address])
