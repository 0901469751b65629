"""The fields of a listed step as the inspector shows them: what each is called, and how its value is written."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _
from workbench.model.loader.reading import FAILURE_POLICIES
from workbench.model.loader.steplist import PlaybookStep, thawed
from workbench.model.meaning import StepListEntry


class FieldKind(enum.Enum):
    """What a field holds."""

    TEXT = enum.auto()
    NAMES = enum.auto()
    LINES = enum.auto()
    COUNT = enum.auto()
    SECONDS = enum.auto()
    FLAG = enum.auto()
    CHOICE = enum.auto()
    DATA = enum.auto()


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. *name*: as in the file. *default*: what it is where it is not written."""

    name: str
    label: str
    kind: FieldKind
    default: Any = None
    hint: str = ""


class NotThatKind(ValueError):
    """What was entered is no value of the field; says what is expected."""


CHOICES = ("", *FAILURE_POLICIES)
LIST_FIELDS = (
    FieldSpec("id", _("Id"), FieldKind.TEXT),
    FieldSpec("expected_tools", _("Tools"), FieldKind.NAMES, (), _("names, with commas between")),
    FieldSpec("hints", _("Hints"), FieldKind.LINES, (), _("one per line")),
    FieldSpec("required", _("Required"), FieldKind.FLAG, True),
    FieldSpec("min_tool_calls", _("Least calls"), FieldKind.COUNT),
    FieldSpec("max_tool_calls", _("Most calls"), FieldKind.COUNT),
    FieldSpec("timeout_seconds", _("Time limit"), FieldKind.SECONDS, None, _("seconds")),
    FieldSpec("validation", _("Validation"), FieldKind.DATA, {}, _('JSON, such as {"min_tool_calls": 1}')),
    FieldSpec("required_probes", _("Evidence"), FieldKind.DATA, [], _('JSON, such as [{"name": "a", "match": "b"}]')),
    FieldSpec("uses", _("Skills"), FieldKind.NAMES, (), _("names, with commas between")),
    FieldSpec("any_tool", _("Any tool"), FieldKind.FLAG, False),
    FieldSpec("count_failures", _("Failures count"), FieldKind.FLAG, False),
    FieldSpec("retry_limit", _("Retries"), FieldKind.COUNT),
    FieldSpec("on_failure", _("On failure"), FieldKind.CHOICE, ""),
    FieldSpec("metadata", _("Metadata"), FieldKind.DATA, {}, _("JSON")),
)
GRAPH_FIELDS = (
    FieldSpec("id", _("Id"), FieldKind.TEXT),
    FieldSpec("allowed_tools", _("Tools"), FieldKind.NAMES, (), _("names, with commas between")),
    FieldSpec("after", _("After"), FieldKind.NAMES, (), _("ids, with commas between")),
    FieldSpec("required", _("Required"), FieldKind.FLAG, True),
    FieldSpec("max_tool_calls", _("Most calls"), FieldKind.COUNT),
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
        case FieldKind.NAMES:
            return ", ".join(value)
        case FieldKind.LINES:
            return "\n".join(value)
        case FieldKind.DATA:
            return json.dumps(value, ensure_ascii=False) if value else ""
        case FieldKind.SECONDS:
            return f"{value:g}" if value is not None else ""
        case _:
            return "" if value is None else str(value)


def entered(spec: FieldSpec, text: str) -> Any:
    """The value that *text* stands for; None takes the field out. Raises NotThatKind."""
    text = text.strip()
    match spec.kind:
        case FieldKind.NAMES:
            return tuple(name for part in text.split(",") if (name := part.strip())) or None
        case FieldKind.LINES:
            return tuple(line.strip() for line in text.splitlines() if line.strip()) or None
        case FieldKind.DATA:
            return _data(text)
        case FieldKind.COUNT | FieldKind.SECONDS:
            return _number(text, whole=spec.kind is FieldKind.COUNT)
        case _:
            return text or None


def _data(text: str) -> Any:
    if not text:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise NotThatKind(_("This is no JSON value.")) from error
    if not isinstance(value, Mapping | list):
        raise NotThatKind(_("A list or a mapping is expected."))
    return value or None


def _number(text: str, *, whole: bool) -> int | float | None:
    if not text:
        return None
    try:
        value = int(text) if whole else float(text)
    except ValueError as error:
        raise NotThatKind(_("A whole number is expected.") if whole else _("A number is expected.")) from error
    if value < 0 or (not whole and not (value > 0 and math.isfinite(value))):
        raise NotThatKind(_("The number is too small."))
    return int(value) if not whole and value == int(value) else value
