"""The types of answers, and the one reader of what a person types for them: in the terminal, the window, the inspector.

A type is written as in the playbook: ``int``, ``list[float]``, ``yes|no``. What is typed is read as a person means it:
``2,5`` is a number with a decimal comma, ``a, b`` a list of two, and a list or an object may also be written as JSON.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass, replace
from typing import Any

from workbench.engine.expressions.data import as_data
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.regex import regex


class FieldKind(enum.Enum):
    """What a field holds, and so how it is filled in.

    NUMBER: a whole number stays one. DECIMAL: it never does. LIST: JSON, or entries on lines of their own or with
    commas between. OBJECT: JSON, or lines of ``name = value``; nothing is an empty one. DATA: any JSON. ANY: a text as
    it is typed, and every other value as it is.
    """

    ANY = enum.auto()
    TEXT = enum.auto()
    LONG_TEXT = enum.auto()
    WHOLE_NUMBER = enum.auto()
    NUMBER = enum.auto()
    DECIMAL = enum.auto()
    YES_NO = enum.auto()
    LIST = enum.auto()
    CHOICE = enum.auto()
    OBJECT = enum.auto()
    DATA = enum.auto()


@dataclass(frozen=True, slots=True)
class FieldType:
    """*choices*: for CHOICE. *item*: the type of the entries of a LIST, None where they may be anything.

    *is_optional*: nothing may be entered (``int | None``).
    """

    kind: FieldKind
    choices: tuple[str, ...] = ()
    item: FieldType | None = None
    is_optional: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is kept as it is typed."""
        return self.kind in {FieldKind.TEXT, FieldKind.ANY}


ITEMS = Variable("items", is_state=False, type="list")
"""What a loop goes through, where a person or a model says it."""
_ANY = FieldType(FieldKind.ANY)


class NotThatType(ValueError):
    """A value cannot be read as the wanted type; ``str()`` is a sentence for the person."""


_KINDS = {
    "str": FieldKind.TEXT,
    "string": FieldKind.TEXT,
    "text": FieldKind.TEXT,
    "int": FieldKind.WHOLE_NUMBER,
    "integer": FieldKind.WHOLE_NUMBER,
    "float": FieldKind.DECIMAL,
    "number": FieldKind.NUMBER,
    "bool": FieldKind.YES_NO,
    "boolean": FieldKind.YES_NO,
    "list": FieldKind.LIST,
    "array": FieldKind.LIST,
    "tuple": FieldKind.LIST,
    "set": FieldKind.LIST,
    "dict": FieldKind.OBJECT,
    "object": FieldKind.OBJECT,
    "json": FieldKind.DATA,
}
_CHOICE = regex(r"(?:literal|choice|enum|one of)\s*[\[(](.+)[\])]", re.IGNORECASE)
_NAMED = regex(r"(?P<name>\w+)\s*(?:\[(?P<inside>.*)\])?", re.DOTALL)
_YES = frozenset({"yes", "y", "true", "1", "on"})
_NO = frozenset({"no", "n", "false", "0", "off"})
_MOST_SHOWN = 40
_DEPTH = 10
"""How deep a list of lists can be for its entries to be read by their type."""


def shown_name(field: Variable, sentence: str = "") -> str:
    """What *field* is called where it is filled in. *sentence*: of a procedure; it says what a loop goes through."""
    if sentence and field == ITEMS:
        from workbench.model.sentences.prose.reading import each_in  # noqa: PLC0415 - only loops of procedures need it

        return each_in(sentence) or field.name
    return f"${field.name}" if field.is_state else field.name


def field_type(variable: Variable) -> FieldType:
    """How *variable* is asked for. Any value will do for a type that only the playbook's author knows (``Order``)."""
    return _type_of(variable.type)


