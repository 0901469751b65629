"""The icon and the word of each kind of step, so that colour never stands alone."""

from __future__ import annotations

from workbench.i18n import _
from workbench.model.meaning import StepKind


def icon_of(kind: StepKind) -> str:
    """The name of the icon of *kind*; plain steps are not the *step* of the run controls."""
    return "action" if kind is StepKind.STEP else kind.value


def word_of(kind: StepKind) -> str:
    """What a person calls a step of *kind*."""
    return {
        StepKind.TRIGGER: _("Trigger"),
        StepKind.STEP: _("Step"),
        StepKind.ASK: _("Ask"),
        StepKind.TELL: _("Tell"),
        StepKind.ASSIGN: _("Assign"),
        StepKind.CALL: _("Call"),
        StepKind.DECISION: _("Decision"),
        StepKind.LOOP: _("Loop"),
        StepKind.RETURN: _("Return"),
        StepKind.END: _("End"),
        StepKind.NOTE: _("Note"),
        StepKind.RAW: _("Kept as written"),
    }[kind]
