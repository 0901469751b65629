"""A text and a number where they do not go together: how they can be read, what is asked about it, what an answer sets.

Nobody has to start a run again because a text looks like a number and is none, or the other way round.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.limits import Mixed
from workbench.engine.fields import NotThatType, field_type, text_of, value_of
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.i18n import _
from workbench.model.meaning import Variable

FIELD = "reading"
_CHOICE = "choice["


class Reading(enum.Enum):
    """How the two can be read. STOP: not at all."""

    NUMBER = "number"
    TEXT = "text"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Unlike:
    """A text and a number in *source*. *text*, *number*: the variables that hold them, None where none does."""

    source: str
    text: Variable | None
    number: Variable | None
    text_value: str
    number_value: Any

    @property
    def message(self) -> str:
        """What does not go together, and how the author writes what is meant."""
        if self.text is not None:
            message = _("{name} is the text “{value}”, and a number is needed in “{source}”.")
            hint = _("Where it is asked for, write {exact}, and it is a number.")
            exact = f"{_written(self.text)}:{'float' if self._is_decimal else 'int'}"
            words = message.format(name=_written(self.text), value=self.text_value[:_SHOWN], source=self.source)
            return f"{words} {hint.format(exact=exact)}"
        assert self.number is not None
        message = _("{name} is the number {value}, and a text is needed in “{source}”.")
        hint = _("Write {exact}, and it is a text.")
        name, value = _written(self.number), text_of(self.number_value)
        return f"{message.format(name=name, value=value, source=self.source)} {hint.format(exact=f'str({name})')}"

    @property
    def _number(self) -> int | float | None:
        """The number that the text can be read as."""
        try:
            found: int | float = value_of(self.text_value, field_type(Variable("", type="number")))
        except NotThatType:
            return None
        return found

    @property
    def _is_decimal(self) -> bool:
        return isinstance(self._number, float)

    @property
    def readings(self) -> Mapping[Reading, tuple[Variable, Any]]:
        """What each reading sets."""
        found: dict[Reading, tuple[Variable, Any]] = {}
        if self.text is not None and self._number is not None:
            found[Reading.NUMBER] = (self.text, self._number)
        if self.number is not None:
            found[Reading.TEXT] = (self.number, text_of(self.number_value))
        return found

    def request(self, number: str, step: str) -> Request:
        """The question how the two are to be read; where they cannot be, which number there is to be instead."""
        readings = [reading.value for reading in self.readings]
        if not readings:
            assert self.text is not None
            fields = (Variable(self.text.name, self.text.is_state, "number"),)
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
        return self.text, values[self.text.name]


_SHOWN = 60


def unlike(mixed: Mixed, source: str, known: Iterable[tuple[Variable, Any]]) -> Unlike | None:
    """What *mixed* is about, where it is about a text and a number, and the *known* variables hold one of them."""
    pair = (mixed.left, mixed.right)
    text = next((each for each in pair if isinstance(each, str)), None)
    number = next((each for each in pair if isinstance(each, int | float) and not isinstance(each, bool)), None)
    if text is None or number is None:
        return None
    holding = list(known)
    of_text = next((variable for variable, value in holding if value is text), None)
    of_number = next((variable for variable, value in holding if value is number), None)
    is_held = of_text is not None or of_number is not None
    return Unlike(source, of_text, of_number, text, number) if is_held else None


def is_reading(field: Variable) -> bool:
    """Whether *field* asks how something is to be read."""
    return field.name == FIELD and field.type.startswith(_CHOICE)


def _written(variable: Variable) -> str:
    return f"${variable.name}" if variable.is_state else variable.name
