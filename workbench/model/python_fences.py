"""The ``@playbook`` functions of Python fences, read without running them."""

from __future__ import annotations

from workbench.syntax.python_functions import PythonFunction, python_functions


def functions_in(fences: tuple[str, ...]) -> tuple[PythonFunction, ...]:
    """Every decorated function, in source order."""
    return tuple(function for code in fences for function in python_functions(code))
