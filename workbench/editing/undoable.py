"""A text that changes by commands only, and can be taken back step by step. No file, no observers.

``plan`` makes the edits of a command, or says why not: pure, and the same for hover and drop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from workbench.editing import commands
from workbench.editing.change import ChangeOrigin, DocumentChange, difference, fresh_ids, ids_to_restore
from workbench.editing.commands import Command, DuplicateSteps, EditText, MoveSteps, Place, Refusal, RenumbersSteps
from workbench.editing.edit_plan import EditPlan, Verb
from workbench.editing.geometry.seams import blank_lines
from workbench.editing.geometry.siblings import topmost
from workbench.editing.history import Entry, History, Typed
from workbench.editing.keeping.journal_records import Edited
from workbench.editing.proof import why_not
from workbench.editing.references import outdated
from workbench.editing.verbs import change_kind, front_matter, insert, move, playbook, rows, step_text, tick, wrap
from workbench.editing.verbs.move import home_of
from workbench.i18n import _
from workbench.model.derivers import Chapters
from workbench.model.incremental.advancing import advance
from workbench.model.kinds import FileKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange
from workbench.syntax.comparing.lines import line_change
from workbench.syntax.text import SourceText

Selections = tuple[tuple[StepId, ...], tuple[StepId, ...]]
Recorder = Callable[[Edited], None]


@dataclass(frozen=True, slots=True)
class _Departure:
    """Where the very last command moved *steps* from. *revision*: right after it."""

    revision: int
    steps: tuple[StepId, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class First:
    """How the first snapshot is made. *first_id*: the first free number. *wanted*: the kind that was chosen."""

    first_id: int = 1
    wanted: FileKind | None = None


_FIRST = First()


class Undoable:
    """The one write path: *snapshot* is what the text is now; *record* hears of every change before anyone else."""

    def __init__(
        self, source: SourceText, record: Recorder, clock: Callable[[], float] = time.monotonic, first: First = _FIRST
    ) -> None:
        self.snapshot: Snapshot = derive(source, first.first_id, first.wanted)
        self._record = record
        self._history = History(clock)
        self._departure: _Departure | None = None

    @property
    def can_undo(self) -> bool:
        """True when there is something to take back."""
        return bool(self._history.undo_label)

    @property
    def can_redo(self) -> bool:
        """True when there is something to do again."""
        return bool(self._history.redo_label)

    @property
    def undo_label(self) -> str:
        """What undo takes back."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo does again."""
        return self._history.redo_label

    def read_as(self, wanted: FileKind | None, chapters: Chapters = ()) -> None:
        """Read the text as a file of the kind *wanted* from now on; None: as its content says. No step keeps its id.

        *chapters*: which chapters of a procedure are carried out, as the person says.
        """
        before = self.snapshot
        after = derive(before.source, before.names.next_id, wanted, chapters)
        self.snapshot = replace(after, revision=before.revision + 1)
        self._departure = None

    def can(self, command: Command) -> Refusal | None:
        """Why *command* cannot be done now, or None."""
        return refusal_of(self.snapshot, command)

    def execute(self, command: Command, selection: tuple[StepId, ...] = ()) -> DocumentChange | Refusal:
        """Do *command*; undo will bring back *selection*. Without an effect, nothing is recorded."""
        planned = self._way_back(command) or plan(self.snapshot, command)
        if isinstance(planned, Refusal):
            return planned
        if planned.is_empty:
            return _unchanged(self.snapshot, selection)
        departure = _departure_of(self.snapshot, command)
        after = planned.after or advance(self.snapshot, planned.change, planned.carried)
        if after.text == self.snapshot.text:
            return _unchanged(self.snapshot, selection)
        chosen = _selected(planned, after, selection)
        entry = self._inverse(planned.change, after, planned.label, (selection, chosen))
        is_typing = isinstance(command, EditText) and not command.label
        if is_typing:
            self._history.record_typing(entry, Typed(planned.change, fresh_ids(after)))
        else:
            self._history.record(entry)
        self._record(Edited(planned.change, planned.label, is_typing))
        origin = ChangeOrigin.TYPING if is_typing else ChangeOrigin.EDIT
        change = self._become(after, planned.change, origin, chosen, planned.label)
        self._departure = departure
        return replace(change, reference_fixes=planned.reference_fixes, lost_references=planned.lost_references)

    def _way_back(self, command: Command) -> EditPlan | None:
        """A plan for moving steps back to where the very last command took them from: the exact inverse.

        A move out of a list gives up how that list was spaced, so the text alone cannot tell.
        """
        latest = self._history.latest
        if not isinstance(command, MoveSteps) or latest is None or self._departure is None:
            return None
        if self._departure != _Departure(self.snapshot.revision, command.steps, command.place):
            return None
        return EditPlan(latest.change, latest.label, latest.carried)

    def undo(self) -> DocumentChange | None:
        """Take back the latest change; None when there is none."""
        entry = self._history.take_undo()
        if entry is None:
            return None
        change, inverse = self._go(entry, ChangeOrigin.UNDO)
        self._history.add_redo(inverse)
        return change

    def redo(self) -> DocumentChange | None:
        """Do again what was undone last; None when there is nothing."""
        entry = self._history.take_redo()
        if entry is None:
            return None
        change, inverse = self._go(entry, ChangeOrigin.REDO)
        self._history.add_undo(inverse)
        return change

    def _go(self, entry: Entry, origin: ChangeOrigin) -> tuple[DocumentChange, Entry]:
        after = advance(self.snapshot, entry.change, entry.carried)
        inverse = self._inverse(entry.change, after, entry.label, (entry.leaving, entry.selection))
        self._record(Edited(entry.change, entry.label))
        return self._become(after, entry.change, origin, entry.selection, entry.label), inverse

    def _replace_text(self, text: str, origin: ChangeOrigin, label: str, like: SourceText) -> DocumentChange | None:
        """Make *text* the text by the smallest change in lines; None when it is already.

        *like*: what the journal leads to, in the encoding that the text is to have.
        """
        if text != like.text:
            self._record(Edited(line_change(like.text, text), label))
        change = line_change(self.snapshot.text, text)
        if change.is_empty:
            return None
        after = advance(self.snapshot, change)
        if (like.bom, like.encoding) != (after.source.bom, after.source.encoding):
            after = replace(after, source=like.with_text(text))
        self._history.record(self._inverse(change, after, label, ((), ())))
        return self._become(after, change, origin, (), label)

    def _inverse(self, change: TextChange, after: Snapshot, label: str, selections: Selections) -> Entry:
        before = self.snapshot
        return Entry(label, change.invert(before.text), ids_to_restore(before, after), *selections)

    def _become(
        self, after: Snapshot, change: TextChange, origin: ChangeOrigin, selection: tuple[StepId, ...], label: str
    ) -> DocumentChange:
        """Make *after* the present."""
        before, self.snapshot = self.snapshot, after
        self._departure = None
        there = tuple(step for step in selection if after.has(step))
        return DocumentChange(before, after, change, *difference(before, after), origin, there, label)


