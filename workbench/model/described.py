"""What a description can hold that is carried out when its playbook begins, and the constants that it can name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from workbench.model.program import Agent, Program
from workbench.syntax.expressions import Expression, Template, parse_template
from workbench.syntax.python_functions import python_constants
from workbench.tools.names import BUILT_IN_TOOLS


def is_made(expression: Expression, program: Program) -> bool:
    """Whether all that *expression*, a placeholder of a description, calls can be called in *program*."""
    return all(is_known(call.target, program) for call in expression.calls)


def is_known(target: str, program: Program) -> bool:
    """Whether *target* is a playbook or Python of *program*, or a tool that is always there."""
    name = target.rpartition(".")[2]
    return target in BUILT_IN_TOOLS or program.playbook(name) is not None or program.function(name) is not None


def has_calls(description: str, program: Program) -> bool:
    """Whether *description* has placeholders whose calls are made when its playbook begins."""
    if "{" not in description or "(" not in description:
        return False
    parts = [piece for piece in _template(description).pieces if isinstance(piece, Expression)]
    return any(piece.calls and is_made(piece, program) for piece in parts)


@lru_cache(maxsize=256)
def _template(description: str) -> Template:
    return parse_template(description)


def constants_of(agent: Agent) -> Mapping[str, Any]:
    """The constants in the Python of *agent*: ``LIMIT = 5``, by name."""
    return {name: value for code in agent.python for name, value in python_constants(code).items()}
