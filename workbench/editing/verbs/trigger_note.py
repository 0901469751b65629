"""New triggers and notes, with the heading they need."""

from __future__ import annotations

from workbench.editing.commands import AddNote, AddTrigger, Place, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.placing import NewItem, edit_list
from workbench.editing.geometry.siblings import Siblings, siblings_at
from workbench.editing.geometry.style import style_at
from workbench.editing.refusals import no_such_playbook, no_words
from workbench.editing.verbs.step_text import refuse_words
from workbench.i18n import _
from workbench.model.program import SectionKind
from workbench.model.snapshot import Snapshot


def refuse(snapshot: Snapshot, command: AddTrigger | AddNote) -> Refusal | None:
    """Why nothing can be added."""
    if snapshot.program.playbook(command.playbook) is None:
        return no_such_playbook(command.playbook)
    return refuse_words(command.text) if command.text.strip() else no_words()


def plan_trigger(snapshot: Snapshot, command: AddTrigger) -> EditPlan:
    """The edits that add a trigger below those there are."""
    return _plan(snapshot, command, SectionKind.TRIGGERS, _("Add trigger"))


def plan_note(snapshot: Snapshot, command: AddNote) -> EditPlan:
    """The edits that add a note below those there are."""
    return _plan(snapshot, command, SectionKind.NOTES, _("Add note"))


def _plan(snapshot: Snapshot, command: AddTrigger | AddNote, kind: SectionKind, label: str) -> EditPlan:
    siblings = siblings_at(snapshot, Place(command.playbook, section=kind))
    assert isinstance(siblings, Siblings)
    slot = len(siblings.steps)
    spacing = style_at(siblings, slot).spacing
    text = " ".join(command.text.split())
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, slot, [NewItem(f"-{spacing}{text}", "", "-")])
    return draft.finish(label)
