"""A kept playbook is used again: a copy of it, with the notes about the person woven in that work by rule.

Every other step stays as it is, for the text is changed by the commands that a person has as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.editing.commands import DeleteSteps, Refusal, SetStepText
from workbench.editing.undoable import First, Undoable
from workbench.engine.journal.cycle_events import WovenNote
from workbench.model.kinds import FileKind
from workbench.model.meaning import Call
from workbench.model.plans.writing import same_words
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.planning.request import PlaybookFormat
from workbench.planning.shelf.entries import Entry, Kept, Note
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf, note_copy
from workbench.syntax.text import SourceText


@dataclass(frozen=True, slots=True)
class Copy:
    """What is opened or written. *effects*: what each note has changed, by the address of the step."""

    text: str
    effects: tuple[WovenNote, ...] = ()


def copy_of(kept: Kept, notes: Sequence[Note]) -> Copy:
    """*kept* with *notes* woven in, as far as they are switched on and say which words are said otherwise."""
    wanted = FileKind.PROGRAM if kept.format == PlaybookFormat.MARKDOWN.value else None
    working = Undoable(SourceText(kept.text), _nobody_else, first=First(wanted=wanted))
    before = working.snapshot
    effects: list[WovenNote] = []
    for step, note in _found(before, [each for each in notes if each.is_on and each.old]):
        if _is_done(working, step.id, note.new):
            effects.append(WovenNote(note.id, before.address(step.id), step.text, note.new))
    if not any(playbook.steps for playbook in working.snapshot.program.playbooks):
        return Copy(kept.text)  # a playbook of which nothing would be left stays as it is
    return Copy(working.snapshot.text, tuple(effects))


def take_copy(shelf: Shelf, entry: Entry, version: int, copy: Copy) -> None:
    """Keep what the notes have done in *copy*, and count its runs for *entry*. Raises StoreFailed, NotOnShelf."""
    if copy.effects:
        Notes(shelf).note_effects(f"{COPIED}{entry.id}", copy.effects)
    if shelf.of_text(copy.text) is None:
        note_copy(shelf, entry.id, version, copy.text)


COPIED = "copy:"
"""What stands in the place of a cycle where a note had its effect in a copy: this, and the id of the entry."""


def _found(snapshot: Snapshot, notes: Sequence[Note]) -> Iterator[tuple[Step, Note]]:
    """The steps that are said otherwise or left out, each with the first note that says so."""
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            note = next((each for each in notes if same_words(each.old, step.text)), None)
            if note is not None and not isinstance(step.meaning, Call):
                yield step, note


def _is_done(working: Undoable, step: StepId, words: str) -> bool:
    """Whether *step* says *words* now, or for none is gone.

    No condition or loop is left with nothing in it, and no other step with a number that leads nowhere.
    """
    snapshot = working.snapshot
    if not snapshot.has(step):  # it stood in one that is left out
        return False
    parent = snapshot.parent(step)
    if not words and parent is not None and len(parent.children) == 1:
        return False
    outcome = working.execute(SetStepText(step, words) if words else DeleteSteps((step,), updates_references=True))
    if isinstance(outcome, Refusal):
        return False
    if outcome.lost_references:
        working.undo()
        return False
    return True


def _nobody_else(_edited: object) -> None:
    """The copy stands in no file yet."""
