"""Nodes of YAML and JSON with the stretch of text that each takes.

Aliases stay references, so that a small text can never become a large tree; ``plain_value``
follows them with a limit.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span

MAX_DEPTH = 64
MAX_SIZE = 16 * 1024 * 1024
MAX_EXPANSION = 100_000
"""How many nodes may come out of following aliases."""


class NodeKind(enum.Enum):
    """What a node is."""

    MAPPING = enum.auto()
    SEQUENCE = enum.auto()
    SCALAR = enum.auto()
    ALIAS = enum.auto()


class ScalarType(enum.Enum):
    """What a scalar is read as."""

    TEXT = "text"
    INTEGER = "a whole number"
    NUMBER = "a number"
    BOOLEAN = "yes or no"
    NULL = "nothing"
    DATE = "a date"
    OTHER = "something else"


@dataclass(slots=True, eq=False)
class DataNode:
    """One node. *span*: of the value as written; a block collection ends with its last value.

    *text*: of a scalar, unquoted; of an alias, the name it refers to. *is_plain*: written
    without quotes or block marks. *is_flow*: a collection in brackets.
    """

    kind: NodeKind
    span: Span
    text: str = ""
    type: ScalarType = ScalarType.TEXT
    is_plain: bool = False
    is_flow: bool = False
    entries: list[tuple[DataNode, DataNode]] = field(default_factory=list)
    items: list[DataNode] = field(default_factory=list)
    anchor: str = ""
    target: DataNode | None = None

    @property
    def resolved(self) -> DataNode:
        """The node itself, or what an alias refers to."""
        return self.target if self.target is not None else self

    def get(self, key: str) -> DataNode | None:
        """The value of *key* in a mapping, aliases followed; the last one where it stands twice."""
        found = None
        for name, value in self.resolved.entries:
            if name.text == key:
                found = value.resolved
        return found


@dataclass(frozen=True, slots=True)
class DataParse:
    """What a text holds. *root* is None where it could not be read at all."""

    root: DataNode | None
    diagnostics: tuple[Diagnostic, ...]


def merged_entries(node: DataNode) -> dict[str, DataNode]:
    """A mapping's values by key, with what its merge keys (``<<``) bring in; own keys win."""
    values: dict[str, DataNode] = {}
    for source in _merged_into(node):
        for key, value in source.entries:
            values.setdefault(key.text, value.resolved)
    values.update({key.text: value.resolved for key, value in node.entries})
    return values


def _merged_into(node: DataNode) -> list[DataNode]:
    found: list[DataNode] = []
    for key, value in node.entries:
        if key.text == "<<" and key.is_plain:
            target = value.resolved
            found += [one.resolved for one in target.items] if target.items else [target]
    return found


class ExpansionRefused(ValueError):
    """Following the aliases of a text would take too much, or never end."""


def plain_value(node: DataNode) -> object:
    """*node* as strings, numbers, lists and dictionaries; merge keys (``<<``) are applied.

    Raises ExpansionRefused where aliases lead in a circle or make too much of a small text.
    """
    return Expansion().value(node)


class Expansion:
    """Follows aliases with one limit for all the values that it is asked for."""

    def __init__(self) -> None:
        self._left = MAX_EXPANSION
        self._open: set[int] = set()
        self._depth = 0

    def value(self, node: DataNode) -> object:
        """*node* as ``plain_value`` gives it. Raises ExpansionRefused where its aliases go too far or in a circle."""
        if node.kind is not NodeKind.ALIAS:
            return self._value(node)
        self._depth += 1
        try:
            return self._value(node.resolved)
        finally:
            self._depth -= 1

    def _value(self, node: DataNode) -> object:
        if self._depth:
            self._left -= 1
        if self._left < 0:
            raise ExpansionRefused("the aliases make too much of it")
        if node.kind is NodeKind.SCALAR:
            return scalar_value(node)
        if id(node) in self._open:
            raise ExpansionRefused("an alias refers to what it stands in")
        self._open.add(id(node))
        try:
            return self._collection(node)
        finally:
            self._open.discard(id(node))

    def _collection(self, node: DataNode) -> object:
        if node.kind is NodeKind.SEQUENCE:
            return [self.value(item) for item in node.items]
        own: dict[str, object] = {}
        merged: dict[str, object] = {}
        for key, value in node.entries:
            if key.text == "<<" and key.is_plain:
                self._merge(merged, value)
            else:
                own[key.text] = self.value(value)
        return {**merged, **own}

    def _merge(self, merged: dict[str, object], value: DataNode) -> None:
        sources = value.resolved.items if value.resolved.kind is NodeKind.SEQUENCE else [value]
        for source in sources:
            found = self.value(source)
            if isinstance(found, dict):
                for key, item in found.items():
                    merged.setdefault(key, item)


def scalar_value(node: DataNode) -> object:
    """What a scalar stands for; text where it is anything we do not compute with."""
    text = node.text
    match node.type:
        case ScalarType.NULL:
            return None
        case ScalarType.BOOLEAN:
            return text.lower() in ("true", "yes", "on")
        case ScalarType.INTEGER:
            return _integer(text)
        case ScalarType.NUMBER:
            return _number(text)
        case _:
            return text


def _integer(text: str) -> object:
    try:
        return int(text.replace("_", ""), 10)
    except ValueError:
        return text


def _number(text: str) -> object:
    cleaned = text.replace("_", "").lower()
    special = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
    try:
        return float(special.get(cleaned, cleaned))
    except ValueError:
        return text
