"""Turns what a person typed into a value of the wanted type, or says in plain words what is expected."""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _
from workbench.model.meaning import Variable


class FieldKind(enum.Enum):
    """How a field is filled in."""

    TEXT = "text"
    LONG_TEXT = "long text"
    WHOLE_NUMBER = "int"
    NUMBER = "float"
    YES_NO = "bool"
    LIST = "list"
    CHOICE = "choice"
    DATA = "data"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class FieldType:
    """*choices*: for CHOICE. *item*: the kind of the entries of a LIST."""

    kind: FieldKind
    choices: tuple[str, ...] = ()
    item: FieldKind = FieldKind.TEXT


class NotThatType(ValueError):
    """The words cannot be read as the wanted type; ``str()`` is what the person reads."""


_SIMPLE = {
    "": FieldKind.TEXT,
    "str": FieldKind.TEXT,
    "string": FieldKind.TEXT,
    "text": FieldKind.TEXT,
    "int": FieldKind.WHOLE_NUMBER,
    "integer": FieldKind.WHOLE_NUMBER,
    "float": FieldKind.NUMBER,
    "number": FieldKind.NUMBER,
    "bool": FieldKind.YES_NO,
    "boolean": FieldKind.YES_NO,
    "list": FieldKind.LIST,
    "array": FieldKind.LIST,
    "dict": FieldKind.DATA,
    "object": FieldKind.DATA,
    "json": FieldKind.DATA,
}
_LIST_OF = re.compile(r"(?:list|array|tuple|set)\s*\[\s*(\w+)[^\]]*\]", re.IGNORECASE)
_CHOICE = re.compile(r"(?:literal|choice|enum|one of)\s*[\[(](.+)[\])]", re.IGNORECASE)
_YES = frozenset({"yes", "y", "true", "1", "on"})
_NO = frozenset({"no", "n", "false", "0", "off"})


def field_type(variable: Variable) -> FieldType:
    """How *variable* is asked for; an unknown type is asked for as text."""
    written = variable.type.strip()
    if listed := _LIST_OF.fullmatch(written):
        return FieldType(FieldKind.LIST, item=_SIMPLE.get(listed.group(1).lower(), FieldKind.TEXT))
    if chosen := _CHOICE.fullmatch(written):
        return FieldType(FieldKind.CHOICE, _words(chosen.group(1), ","))
    if "|" in written and not written.lower().endswith("| none"):
        return FieldType(FieldKind.CHOICE, _words(written, "|"))
    if written.lower().startswith(("dict[", "dict ")):
        return FieldType(FieldKind.DATA)
    return FieldType(_SIMPLE.get(written.lower(), FieldKind.TEXT))


def _words(text: str, mark: str) -> tuple[str, ...]:
    return tuple(word.strip().strip("\"'") for word in text.split(mark) if word.strip())


def value_of(text: str, wanted: FieldType) -> Any:
    """*text* as a value of the *wanted* type.

    Raises NotThatType.
    """
    if wanted.kind is FieldKind.LIST:
        return [_single(line.strip(), wanted.item) for line in text.splitlines() if line.strip()]
    if wanted.kind is FieldKind.CHOICE and text not in wanted.choices:
        raise NotThatType(_("Choose one of the options."))
    return _single(text, wanted.kind)


def _single(text: str, kind: FieldKind) -> Any:
    match kind:
        case FieldKind.WHOLE_NUMBER:
            return _whole_number(text.strip())
        case FieldKind.NUMBER:
            return _number(text.strip())
        case FieldKind.YES_NO:
            return _yes_no(text.strip().lower())
        case FieldKind.DATA:
            return _data(text)
        case FieldKind.PAIRS if text.lstrip().startswith("{"):
            return _record(text)
        case FieldKind.PAIRS:
            return dict(_pair(line) for line in text.splitlines() if line.strip())
        case _:
            return text


def _whole_number(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d+", text):
        raise NotThatType(_("A whole number is needed here, such as 42."))
    return int(text)


def _number(text: str) -> float:
    # a decimal comma is what many people type
    plain = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", plain):
        raise NotThatType(_("A number is needed here, such as 3.5."))
    return float(plain)


def _yes_no(text: str) -> bool:
    if text not in _YES | _NO:
        raise NotThatType(_("Choose yes or no."))
    return text in _YES


def _pair(line: str) -> tuple[str, Any]:
    name, sign, value = line.partition("=")
    if not sign or not name.strip().isidentifier():
        raise NotThatType(_("Each line must be a name and a value, such as city = Oslo."))
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()


def _record(text: str) -> dict[str, Any]:
    found = _data(text)
    if not isinstance(found, dict):
        raise NotThatType(_('JSON is needed here, such as {"name": "Ada"}.'))
    return found


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise NotThatType(_('JSON is needed here, such as {"name": "Ada"}.')) from error
