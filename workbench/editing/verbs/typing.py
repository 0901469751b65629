"""Edits of the source as somebody typed them."""

from __future__ import annotations

from workbench.editing.commands import EditText, Refusal
from workbench.editing.edit_plan import EditPlan
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange


def refuse(snapshot: Snapshot, command: EditText) -> Refusal | None:
    """Why the edits do not fit the text."""
    ordered = sorted(command.edits, key=lambda edit: (edit.span.start, edit.span.end))
    ends = [0, *(edit.span.end for edit in ordered)]
    if any(edit.span.start < end for edit, end in zip(ordered, ends, strict=False)) or ends[-1] > len(snapshot.text):
        return Refusal("other-text", _("The text has changed in the meantime."))
    return None


def plan(snapshot: Snapshot, command: EditText) -> EditPlan:
    """The edits, without those that change nothing."""
    edits = tuple(edit for edit in command.edits if edit.insert != edit.span.of(snapshot.text))
    return EditPlan(TextChange(edits), command.label or _("Typing"))
