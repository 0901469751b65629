"""Arguments checked against the JSON schema of their tool, as far as schemas of tools go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (Mapping,),
    "null": (type(None),),
}


def bound(schema: Mapping[str, Any], positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The values by name: *positional* take the names of *schema* in their order. Raises RunFailed."""
    names = list(properties_of(schema))
    if len(positional) > len(names):
        message = _("It is given too many values: {given} instead of {most}.")
        raise RunFailed(message.format(given=len(positional), most=len(names)))
    twice = next((name for name in names[: len(positional)] if name in named), None)
    if twice is not None:
        raise RunFailed(_("{name} is given twice.").format(name=twice))
    return {**dict(zip(names, positional, strict=False)), **named}


def check_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Raise RunFailed where *arguments* do not fit *schema*."""
    problem = problem_in(schema, dict(arguments), "")
    if problem:
        raise RunFailed(problem)


def problem_in(schema: Any, value: Any, name: str) -> str:
    """What is wrong with *value*, called *name*, in one sentence; empty where it fits, or *schema* says nothing."""
    if not isinstance(schema, Mapping):
        return ""
    choices = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(choices, list | tuple) and choices:
        problems = [problem_in(each, value, name) for each in choices]
        if all(problems):
            return problems[0]
    if not _is_of(texts_of(schema.get("type")), value):
        kinds = ", ".join(texts_of(schema.get("type")))
        return _("{name} must be of the type {type}.").format(name=name or _("The value"), type=kinds)
    allowed = schema.get("enum")
    if isinstance(allowed, list | tuple) and not any(_is_same(each, value) for each in allowed):
        return _("{name} must be one of {choices}.").format(name=name, choices=", ".join(map(str, allowed)))
    if isinstance(value, Mapping):
        return _problem_in_object(schema, value, name)
    if isinstance(value, list | tuple):
        items = (problem_in(schema.get("items"), each, f"{name}[{at}]") for at, each in enumerate(value))
        return next(filter(None, items), "")
    return ""


def _problem_in_object(schema: Mapping[str, Any], value: Mapping[str, Any], name: str) -> str:
    known = properties_of(schema)
    for needed in texts_of(schema.get("required")):
        if needed not in value:
            return _("A value for {name} is missing.").format(name=_within(name, needed))
    for key, each in value.items():
        if key not in known and schema.get("additionalProperties") is False:
            message = _("There is no argument {name}. There are: {names}.")
            return message.format(name=_within(name, key), names=", ".join(known) or _("none"))
        problem = problem_in(known.get(key, schema.get("additionalProperties")), each, _within(name, key))
        if problem:
            return problem
    return ""


def _within(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key


def properties_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What *schema* says of values by name. Schemas come from servers, which write whatever they like."""
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def texts_of(found: Any) -> tuple[str, ...]:
    """The texts among *found*, which may be one itself."""
    if isinstance(found, str):
        return (found,)
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list | tuple) else ()


def _is_of(wanted: Sequence[str], value: Any) -> bool:
    if not wanted:
        return True
    if isinstance(value, bool):
        return "boolean" in wanted
    if isinstance(value, float) and value.is_integer() and "integer" in wanted:
        return True
    return any(isinstance(value, _TYPES.get(kind, (object,))) for kind in wanted)


def _is_same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)
