"""Findings about calls: what is not there, arguments that do not fit, sentences that could mean several things."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.i18n import _, ngettext
from workbench.model.checks.context import Context, error, replacement, warning
from workbench.model.checks.names import BUILT_IN
from workbench.model.checks.nearest import Nearest
from workbench.model.meaning import Call
from workbench.model.program import Program, Step
from workbench.model.sentences.resolving import Callables, fitting_callables
from workbench.model.step_facts import Facts
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.signatures import Parameter
from workbench.syntax.text import Span


class Known:
    """All that can be called, with its parameters."""

    def __init__(self, program: Program) -> None:
        self._agents = {agent.name for agent in program.agents}
        self.signatures: dict[str, tuple[Parameter, ...]] = {one.name: one.parameters for one in program.functions}
        self.signatures.update({one.name: one.parameters for one in program.playbooks})
        self._nearest = Nearest(self.signatures)
        self.callables = Callables.of(self.signatures.items())

    def check(self, context: Context, fact: Facts) -> Iterator[Diagnostic]:
        """All findings of this kind in one top-level step."""
        for step, call in fact.calls:
            yield from self._call(context, step, call)
        if self.callables.entries:
            for step in fact.judges:
                yield from _ambiguous(context, step, self.callables)

    def _call(self, context: Context, step: Step, call: Call) -> Iterator[Diagnostic]:
        parameters = self.signatures.get(call.target)
        if parameters is None:
            owner, _dot, name = call.target.rpartition(".")
            if name in BUILT_IN or (owner and owner.partition(":")[0] not in self._agents):
                return
            parameters = self.signatures.get(name)
            if parameters is None:
                if not call.is_resolved:
                    yield self._unknown(context, step, name)
                return
        if not call.is_resolved and (call.arguments or parameters):
            yield from _arguments(context, step, call, parameters)

    def _unknown(self, context: Context, step: Step, name: str) -> Diagnostic:
        span = context.words(step, name)
        near = self._nearest.to(name)
        message = _("There is no playbook or function called {name}. The run would stop here.").format(name=name)
        fixes = (replacement(_("Call {near}").format(near=near), span, near),) if near else ()
        return error("unknown-call", message, span, *fixes)


def _arguments(context: Context, step: Step, call: Call, parameters: tuple[Parameter, ...]) -> Iterator[Diagnostic]:
    if len(call.arguments) == len(parameters) and not any(argument.name for argument in call.arguments):
        return
    named = [argument.name for argument in call.arguments if argument.name]
    positional = len(call.arguments) - len(named)
    names = [parameter.name for parameter in parameters]
    if positional > len(names):
        message = ngettext(
            "{name} takes {count} argument but is given {given}.",
            "{name} takes {count} arguments but is given {given}.",
            len(names),
        )
        text = message.format(name=call.target, given=positional)
        yield error("too-many-arguments", text, context.head(step))
        return
    for name in named:
        if name not in names:
            yield _unknown_argument(context, step, call, name, names)
        elif name in names[:positional]:
            message = _("{name} gets {argument} twice: by position and by name.")
            text = message.format(name=call.target, argument=name)
            yield error("argument-twice", text, context.words(step, name))
    given = {*names[:positional], *named}
    missing = [one.name for one in parameters if one.default is None and one.name not in given]
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
            replacement(_("Call {name}").format(name=one.name), span, f"{one.name}({_arguments_for(one.parameters)})")
            for one in fitting
        ]
        yield warning("ambiguous-call", message, span, *fixes)


def _arguments_for(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(f"${one.name}" for one in parameters if one.default is None)
