"""Findings about the way through the steps.

Steps that nothing reaches, branches without an If, jumps and references to nowhere; and
variables that are set on some ways only: in arms of a decision, and read after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from workbench.i18n import _
from workbench.model.checks.context import Context, error, replacement, warning
from workbench.model.decisions import arm_leaves, continues_chain, unreached
from workbench.model.meaning import Branch, BranchForm, Jump, JumpForm, StepKind
from workbench.model.program import Agent, Playbook, Step
from workbench.model.step_facts import Facts, facts_of, facts_of_run, own_facts, step_runs, variable_key
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, line_end


def check_flow(context: Context, playbook: Playbook, facts: Sequence[Facts]) -> Iterator[Diagnostic]:
    """All findings of this kind in *playbook*, whose top-level steps have *facts*."""
    if context.is_assembly:
        return
    yield from _numbers(context, playbook, facts)
    if any(fact.may_leave for fact in facts):
        lost = unreached(playbook.steps)
        if lost is not None:
            yield _flow_finding(context, lost, "unreachable-step")
    for run in step_runs(playbook):
        for step, code in _of_run(run):
            yield _flow_finding(context, step, code)
        for step in _lost_jumps(run) if facts_of_run(run).jumps else ():
            message = _("There is no loop around this step to leave or continue.")
            yield error("jump-outside-loop", message, context.head(step))


def _numbers(context: Context, playbook: Playbook, facts: Sequence[Facts]) -> Iterator[Diagnostic]:
    """Numbers that jumps and prose mention and that no step has."""
    count: int | None = None
    for fact in facts:
        for step, jump in fact.jumps:
            if jump.form is JumpForm.GO_TO and not _is_step(context, playbook, jump.number):
                message = _("There is no step {number} in this playbook.").format(number=jump.number)
                yield error("unknown-step", message, context.head(step))
        for number, step in fact.references:
            if not _is_step(context, playbook, number):
                count = sum(one.kind is not StepKind.RAW for one in playbook.steps) if count is None else count
                message = _("This refers to step {number}, which does not exist: the last one is {last}.")
                text = message.format(number=number, last=count)
                yield warning("unknown-reference", text, context.words(step, number))


def _is_step(context: Context, playbook: Playbook, number: str) -> bool:
    return context.document.at_address(f"{playbook.name}:{number}") is not None


@lru_cache(maxsize=65_536)
def _lost_jumps(run: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps of *run* that leave or go on with a loop and stand in none."""
    found: list[Step] = []
    open_steps = list(run)
    while open_steps:
        step = open_steps.pop()
        if step.kind is StepKind.LOOP:
            continue  # below it there is a loop
        action = getattr(step.meaning, "action", None) or step.meaning
        if isinstance(action, Jump) and action.form is not JumpForm.GO_TO:
            found.append(step)
        open_steps += step.children
    return tuple(found)


@lru_cache(maxsize=8_192)
def _of_run(run: tuple[Step, ...]) -> tuple[tuple[Step, str], ...]:
    """Lone branches among the steps of *run*, and what is found in the lists below them."""
    return (*_lone_branches(run), *[finding for root in run if root.children for finding in _found_below(root)])


def _flow_findings(steps: tuple[Step, ...]) -> Iterator[tuple[Step, str]]:
    """Steps of one list that nothing reaches, and branches that belong to no decision."""
    lost = unreached(steps)
    if lost is not None:
        yield lost, "unreachable-step"
    yield from _lone_branches(steps)


def _lone_branches(steps: Sequence[Step]) -> Iterator[tuple[Step, str]]:
    for at, step in enumerate(steps):
        if step.kind is StepKind.DECISION and _is_lone(steps[at - 1] if at else None, step):
            yield step, "branch-without-if"


def _is_lone(before: Step | None, step: Step) -> bool:
    """True for a branch that needs an If above it and has none."""
    assert isinstance(step.meaning, Branch)
    needs_if = step.meaning.form is BranchForm.OTHERWISE or step.meaning.form is BranchForm.ELSE_IF
    return needs_if and (before is None or not continues_chain(before, step))


@lru_cache(maxsize=65_536)
def _found_below(root: Step) -> tuple[tuple[Step, str], ...]:
    """The same for every list below *root*; kept as long as the step is the same object."""
    return tuple([finding for step in root.walk() if step.children for finding in _flow_findings(step.children)])


def _flow_finding(context: Context, step: Step, code: str) -> Diagnostic:
    if code == "unreachable-step":
        message = _("Unreachable step: the step above ends the playbook or loop.")
    else:
        message = _("No matching If above; a person or model must decide this branch.")
    return warning(code, message, context.head(step))


