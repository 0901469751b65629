"""What a listed step is, as rows of words a person reads; its fields have a section of their own."""

from __future__ import annotations

from workbench.i18n import _
from workbench.model.meaning import ListedForm, ListedStep

_FORMS = {
    ListedForm.STEP: _("a step with expected tools"),
    ListedForm.GROUP: _("a phase: its steps stand inside it"),
    ListedForm.TASK: _("a task that a person carries out"),
    ListedForm.APPROVAL: _("a step that waits for an approval"),
}


def listed_rows(meaning: ListedStep) -> tuple[tuple[str, str], ...]:
    """What *meaning* is and, in a graph, what it comes after and leads to."""
    rows = [(_("Is"), _FORMS[meaning.form])]
    if meaning.after:
        rows.append((_("After"), ", ".join(meaning.after)))
    rows += [(branch.label or _("Leads to"), f"→ {branch.target}") for branch in meaning.branches]
    return tuple(rows)
