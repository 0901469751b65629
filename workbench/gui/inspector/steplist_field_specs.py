"""The fields of a step in a step list as the inspector shows them: how each is called, and how its value is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.fields import FieldKind, FieldType, NotThatType, value_of
from workbench.i18n import N_, LazyText, _
from workbench.model.loader.reading import FAILURE_POLICIES
from workbench.model.loader.steplist import PlaybookStep, thawed
from workbench.model.meaning import StepListEntry


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. *name*: as in the file. *default*: what it is where it is not written."""

    name: str
    label: LazyText
    kind: FieldKind
    default: Any = None
    hint: LazyText | None = None


CHOICES = ("", *FAILURE_POLICIES)
LIST_FIELDS = (
    FieldSpec("id", N_("Id"), FieldKind.TEXT),
    FieldSpec("expected_tools", N_("Tools"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("hints", N_("Hints"), FieldKind.LINES, (), N_("one per line")),
    FieldSpec("required", N_("Required"), FieldKind.YES_NO, True),
    FieldSpec("min_tool_calls", N_("Min. calls"), FieldKind.WHOLE_NUMBER),
    FieldSpec("max_tool_calls", N_("Max. calls"), FieldKind.WHOLE_NUMBER),
    FieldSpec("timeout_seconds", N_("Time limit"), FieldKind.NUMBER, None, N_("seconds")),
    FieldSpec("validation", N_("Validation"), FieldKind.DATA, {}, N_('JSON, such as {"min_tool_calls": 1}')),
    FieldSpec("required_probes", N_("Evidence"), FieldKind.DATA, [], N_('JSON, such as [{"name": "a", "match": "b"}]')),
    FieldSpec("uses", N_("Skills"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("any_tool", N_("Any tool"), FieldKind.YES_NO, False),
    FieldSpec("count_failures", N_("Count failed calls"), FieldKind.YES_NO, False),
    FieldSpec("retry_limit", N_("Retries"), FieldKind.WHOLE_NUMBER),
    FieldSpec("on_failure", N_("On failure"), FieldKind.CHOICE, ""),
    FieldSpec("metadata", N_("Metadata"), FieldKind.DATA, {}, N_("JSON")),
)
GRAPH_FIELDS = (
    FieldSpec("id", N_("Id"), FieldKind.TEXT),
    FieldSpec("allowed_tools", N_("Tools"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("after", N_("After"), FieldKind.LIST, (), N_("ids, separated by commas")),
    FieldSpec("required", N_("Required"), FieldKind.YES_NO, True),
    FieldSpec("max_tool_calls", N_("Max. calls"), FieldKind.WHOLE_NUMBER),
)


def value_in(spec: FieldSpec, meaning: StepListEntry, step: PlaybookStep) -> Any:
    """The value of the field *spec* in *step*."""
    if spec.name == "after":
        return meaning.after
    name = "expected_tools" if spec.name == "allowed_tools" else spec.name
    if name == "required_probes":
        return [
            {key: text for key in ("name", "match", "description") if (text := getattr(probe, key))}
            for probe in step.required_probes
        ]
    return thawed(getattr(step, name)) if spec.kind is FieldKind.DATA else getattr(step, name)


def shown(spec: FieldSpec, value: Any) -> str:
    """*value* as it stands in the editor."""
    match spec.kind:
        case FieldKind.LIST:
            return ", ".join(value)
        case FieldKind.LINES:
            return "\n".join(value)
        case FieldKind.DATA:
            return json.dumps(value, ensure_ascii=False) if value else ""
        case FieldKind.NUMBER:
            return f"{value:g}" if value is not None else ""
        case _:
            return "" if value is None else str(value)


def entered(spec: FieldSpec, text: str) -> Any:
    """The value that *text* stands for; None takes the field out. Raises NotThatType."""
    if not text.strip():
        return None
    value = value_of(text.strip(), FieldType(spec.kind))
    match spec.kind:
        case FieldKind.LIST | FieldKind.LINES:
            return tuple(value) or None
        case FieldKind.DATA if not isinstance(value, Mapping | list):
            raise NotThatType(_("Enter a list or a mapping."))
        case FieldKind.DATA:
            return value or None
        case FieldKind.WHOLE_NUMBER | FieldKind.NUMBER:
            return _in_range(spec, value)
        case _:
            return value


def _in_range(spec: FieldSpec, value: float) -> float:
    """*value*, whole where it can be; a count starts at 0, a time limit above it."""
    if value < 0 or (spec.kind is FieldKind.NUMBER and value == 0):
        raise NotThatType(_("The number is too small."))
    return int(value) if value == int(value) else value
