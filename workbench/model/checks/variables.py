"""Variables that are read and never set, or set and never read, within one agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workbench.i18n import _
from workbench.model.checks.context import Context, note, replacement, warning
from workbench.model.checks.nearest import Nearest
from workbench.model.facts import Facts, variable_key
from workbench.model.program import Agent, Step
from workbench.syntax.diagnostics import Diagnostic

GIVEN = frozenset({"$_", "$__", "$startup_message", "agent", "self", "call", "timestamp"})


def check_variables(context: Context, agent: Agent, facts: Sequence[Facts]) -> Iterator[Diagnostic]:
    """The findings of this kind in *agent*, whose top-level steps have *facts*."""
    known = known_variables(agent)
    known.update(*[fact.sets for fact in facts])
    nearest = Nearest(known)
    for fact in facts:
        if not fact.read_names <= known:
            for name, step in fact.reads:
                if name not in known:
                    yield _unset(context, step, name, nearest.to(name))
    yield from _unused(context, agent, facts)


def known_variables(agent: Agent) -> set[str]:
    """Names that have a value without any step setting them."""
    known = set(GIVEN)
    for playbook in agent.playbooks:
        known.update([variable_key(one.name, is_state) for one in playbook.parameters for is_state in (True, False)])
    known.update(function.name for function in agent.functions)
    return known


def _unset(context: Context, step: Step, name: str, near: str) -> Diagnostic:
    span = context.words(step, name)
    message = _("Nothing sets {name} before it is used here.").format(name=name)
    if not near:
        return warning("unset-variable", message, span)
    hint = _("There is {near}.").format(near=near)
    fix = replacement(_("Write {near}").format(near=near), span, near)
    return warning("unset-variable", f"{message} {hint}", span, fix)


def _unused(context: Context, agent: Agent, facts: Sequence[Facts]) -> Iterator[Diagnostic]:
    """State that is set and that neither a step nor a text of the agent mentions again."""
    candidates: dict[str, Step] = {}
    for fact in facts:
        for name, step in fact.set_at:
            if name[0] == "$" and name[1] != "_":
                candidates.setdefault(name, step)
    if not candidates:
        return
    used = set[str]().union(*[fact.uses for fact in facts], *[fact.read_names for fact in facts])
    unused = candidates.keys() - used
    if unused:
        mentioned = _mentioned_elsewhere(agent)
        for name, step in candidates.items():
            if name in unused and name[1:] not in mentioned:
                message = _("{name} is set here, and nothing in this agent mentions it again.").format(name=name)
                yield note("unused-variable", message, context.words(step, name))


def _mentioned_elsewhere(agent: Agent) -> set[str]:
    """Words that descriptions, notes and Python mention, without the dollar sign."""
    texts = [agent.description, *agent.python]
    for playbook in agent.playbooks:
        texts.append(playbook.description)
        texts += [one.text for one in playbook.notes]
    words: set[str] = set()
    for text in texts:
        words.update(re.findall(r"\w+", text))
    return words
