"""Findings about calls: what is not there, and arguments that do not fit."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from workbench.i18n import _
from workbench.model.checks.context import Context, error, note, replacement, warning
from workbench.model.checks.names import BUILT_IN
from workbench.model.checks.nearest import Nearest, new_playbook
from workbench.model.made_in_run import made_names, makes_playbooks
from workbench.model.markdown.metadata import names_listed
from workbench.model.meaning import Argument, Call
from workbench.model.program import Agent, Playbook, PythonFunction, Step
from workbench.model.queries import Queries
from workbench.model.sentences.calls import is_implied, kept, named_call
from workbench.model.sentences.resolving import Callables, fitting_callables
from workbench.model.step_facts import Facts
from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.masking import split_top_level, top_level
from workbench.syntax.signatures import Parameter
from workbench.syntax.text import Span
from workbench.tools.names import BUILT_IN_TOOLS

_BUILT_IN = BUILT_IN | frozenset(BUILT_IN_TOOLS)
_OF_MEETINGS = tuple(Parameter(name, default="None") for name in ("topic", "attendees"))
"""What every meeting can be given, whatever its heading says."""
_NUMBERED = regex(r"(?:agent\s+|\w+\s*:\s*)?\d{1,9}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a text that is a part of a program: its *agents*, and what it *knows* by name besides."""

    agents: tuple[Agent, ...] = ()
    knows: Callable[[str], bool] = frozenset[str]().__contains__


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: *agent*, whose steps set the variables *sets*."""

    agent: Agent
    sets: frozenset[str]

    @classmethod
    def of(cls, agent: Agent, facts: Iterable[Facts]) -> Caller:
        """The caller of all that stands in the steps of *agent*."""
        names = [name.removeprefix("$") for fact in facts for name in fact.sets]
        return cls(agent, frozenset(names))

    def has(self, name: str, target: str) -> bool:
        """Whether the variable *name* may have a value before *target* is called: it is not the callee that has it."""
        others = (playbook for playbook in self.agent.playbooks if playbook.name != target)
        return name in self.sets or any(one.name == name for playbook in others for one in playbook.parameters)


class Known:
    """All that can be called, with its parameters."""

    def __init__(self, document: Queries, around: Around) -> None:
        agents = (*around.agents, *document.program.agents)
        playbooks = [one for agent in agents for one in agent.playbooks]
        # what an agent on a server offers is known when that has started
        self._here = [agent for agent in agents if agent.kind != "MCP" and "remote" not in dict(agent.metadata)]
        self._agents = {agent.name for agent in self._here}
        self._own, self.signatures = _signatures((*document.program.agents, *around.agents))
        self._nearest = Nearest(self.signatures)
        self.meetings = {one.name for one in playbooks if dict(one.metadata).get("meeting") is True}
        self._parties = Nearest([agent.name for agent in agents])
        self._titles = {name.lower() for agent in agents for name in (agent.name, agent.title)}
        self._knows = around.knows
        self.makes_more = makes_playbooks(document.text)
        self.callables = document.structure.callables

    def check(self, context: Context, caller: Caller, fact: Facts) -> Iterator[Diagnostic]:
        """All findings of this kind in a run of steps of *caller*."""
        for step, call in fact.calls:
            yield from self._call(context, caller, step, call)
            yield from self._closed(context, caller, step, call)
            if call.text:
                yield from _left_open(context, caller, step, call)
        if self.callables.by_first_word:
            for step in fact.judges:
                yield from _ambiguous(context, step, self.callables)
        for step in fact.judges:
            yield from _misplaced_in_words(context, step, self.callables)

    def is_elsewhere(self, target: str) -> bool:
        """Whether *target* is, or may be, the name of a tool that stands in no file: a server's are not known here."""
        owner, _dot, name = target.rpartition(".")
        is_of_no_agent = bool(owner and owner.partition(":")[0] not in self._agents)
        return name in _BUILT_IN or is_of_no_agent or self._knows(name)

    def _call(self, context: Context, caller: Caller, step: Step, call: Call) -> Iterator[Diagnostic]:
        target = self.callables.names.target(call.target)
        owner, _dot, name = target.rpartition(".")
        parameters = self._own.get((owner or caller.agent.name, name), self.signatures.get(name))
        if _is_misplaced(call.arguments):
            yield _misplaced(context, step, call, parameters or ())
            return
        if (owner or parameters is None) and self.is_elsewhere(target):
            return
        if parameters is None:
            if not call.is_resolved:
                yield self._unknown(context, step, call, name)
            return
        if call.target.rpartition(".")[2] in self.meetings:
            yield from self._attendees(context, step, call)
            parameters = (
                *parameters,
                *(one for one in _OF_MEETINGS if one.name not in {each.name for each in parameters}),
            )
        if not call.is_resolved and (call.arguments or parameters):
            yield from _arguments(context, step, call, parameters)

    def _closed(self, context: Context, caller: Caller, step: Step, call: Call) -> Iterator[Diagnostic]:
        """A call of what another agent keeps to itself; by its words alone it is not called, but judged."""
        owner, _dot, name = self.callables.names.target(call.target).rpartition(".")
        having = [agent for agent in self._here if owner in ("", agent.name) and agent.callable(name) is not None]
        is_own = any(agent.name == caller.agent.name for agent in having)
        if having and not is_own and not call.is_by_words and not any(agent.is_public(name) for agent in having):
            message = _("{name} of {agent} is not public, so {caller} cannot call it. Mark it “public: true”.")
            text = message.format(name=name, agent=having[0].name, caller=caller.agent.name)
            yield error("not-public", text, context.words(step, call.target))

    def _attendees(self, context: Context, step: Step, call: Call) -> Iterator[Diagnostic]:
        """Whoever is invited to a meeting by name, and is not there."""
        invited = next((each.value.tree for each in call.arguments if each.name == "attendees"), None)
        for name in [one.value for one in getattr(invited, "elts", ()) if isinstance(one, ast.Constant)]:
            if isinstance(name, str) and self._is_nobody(name):
                message = _("There is no agent or person called {name} to invite. The run would stop here.")
                yield self._nobody(context, message, name, context.words(step, name))

    def of_meeting(self, context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
        """Whoever the settings of a meeting invite, and is not there."""
        settings = dict(playbook.metadata)
        if playbook.heading is None or settings.get("meeting") is not True:
            return
        for key in ("required_attendees", "optional_attendees"):
            for name in filter(self._is_nobody, names_listed(settings.get(key))):
                message = _("There is no agent or person called {name} to invite. The run would stop at this meeting.")
                yield self._nobody(context, message, name, context.value_span(playbook.heading, key, name))

    def _is_nobody(self, name: str) -> bool:
        return name.lower() not in self._titles and not _NUMBERED.fullmatch(name)

    def _nobody(self, context: Context, message: str, name: str, span: Span) -> Diagnostic:
        near = self._parties.to(name) if span.of(context.document.text) == name else ""
        fixes = (replacement(_("Change to {near}").format(near=near), span, near),) if near else ()
        return error("unknown-attendee", message.format(name=name), span, *fixes)

    def is_there(self, name: str) -> bool:
        """Whether a playbook or a function is called *name*, in whatever way it is written."""
        return name in self.signatures or bool(self.callables.names.named(name))

    def instead(self, context: Context, step: Step, name: str) -> tuple[Fix, ...]:
        """A fix that names what is nearly called *name*."""
        span, near = context.words(step, name), self._nearest.to(name)
        return (replacement(_("Call {near}").format(near=near), span, near),) if near else ()

    def _unknown(self, context: Context, step: Step, call: Call, name: str) -> Diagnostic:
        span = context.words(step, name)
        if self.makes_more and name in made_names(context.document.text):
            message = _("{name} is not in this file: the run makes it before it gets here, or stops.").format(name=name)
            return note("made-in-run", message, span)
        if self.makes_more:
            message = _("There is no playbook or function called {name}, unless the run makes it.").format(name=name)
            return warning("made-in-run", message, span)
        message = _("There is no playbook, function or tool called {name}. Whoever judges is asked.")
        fixes = *self.instead(context, step, name), *new_playbook(context.document, step, call)
        return error("unknown-call", message.format(name=name), span, *fixes)


_Own: TypeAlias = dict[tuple[str, str], tuple[Parameter, ...]]


def _signatures(agents: Sequence[Agent]) -> tuple[_Own, dict[str, tuple[Parameter, ...]]]:
    """The parameters by agent and name, and those by what a name alone means to the others: what is offered, first."""
    own: _Own = {}
    meant: dict[str, tuple[Agent, tuple[Parameter, ...]]] = {}
    for agent in agents:
        callables: tuple[Playbook | PythonFunction, ...] = (*agent.playbooks, *agent.functions)
        for one in callables:
            own.setdefault((agent.name, one.name), one.parameters)
            first, _parameters = meant.setdefault(one.name, (agent, one.parameters))
            if first is not agent and agent.is_public(one.name) and not first.is_public(one.name):
                meant[one.name] = agent, one.parameters
    return own, {name: parameters for name, (_agent, parameters) in meant.items()}


def _left_open(context: Context, caller: Caller, step: Step, call: Call) -> Iterator[Diagnostic]:
    """What a run has to ask for before it can make a call that stands in prose."""
    unsaid = [each.name for each in call.arguments if is_implied(call, each)]
    implied = [name for name in unsaid if not caller.has(name, call.target)]
    if call.asked:
        names = ", ".join(each.name for each in call.asked)
        message = _("This calls {name} and says more than a call can, so whoever judges is asked for {names}.")
        yield note("call-asks", message.format(name=call.target, names=names), context.head(step))
    elif implied:
        message = _("This calls {name}, but nothing sets {names}, so whoever judges is asked for that.")
        yield note("call-asks", message.format(name=call.target, names=", ".join(implied)), context.head(step))


def _is_misplaced(arguments: Sequence[Argument]) -> bool:
    """Whether a value without a name stands behind one with a name."""
    is_named = [bool(each.name) for each in arguments]
    return True in is_named and not all(is_named[is_named.index(True) :])


def _misplaced(context: Context, step: Step, call: Call, parameters: Sequence[Parameter]) -> Diagnostic:
    """Which value that is; the fix names it where it is known what is meant, and else puts it first."""
    span = context.words(step, head := f"{call.target}(")
    rest = context.document.text[span.end : context.head(step).end]
    end = top_level(rest).find(")")
    parts = [each.strip() for each in split_top_level(rest[:end], ",")]
    if end < 0 or span.of(context.document.text) != head or len(parts) != len(call.arguments):
        return error("argument-order", _order_told(call.arguments), context.head(step))
    inside, written = Span(span.end, span.end + end), _in_order(call.arguments, parts, parameters)
    fix = replacement(_("Change to {near}").format(near=f"{head}{written})"), inside, written)
    return error("argument-order", _order_told(call.arguments), inside, fix)


def _misplaced_in_words(context: Context, step: Step, callables: Callables) -> Iterator[Diagnostic]:
    """The same in a sentence that names what is called: it is judged, for nothing says which value is meant."""
    if "=" not in step.text or "," not in step.text:
        return
    named, result = named_call((said := kept(step.text))[0]), said[1]
    name = callables.names.spelled(named.name.rpartition(".")[2]) if named is not None else ""
    if named is None or not name or not _is_misplaced(named.arguments):
        return
    parts = [(f"{each.name}=" if each.name else "") + each.value.source for each in named.arguments]
    call = f"{named.name}({_in_order(named.arguments, parts, callables.parameters.get(name, ()))})"
    near = (f"${result.name} = " if result is not None else "") + call
    span = context.words(step, step.text)
    is_literal = named.is_all and span.of(context.document.text) == step.text
    fixes = (replacement(_("Change to {near}").format(near=near), span, near),) if is_literal else ()
    yield warning("argument-order", _order_told(named.arguments), span, *fixes)


def _order_told(arguments: Sequence[Argument]) -> str:
    value = next(b.value.source for a, b in zip(arguments, arguments[1:], strict=False) if a.name and not b.name)
    message = _("The value {value} without a name stands behind one with a name. Write it first, or give it a name.")
    return message.format(value=value)


def _in_order(arguments: Sequence[Argument], parts: Sequence[str], parameters: Sequence[Parameter]) -> str:
    """*arguments*, written as *parts*, so that they can be read."""
    named = {each.name for each in arguments if each.name}
    free = iter([each.name for each in parameters if each.name not in named])
    pairs = list(zip(parts, arguments, strict=True))
    told = [part if each.name else f"{next(free, '')}={part}" for part, each in pairs]
    if not any(part.startswith("=") for part in told):
        return ", ".join(told)
    return ", ".join(part for part, _each in sorted(pairs, key=lambda pair: bool(pair[1].name)))


def _arguments(context: Context, step: Step, call: Call, parameters: tuple[Parameter, ...]) -> Iterator[Diagnostic]:
    if len(call.arguments) == len(parameters) and not any(argument.name for argument in call.arguments):
        return
    named = [argument.name for argument in call.arguments if argument.name]
    positional = len(call.arguments) - len(named)
    names = [parameter.name for parameter in parameters]
    if positional > len(names):
        message = _("{name} is given too many arguments: {given} instead of {most}.")
        text = message.format(name=call.target, given=positional, most=len(names))
        yield error("too-many-arguments", text, context.head(step))
        return
    for name in named:
        if name not in names:
            yield _unknown_argument(context, step, call, name, names)
        elif name in names[:positional]:
            message = _("{name} gets {argument} twice: by position and by name.")
            text = message.format(name=call.target, argument=name)
            yield error("argument-twice", text, context.words(step, name))
    missing = [one.name for one in parameters if one.default is None and one.name not in {*names[:positional], *named}]
    if missing:
        yield _missing(context, step, call, missing)


def _unknown_argument(context: Context, step: Step, call: Call, name: str, names: list[str]) -> Diagnostic:
    span = context.words(step, name)
    message = _("{name} has no parameter called {argument}.").format(name=call.target, argument=name)
    near = Nearest(names).to(name)
    fixes = (replacement(_("Change to {near}").format(near=near), span, near),) if near else ()
    return error("unknown-argument", message, span, *fixes)


def _missing(context: Context, step: Step, call: Call, missing: list[str]) -> Diagnostic:
    message = _("{name} also needs {missing}.").format(name=call.target, missing=", ".join(missing))
    return warning("missing-argument", message, context.head(step), *_given(context, step, call, missing))


def _given(context: Context, step: Step, call: Call, missing: list[str]) -> tuple[Fix, ...]:
    """A fix that gives each missing parameter the variable of its name."""
    span = context.words(step, f"{call.target}(")
    written = span.of(context.document.text)
    if written != f"{call.target}(" or call.arguments:
        return ()
    insert = ", ".join(f"{name}=${name}" for name in missing)
    title = _("Add {arguments}").format(arguments=insert)
    return (Fix(title, (TextEdit(Span(span.end, span.end), insert),)),)


def _ambiguous(context: Context, step: Step, callables: Callables) -> Iterator[Diagnostic]:
    """A sentence that could mean more than one playbook."""
    fitting = fitting_callables(step.text, callables)
    if len(fitting) > 1:
        names = ", ".join(one.name for one in fitting)
        message = _("This could mean {names}. Name the one you mean.").format(names=names)
        span = context.head(step)
        fixes = [
            replacement(
                _("Call {name}").format(name=one.name),
                span,
                f"{one.name}({_arguments_for(callables.parameters[one.name])})",
            )
            for one in fitting
        ]
        yield warning("ambiguous-call", message, span, *fixes)


def _arguments_for(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(f"${one.name}" for one in parameters if one.default is None)
