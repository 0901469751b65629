"""One border around every method of ours that Qt calls.

PySide6 (seen with 6.11 on Python 3.11) ends the process with a segmentation fault when the override of a virtual
method is left by an exception that C code raised, such as ``int("x")`` or ``[][1]``: the exception has no instance yet
when Shiboken takes it over. Passing through a frame of Python gives it one, and then it reaches ``sys.excepthook``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken


def guard_overrides() -> None:
    """Have each class that is derived from one of Qt's from now on guard the methods that it overrides."""
    Shiboken.Object.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment, arg-type]


def _guard(subclass: type, **options: Any) -> None:
    for name in overridden(subclass):
        setattr(subclass, name, _guarded(vars(subclass)[name]))


def overridden(subclass: type) -> list[str]:
    """The names of the methods in *subclass* itself that a class of Qt has too."""
    theirs = [base for base in subclass.__mro__[1:] if base.__module__.startswith("PySide6.")]
    own = (name for name, value in vars(subclass).items() if isinstance(value, FunctionType))
    return [name for name in own if not name.startswith("__") and any(name in vars(base) for base in theirs)]


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def guarded(*arguments: Any, **options: Any) -> Any:
        try:
            return method(*arguments, **options)
        except Exception:  # noqa: TRY203 - not idle: what is caught here gets its instance
            raise

    return guarded
