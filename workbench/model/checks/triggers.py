"""Findings about triggers: what can never fire, and what fires without what it needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from workbench.i18n import _
from workbench.model.checks.calls import Known
from workbench.model.checks.context import Context, note, replacement, warning
from workbench.model.checks.nearest import Nearest
from workbench.model.checks.variables import GIVEN
from workbench.model.meaning import TriggerEvent
from workbench.model.program import Agent, Playbook, Step
from workbench.model.step_facts import Facts, variable_key
from workbench.syntax.assembly_lines import parse_trigger_line
from workbench.syntax.diagnostics import Diagnostic

_CODES = ("BGN", "CND", "EVT")


def check_triggers(context: Context, agent: Agent, facts: Sequence[Facts], known: Known) -> Iterator[Diagnostic]:
    """All findings of this kind in *agent*."""
    triggers = [(playbook, trigger) for playbook in agent.playbooks for trigger in playbook.triggers]
    if not triggers:
        return
    sets: set[str] = set(GIVEN).union(*[fact.sets for fact in facts])
    for playbook in agent.playbooks:
        sets.update(variable_key(one.name, True) for one in playbook.parameters if one.is_state)
    for playbook, trigger in triggers:
        meaning = trigger.meaning
        if isinstance(meaning, TriggerEvent):
            yield from _never(context, trigger, meaning, sets, known)
            if context.is_assembly:
                yield from _code(context, trigger)
            elif meaning.is_start:
                yield from _start_with_parameters(context, playbook, trigger)


def _never(
    context: Context, trigger: Step, meaning: TriggerEvent, sets: set[str], known: Known
) -> Iterator[Diagnostic]:
    if meaning.moment == "invited":
        if meaning.subject and not {meaning.subject, f"{meaning.subject}Meeting"} & known.meetings:
            yield _no_such_call(context, trigger, meaning.subject, known)
        return
    if meaning.moment and meaning.subject:
        name = meaning.subject.rpartition(".")[2]
        is_there = known.makes_more or bool(known.callables.names.named(name))
        if not is_there and not known.is_elsewhere(meaning.subject):
            yield _no_such_call(context, trigger, name, known)
        return
    test = meaning.condition.test if meaning.condition is not None else None
    if test is None:
        return
    names = [variable_key(name, is_state) for name, is_state in test.names]
    for name in names:
        if name not in sets:
            message = _("This can never fire: nothing in this agent sets {name}.").format(name=name)
            span = context.words(trigger, name)
            near = Nearest([one for one in sets if one[0] == "$"]).to(name)
            fixes = (replacement(_("Change to {near}").format(near=near), span, near),) if near else ()
            yield warning("trigger-never-fires", message, span, *fixes)
            return
    if not names and isinstance(test.tree, ast.Constant) and not test.tree.value:
        message = _("This can never fire: its condition is never true.")
        yield warning("trigger-never-fires", message, context.head(trigger))


def _no_such_call(context: Context, trigger: Step, name: str, known: Known) -> Diagnostic:
    span = context.words(trigger, name)
    near = Nearest(known.signatures).to(name)
    message = _("This can never fire: nothing here is called {name}.").format(name=name)
    fixes = (replacement(_("Change to {near}").format(near=near), span, near),) if near else ()
    return warning("trigger-never-fires", message, span, *fixes)


def _start_with_parameters(context: Context, playbook: Playbook, trigger: Step) -> Iterator[Diagnostic]:
    """A playbook that begins by itself and needs what nobody gives."""
    needed = [one.name for one in playbook.parameters if one.default is None]
    if needed:
        message = _("{name} starts by itself, so nothing passes {needed}. Add a default or ask for it in a step.")
        text = message.format(name=playbook.name, needed=", ".join(needed))
        yield note("start-needs-arguments", text, context.head(trigger))


def _code(context: Context, trigger: Step) -> Iterator[Diagnostic]:
    """A trigger in assembly that does not begin with ``T1:BGN``, ``T1:CND`` or ``T1:EVT``."""
    line = parse_trigger_line(trigger.text)
    if line is not None and line.code in _CODES and line.content:
        return
    if line is not None and line.code in _CODES:
        yield warning("trigger-code", _("This trigger does not say when it fires."), context.head(trigger))
        return
    message = _("In assembly, a trigger starts with its number and BGN, CND or EVT: T1:CND $n > 3.")
    yield warning("trigger-code", message, context.head(trigger))
