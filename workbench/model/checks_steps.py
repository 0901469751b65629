"""Findings about what steps do: variables, calls, jumps, and steps that nothing reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from workbench.i18n import _
from workbench.model.chains import chains
from workbench.model.facts import Facts, facts_of, variable_key
from workbench.model.meaning import Branch, BranchForm, Call, End, Jump, JumpForm, Return, StepKind
from workbench.model.nearest import Nearest
from workbench.model.program import Agent, Playbook, Program, Step
from workbench.model.queries import Queries
from workbench.model.resolve import Callables, fitting_callables
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.signatures import Parameter
from workbench.syntax.text import Span, TextEdit

BUILT_IN = frozenset(
    "Say CreateAgent SaveArtifact LoadArtifact InviteToMeeting LoadFile Loadfile EndProgram SendMessage "
    "WaitForMessage CreatePlaybook".split()
)
"""Playbooks that every agent has without declaring them."""

_GIVEN = frozenset({"$_", "$__", "$startup_message", "agent", "self", "call", "timestamp"})
_LEAVING = frozenset({StepKind.RETURN, StepKind.END})


def check_steps(document: Queries) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    known = _Known(document.program)
    for agent in document.program.agents:
        facts = [(playbook, facts_of(root)) for playbook in agent.playbooks for root in _roots(playbook)]
        yield from _unset_variables(document, agent, [fact for _playbook, fact in facts])
        for playbook, fact in facts:
            yield from _step_findings(document, playbook, fact, known)
        for playbook in agent.playbooks:
            yield from _flow_of(document, playbook)


def _step_findings(document: Queries, playbook: Playbook, facts: Facts, known: _Known) -> Iterator[Diagnostic]:
    for step, call in facts.calls:
        yield from known.call_findings(document, step, call)
    for step, jump in facts.jumps:
        yield from _jump_findings(document, playbook, step, jump)
    if known.callables.entries:
        for step in facts.judges:
            yield from _ambiguous(document, step, known.callables)


def _flow_of(document: Queries, playbook: Playbook) -> Iterator[Diagnostic]:
    found = list(_flow_findings(playbook.steps))
    for root in playbook.steps:
        if root.children:
            found += _nested_flow_findings(root)
    for step, code in found:
        yield _flow_finding(document, step, code)


def _roots(playbook: Playbook) -> tuple[Step, ...]:
    return playbook.triggers + playbook.steps


def _unset_variables(document: Queries, agent: Agent, facts: Sequence[Facts]) -> Iterator[Diagnostic]:
    """Variables that are read and that nothing in the agent ever sets."""
    known = set(_GIVEN)
    for playbook in agent.playbooks:
        known.update([variable_key(one.name, is_state) for one in playbook.parameters for is_state in (True, False)])
    known.update(*[fact.sets for fact in facts])
    nearest = Nearest(known)
    for fact in facts:
        if not fact.read_names <= known:
            for name, step in fact.reads:
                if name not in known:
                    yield _unset(document, step, name, nearest.to(name))


def _unset(document: Queries, step: Step, name: str, near: str) -> Diagnostic:
    span = _span_of(document, step, name)
    message = _("Nothing sets {name} before it is used here.").format(name=name)
    if not near:
        return Diagnostic("unset-variable", Severity.WARNING, message, span)
    hint = _("There is {near}.").format(near=near)
    fix = Fix(_("Write {near}").format(near=near), (TextEdit(span, near),))
    return Diagnostic("unset-variable", Severity.WARNING, f"{message} {hint}", span, (fix,))


def _span_of(document: Queries, step: Step, words: str) -> Span:
    """Where *words* stand in the step's own text; all its first line where they do not stand literally."""
    span = document.text_span(step.id)
    at = span.of(document.text).find(words)
    if at < 0:
        return document.head_span(step.id)
    return Span(span.start + at, span.start + at + len(words))


class _Known:
    """All that can be called, with its parameters."""

    def __init__(self, program: Program) -> None:
        self._agents = {agent.name for agent in program.agents}
        self._signatures: dict[str, tuple[Parameter, ...]] = {one.name: one.parameters for one in program.functions}
        self._signatures.update({one.name: one.parameters for one in program.playbooks})
        self._nearest = Nearest(self._signatures)
        self.callables = Callables.of(self._signatures.items())

    def call_findings(self, document: Queries, step: Step, call: Call) -> Iterator[Diagnostic]:
        """What is wrong with one call."""
        owner, _dot, name = call.target.rpartition(".")
        if name in BUILT_IN or (owner and owner.partition(":")[0] not in self._agents):
            return
        parameters = self._signatures.get(name)
        if parameters is None:
            yield self._unknown(document, step, name)
        elif not call.is_resolved:
            yield from _argument_findings(document, step, call, parameters)

    def _unknown(self, document: Queries, step: Step, name: str) -> Diagnostic:
        span = _span_of(document, step, name)
        near = self._nearest.to(name)
        message = _("There is no playbook or function called {name}. The run would stop here.").format(name=name)
        fixes = (Fix(_("Call {near}").format(near=near), (TextEdit(span, near),)),) if near else ()
        return Diagnostic("unknown-call", Severity.ERROR, message, span, fixes)


