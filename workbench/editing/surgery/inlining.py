"""The steps of a playbook in place of a call of it: what is passed is set first, what is given back is set last."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from workbench.editing.commands import InlineCall, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.placing import NewItem, edit_list, item_from
from workbench.editing.geometry.siblings import siblings_of
from workbench.editing.geometry.style import style_at
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.surgery.extracting import agent_of, refuse_jumps, returns_in
from workbench.i18n import _
from workbench.model.meaning import Call, Return, StepKind, TriggerEvent
from workbench.model.program import Parameter, Playbook, PlaybookMode, Step
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of
from workbench.syntax.expressions import Expression, try_expression


@dataclass(frozen=True, slots=True)
class _Called:
    """What a step calls. *arguments*: name (or nothing) and source; *result*: what is set to it; *leaves*: returned."""

    target: str
    arguments: tuple[tuple[str, str], ...]
    result: str = ""
    leaves: bool = False


def _called(step: Step) -> _Called | None:
    """The one call that *step* is; None where it is none, or says more."""
    match step.meaning:
        case Call(target=target, arguments=arguments, result=result, asked=()):
            given = tuple((each.name, each.value.source) for each in arguments)
            written = "" if result is None else f"${result.name}" if result.is_state else result.name
            return _Called(target, given, written)
        case Return(value=Expression(tree=ast.Call(), calls=(inner,))):
            return _Called(inner.target, inner.arguments, leaves=True)
    return None


def refuse(snapshot: Snapshot, command: InlineCall) -> Refusal | None:
    """Why the call cannot be replaced by what it calls."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal is not None:
        return refusal
    step = snapshot.step(command.step)
    called = _called(step)
    if step.item is None or called is None:
        return Refusal("no-call", _("This step is not a single call of a playbook."))
    if step.item.children or step.item.fences or step.item.tails:
        return Refusal("holds-text", _("This step has code or text of its own, which would be lost. Move it first."))
    if "<!--" in snapshot.owned_span(step.id).of(snapshot.text):
        return Refusal("has-comment", _("A comment stands at the call, and would be lost. Move it first."))
    home = snapshot.playbook_of(step.id)
    target = agent_of(snapshot, home).playbook(called.target)
    if target is None:
        return Refusal("no-such-playbook", _("“{name}” is no playbook of this agent.").format(name=called.target))
    refusal = _refuse_target(snapshot, home, target) or _refuse_result(target, called)
    if refusal is not None:
        return refusal
    settings = _settings(home, target, called)
    return settings if isinstance(settings, Refusal) else None


def _refuse_target(snapshot: Snapshot, home: Playbook, target: Playbook) -> Refusal | None:
    """Why the steps of *target* cannot stand in *home*."""
    name = target.name
    if target is home or any(call.target == name for step in target.steps for _at, call in facts_of(step).calls):
        return Refusal("recursive", _("“{name}” calls itself, so it cannot be inlined.").format(name=name))
    if target.mode is not PlaybookMode.STEPS or not target.steps or dict(target.metadata).get("meeting"):
        return Refusal("no-steps-in-it", _("“{name}” is not carried out step by step.").format(name=name))
    if any(step.item is None or step.kind is StepKind.RAW for step in target.steps):
        return Refusal("text-between", _("Text stands between the steps of “{name}”. Move it first.").format(name=name))
    for playbook in snapshot.program.playbooks:
        for trigger in playbook.triggers:
            if isinstance(trigger.meaning, TriggerEvent) and trigger.meaning.subject == name:
                message = _("“{trigger}” waits for this call, and would no longer happen.")
                return Refusal("awaited", message.format(trigger=trigger.text))
    return refuse_jumps(target.steps)


def _refuse_result(target: Playbook, called: _Called) -> Refusal | None:
    """Why what the playbook gives back cannot be had otherwise."""
    if called.leaves:
        return None
    last, returns = target.steps[-1], returns_in(target.steps)
    if returns and returns != [last]:
        message = _("“{name}” can return before its last step, so its steps alone would go on.")
        return Refusal("leaves", message.format(name=target.name))
    given = last.meaning if isinstance(last.meaning, Return) else None
    if returns and given is None:
        message = _("“{name}” can return before its last step, so its steps alone would go on.")
        return Refusal("leaves", message.format(name=target.name))
    if given is not None and (given.text or (given.value is not None and given.value.calls and not called.result)):
        message = _("What “{name}” returns is worked out in its last step. Set it to a variable there first.")
        return Refusal("judged-result", message.format(name=target.name))
    if called.result and (given is None or given.value is None):
        return Refusal("no-result", _("“{name}” returns nothing that could be set.").format(name=target.name))
    return None


