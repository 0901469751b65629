"""Findings about ``{placeholders}`` in descriptions and in what is said word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.checks.context import Context, note, replacement, warning
from workbench.model.checks.nearest import Nearest
from workbench.model.checks.variables import known_variables
from workbench.model.facts import Facts, variable_key
from workbench.model.program import Agent, Playbook
from workbench.model.sentences.calls import call_of
from workbench.syntax.blocks import Block
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.expressions import ExpressionRefused, parse_expression, try_expression
from workbench.syntax.text import Span

_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_ESCAPED = re.compile(r"`[^`]*`")


def check_placeholders(context: Context, agent: Agent, facts: list[Facts]) -> Iterator[Diagnostic]:
    """All findings of this kind in the descriptions of *agent*."""
    for playbook in agent.playbooks:
        if "{" in playbook.description and playbook.heading is not None:
            known = known_variables(agent).union(*[fact.sets for fact in facts])
            yield from _description(context, playbook, playbook.heading, known)


def _description(context: Context, playbook: Playbook, heading: Block, known: set[str]) -> Iterator[Diagnostic]:
    for at, line in context.prose_below(heading):
        masked = _ESCAPED.sub(lambda match: " " * len(match.group()), line)
        for match in _PLACEHOLDER.finditer(masked):
            yield from _placeholder(match, at, known)


def _placeholder(match: re.Match[str], at: int, known: set[str]) -> Iterator[Diagnostic]:
    inside = match.group(1)
    span = Span(at + match.start(1), at + match.end(1))
    expression = try_expression(inside)
    if expression is None:
        if "$" in inside and call_of(inside.strip()) is None:
            yield _refused(inside, span)
        return
    for name, is_state in expression.names:
        key = variable_key(name, is_state)
        if key not in known and f"${name}" not in known:
            if not is_state:
                continue  # a word in braces may be meant literally, and is left as it is
            message = _("Nothing sets {name}, so this description cannot be filled in and the run would stop.")
            near = Nearest(known).to(key)
            start = span.start + inside.index(key)
            where = Span(start, start + len(key))
            fixes = (replacement(_("Write {near}").format(near=near), where, near),) if near else ()
            yield warning("unset-placeholder", message.format(name=key), where, *fixes)


def _refused(inside: str, span: Span) -> Diagnostic:
    try:
        parse_expression(inside)
    except ExpressionRefused as problem:
        at = min(span.start + problem.position, span.end)
        message = _("This placeholder is left as it stands. {problem}").format(problem=problem)
        return note("placeholder-refused", message, Span(min(at, span.end - 1), span.end))
    raise AssertionError("an expression that parses is not refused")
