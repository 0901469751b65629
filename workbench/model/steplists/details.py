"""What stands below the words of a step in a step list when it is drawn: its tools and its limits."""

from __future__ import annotations

from workbench.model.loader.steplist import PlaybookStep
from workbench.model.meaning import StepListEntry, StepListForm
from workbench.model.program import Step


def fields_of(step: Step) -> PlaybookStep | None:
    """The fields of *step*, where it is one of a step list."""
    meaning = step.meaning
    return meaning.step if isinstance(meaning, StepListEntry) and meaning.form is not StepListForm.GROUP else None


def has_details(step: Step) -> bool:
    """True where *step* needs a row of its own for tools and limits."""
    fields = fields_of(step)
    if fields is None:
        return False
    limits = (fields.max_tool_calls, fields.min_tool_calls, fields.timeout_seconds)
    return bool(fields.expected_tools or fields.validation or any(one is not None for one in limits))
