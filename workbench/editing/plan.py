"""A command and a snapshot → the edits, or the reason why not. Pure, and the same for hover and drop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from workbench.editing import commands
from workbench.editing.change import difference
from workbench.editing.commands import Command, DuplicateSteps, Refusal, RenumbersSteps
from workbench.editing.edit_plan import EditPlan
from workbench.editing.geometry.seams import blank_lines
from workbench.editing.proof import why_not
from workbench.editing.references import outdated
from workbench.editing.steplist_verbs import adding, field_verbs, moving
from workbench.editing.steplist_verbs.list_refusals import why_lost, why_not_in_a_list
from workbench.editing.verbs import change_kind, front_matter, insert, move, playbook, rows, step_text, tick, wrap
from workbench.i18n import _
from workbench.model.incremental.advancing import advance
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange

_Verb = tuple[Callable[[Snapshot, Any], Refusal | None], Callable[[Snapshot, Any], EditPlan | Refusal]]
_VERBS: Mapping[type, _Verb] = {
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
"""What carries out each command in markdown."""

_LIST_VERBS: Mapping[type, _Verb] = {
    commands.EditText: (step_text.refuse_typing, step_text.plan_typing),
    commands.InsertStep: (adding.refuse_step, adding.plan_step),
    commands.InsertLines: (adding.refuse_lines, adding.plan_lines),
    commands.DeleteSteps: (adding.refuse_some, adding.plan_delete),
    commands.DuplicateSteps: (adding.refuse_some, adding.plan_duplicate),
    commands.MoveSteps: (moving.refuse, moving.plan),
    commands.SetStepText: (field_verbs.refuse_words, field_verbs.plan_words),
    commands.SetStepField: (field_verbs.refuse_field, field_verbs.plan_field),
    commands.SetPlaybookField: (field_verbs.refuse_playbook_field, field_verbs.plan_playbook_field),
    commands.RenamePlaybook: (field_verbs.refuse_rename, field_verbs.plan_rename),
}
"""What carries out each command in a step list; the others are refused with a reason."""


def refusal_of(snapshot: Snapshot, command: Command) -> Refusal | None:
    """Why *command* cannot be done, or None. Looks only at what it names, so it can be asked on every mouse move."""
    if snapshot.program.foreign and not isinstance(command, commands.EditText):
        return Refusal("foreign", _("This file is shown as plain text, so its steps cannot be changed here."))
    verb = _verb(snapshot, command)
    return verb if isinstance(verb, Refusal) else verb[0](snapshot, command)


def _verb(snapshot: Snapshot, command: Command) -> _Verb | Refusal:
    """What carries out *command* in this kind of file."""
    if snapshot.program.format.is_steplist:
        return _LIST_VERBS.get(type(command)) or why_not_in_a_list(command)
    found = rows.verb_for_rows(snapshot, command) or _VERBS.get(type(command))
    return found or Refusal("no-list", _("Only the steps of a step list have fields."))


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
