"""What a model has to do with a question: its answer, which stands in the form, or why a person is asked instead."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from workbench.engine.ports import Request, RequestKind
from workbench.gui.forms.field import RunField
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink
from workbench.gui.runs.special_fields import SpecialFields
from workbench.i18n import _


class Suggestion(QWidget):
    """Says so above the fields. *words*: all of it."""

    def __init__(self, request: Request, parent: QWidget) -> None:
        super().__init__(parent)
        lines = _lines(request)
        self.words = "\n".join(lines)
        labels = [Label(line, self, role="secondary", wraps=True) for line in lines]
        picture = Picture(icon("chat", Ink.ACCENT), self)
        in_row(self, picture, (in_column(None, *labels, margins=0, spacing=2), 1), margins=0)


def suggestion_about(request: Request, parent: QWidget) -> Suggestion | None:
    """What is to be said about *request*; None where no model has to do with it."""
    return Suggestion(request, parent) if _lines(request) else None


def propose(request: Request, special: SpecialFields | None, fields: Sequence[RunField]) -> None:
    """Put the answer of a model to *request*, if there is one, where it can be accepted or changed."""
    values = dict(request.proposal.values) if request.proposal is not None else {}
    if special is not None and values:
        special.propose(values)
    for field in fields:
        if field.variable.name in values:
            field.propose(values[field.variable.name])


def _lines(request: Request) -> tuple[str, ...]:
    said = _("It said: {text}").format(text=request.said) if request.said else ""
    if request.proposal is None:
        reason = _("A model handed this over to you: {reason}").format(reason=request.reason) if request.reason else ""
        return tuple(filter(None, (reason, said)))
    return tuple(filter(None, (_proposed(request), said)))


def _proposed(request: Request) -> str:
    assert request.proposal is not None
    if request.kind is not RequestKind.DECIDE:
        return _("A model proposes what stands below. Accept it, or change it first.")
    if request.proposal.decision:
        return _("A model proposes: yes.")
    return _("A model proposes: no.")
