"""What follows a step that is judged as a whole, where its words speak of more than going on.

``Check the order, and return if it is late``: the question has one field more, in which whoever judges says whether the
playbook goes on or is left. Nothing said there means that it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.model.meaning import Action, End, Jump, JumpForm, Variable

NAME = "and-then"
"""The name of the field; no variable can have it."""
GOES_ON = "go on"


def outcome_field(outcomes: Sequence[Action]) -> Variable:
    """The field that offers *outcomes* beside going on."""
    return Variable(NAME, is_state=False, type="|".join((GOES_ON, *outcome_labels(outcomes))))


def is_outcome(field: Variable) -> bool:
    """Whether *field* is one of these."""
    return field.name == NAME


def chosen(outcomes: Sequence[Action], answer: Mapping[str, Any]) -> int | None:
    """Which of *outcomes* follows by *answer*; None where the playbook goes on."""
    said = answer.get("values", {}).get(NAME, GOES_ON)
    return next((index for index, label in enumerate(outcome_labels(outcomes)) if label == said), None)


def outcome_labels(outcomes: Sequence[Action]) -> Iterator[str]:
    """The words for *outcomes*, no two of them the same."""
    used: set[str] = set()
    for outcome in outcomes:
        label = _label(outcome)
        number = sum(each.startswith(label) for each in used) + 1
        used.add(label if number == 1 else f"{label} ({number})")
        yield label if number == 1 else f"{label} ({number})"


def _label(outcome: Action) -> str:
    match outcome:
        case End():
            return "end"
        case Jump(number=number, last=last) if last:
            return f"repeat {number}-{last}" if last != number else f"repeat {number}"
        case Jump(form=form, number=number):
            return f"{form.value} {number}" if form is JumpForm.GO_TO else form.value
        case _:
            return "return"