@dataclass(slots=True)
class _Paths:
    """What is known after some steps: names set on *every* way, and names set on *some*, with the last arm.

    *open_reads*: reads of names that were not set on every way before, with the arm where
    the name was set on some way (None: on no way).
    """

    every: set[str] = field(default_factory=set)
    some: dict[str, Step] = field(default_factory=dict)
    open_reads: list[tuple[str, Step, Step | None]] = field(default_factory=list)

    def read(self, names: Sequence[tuple[str, Step]]) -> None:
        """Note what is read."""
        for name, step in names:
            if name not in self.every:
                self.open_reads.append((name, step, self.some.get(name)))

    def set(self, names: frozenset[str] | set[str]) -> None:
        """Note what is set on every way."""
        self.every |= names
        if self.some:
            for name in names:
                self.some.pop(name, None)

    def follow(self, later: _Paths) -> None:
        """Note what steps do that come next."""
        for name, step, arm in later.open_reads:
            if name not in self.every:
                self.open_reads.append((name, step, arm or self.some.get(name)))
        self.set(later.every)
        if later.some:
            self.some.update({name: arm for name, arm in later.some.items() if name not in self.every})


def check_paths(context: Context, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> Iterator[Diagnostic]:
    """All findings of this kind in *agent*; *facts*: by the id of each playbook."""
    for playbook in agent.playbooks:
        yield from _check_playbook(context, agent, playbook, facts)


def _check_playbook(
    context: Context, agent: Agent, playbook: Playbook, facts: Mapping[int, Sequence[Facts]]
) -> Iterator[Diagnostic]:
    paths = _whole(playbook)
    doubtful = [(name, step, arm) for name, step, arm in paths.open_reads if arm is not None]
    if not doubtful:
        return
    elsewhere = {variable_key(one.name, is_state) for one in playbook.parameters for is_state in (True, False)}
    elsewhere.update(*[fact.sets for one in agent.playbooks if one is not playbook for fact in facts[id(one)]])
    told: set[tuple[str, str]] = set()
    for name, step, arm in doubtful:
        if name not in elsewhere and (name, step.id) not in told:
            told.add((name, step.id))
            yield _unset_finding(context, step, name, arm)


def _whole(playbook: Playbook) -> _Paths:
    """What is known after all steps of *playbook*."""
    paths = _Paths()
    for run in step_runs(playbook):
        paths.follow(_after_run(run))
    return paths


@lru_cache(maxsize=8_192)
def _after_run(run: tuple[Step, ...]) -> _Paths:
    return _walked(run)


def _walked(steps: Sequence[Step]) -> _Paths:
    """What is known after *steps* of one list."""
    paths = _Paths()
    arms: list[Step] = []
    for step in steps:
        if arms and not continues_chain(arms[-1], step):
            paths.follow(_decided(tuple(arms)))
            arms = []
        if step.kind is StepKind.DECISION:
            arms.append(step)
        elif step.children:
            paths.follow(_after_nested(step))
        else:
            fact = facts_of(step)
            if not fact.read_names <= paths.every:
                paths.read(fact.reads)
            if fact.sets:
                paths.set(fact.sets)
    if arms:
        paths.follow(_decided(tuple(arms)))
    return paths


@lru_cache(maxsize=65_536)
def _after_nested(step: Step) -> _Paths:
    """What is known after *step* and what stands below it; of a loop, after one round."""
    paths = _Paths()
    own = own_facts(step)
    paths.read(own.reads)
    paths.set(own.sets)
    paths.follow(_walked(step.children))
    return paths


@lru_cache(maxsize=65_536)
def _decided(arms: tuple[Step, ...]) -> _Paths:
    """What is known after a decision with *arms*."""
    ways = [_after_nested(arm) for arm in arms]
    staying = [way for way, arm in zip(ways, arms, strict=True) if not arm_leaves(arm)]
    last = arms[-1].meaning
    is_total = isinstance(last, Branch) and last.form is BranchForm.OTHERWISE
    paths = _Paths(open_reads=[read for way in ways for read in way.open_reads])
    if is_total:
        paths.every = set.intersection(*[way.every for way in staying]) if staying else set()
    for way in staying:
        paths.some.update(dict.fromkeys([*way.every, *way.some], arms[-1]))
    for name in paths.every:
        paths.some.pop(name, None)
    return paths


def _unset_finding(context: Context, step: Step, name: str, arm: Step) -> Diagnostic:
    message = _("{name} is only set in some of the branches above, so it may have no value here. Add an Otherwise.")
    return warning("maybe-unset", message.format(name=name), context.words(step, name), *_otherwise(context, arm, name))


def _otherwise(context: Context, arm: Step, name: str) -> tuple[Fix, ...]:
    """A further arm that sets *name* to nothing, below the last one of the decision."""
    if arm.item is None or (isinstance(arm.meaning, Branch) and arm.meaning.form is BranchForm.OTHERWISE):
        return ()
    text = context.document.text
    start = context.start_of_step(arm)
    end = start + arm.item.lines.end
    newline = line_end(text)
    lead = "" if text[:end].endswith(("\n", "\r")) else newline
    child = next((one.item.indent for one in arm.children if one.item), arm.item.indent + "  ")
    marker = arm.item.marker if not arm.item.is_ordered else "-"
    lines = [f"{arm.item.indent}{marker} Otherwise", f"{child}{marker} {name} = None", ""]
    title = _("Add an Otherwise that sets {name} to nothing").format(name=name)
    return (replacement(title, Span(end, end), lead + newline.join(lines)),)