def _type_of(written: str, depth: int = _DEPTH) -> FieldType:
    parts = _parts(written, "|")
    alternatives = tuple(part for part in parts if part.lower() != "none")
    if 0 < len(alternatives) < len(parts):
        return replace(_type_of("|".join(alternatives), depth - 1), is_optional=True)
    if len(alternatives) > 1:
        is_of_types = any(_NAMED.sub(r"\g<name>", part).lower() in _KINDS for part in alternatives)
        return FieldType(FieldKind.ANY) if is_of_types else FieldType(FieldKind.CHOICE, alternatives)
    written = "".join(alternatives)
    if chosen := _CHOICE.fullmatch(written):
        return FieldType(FieldKind.CHOICE, _parts(chosen.group(1), ","))
    named = _NAMED.fullmatch(written)
    if named is None or depth <= 0:
        return FieldType(FieldKind.ANY)
    name, inside = named["name"].lower(), named["inside"] or ""
    if name == "optional":
        return replace(_type_of(inside, depth - 1), is_optional=True)
    kind = _KINDS.get(name, FieldKind.ANY)
    first = next(iter(_parts(inside, ",")), "")
    return FieldType(kind, item=_type_of(first, depth - 1)) if kind is FieldKind.LIST else FieldType(kind)


def _parts(text: str, mark: str) -> tuple[str, ...]:
    """What stands between the *mark*s of *text*, without quotes; a mark in brackets belongs to what is around them."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip().strip("\"'") for part in parts if part.strip())


def typed(field: Variable, value: Any) -> Any:
    """*value*, the answer of a script, a tool or a form, as the type of *field* wants it.

    Texts in it are read as if they were typed, except where any JSON will do: there a text is a value already.
    ``"5"`` typed in quotes for ``json`` is a text, and stays one however often it is looked at.

    Raises NotThatType.
    """
    return _fitting(value, field_type(field))


def value_of(text: str, wanted: FieldType) -> Any:
    """*text*, which a person typed, as a value of the *wanted* type.

    Raises NotThatType.
    """
    if wanted.is_optional and not wanted.is_text and not text.strip():
        return None
    if wanted.kind is FieldKind.LIST:
        return _list(text, wanted.item or _ANY)
    if wanted.kind is FieldKind.CHOICE:
        return _choice(text.strip(), wanted.choices)
    reader = _READERS.get(wanted.kind)
    return reader(text) if reader else text


def text_of(value: Any) -> str:
    """*value* as a person could have typed it: texts as they are, a list of them on lines, all else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(each, str) and _is_plain(each) for each in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False)


def _is_plain(entry: str) -> bool:
    """Whether *entry* is read back from a line of its own; one alone must not look like several."""
    return entry.strip() == entry != "" and not set(entry) & set("\n\r,[")


def _fitting(value: Any, wanted: FieldType) -> Any:
    """*value*, which was not typed, as one of the *wanted* type."""
    kind = wanted.kind
    if value is None or kind in {FieldKind.ANY, FieldKind.DATA} or isinstance(value, _AS_IT_IS.get(kind, ())):
        return value
    if isinstance(value, str):
        return value_of(value, wanted)
    if kind is FieldKind.LIST:
        return [_fitting(entry, wanted.item or _ANY) for entry in (value if isinstance(value, list) else [value])]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is FieldKind.WHOLE_NUMBER and is_number and value == int(value):
        return int(value)
    if kind is FieldKind.DECIMAL and is_number:
        return float(value)
    if kind is FieldKind.NUMBER and is_number:
        return value
    text = json.dumps(value, ensure_ascii=False)
    return text if kind is FieldKind.TEXT else value_of(text, wanted)


_AS_IT_IS: dict[FieldKind, type | tuple[type, ...]] = {
    FieldKind.TEXT: str,
    FieldKind.YES_NO: bool,
    FieldKind.OBJECT: dict,
    FieldKind.CHOICE: (dict, list),  # what ``Order|Refund`` names must be types then
}


def _list(text: str, item: FieldType) -> list[Any]:
    written = _json(text) if text.lstrip().startswith("[") else None
    if isinstance(written, list):
        return [_fitting(entry, item) for entry in written]
    has_commas_inside = item.kind in {FieldKind.OBJECT, FieldKind.DATA, FieldKind.LIST}
    separator = "\n" if has_commas_inside or "\n" in text.strip() else ","
    return [value_of(part.strip(), item) for part in text.split(separator) if part.strip()]


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
    try:
        return int(_given(text))
    except ValueError:
        return _decimal(text)


def _decimal(text: str) -> float:
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
    FieldKind.DECIMAL: _decimal,
    FieldKind.YES_NO: _yes_no,
    FieldKind.OBJECT: _object,
    FieldKind.DATA: _data,
}
