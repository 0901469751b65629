"""JSON schemas of answers and arguments, made from the types that playbooks write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.engine.fields import FieldKind, FieldType, field_type
from workbench.model.meaning import Variable
from workbench.syntax.signatures import Parameter

Schema = Mapping[str, Any]

_PLAIN: Mapping[FieldKind, Schema] = {
    FieldKind.TEXT: {"type": "string"},
    FieldKind.LONG_TEXT: {"type": "string"},
    FieldKind.WHOLE_NUMBER: {"type": "integer"},
    FieldKind.NUMBER: {"type": "number"},
    FieldKind.DECIMAL: {"type": "number"},
    FieldKind.YES_NO: {"type": "boolean"},
    FieldKind.OBJECT: {"type": "object"},
}


def object_schema(properties: Mapping[str, Schema], required: Iterable[str]) -> dict[str, Any]:
    """The schema of an object with *properties* and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def schema_of(kind: FieldType) -> Schema:
    """The schema of values of *kind*; any value will do for a type that only the playbook's author knows."""
    if kind.is_optional:
        return {"anyOf": [_of(kind), {"type": "null"}]}
    return _of(kind)


def _of(kind: FieldType) -> Schema:
    if kind.kind is FieldKind.LIST:
        return {"type": "array", "items": schema_of(kind.item) if kind.item is not None else {}}
    if kind.kind is FieldKind.CHOICE:
        return {"type": "string", "enum": list(kind.choices)}
    return _PLAIN.get(kind.kind, {})


def schema_of_parameters(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """The schema of the arguments for *parameters*; those with a default may be left out."""
    given = tuple(parameters)
    properties = {one.name: schema_of(field_type(Variable(one.name, type=one.type))) for one in given}
    return object_schema(properties, (one.name for one in given if one.default is None))