def _departure_of(snapshot: Snapshot, command: Command) -> _Departure | None:
    """Where *command* takes steps from, if it moves neighbours out of one place."""
    if not isinstance(command, MoveSteps) or snapshot.program.format.is_steplist:
        return None
    home = home_of(snapshot, topmost(snapshot, command.steps))
    return _Departure(snapshot.revision + 1, command.steps, home) if home else None


def _unchanged(snapshot: Snapshot, selection: tuple[StepId, ...]) -> DocumentChange:
    nothing: frozenset[StepId] = frozenset()
    return DocumentChange(snapshot, snapshot, TextChange(()), nothing, nothing, nothing, ChangeOrigin.EDIT, selection)


def _selected(planned: EditPlan, after: Snapshot, selection: tuple[StepId, ...]) -> tuple[StepId, ...]:
    """What is to be selected after a command: what it made or moved, else what was."""
    if planned.heads:
        found = (after.step_at(head) for head in planned.heads)
        return tuple(step for step in found if step is not None)
    return tuple(step for step in selection if after.has(step))


_VERBS: Mapping[type, Verb] = {
    commands.EditText: (step_text.refuse_typing, step_text.plan_typing),
    commands.InsertStep: (insert.refuse_step, insert.plan_step),
    commands.InsertLines: (insert.refuse_lines, insert.plan_lines),
    commands.DeleteSteps: (move.refuse_delete, move.plan_delete),
    commands.MoveSteps: (move.refuse_move, move.plan_move),
    commands.DuplicateSteps: (move.refuse_duplicate, move.plan_duplicate),
    commands.SetStepText: (step_text.refuse_text, step_text.plan_text),
    commands.TickSteps: (tick.refuse, tick.plan),
    commands.WrapSteps: (wrap.refuse_wrap, wrap.plan_wrap),
    commands.UnwrapStep: (wrap.refuse_unwrap, wrap.plan_unwrap),
    commands.ChangeKind: (change_kind.refuse, change_kind.plan),
    commands.AddTrigger: (insert.refuse_heading, insert.plan_trigger),
    commands.AddNote: (insert.refuse_heading, insert.plan_note),
    commands.AddPlaybook: (playbook.refuse_add, playbook.plan_add),
    commands.RenamePlaybook: (playbook.refuse_rename, playbook.plan_rename),
    commands.SetFrontMatter: (front_matter.refuse, front_matter.plan),
}
"""What carries out each command in markdown, besides the operations of `surgery`."""