def _argument_findings(
    document: Queries, step: Step, call: Call, parameters: tuple[Parameter, ...]
) -> Iterator[Diagnostic]:
    names = [parameter.name for parameter in parameters]
    positional = sum(not argument.name for argument in call.arguments)
    span = document.head_span(step.id)
    if positional > len(names):
        message = _("{name} takes {most} arguments, and {given} are given.")
        text = message.format(name=call.target, most=len(names), given=positional)
        yield Diagnostic("too-many-arguments", Severity.ERROR, text, span)
    for argument in call.arguments:
        if argument.name and argument.name not in names:
            message = _("{name} has no parameter called {argument}.")
            text = message.format(name=call.target, argument=argument.name)
            yield Diagnostic("unknown-argument", Severity.ERROR, text, _span_of(document, step, argument.name))
    given = set(names[:positional]) | {argument.name for argument in call.arguments}
    missing = [one.name for one in parameters if one.default is None and one.name not in given]
    if missing and positional <= len(names):
        message = _("{name} also needs {missing}.").format(name=call.target, missing=", ".join(missing))
        yield Diagnostic("missing-argument", Severity.WARNING, message, span)


def _jump_findings(document: Queries, playbook: Playbook, step: Step, jump: Jump) -> Iterator[Diagnostic]:
    if jump.form is JumpForm.GO_TO:
        if document.at_address(f"{playbook.name}:{jump.number}") is None:
            message = _("There is no step {number} in this playbook.").format(number=jump.number)
            yield Diagnostic("unknown-step", Severity.ERROR, message, document.head_span(step.id))
    elif not any(above.kind is StepKind.LOOP for above in document.lineage(step.id)):
        message = _("There is no loop around this step to leave or to go on with.")
        yield Diagnostic("jump-outside-loop", Severity.ERROR, message, document.head_span(step.id))


def _flow_findings(steps: tuple[Step, ...]) -> Iterator[tuple[Step, str]]:
    """Steps of one list that nothing reaches, and branches that belong to no decision."""
    has_left = False
    for chain in chains(steps):
        first = chain[0]
        if has_left and first.kind is not StepKind.RAW:
            yield first, "unreachable-step"
            has_left = False
        if isinstance(first.meaning, Branch) and first.meaning.form in (BranchForm.OTHERWISE, BranchForm.ELSE_IF):
            yield first, "branch-without-if"
        has_left = has_left or leaves(chain)


@lru_cache(maxsize=65_536)
def _nested_flow_findings(root: Step) -> tuple[tuple[Step, str], ...]:
    """The same for every list below *root*; kept as long as the step is the same object."""
    if not root.children:
        return ()
    return tuple([finding for step in root.walk() if step.children for finding in _flow_findings(step.children)])


def _flow_finding(document: Queries, step: Step, code: str) -> Diagnostic:
    message = {
        "unreachable-step": _("Nothing reaches this step: the one above it leaves the playbook or the loop."),
        "branch-without-if": _(
            "There is no If above this branch, so it is decided by whoever carries out the playbook."
        ),
    }[code]
    return Diagnostic(code, Severity.WARNING, message, document.head_span(step.id))


def leaves(chain: Sequence[Step]) -> bool:
    """True when nothing that stands after *chain* in the same list can be reached from it."""
    first = chain[0]
    if first.kind is StepKind.DECISION:
        last = chain[-1].meaning
        is_total = isinstance(last, Branch) and last.form is BranchForm.OTHERWISE
        return is_total and all(_arm_leaves(arm) for arm in chain)
    if first.kind is StepKind.LOOP:
        return False
    if first.kind in _LEAVING or isinstance(first.meaning, Jump):
        return True
    return any(leaves(inner) for inner in chains(first.children))


def _arm_leaves(arm: Step) -> bool:
    assert isinstance(arm.meaning, Branch)
    action = arm.meaning.action
    if action is not None and not arm.children:
        return isinstance(action, Return | End | Jump)
    return any(leaves(inner) for inner in chains(arm.children))


def _ambiguous(document: Queries, step: Step, callables: Callables) -> Iterator[Diagnostic]:
    """A sentence that could mean more than one playbook."""
    fitting = fitting_callables(step.text, callables)
    if len(fitting) > 1:
        names = ", ".join(one.name for one in fitting)
        message = _("This could mean {names}. Name the one to call.").format(names=names)
        yield Diagnostic("ambiguous-call", Severity.WARNING, message, document.head_span(step.id))
