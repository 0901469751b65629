"""What is drawn of the fields of a listed step: tools as chips, limits as small signs."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.i18n import _
from workbench.model.meaning import StepListEntry, StepListForm
from workbench.model.program import Step
from workbench.model.steplists.details import fields_of


@dataclass(frozen=True, slots=True)
class Sign:
    """A limit or condition. *icon*: its name; *label*: a few letters behind it."""

    icon: str
    label: str = ""


def chips_of(step: Step | None) -> tuple[str, ...]:
    """The tools that *step* expects."""
    fields = fields_of(step) if step is not None else None
    return fields.expected_tools if fields is not None else ()


def is_optional(step: Step | None) -> bool:
    """True for a listed step that may be skipped."""
    fields = fields_of(step) if step is not None else None
    return fields is not None and not fields.required


def signs_of(step: Step) -> tuple[Sign, ...]:
    """The limits and conditions of *step*."""
    fields = fields_of(step)
    if fields is None:
        return ()
    found: list[Sign] = []
    if isinstance(step.meaning, StepListEntry) and step.meaning.form is StepListForm.APPROVAL:
        found.append(Sign("shield", _("approval")))
    if fields.result_keywords or fields.required_probes:
        found.append(Sign("tick"))
    calls = _calls(fields.least_calls, fields.max_tool_calls)
    if calls:
        found.append(Sign("tool", calls))
    if fields.timeout_seconds is not None:
        found.append(Sign("clock", f"{fields.timeout_seconds:g} s"))
    return tuple(found)


def _calls(least: int, most: int | None) -> str:
    """How many calls a step takes: ``1–3``, ``≥ 1``, ``≤ 3``."""
    if most is None:
        return f"≥ {least}" if least else ""
    if not least:
        return f"≤ {most}"
    return f"{most}" if least == most else f"{least}–{most}"
