"""Findings about variables: read and never set, set and never read, and placeholders that nothing fills.

Where another playbook may have been entered before a step, its ``$`` parameters have values for all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from workbench.i18n import _
from workbench.model.bare_words import is_in_word
from workbench.model.checks.context import Context, note, replacement, warning
from workbench.model.checks.nearest import Nearest
from workbench.model.described import constants_of, is_known
from workbench.model.meaning import StepKind, TriggerEvent
from workbench.model.number_types import mixed_uses
from workbench.model.program import Agent, Playbook, PlaybookMode, Step
from workbench.model.step_facts import Facts, facts_of_run, step_runs, variable_key
from workbench.regex import regex
from workbench.syntax.blocks import Block
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.expressions import ExpressionRefused, parse_expression, placeholder
from workbench.syntax.text import Span

GIVEN = frozenset(
    {"$_", "$__", "$startup_message", "agent", "self", "call", "timestamp", "meeting", "current_meeting"}
) | {"current_playbook_call"}


def check_variables(context: Context, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> Iterator[Diagnostic]:
    """The findings of this kind in *agent*; *facts*: by the id of each playbook."""
    # what is written without a dollar sign belongs to its playbook alone
    shared = _shared(agent).union(*[fact.state for found in facts.values() for fact in found])
    entries = Entries(context, agent)
    for playbook in agent.playbooks:
        own = _parameters(playbook).union(*[fact.sets for fact in facts[id(playbook)]])
        nearest: Nearest | None = None
        for fact in facts[id(playbook)]:
            if fact.read_names <= shared:
                continue
            # a run finds a name in either form
            unset = [name for name in fact.read_names - shared - own if _other_form(name) not in own]
            missing = frozenset([name for name in unset if _other_form(name) not in shared])
            if missing:
                nearest = nearest or Nearest(shared, own)
                yield from _unset_in(context, fact, missing, _Place(agent, playbook, entries, nearest))
    yield from _unused(context, agent, [fact for found in facts.values() for fact in found])


def _other_form(name: str) -> str:
    """*name* with a dollar sign where it has none, and without where it has one."""
    return name[1:] if name[0] == "$" else f"${name}"


def _shared(agent: Agent) -> set[str]:
    """Names that have a value in every playbook without any step setting them.

    The message that a playbook was begun with is a variable of its agent.
    """
    meanings = (trigger.meaning for playbook in agent.playbooks for trigger in playbook.triggers)
    is_listening = any(isinstance(each, TriggerEvent) and each.hearing is not None for each in meanings)
    heard = {"$message"} if is_listening else set[str]()
    return {*GIVEN, *heard, *(function.name for function in agent.functions), *constants_of(agent)}


def _parameters(playbook: Playbook) -> set[str]:
    given = ("topic", "attendees") if dict(playbook.metadata).get("meeting") is True else ()
    names = [*(one.name for one in playbook.parameters), *given]
    return {variable_key(name, is_state) for name in names for is_state in (True, False)}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where names are read: in *playbook* of *agent*, into which the *entries* of others may bring values."""

    agent: Agent
    playbook: Playbook
    entries: Entries
    nearest: Nearest


def _unset_in(context: Context, fact: Facts, missing: frozenset[str], place: _Place) -> Iterator[Diagnostic]:
    for name, step in fact.reads:
        if name in missing:
            owners = place.entries.owners(name, place.playbook)
            if not owners:
                near = place.nearest.to(name)
                if near or not is_in_word(name, step, place.agent, place.playbook):
                    yield _unset(context, step, name, near)
            elif not place.entries.may_come_before(owners, place.playbook, step):
                message = _("{name} has no value here: it is a parameter of {playbook}.")
                text = message.format(name=name, playbook=owners[0].name)
                yield warning("unset-variable", text, context.words(step, name))


def _unset(context: Context, step: Step, name: str, near: str) -> Diagnostic:
    span = context.words(step, name)
    message = _("{name} is used but never set.").format(name=name)
    if not near:
        return warning("unset-variable", message, span)
    hint = _("Did you mean {near}?").format(near=near)
    fix = replacement(_("Change to {near}").format(near=near), span, near)
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
                message = _("{name} is set but never used.").format(name=name)
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


def check_mixed(context: Context) -> Iterator[Diagnostic]:
    """What needs a number and gets a text, as far as the steps show it."""
    for use, text in mixed_uses(context.program):
        span = context.words(use.step, use.name)
        message = _("{name} is a text in {step}, and a number is needed here.")
        insert = f"int({use.name})"
        is_literal = span.of(context.document.text) == use.name and use.step.text.count(use.name) == 1
        fixes = (replacement(_("Change to {near}").format(near=insert), span, insert),) if is_literal else ()
        where = context.document.address(text.step.id)
        yield warning("text-and-number", message.format(name=use.name, step=where), span, *fixes)


