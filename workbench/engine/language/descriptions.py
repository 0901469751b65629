"""Descriptions of playbooks, with what stands in braces worked out when the playbook begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workbench.engine.decider import Decision
from workbench.engine.expressions.evaluation import EvaluationFailed, Filling, UnknownName, VariableUnknown
from workbench.engine.expressions.unrolling import CallWanted
from workbench.engine.journal.language_events import DescriptionFilled
from workbench.engine.language.given import Begun, given_value
from workbench.engine.language.program.book import Book, PlaybookTarget
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.state.fold import RunFold
from workbench.i18n import _
from workbench.model.described import has_calls, is_made
from workbench.regex import regex
from workbench.syntax.expressions import Expression, placeholder

_PLACEHOLDER = regex(r"\{((?:[^{}]|\{[^{}]*\})*)\}")


def described(state: RunFold, book: Book, target: PlaybookTarget, begun: Begun, known: Mapping[str, Any]) -> str:
    """The description of *target* with each ``{expression}`` worked out; empty where it has none.

    Empty too where it has calls: then that is the first thing that the playbook does. *known*: variables by name.
    Raises StepFailed where one has no value.
    """
    description = target.playbook.description
    if "{" not in description or has_calls(description, book.program):
        return ""

    def lookup(name: str, is_state: bool) -> object:  # noqa: FBT001 - a lookup is called like this
        if name in known:
            return known[name]
        try:
            return given_value(state, book, begun, name)
        except UnknownName:
            raise UnknownName(name, tuple(known)) from None

    filled = _filled(book, target.playbook.name, description, Filling(lookup))
    return "" if filled == description else filled


def describe(turn: Turn) -> Decision:
    """The description of the playbook at work, filled in; first the calls that it holds."""
    filling = Filling(turn.names, turn.caller)
    text = _filled(turn.book, turn.frame.playbook, turn.at.text, filling)
    return (turn.draft(DescriptionFilled(text, pc=turn.at.next)),)


def _filled(book: Book, playbook: str, description: str, filling: Filling) -> str:
    """*description* filled in; a word in braces that is no variable, and what nobody can call, stay as written."""

    def value(match: re.Match[str]) -> str:
        expression = placeholder(match.group(1))
        if expression is None or not is_made(expression, book.program):
            return match.group()
        try:
            return filling.text_of(expression)
        except CallWanted:
            raise
        except EvaluationFailed as error:
            if isinstance(error, VariableUnknown) and _is_words(expression):
                return match.group()
            raise StepFailed(_why(playbook, match, error)) from error

    return _PLACEHOLDER.sub(value, description)


def _is_words(expression: Expression) -> bool:
    return not expression.calls and not any(is_state for _name, is_state in expression.names)


def _why(playbook: str, match: re.Match[str], error: EvaluationFailed) -> str:
    message = _(
        "the description of {playbook} cannot be filled in: {problem} (at position {position}). "
        "Set the variable before the playbook is called, or give it as an argument."
    )
    position = match.start(1) + error.position + 1
    return message.format(playbook=playbook, problem=str(error).rstrip("."), position=position)
