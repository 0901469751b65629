"""JSON schemas of answers and arguments, and what is wrong with a value by one; only what such schemas need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.engine.fields import FieldKind, FieldType, field_type
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.syntax.signatures import Parameter

Schema = Mapping[str, Any]

_PLAIN: Mapping[FieldKind, Schema] = {
    FieldKind.TEXT: {"type": "string"},
    FieldKind.LONG_TEXT: {"type": "string"},
    FieldKind.WHOLE_NUMBER: {"type": "integer"},
    FieldKind.NUMBER: {"type": "number"},
    FieldKind.YES_NO: {"type": "boolean"},
    FieldKind.OBJECT: {"type": "object"},
}
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_DEPTH = 20


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


def schema_of_fields(fields: Iterable[Variable]) -> dict[str, Any]:
    """The schema of an object that has a value for each of *fields*."""
    properties = {field.name: schema_of(field_type(field)) for field in fields}
    return object_schema(properties, properties)


def schema_of_parameters(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """The schema of the arguments for *parameters*; those with a default may be left out."""
    given = tuple(parameters)
    properties = {one.name: schema_of(field_type(Variable(one.name, type=one.type))) for one in given}
    return object_schema(properties, (one.name for one in given if one.default is None))


def problem_with(value: Any, schema: Schema) -> str:
    """What is wrong with *value* by *schema*, as a sentence; empty where nothing is."""
    return next(_problems(value, schema, "", _DEPTH), "")


def _problems(value: Any, schema: Any, path: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, Mapping) or depth <= 0:
        return
    where = path or _("the value")
    if not _is_of_type(value, schema.get("type")):
        yield _("“{where}” must be of the type {type}.").format(where=where, type=_words(schema["type"]))
        return
    if "enum" in schema and value not in schema["enum"]:
        yield _("“{where}” must be one of {choices}.").format(where=where, choices=_words(schema["enum"]))
    alternatives = schema.get("anyOf") or schema.get("oneOf") or ()
    if alternatives and all(any(_problems(value, one, path, depth - 1)) for one in alternatives):
        yield _("“{where}” is none of what it may be.").format(where=where)
    if isinstance(value, dict):
        yield from _in_object(value, schema, path, depth)
    if isinstance(value, list) and "items" in schema:
        for number, each in enumerate(value):
            yield from _problems(each, schema["items"], f"{path}[{number}]", depth - 1)


def _in_object(value: dict[str, Any], schema: Schema, path: str, depth: int) -> Iterator[str]:
    properties = schema.get("properties") or {}
    for name in schema.get("required") or ():
        if name not in value:
            yield _("“{name}” is missing.").format(name=_inside(path, name))
    for name, each in value.items():
        if name in properties:
            yield from _problems(each, properties[name], _inside(path, name), depth - 1)
        elif schema.get("additionalProperties") is False:
            known = ", ".join(properties) or _("none")
            yield _("There is no “{name}”. Known: {names}.").format(name=_inside(path, name), names=known)


def _inside(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_of_type(value: Any, wanted: Any) -> bool:
    if wanted is None:
        return True
    names = wanted if isinstance(wanted, list) else [wanted]
    return any(_is_one(value, name) for name in names)


def _is_one(value: object, name: object) -> bool:
    kind = _TYPES.get(name) if isinstance(name, str) else None
    if kind is None:  # a type of another time
        return True
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, kind)


def _words(values: Any) -> str:
    return ", ".join(map(str, values)) if isinstance(values, list) else str(values)