def refusal_of(snapshot: Snapshot, command: Command) -> Refusal | None:
    """Why *command* cannot be done, or None. Looks only at what it names, so it can be asked on every mouse move."""
    if snapshot.program.foreign and not isinstance(command, commands.EditText):
        return Refusal("foreign", _("This file is shown as plain text, so its steps cannot be changed here."))
    verb = _verb(snapshot, command)
    return verb if isinstance(verb, Refusal) else verb[0](snapshot, command)


def _verb(snapshot: Snapshot, command: Command) -> Verb | Refusal:
    """What carries out *command* in this kind of file."""
    if snapshot.program.format.is_steplist and not isinstance(command, EditText):
        return _list_verb(command)
    found = rows.verb_for_rows(snapshot, command) or _VERBS.get(type(command))
    if found is None:
        from workbench.editing.surgery.table import VERBS  # noqa: PLC0415 - loaded with the first operation

        found = VERBS.get(type(command))
    return found or Refusal("no-list", _("Only the steps of a step list have fields."))


def _list_verb(command: Command) -> Verb | Refusal:
    from workbench.editing.steplist_verbs.list_refusals import why_not_in_a_list  # noqa: PLC0415 - likewise
    from workbench.editing.steplist_verbs.table import VERBS  # noqa: PLC0415 - loaded with the first step list
    from workbench.editing.surgery.table import LIST_VERBS  # noqa: PLC0415 - likewise

    return VERBS.get(type(command)) or LIST_VERBS.get(type(command)) or why_not_in_a_list(command)


def plan(snapshot: Snapshot, command: Command) -> EditPlan | Refusal:
    """What *command* does to the text of *snapshot*; a plan without edits when it changes nothing.

    A plan that is returned has been tried: no step got lost or swallowed by the text beside it.
    """
    refusal = refusal_of(snapshot, command)
    if refusal is not None:
        return refusal
    verb = _verb(snapshot, command)
    planned = verb if isinstance(verb, Refusal) else verb[1](snapshot, command)
    if isinstance(planned, Refusal) or planned.is_empty or isinstance(command, commands.EditText):
        return planned
    planned = _apart(snapshot, planned)
    after = planned.after
    assert after is not None
    if after.text == snapshot.text:
        return replace(planned, change=TextChange(()))
    refusal = why_not(snapshot, after, planned, command)
    if refusal is not None:
        return refusal
    if snapshot.program.format.is_steplist:
        from workbench.editing.steplist_verbs.list_refusals import why_lost  # noqa: PLC0415 - only lists need it

        return why_lost(snapshot, after, command) or planned
    return _with_references(snapshot, command, planned)


def _apart(snapshot: Snapshot, planned: EditPlan) -> EditPlan:
    """*planned*, tried, with the blank lines that keep apart what it brings together."""
    tried = _tried(snapshot, planned)
    assert tried.after is not None
    blanks = blank_lines(tried.after, planned.seams)
    return tried if blanks.is_empty else _tried(snapshot, planned.followed_by(blanks))


def _tried(snapshot: Snapshot, planned: EditPlan) -> EditPlan:
    return replace(planned, after=advance(snapshot, planned.change, planned.carried))


def _with_references(snapshot: Snapshot, command: Command, planned: EditPlan) -> EditPlan:
    """*planned* with the edits that keep mentions of steps true: offered, or taken in where asked for."""
    after = planned.after
    if after is None:
        return planned
    copied = difference(snapshot, after)[0] if isinstance(command, DuplicateSteps) else frozenset[StepId]()
    found = outdated(snapshot, after, copied)
    planned = replace(planned, lost_references=found.lost)
    if not found.fixes or not (isinstance(command, RenumbersSteps) and command.updates_references):
        return replace(planned, reference_fixes=found.fixes)
    return _tried(snapshot, planned.followed_by(TextChange(found.fixes)))
