"""Python functions as tools: their schemas from their signatures, their descriptions from their first lines."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from workbench.engine.expressions.data import canonical
from workbench.syntax.python_functions import PythonFunction
from workbench.syntax.signatures import Parameter
from workbench.tools.values import CallSafety, ToolSpec

_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "set": "array",
    "dict": "object",
    "None": "null",
}


def spec_of(function: PythonFunction, name: str, source: str) -> ToolSpec:
    """*function*, called *name*, as a tool. Python may do anything unless it says itself that it only reads."""
    said = dict(function.metadata).get("safety")
    safety = next((each for each in CallSafety if each.value == said), CallSafety.UNSAFE)
    return ToolSpec(name, function.description, schema_of(function.parameters), safety, source)


def schema_of(parameters: tuple[Parameter, ...]) -> Mapping[str, Any]:
    """The JSON schema of arguments for *parameters*."""
    return {
        "type": "object",
        "properties": {each.name: _schema(each.type) for each in parameters},
        "required": [each.name for each in parameters if each.default is None],
        "additionalProperties": False,
    }


def _schema(annotation: str) -> Mapping[str, Any]:
    """The schema for values of the type written as *annotation*; one that says nothing where that is not known."""
    try:
        tree = ast.parse(annotation.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return {}
    return _of(tree)


def _of(tree: ast.expr) -> Mapping[str, Any]:
    match tree:
        case ast.Name(id=name) if name in _TYPES:
            return {"type": _TYPES[name]}
        case ast.Constant(value=None):
            return {"type": "null"}
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return {"anyOf": [_of(left), _of(right)]}
        case ast.Subscript(value=ast.Name(id="list" | "set"), slice=item):
            return {"type": "array", "items": _of(item)}
        case ast.Subscript(value=ast.Name(id=name)) if name in _TYPES:
            return {"type": _TYPES[name]}
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=choices)):
            return {"enum": [each.value for each in choices if isinstance(each, ast.Constant)]}
        case _:
            return {}


def shown_call(name: str, arguments: Mapping[str, Any]) -> str:
    """The call of *name* in one line."""
    return f"{name}({', '.join(f'{key}={canonical(value)}' for key, value in arguments.items())})"
