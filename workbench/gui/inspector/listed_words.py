"""What a listed step is, as rows of words a person reads; its fields have a section of their own."""

from __future__ import annotations

from workbench.i18n import _
from workbench.model.meaning import StepListEntry, StepListForm

_FORMS = {
    StepListForm.STEP: _("a step with expected tools"),
    StepListForm.GROUP: _("a phase: its steps stand inside it"),
    StepListForm.TASK: _("a task that a person carries out"),
    StepListForm.APPROVAL: _("a step that waits for an approval"),
}


def listed_rows(meaning: StepListEntry) -> tuple[tuple[str, str], ...]:
    """What *meaning* is and, in a graph, what it comes after and leads to."""
    rows = [(_("Is"), _FORMS[meaning.form])]
    if meaning.after:
        rows.append((_("After"), ", ".join(meaning.after)))
    rows += [(branch.label or _("Leads to"), f"→ {branch.target}") for branch in meaning.branches]
    return tuple(rows)
