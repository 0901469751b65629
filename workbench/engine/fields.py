"""The types of answers, and the one reader of what a person types for them: in the terminal, the window, the inspector.

A type is written as in the playbook: ``int``, ``list[float]``, ``yes|no``. What is typed is read as a person means it:
``2,5`` is a number with a decimal comma, ``a, b`` a list of two, and a list or an object may also be written as JSON.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.data import as_data
from workbench.i18n import _
from workbench.model.meaning import Variable


class FieldKind(enum.Enum):
    """What a field holds, and so how it is filled in.

    LIST: JSON, or entries on lines of their own or with commas between. LINES: only lines, for entries that are
    sentences. OBJECT: JSON, or lines of ``name = value``; nothing is an empty one. DATA: any JSON.
    """

    TEXT = enum.auto()
    LONG_TEXT = enum.auto()
    WHOLE_NUMBER = enum.auto()
    NUMBER = enum.auto()
    YES_NO = enum.auto()
    LIST = enum.auto()
    LINES = enum.auto()
    CHOICE = enum.auto()
    OBJECT = enum.auto()
    DATA = enum.auto()


@dataclass(frozen=True, slots=True)
class FieldType:
    """*choices*: for CHOICE. *item*: the kind of the entries of a LIST, None where they may be anything."""

    kind: FieldKind
    choices: tuple[str, ...] = ()
    item: FieldKind | None = None


class NotThatType(ValueError):
    """A value cannot be read as the wanted type; ``str()`` is a sentence for the person."""


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
    "dict": FieldKind.OBJECT,
    "object": FieldKind.OBJECT,
    "json": FieldKind.DATA,
}
_LIST_OF = re.compile(r"(?:list|array|tuple|set)\s*\[\s*(\w+)[^\]]*\]", re.IGNORECASE)
_CHOICE = re.compile(r"(?:literal|choice|enum|one of)\s*[\[(](.+)[\])]", re.IGNORECASE)
_YES = frozenset({"yes", "y", "true", "1", "on"})
_NO = frozenset({"no", "n", "false", "0", "off"})
_MOST_SHOWN = 40


def field_type(variable: Variable) -> FieldType:
    """How *variable* is asked for; an unknown type is asked for as text."""
    written = variable.type.strip()
    if listed := _LIST_OF.fullmatch(written):
        return FieldType(FieldKind.LIST, item=_SIMPLE.get(listed.group(1).lower(), FieldKind.TEXT))
    if chosen := _CHOICE.fullmatch(written):
        return FieldType(FieldKind.CHOICE, _words(chosen.group(1), ","))
    if "|" in written:
        return _one_of(_words(written, "|"))
    if written.lower().startswith(("dict[", "dict ")):
        return FieldType(FieldKind.OBJECT)
    return FieldType(_SIMPLE.get(written.lower(), FieldKind.TEXT))


def _one_of(words: tuple[str, ...]) -> FieldType:
    """A choice among *words*, unless they are the names of types: then any text will do."""
    has_types = any(word.lower() in {*_SIMPLE, "none"} for word in words)
    return FieldType(FieldKind.TEXT) if has_types else FieldType(FieldKind.CHOICE, words)


def _words(text: str, mark: str) -> tuple[str, ...]:
    return tuple(word.strip().strip("\"'") for word in text.split(mark) if word.strip())


def typed(field: Variable, value: Any) -> Any:
    """*value*, the answer of a script, a tool or a form, as the type of *field* wants it.

    Texts in it are read as if they were typed, except where any JSON will do: there a text is a value already.
    ``"5"`` typed in quotes for ``json`` is a text, and stays one however often it is looked at.

    Raises NotThatType.
    """
    wanted = field_type(field)
    if value is None or not field.type.strip():
        return value
    if isinstance(value, str) and wanted.kind is not FieldKind.DATA:
        return value_of(value, wanted)
    if wanted.kind is FieldKind.LIST:
        entries = value if isinstance(value, list) else [value]
        return [_fitting(entry, wanted.item) for entry in entries]
    return _fitting(value, wanted.kind)


def value_of(text: str, wanted: FieldType) -> Any:
    """*text*, which a person typed, as a value of the *wanted* type.

    Raises NotThatType.
    """
    if wanted.kind is FieldKind.LIST:
        return _list(text, wanted.item)
    if wanted.kind is FieldKind.LINES:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if wanted.kind is FieldKind.CHOICE:
        return _choice(text.strip(), wanted.choices)
    reader = _READERS.get(wanted.kind)
    return reader(text) if reader else text


def _fitting(value: Any, kind: FieldKind | None) -> Any:
    """*value*, which was not typed, as one of *kind*."""
    if kind is None:
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is FieldKind.WHOLE_NUMBER and is_number and value == int(value):
        return int(value)
    if kind is FieldKind.NUMBER and is_number:
        return float(value)
    if kind is FieldKind.TEXT:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    fits_as_it_is = {FieldKind.YES_NO: bool, FieldKind.OBJECT: dict, FieldKind.DATA: object}
    if isinstance(value, fits_as_it_is.get(kind, ())):
        return value
    return value_of(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), FieldType(kind))


def _list(text: str, item: FieldKind | None) -> list[Any]:
    written = _json(text) if text.lstrip().startswith("[") else None
    if isinstance(written, list):
        return [_fitting(entry, item) for entry in written]
    separator = "\n" if "\n" in text.strip() else ","
    return [value_of(part.strip(), FieldType(item or FieldKind.TEXT)) for part in text.split(separator) if part.strip()]


def _choice(text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        message = _("“{value}” is not one of: {choices}.")
        raise NotThatType(message.format(value=_shown(text), choices=", ".join(choices)))
    return text


def _whole(text: str) -> int:
    try:
        return int(_given(text))
    except ValueError:
        raise NotThatType(_("“{value}” is not a whole number, such as 42.").format(value=_shown(text))) from None


def _number(text: str) -> float:
    plain = _given(text)
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        return float(as_data(float(plain)))
    except ValueError:
        raise NotThatType(_("“{value}” is not a number, such as 3.5.").format(value=_shown(text))) from None


def _yes_no(text: str) -> bool:
    word = _given(text).casefold()
    is_yes = word in _YES or word == _("yes").casefold()  # the question was asked in the person's language
    if not is_yes and word not in _NO and word != _("no").casefold():
        raise NotThatType(_("“{value}” is not yes or no.").format(value=_shown(text)))
    return is_yes


def _object(text: str) -> dict[str, Any]:
    if not text.strip() or ("=" in text and not text.lstrip().startswith(("{", "["))):
        return dict(_pair(line) for line in text.splitlines() if line.strip())
    found = _json(text)
    if not isinstance(found, dict):
        example = '{"name": "Ada"}'
        message = _("“{value}” is not an object, such as {example}.")
        raise NotThatType(message.format(value=_shown(text), example=example))
    return found


def _pair(line: str) -> tuple[str, Any]:
    name, sign, value = line.partition("=")
    if not sign or not name.strip():
        message = _("“{value}” is not a name and a value, such as city = Oslo.")
        raise NotThatType(message.format(value=_shown(line)))
    try:
        return name.strip(), as_data(json.loads(value))
    except (ValueError, RecursionError):
        return name.strip(), value.strip()


def _data(text: str) -> Any:
    try:
        return as_data(json.loads(_given(text)))
    except (ValueError, RecursionError):
        example = '{"name": "Ada"}'
        message = _("“{value}” is not JSON, such as {example}.")
        raise NotThatType(message.format(value=_shown(text), example=example)) from None


def _json(text: str) -> Any:
    """The data in *text*; None where it is not JSON."""
    try:
        return as_data(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _given(text: str) -> str:
    if not text.strip():
        raise NotThatType(_("A value is missing."))
    return text.strip()


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else f"{line[: _MOST_SHOWN - 1]}…"


_READERS = {
    FieldKind.WHOLE_NUMBER: _whole,
    FieldKind.NUMBER: _number,
    FieldKind.YES_NO: _yes_no,
    FieldKind.OBJECT: _object,
    FieldKind.DATA: _data,
}
