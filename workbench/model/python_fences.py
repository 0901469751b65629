"""The ``@playbook`` functions of Python fences, read without running them."""

from __future__ import annotations

from workbench.model.program import PythonFunction
from workbench.syntax.signatures import python_functions


def functions_in(fences: tuple[str, ...]) -> tuple[PythonFunction, ...]:
    """Every decorated function, in source order."""
    return tuple(function for code in fences for function in python_functions(code))
