"""Descriptions whose placeholders are filled in once, when the playbook begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.engine.expressions.evaluation import EvaluationFailed, UnknownName, evaluate, format_value
from workbench.engine.language.turn import StepFailed
from workbench.i18n import _
from workbench.model.program import Playbook
from workbench.syntax.expressions import try_expression

_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")


def described(playbook: Playbook, known: Mapping[str, Any]) -> str:
    """The description of *playbook* with each ``{expression}`` worked out; empty where it has none.

    Raises StepFailed where one has no value.
    """
    if "{" not in playbook.description:
        return ""

    def lookup(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        if name in known:
            return known[name]
        raise UnknownName(name, tuple(known))

    def value(match: re.Match[str]) -> str:
        expression = try_expression(match.group(1))
        if expression is None:
            return match.group()
        try:
            return format_value(evaluate(expression, lookup))
        except EvaluationFailed as error:
            message = _("the description of {playbook} cannot be filled in: {problem} (at position {position}).")
            problem = str(error).rstrip(".")
            position = match.start(1) + error.position + 1
            raise StepFailed(message.format(playbook=playbook.name, problem=problem, position=position)) from error

    filled = _PLACEHOLDER.sub(value, playbook.description)
    return "" if filled == playbook.description else filled
