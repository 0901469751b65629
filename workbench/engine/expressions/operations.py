"""What operators do: Python's operations on data, bounded, with failures in plain words."""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Mapping
from typing import Any

from workbench.engine.expressions.limits import MAX_BITS, Frame, Mixed, Trouble
from workbench.i18n import N_, LazyText, _

_SCALARS = frozenset({int, float, bool, type(None)})
_NUMBERS = frozenset({int, float, bool})
Operation = Callable[[Frame, Any, Any], object]


def describe(value: object) -> str:
    """What kind of thing *value* is, in a person's words."""
    for kind, word in _WORDS.items():
        if isinstance(value, kind):
            return str(word)
    return _("a value")


_WORDS: dict[type, LazyText] = {
    type(None): N_("nothing"),
    bool: N_("true or false"),
    int: N_("a number"),
    float: N_("a number"),
    str: N_("a text"),
    list: N_("a list"),
    tuple: N_("a list"),
    set: N_("a set"),
    dict: N_("a record"),
}


def _mismatch(left: object, right: object) -> Trouble:
    message = _("This does not work with {left} and {right}.")
    return Mixed(message.format(left=describe(left), right=describe(right)), left, right)


def _are_numbers(left: object, right: object) -> bool:
    return type(left) in _NUMBERS and type(right) in _NUMBERS


def _bits(value: float) -> int:
    return value.bit_length() if isinstance(value, int) else 0


def _bounded(value: object) -> object:
    """*value*, if it is a number of ordinary size. Raises Trouble."""
    if isinstance(value, complex):
        raise Trouble(_("The result is not a real number."))
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Trouble(_("This number becomes too large."))
    return value


def _add(frame: Frame, left: Any, right: Any) -> object:
    if _are_numbers(left, right):
        return _bounded(left + right)
    if isinstance(left, str) and isinstance(right, str):
        frame.make_text(len(left) + len(right))
        return left + right
    if isinstance(left, (list, tuple)) and type(left) is type(right):
        frame.make_items(len(left) + len(right))
        joined: object = operator.add(left, right)
        return joined
    raise _mismatch(left, right)


def _subtract(frame: Frame, left: Any, right: Any) -> object:
    if _are_numbers(left, right):
        return _bounded(left - right)
    if isinstance(left, set) and isinstance(right, set):
        frame.read(left)
        return left - right
    raise _mismatch(left, right)


def _multiply(frame: Frame, left: Any, right: Any) -> object:
    if _are_numbers(left, right):
        return _bounded(left * right)
    if isinstance(left, int):
        left, right = right, left
    if not isinstance(right, int):
        raise _mismatch(left, right)
    if isinstance(left, str):
        frame.make_text(len(left) * max(right, 0))
    elif isinstance(left, (list, tuple)):
        frame.make_items(len(left) * max(right, 0))
    else:
        raise _mismatch(left, right)
    return left * right


def _power(frame: Frame, left: Any, right: Any) -> object:
    if not _are_numbers(left, right):
        raise _mismatch(left, right)
    if _bits(left) > 1 and isinstance(right, int) and _bits(left) * abs(right) > 2 * MAX_BITS:
        raise Trouble(_("This number becomes too large."))
    return _bounded(left**right)


def _numeric(work: Callable[[Any, Any], object]) -> Operation:
    def apply(frame: Frame, left: Any, right: Any) -> object:
        if not _are_numbers(left, right):
            raise _mismatch(left, right)
        return _bounded(work(left, right))

    return apply


ARITHMETIC: dict[type, Operation] = {
    ast.Add: _add,
    ast.Sub: _subtract,
    ast.Mult: _multiply,
    ast.Pow: _power,
    ast.Div: _numeric(operator.truediv),
    ast.FloorDiv: _numeric(operator.floordiv),
    ast.Mod: _numeric(operator.mod),
}


def _read_both(frame: Frame, left: Any, right: Any) -> None:
    """Charge for comparing two values; scalars are free."""
    if type(left) in _SCALARS or type(right) in _SCALARS:
        return
    if isinstance(left, str) and isinstance(right, str):
        frame.charge(min(len(left), len(right)) >> 6)
        return
    frame.read_deeply(left)
    frame.read_deeply(right)


def _ordered(work: Callable[[Any, Any], bool]) -> Operation:
    def apply(frame: Frame, left: Any, right: Any) -> object:
        _read_both(frame, left, right)
        try:
            return work(left, right)
        except TypeError:
            raise _mismatch(left, right) from None

    return apply


def _equal(frame: Frame, left: Any, right: Any) -> bool:
    _read_both(frame, left, right)
    return bool(left == right)


def _different(frame: Frame, left: Any, right: Any) -> bool:
    return not _equal(frame, left, right)


def _contained(frame: Frame, left: Any, right: Any) -> bool:
    if not isinstance(right, (str, list, tuple, dict, set)):
        raise Trouble(_("{kind} cannot be searched.").format(kind=describe(right).capitalize()))
    if isinstance(right, str) and not isinstance(left, str):
        raise _mismatch(left, right)
    frame.read(right)
    if type(left) not in _SCALARS and not isinstance(left, str):
        frame.read_deeply(left)
        frame.read_deeply(right)
    return left in right


def _not_contained(frame: Frame, left: Any, right: Any) -> bool:
    return not _contained(frame, left, right)


COMPARISONS: dict[type, Operation] = {
    ast.Eq: _equal,
    ast.Is: _equal,
    ast.NotEq: _different,
    ast.IsNot: _different,
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
    ast.In: _contained,
    ast.NotIn: _not_contained,
}


def negative(frame: Frame, value: Any) -> object:
    """Minus *value*. Raises Trouble."""
    if type(value) not in _NUMBERS:
        raise Mixed(_("This does not work with {kind}.").format(kind=describe(value)), value, 0)
    return -value


def part_of(value: object, name: str) -> object:
    """What a record holds under *name*. Raises Trouble."""
    if not isinstance(value, Mapping):
        raise Trouble(_("“.{name}” works with a record; this is {kind}.").format(name=name, kind=describe(value)))
    if name in value:
        return value[name]
    raise Trouble(_("There is no “{name}” in this record.").format(name=name) + near(name, value))


def item_of(frame: Frame, value: Any, key: Any) -> object:
    """``value[key]``, also for slices. Raises Trouble."""
    if isinstance(value, dict):
        return _record_item(frame, value, key)
    if not isinstance(value, (str, list, tuple)):
        raise Trouble(_("{kind} has no elements.").format(kind=describe(value).capitalize()))
    if isinstance(key, slice):
        part = value[key]
        frame.read(part)
        return part
    if not isinstance(key, int):
        raise Trouble(_("An index must be a whole number; this is {kind}.").format(kind=describe(key)))
    try:
        return value[key]
    except IndexError:
        text = _("There is no index {key}; the last one is {last}.")
        raise Trouble(text.format(key=key, last=len(value) - 1)) from None


def _record_item(frame: Frame, value: dict[Any, Any], key: Any) -> object:
    if isinstance(key, slice):
        raise Trouble(_("A record cannot be sliced."))
    frame.read_deeply(key)
    if key in value:
        return value[key]
    shown = str(key)[:40]
    raise Trouble(_("There is no “{name}” in this record.").format(name=shown) + near(shown, value))


def near(name: str, known: object) -> str:
    """`` Did you mean …?`` with up to three known names like *name*, or an empty text."""
    names = [str(one) for one in list(known)[:500]] if hasattr(known, "__iter__") else []
    found = difflib.get_close_matches(name, names, 3, 0.6)
    return " " + _("Did you mean {names}?").format(names=", ".join(found)) if found else ""
