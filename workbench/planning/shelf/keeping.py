"""What a cycle has the shelf do: keep the playbook and where it comes from, learn from a person's changes, offer."""

from __future__ import annotations

from pathlib import Path

from workbench.disk.files import read_file
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.cycle_events import DeviationNoted, PlaybookEnded, PlaybookStored
from workbench.engine.journal.events import RunEvent
from workbench.engine.state.run_state import RunState
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _
from workbench.library.entries import now_text
from workbench.planning.checking import read_text
from workbench.planning.lessons import is_made_up
from workbench.planning.plan import plan_to_json
from workbench.planning.request import KnownPlaybook, PlanRequest, request_to_json
from workbench.planning.shelf.entries import Entry, Kept, Note, Origin, RunOfIt
from workbench.planning.shelf.notes import Notes, from_answer, from_detour, from_edit
from workbench.planning.shelf.store import Shelf
from workbench.planning.stages import CycleFold
from workbench.syntax.imports import has_imports, join_program
from workbench.syntax.text import SourceText

FITS = 0.6
"""A kept playbook that has so many of the goal's words is offered before another one is made."""


class ShelfHands:
    """Keeps what a cycle has made on the shelf in the file *path*; carries nothing out.

    *owner*: of the shelf; *folder*: from where imports are named.
    """

    def __init__(self, path: Path, owner: str, folder: Path) -> None:
        self._path, self._owner, self._folder = path, owner, folder

    def new_run(self) -> str:
        """None."""
        return ""

    def carry_out(self, run: str, made: CycleFold) -> PlaybookEnded | DeviationNoted:
        """Raises RunFailed."""
        raise RunFailed(_("Nothing is carried out here."))

    def against(self, made: CycleFold, text: str, *, is_segment: bool) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def store(self, made: CycleFold) -> PlaybookStored | None:
        """Where it is kept now; what a person changed and said on the way is noted. Raises StoreFailed."""
        shelf = Shelf(self._path, self._owner)
        try:
            taken = made.reuse.id if made.reuse is not None and made.reuse.is_taken else shelf.of_cycle(made.source)
            entry = shelf.put(kept_of(made, self._folder), taken)
            notes = Notes(shelf)
            notes.note_effects(made.run, made.effects)
            for each in learned(made):
                notes.add(each)
            if made.ended is not None:
                good = made.ended.status == RunStatus.COMPLETED.value
                shelf.count_run(entry.id, RunOfIt(made.begun, entry.version, now_text(), good, made.ended.error))
        finally:
            shelf.close()
        return PlaybookStored(entry.id, entry.version)

    def cancel(self) -> None:
        """There is nothing to give up."""


def kept_of(made: CycleFold, folder: Path) -> Kept:
    """The playbook of *made* as it goes onto the shelf. Raises CannotRead where a file that it imports is gone."""
    request, plan = made.request, made.plan
    by = " · ".join(dict.fromkeys(filter(None, (made.plan_by, made.text_by))))
    notes = tuple(each.id for each in request.notes)
    origin = Origin(request.goal, by, made.run, request.patterns, notes, request.context)
    return Kept(
        plan.title if plan is not None else request.goal,
        made.text,
        request.format.value,
        origin,
        plan.description if plan is not None else "",
        plan_to_json(plan) if plan is not None else {},
        {name: SourceText.decode(read_file(folder / name)).text for name in request.imports},
        tuple(request_to_json(request)["offers"]) if plan is None else _called(made),
    )


def _called(made: CycleFold) -> tuple[dict[str, object], ...]:
    """What the text of *made* may call, of all that was offered."""
    offers: list[dict[str, object]] = request_to_json(made.request)["offers"]
    return tuple(each for each in offers if str(each["name"]) in made.text)


def learned(made: CycleFold) -> tuple[Note, ...]:
    """What *made* teaches about the person: from changes by hand, reasons, and what did not work."""
    found: list[Note] = []
    for before, after in made.edits:
        format_ = made.request.format
        found += from_edit(read_text(before, format_), read_text(after, format_), made.request.goal)
    for reason in made.reasons:
        found += from_answer(reason, made.request.goal)
    found += [from_detour(*detour, made.request.goal) for detour in made.detours]
    return tuple(found)


def known_for(shelf: Shelf, request: PlanRequest) -> KnownPlaybook | None:
    """The kept playbook that fits the goal of *request* best, in its format; None where none fits well."""
    for found in shelf.search(request.goal, 5):
        entry = found.entry
        if found.fit >= FITS and entry.format == request.format.value and entry.failures <= entry.successes + 1:
            kept = shelf.kept(entry.id)
            return KnownPlaybook(entry.id, entry.version, entry.title, entry.record, kept.text, kept.plan)
    return None


def rate(file: Path, owner: str, state: RunState, text: str, events: tuple[RunEvent, ...] = ()) -> Entry | None:
    """The kept playbook for which the run of *state* was counted; None where *text* is that of none.

    A run counts once, however often it is told, with its last end; and not at all where a person has put something in
    the place of a tool. *events*: at least its first one, and those of its calls. Raises StoreFailed.
    """
    is_telling = state.status in {RunStatus.COMPLETED, RunStatus.FAILED} and not state.origin.is_cycle
    if not is_telling or any(is_made_up(event.payload) for event in events):
        return None
    shelf = Shelf(file, owner)
    try:
        found = shelf.of_text(text) or shelf.of_text(_own_text(state, text))
        if found is None:
            return None
        id_, version = found
        lasted_ms = (state.at_ns - events[0].at_ns) // 1_000_000 if events else 0
        good = state.status is RunStatus.COMPLETED
        return shelf.count_run(id_, RunOfIt(state.run, version, now_text(), good, state.error, lasted_ms))
    finally:
        shelf.close()


def _own_text(state: RunState, text: str) -> str:
    """What the file itself says whose run carried out *text*, which holds the files that it imports; else *text*.

    It counts only where it still gives just this text: a file may have changed since. What was read for the run may be
    read for that, wherever it lies.
    """
    file = Path(state.origin.path)
    try:
        own = SourceText.decode(read_file(file)).text if state.origin.path else text
    except CannotRead:
        return text
    if own == text or not has_imports(own):
        return text
    joined = join_program([(file, own)], lambda path: SourceText.decode(read_file(path)).text, (Path(file.anchor),))
    return own if joined.text == text else text
