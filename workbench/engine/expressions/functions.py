"""The functions and methods that an expression can call, bounded before they work."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from workbench.engine.expressions.limits import MAX_ITEMS, Frame, Mixed, Trouble, too_many_items
from workbench.engine.expressions.operations import describe
from workbench.i18n import N_, _
from workbench.syntax.expressions_grammar import LIST_METHODS, RECORD_METHODS, TEXT_METHODS

Function = Callable[..., object]
_MAX_DIGITS = 400


def call_function(frame: Frame, name: str, arguments: list[Any], keywords: dict[str, Any]) -> object:
    """What the listed function *name* returns. Raises Trouble, or what Python raises for wrong arguments."""
    if name == "range":
        return _range(frame, *arguments)
    _CHARGES.get(name, _charge_flat)(frame, arguments)
    if name in ("round", "sum"):
        _check_numbers(name, arguments, keywords)
    try:
        return _FUNCTIONS[name](*arguments, **keywords)
    except TypeError as error:
        text = next((each for each in arguments if isinstance(each, str)), None)
        if name not in _OF_NUMBERS or text is None:
            raise
        number = next((each for each in arguments if isinstance(each, int | float)), 0)
        raise Mixed(_("This does not work with {kind}.").format(kind=describe(text)), text, number) from error


_OF_NUMBERS = frozenset({"abs", "round", "min", "max"})


def _range(frame: Frame, *arguments: Any) -> list[int]:
    made = range(*arguments)
    try:
        frame.make_items(len(made))
    except OverflowError:
        raise too_many_items() from None
    return list(made)


def _charge_flat(frame: Frame, arguments: list[Any]) -> None:
    for argument in arguments:
        frame.read(argument)


def _charge_deep(frame: Frame, arguments: list[Any]) -> None:
    for argument in arguments:
        frame.read_deeply(argument)


def _charge_nothing(frame: Frame, arguments: list[Any]) -> None:
    """For functions that look at their argument only from outside."""


def _charge_items(frame: Frame, arguments: list[Any]) -> None:
    for argument in arguments:
        if isinstance(argument, str):
            frame.make_items(len(argument))
        frame.read(argument)


def _check_numbers(name: str, arguments: list[Any], keywords: dict[str, Any]) -> None:
    """Refuse what would make ``sum`` or ``round`` work without bounds. Raises Trouble."""
    if name == "round":
        digits = [*arguments[1:2], *keywords.values()]
        if any(isinstance(number, int) and abs(number) > _MAX_DIGITS for number in digits):
            raise Trouble(_("This needs too many digits."))
        return
    values: Iterable[Any] = arguments[0] if arguments and isinstance(arguments[0], (list, tuple, set)) else ()
    for value in [*values, *arguments[1:2], *keywords.values()]:
        if type(value) not in (int, float, bool):
            raise Trouble(_("Only numbers can be added up; this is {kind}.").format(kind=describe(value)))


_FUNCTIONS: dict[str, Function] = {
    "len": len,
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "dict": dict,
    "set": set,
    "min": min,
    "max": max,
    "sum": sum,
    "abs": abs,
    "round": round,
    "sorted": sorted,
    "any": any,
    "all": all,
}
_CHARGES: dict[str, Callable[[Frame, list[Any]], None]] = {
    "len": _charge_nothing,
    "bool": _charge_nothing,
    "str": _charge_deep,
    "min": _charge_deep,
    "max": _charge_deep,
    "sorted": _charge_deep,
    "set": _charge_deep,
    "dict": _charge_deep,
    "list": _charge_items,
}


def call_method(frame: Frame, value: object, name: str, arguments: list[Any], keywords: dict[str, Any]) -> object:
    """What the listed method *name* returns. Raises Trouble, or what Python raises for wrong arguments."""
    frame.read(value)
    _charge_flat(frame, arguments)
    if isinstance(value, str) and name in TEXT_METHODS:
        return _text_method(frame, value, name, arguments, keywords)
    if isinstance(value, (list, tuple)) and name in LIST_METHODS:
        return _list_method(frame, list(value), name, arguments)
    if isinstance(value, dict) and name in RECORD_METHODS:
        frame.read_deeply(arguments)
        frame.make_items(len(value))
        found = getattr(value, name)(*arguments)
        if name == "items":
            return [list(pair) for pair in found]  # as a run keeps them
        return found if name in ("get", "copy") else list(found)
    kinds = [str(word) for names, word in _OWNERS if name in names]
    message = _("“.{name}()” works with {kinds}; this is {kind}.")
    raise Trouble(message.format(name=name, kinds=_(" or ").join(kinds), kind=describe(value)))


_OWNERS = ((TEXT_METHODS, N_("a text")), (LIST_METHODS, N_("a list")), (RECORD_METHODS, N_("a record")))


def _list_method(frame: Frame, value: list[Any], name: str, arguments: list[Any]) -> object:
    frame.read_deeply(value)
    if name == "index" and arguments and arguments[0] not in value:
        raise Trouble(_("This is not in the list."))
    return getattr(value, name)(*arguments)


def _text_method(frame: Frame, text: str, name: str, arguments: list[Any], keywords: dict[str, Any]) -> object:
    guard = _GUARDS.get(name)
    if guard is not None:
        guard(frame, text, arguments)
    if name in ("split", "rsplit"):
        return _split(frame, text, name, arguments, keywords)
    return getattr(text, name)(*arguments, **keywords)


def _split(frame: Frame, text: str, name: str, arguments: list[Any], keywords: dict[str, Any]) -> object:
    frame.charge(len(text) >> 4)
    parts = getattr(text, name)(*arguments, **keywords)
    if len(parts) > MAX_ITEMS:
        frame.make_items(len(parts))
    return parts


def _guard_replace(frame: Frame, text: str, arguments: list[Any]) -> None:
    if len(arguments) >= 2 and isinstance(arguments[0], str) and isinstance(arguments[1], str):
        frame.make_text(len(text) + text.count(arguments[0]) * len(arguments[1]))


def _guard_join(frame: Frame, text: str, arguments: list[Any]) -> None:
    if arguments and isinstance(arguments[0], (list, tuple, set, dict)):
        parts = arguments[0]
        total = sum(len(part) for part in parts if isinstance(part, str))
        frame.make_text(total + len(text) * len(parts))


def _guard_width(frame: Frame, text: str, arguments: list[Any]) -> None:
    if arguments and isinstance(arguments[0], int):
        frame.make_text(max(arguments[0], len(text)))


def _guard_lines(frame: Frame, text: str, arguments: list[Any]) -> None:
    frame.charge(len(text) >> 4)


_GUARDS: dict[str, Callable[[Frame, str, list[Any]], None]] = {
    "replace": _guard_replace,
    "join": _guard_join,
    "ljust": _guard_width,
    "rjust": _guard_width,
    "center": _guard_width,
    "zfill": _guard_width,
    "splitlines": _guard_lines,
}
