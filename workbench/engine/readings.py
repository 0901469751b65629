"""A text and a number where they do not go together: how they can be read, what is asked about it, what an answer sets.

Nobody has to start a run again because a text looks like a number and is none, or the other way round.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.limits import Mixed
from workbench.engine.fields import NotThatType, field_type, text_of, value_of
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.syntax.expressions import Expression
from workbench.syntax.expressions_grammar import FUNCTIONS, STATE_PREFIX

FIELD = "reading"
_CHOICE = "choice["


class Reading(enum.Enum):
    """How the two can be read. STOP: not at all."""

    NUMBER = "number"
    TEXT = "text"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Operand:
    """What a step compares or computes with: *variable*, or the part of it that *path* leads to. *value*: the whole."""

    variable: Variable
    path: tuple[str | int, ...] = ()
    value: Any = None

    @property
    def written(self) -> str:
        """As a step could write it."""
        name = f"${self.variable.name}" if self.variable.is_state else self.variable.name
        return name + "".join(f"[{key!r}]" for key in self.path)

    @property
    def part(self) -> Any:
        """The value that is compared or computed with. Raises LookupError and TypeError where there is none."""
        part = self.value
        for key in self.path:
            part = part[key]
        return part

    def with_part(self, part: Any) -> Any:
        """The whole value in which *part* is in the place of that."""
        return _with_part(self.value, self.path, part)


def _with_part(value: Any, path: tuple[str | int, ...], part: Any) -> Any:
    if not path:
        return part
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _with_part(value[path[0]], path[1:], part)
    return changed


@dataclass(frozen=True, slots=True)
class Unlike:
    """A text and a number in *source*. *text*, *number*: what holds them, None where it is no variable."""

    source: str
    text: Operand | None
    number: Operand | None
    text_value: str
    number_value: Any

    @property
    def message(self) -> str:
        """What does not go together, and how the author writes what is meant."""
        if self.text is not None:
            message = _("{name} is the text “{value}”, and a number is needed in “{source}”.")
            words = message.format(name=self.text.written, value=self.text_value[:_SHOWN], source=self.source)
            return f"{words} {self._hint(self.text)}"
        assert self.number is not None
        message = _("{name} is the number {value}, and a text is needed in “{source}”.")
        name, value = self.number.written, text_of(self.number_value)
        hint = _("Write {exact}, and it is a text.").format(exact=f"str({name})")
        return f"{message.format(name=name, value=value, source=self.source)} {hint}"

    def _hint(self, text: Operand) -> str:
        kind = "float" if isinstance(self._number, float) else "int"
        if text.path:
            return _("Write {exact}, and it is a number.").format(exact=f"{kind}({text.written})")
        hint = _("Where it is asked for, write {exact}, and it is a number.")
        return hint.format(exact=f"{text.written}:{kind}")

    @property
    def _number(self) -> int | float | None:
        """The number that the text can be read as."""
        try:
            found: int | float = value_of(self.text_value, field_type(Variable("", type="number")))
        except NotThatType:
            return None
        return found

    @property
    def readings(self) -> Mapping[Reading, tuple[Variable, Any]]:
        """What each reading sets."""
        found: dict[Reading, tuple[Variable, Any]] = {}
        if self.text is not None and self._number is not None:
            found[Reading.NUMBER] = (self.text.variable, self.text.with_part(self._number))
        if self.number is not None:
            found[Reading.TEXT] = (self.number.variable, self.number.with_part(text_of(self.number_value)))
        return found

    def request(self, number: str, step: str) -> Request:
        """The question how the two are to be read; where they cannot be, which number there is to be instead."""
        readings = [reading.value for reading in self.readings]
        if not readings:
            assert self.text is not None
            held = self.text.variable
            fields = (Variable(held.name, held.is_state, "number"),)
            return Request(number, RequestKind.ASK, step, self.message, fields, purpose=Purpose.READING)
        choices = (*readings, Reading.STOP.value)
        fields = (Variable(FIELD, is_state=False, type=f"{_CHOICE}{', '.join(choices)}]"),)
        return Request(number, RequestKind.ASK, step, self.message, fields, choices, purpose=Purpose.READING)

    def chosen(self, values: Mapping[str, Any]) -> tuple[Variable, Any] | None:
        """What the answer *values* sets; None: nothing, the step is to fail."""
        if self.readings:
            said = Reading(values[FIELD])
            return None if said is Reading.STOP else self.readings[said]
        assert self.text is not None
        held = self.text.variable
        return held, self.text.with_part(values[held.name])


_SHOWN = 60


def unlike(mixed: Mixed, source: str, operands: Iterable[Operand]) -> Unlike | None:
    """What *mixed* is about, where it is about a text and a number, and one of *operands* is either."""
    text, number = text_and_number(mixed)
    if text is None or number is None:
        return None
    held = list(operands)
    of_text = next((each for each in held if each.part is text), None)
    of_number = next((each for each in held if each.part is number), None)
    return Unlike(source, of_text, of_number, text, number) if of_text or of_number else None


def text_and_number(mixed: Mixed) -> tuple[str | None, Any]:
    """The text and the number that *mixed* is about; None for what is none of them."""
    pair = (mixed.left, mixed.right)
    text = next((each for each in pair if isinstance(each, str)), None)
    numbers = (each for each in pair if isinstance(each, int | float) and not isinstance(each, bool))
    return text, next(numbers, None)


def operands_of(expression: Expression) -> Iterator[Operand]:
    """What *expression* itself compares or computes with; what it only hands on is none of it."""
    whole = [expression.tree] if isinstance(expression.tree, ast.Name) else []
    found = [part for node in ast.walk(expression.tree) for part in _operands_of(node)]
    for part in (*whole, *found):
        operand = _operand(part, ())
        if operand is not None:
            yield operand


def _operand(node: ast.expr, path: tuple[str | int, ...]) -> Operand | None:
    match node:
        case ast.Name(id=name):
            is_state = name[0] == STATE_PREFIX
            return Operand(Variable(name[1:] if is_state else name, is_state), path)
        case ast.Attribute(value=value, attr=key):
            return _operand(value, (key, *path))
        case ast.Subscript(value=value, slice=ast.Constant(value=str() | int() as key)):
            return _operand(value, (key, *path))
    return None


def _operands_of(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Call(func=ast.Name(id=name), args=args) if name in FUNCTIONS:
            return args
    return []


def is_reading(field: Variable) -> bool:
    """Whether *field* asks how something is to be read."""
    return field.name == FIELD and field.type.startswith(_CHOICE)
