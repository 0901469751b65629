"""What values a setting can have, and how they stand in its file."""

from __future__ import annotations

import base64
import binascii
import enum
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.i18n import _, numeral

log = logging.getLogger(__name__)


class Form(enum.Enum):
    """How a person gives a value: a switch, one of several, a number, words; OTHER: where it is made."""

    SWITCH = enum.auto()
    CHOICE = enum.auto()
    WHOLE = enum.auto()
    NUMBER = enum.auto()
    TEXT = enum.auto()
    OTHER = enum.auto()


@dataclass(frozen=True, slots=True)
class Kind:
    """How values of one kind stand in the file. *read* raises ValueError or TypeError for what is not one.

    *choices*: of a CHOICE. *least*, *most*: of numbers. *is_remembered*: the program keeps it by itself, so it
    stands in a file of its own.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value
    form: Form = Form.OTHER
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float = 0
    is_remembered: bool = False

    @property
    def expected(self) -> str:
        """What can stand there, for a person who has written something else."""
        words = {
            Form.SWITCH: _("true or false"),
            Form.CHOICE: _("one of {choices}").format(choices=", ".join(f'"{each}"' for each in self.choices)),
            Form.WHOLE: _("a whole number ({least}–{most})"),
            Form.NUMBER: _("a number ({least}–{most})"),
            Form.TEXT: _("a text"),
            Form.OTHER: _("what the program writes there"),
        }
        return words[self.form].format(least=numeral(self.least), most=numeral(self.most))


def choice(*allowed: str) -> Kind:
    """One of *allowed*."""

    def read(value: object) -> str:
        if value not in allowed:
            raise ValueError(value)
        return str(value)

    return Kind(read, form=Form.CHOICE, choices=allowed)


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def number(least: float, most: float) -> Kind:
    """A number from *least* to *most*."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise ValueError(value)
        return float(value)

    return Kind(read, form=Form.NUMBER, least=least, most=most)


def whole(least: int, most: int) -> Kind:
    """A whole number from *least* to *most*."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(value)
        return value

    return Kind(read, form=Form.WHOLE, least=least, most=most)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def newest(limit: int) -> Kind:
    """Texts, the newest first, and at most *limit* of them."""
    return Kind(lambda value: _texts(value)[:limit], list, is_remembered=True)


def _digests(value: object) -> frozenset[str]:
    return frozenset(_texts(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _address(value: object) -> str:
    """An address of the web, or nothing."""
    text = _text(value).strip()
    if text and not re.fullmatch(r"https?://[^\s/]+(/\S*)?", text):
        raise ValueError(_("The address is not one of the web, such as https://example.org/v1."))
    return text


def _counts(value: Mapping[str, object]) -> Mapping[str, int]:
    """Whole numbers from 1 on, by name."""
    found = dict(value).items()
    return MappingProxyType({str(name): count for name, count in found if type(count) is int and count >= 1})


def _words(value: Mapping[str, object]) -> Mapping[str, str]:
    """Words, by name."""
    return MappingProxyType({str(name): word for name, word in dict(value).items() if isinstance(word, str)})


def _lists(value: Mapping[str, object]) -> Mapping[str, tuple[str, ...]]:
    """Texts, by name."""
    return MappingProxyType({str(name): _texts(each) for name, each in dict(value).items() if isinstance(each, list)})


def _tables(value: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    """Tables of fields, by name."""
    return MappingProxyType({str(name): table for name, table in dict(value).items() if isinstance(table, dict)})


def _read_layouts(value: Mapping[str, Any]) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    for name, state in dict(value).items():
        try:
            found[str(name)] = base64.b64decode(state, validate=True)
        except (binascii.Error, TypeError, ValueError):
            log.info("Forgot the layout %s, it was damaged", name)
    return MappingProxyType(found)


def _write_layouts(layouts: Mapping[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(state).decode("ascii") for name, state in layouts.items()}


SWITCH = Kind(_switch, form=Form.SWITCH)
TEXT = Kind(_text, form=Form.TEXT)
ADDRESS = Kind(_address, form=Form.TEXT)
FOLDER = Kind(_text, is_remembered=True)
DIGESTS = Kind(_digests, sorted)
COUNTS = Kind(_counts, dict)
WORDS = Kind(_words, dict)
LAST_WORDS = Kind(_words, dict, is_remembered=True)
LISTS = Kind(_lists, lambda value: {name: list(texts) for name, texts in value.items()})
TABLES = Kind(_tables, dict)
LAYOUTS = Kind(_read_layouts, _write_layouts, is_remembered=True)
