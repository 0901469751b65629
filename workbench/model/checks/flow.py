"""Findings about the way through the steps: what nothing reaches, branches without an If, jumps to nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from workbench.i18n import _
from workbench.model.checks.context import Context, error, warning
from workbench.model.decisions import continues_chain, unreached
from workbench.model.meaning import Branch, BranchForm, Jump, JumpForm, StepKind, actions_of
from workbench.model.program import Playbook, Step
from workbench.model.step_facts import Facts, facts_of_run, step_runs
from workbench.syntax.diagnostics import Diagnostic


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
        last = actions_of(step.meaning)[-1:]
        if any(isinstance(one, Jump) and one.form is not JumpForm.GO_TO for one in last):
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