_PLACEHOLDER = regex(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_LIKE_A_CALL = regex(r"\s*[^\W\d][\w.]*\(")
_ESCAPED = regex(r"`[^`]*`")


def check_placeholders(context: Context, agent: Agent, facts: list[Facts]) -> Iterator[Diagnostic]:
    """All findings of this kind in the descriptions of *agent*."""
    described = [one for one in agent.playbooks if "{" in one.description]
    known = _shared(agent).union(*[fact.sets for fact in facts]) if described else set()
    for playbook in described:
        if playbook.heading is not None:
            yield from _description(context, playbook.heading, (known, _parameters(playbook)))


def _description(context: Context, heading: Block, known: tuple[Collection[str], ...]) -> Iterator[Diagnostic]:
    for at, line in context.prose_below(heading):
        masked = _ESCAPED.sub(lambda match: " " * len(match.group()), line)
        for match in _PLACEHOLDER.finditer(masked):
            yield from _placeholder(context, match, at, known)


def _placeholder(
    context: Context, match: re.Match[str], at: int, known: tuple[Collection[str], ...]
) -> Iterator[Diagnostic]:
    inside = match.group(1)
    span = Span(at + match.start(1), at + match.end(1))
    expression = placeholder(inside)
    if expression is None:
        if "$" in inside or _LIKE_A_CALL.match(inside):
            yield _refused(inside, span)
        return
    unknown = [call.target for call in expression.calls if not is_known(call.target, context.program)]
    if unknown:
        message = _("This placeholder is left as it is. There is nothing called {name}.").format(name=unknown[0])
        yield note("placeholder-refused", message, span)
        return
    for name, is_state in expression.names:
        key = variable_key(name, is_state)
        if not any(key in names or f"${name}" in names for names in known):
            if not is_state:
                continue  # a word in braces may be meant literally, and is left as it is
            message = _("{name} is never set, so this description cannot be filled in and the run would stop.")
            near = Nearest(*known).to(key)
            start = span.start + inside.index(key)
            where = Span(start, start + len(key))
            fixes = (replacement(_("Change to {near}").format(near=near), where, near),) if near else ()
            yield warning("unset-placeholder", message.format(name=key), where, *fixes)


def _refused(inside: str, span: Span) -> Diagnostic:
    try:
        parse_expression(inside)
    except ExpressionRefused as problem:
        at = min(span.start + problem.position, span.end)
        message = _("This placeholder is left as it is. {problem}").format(problem=problem)
        return note("placeholder-refused", message, Span(min(at, span.end - 1), span.end))
    raise AssertionError("an expression that parses is not refused")


_FAR = 200
"""How many playbooks are followed from one; beyond that nothing is claimed."""


class Entries:
    """Who is called from where in a program, as seen from one of its agents; worked out when it is asked for."""

    def __init__(self, context: Context, agent: Agent) -> None:
        self._context = context
        self._agent = agent
        self._found: dict[str, set[str]] = {}

    def owners(self, name: str, playbook: Playbook) -> list[Playbook]:
        """The other playbooks of the agent that have the state *name* as a parameter."""
        return [one for one in self._owners.get(name, ()) if one is not playbook]

    def may_come_before(self, owners: Sequence[Playbook], playbook: Playbook, step: Step) -> bool:
        """True where one of *owners* may have been entered when *playbook* comes to *step*."""
        return any(self._may_come_before(owner, playbook, step) for owner in owners)

    def _may_come_before(self, owner: Playbook, playbook: Playbook, step: Step) -> bool:
        if self._is_free or owner.triggers or owner.name in self._python:
            return True
        calls = self._calls.get(owner.name, [])
        if any(caller is not playbook or self._is_before(call, step) for caller, call in calls):
            return True
        reached = self._reached(owner.name)
        return len(reached) > _FAR or playbook.name in reached

    def _is_before(self, call: Step, step: Step) -> bool:
        """True where *call* stands above *step*, or in a loop with it."""
        document = self._context.document
        root = document.root(step.id)
        if root.kind is StepKind.LOOP and document.root(call.id) is root:
            return True
        return self._context.head(call).start <= self._context.head(step).start

    def _reached(self, owner: str) -> set[str]:
        """The names of the playbooks that *owner* calls, directly or through others; not many more than enough."""
        if owner not in self._found:
            found: set[str] = set()
            todo = [owner]
            while todo and len(found) <= _FAR:
                called = self._called_by.get(todo.pop(), set()) - found
                found |= called
                todo += called
            self._found[owner] = found
        return self._found[owner]

    @cached_property
    def _is_free(self) -> bool:
        """True where the agent has a playbook that calls what it likes."""
        return any(one.mode is not PlaybookMode.STEPS for one in self._agent.playbooks)

    @cached_property
    def _python(self) -> str:
        return "\n".join(self._agent.python)

    @cached_property
    def _owners(self) -> dict[str, list[Playbook]]:
        owners: dict[str, list[Playbook]] = {}
        for playbook in self._agent.playbooks:
            for parameter in playbook.parameters:
                if parameter.is_state:
                    owners.setdefault(f"${parameter.name}", []).append(playbook)
        return owners

    @cached_property
    def _calls(self) -> dict[str, list[tuple[Playbook, Step]]]:
        """For each name the calls of it in the program."""
        calls: dict[str, list[tuple[Playbook, Step]]] = {}
        for playbook in self._context.program.playbooks:
            for run in step_runs(playbook):
                for step, call in facts_of_run(run).calls:
                    calls.setdefault(call.target.rpartition(".")[2], []).append((playbook, step))
        return calls

    @cached_property
    def _called_by(self) -> dict[str, set[str]]:
        called: dict[str, set[str]] = {}
        for name, calls in self._calls.items():
            for caller, _step in calls:
                called.setdefault(caller.name, set()).add(name)
        return called