def _settings(home: Playbook, target: Playbook, called: _Called) -> tuple[str, ...] | Refusal:
    """The words of the steps that set the parameters of *target*, or why they cannot."""
    bound = dict(_bound(target, called))
    if len(bound) < len(target.parameters):
        message = _("This call does not say what all parameters of “{name}” are.")
        return Refusal("missing-argument", message.format(name=target.name))
    own = {name for step in target.steps for name in facts_of(step).sets if name[0] != "$"}
    own |= {each.name for each in target.parameters if not each.is_state}
    known = {name for step in home.steps for name in facts_of(step).sets | facts_of(step).read_names if name[0] != "$"}
    known |= {each.name for each in home.parameters if not each.is_state}
    words = [(_key(each), bound[each.name]) for each in target.parameters if bound[each.name] != _key(each)]
    alike = {name for name, source in bound.items() if name == source} | _given_back(target, called)
    if clash := sorted((own & known) - alike):
        message = _("Both playbooks have a value “{name}” of their own. Rename one of them first.")
        return Refusal("same-name", message.format(name=clash[0]))
    for at, (_name, source) in enumerate(words):
        value = try_expression(source)
        read = {f"${name}" if is_state else name for name, is_state in value.names} if value is not None else set()
        if read & {name for name, _source in words[:at]}:
            return Refusal("entangled", _("The arguments of this call cannot be set one after the other."))
    return tuple(f"{name} = {source}" for name, source in words)


def _given_back(target: Playbook, called: _Called) -> set[str]:
    """The name under which *target* returns what the call is set to, where both have the same."""
    last = target.steps[-1].meaning
    is_same = isinstance(last, Return) and last.value is not None and last.value.source == called.result
    return {called.result} if is_same else set()


def _key(parameter: Parameter) -> str:
    return f"${parameter.name}" if parameter.is_state else parameter.name


def _bound(target: Playbook, called: _Called) -> Iterator[tuple[str, str]]:
    """For each parameter that has a value its name and the source of that."""
    positional = [source for name, source in called.arguments if not name]
    named = {name.removeprefix("$"): source for name, source in called.arguments if name}
    for at, each in enumerate(target.parameters):
        if each.name in named:
            yield each.name, named[each.name]
        elif at < len(positional):
            yield each.name, positional[at]
        elif each.default is not None:
            yield each.name, each.default


def plan(snapshot: Snapshot, command: InlineCall) -> EditPlan | Refusal:
    """The edits that put the steps in place of the call."""
    step = snapshot.step(command.step)
    called, home = _called(step), snapshot.playbook_of(step.id)
    target = agent_of(snapshot, home).playbook(called.target) if called is not None else None
    if called is None or target is None:
        return Refusal("no-call", _("This step is not a single call of a playbook."))
    settings = _settings(home, target, called)
    if isinstance(settings, Refusal):
        return settings
    siblings = siblings_of(snapshot, step.id)
    slot = siblings.index(step.id)
    style = style_at(siblings, slot)
    body, ending = _body(target, called)
    items = [NewItem(f"-{style.spacing}{style.box}{words}", "", "-") for words in settings]
    items += [replace(item_from(snapshot, each), ids=()) for each in body]
    items += [NewItem(f"-{style.spacing}{style.box}{words}", "", "-") for words in ending]
    draft = Draft(snapshot.text)
    edit_list(draft, siblings, slot, items, frozenset({slot}))
    return draft.finish(_("Inline call"), frozenset({step.id}))


def _body(target: Playbook, called: _Called) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """The steps that are copied, and the words of what comes behind them."""
    last = target.steps[-1].meaning
    if called.leaves:
        return target.steps, () if isinstance(last, Return) else ("Return",)
    if not isinstance(last, Return):
        return target.steps, ()
    source = last.value.source if last.value is not None else ""
    is_set = not called.result or source == called.result
    return target.steps[:-1], () if is_set else (f"{called.result} = {source}",)
