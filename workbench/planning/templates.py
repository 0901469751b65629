"""Plans without a model: from patterns that have worked, and from playbooks that there are; forms fill in the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.entries import PatternEntry, Variant
from workbench.library.skills.skill_text import best_variant
from workbench.model.loader.loading import load_text
from workbench.model.loader.steplist import PlaybookStep
from workbench.model.meaning import Branch, BranchForm, Call, Loop, StepKind
from workbench.model.program import Playbook, Step
from workbench.model.snapshot import Snapshot
from workbench.planning.plan import Plan, PlanParameter, PlanStep


def plan_of_pattern(entry: PatternEntry, variants: tuple[Variant, ...]) -> Plan:
    """The best-proven order of *entry* as a plan: a step for each tool, as often as it was called."""
    best = best_variant(entry, variants)
    repeats = best.repeats or (1,) * len(best.tools)
    steps = tuple(_tool_step(tool, count) for tool, count in zip(best.tools, repeats, strict=False))
    return Plan(entry.title, entry.description, steps)


def _tool_step(tool: str, count: int) -> PlanStep:
    words = _("Call {tool}").format(tool=tool)
    return PlanStep(words, tool, loop=f"Repeat {count} times" if count > 1 else "")


def plan_of_playbook(snapshot: Snapshot, name: str = "", path: Path | None = None) -> Plan:
    """The playbook *name* of *snapshot* (empty: the first with steps) as a plan that is written the same way again.

    *path*: of its file, where it has one.

    Raises CannotRead where there is none, or a step list is damaged.
    """
    if snapshot.program.format.is_steplist:
        found = load_text(snapshot.text, path)
        return Plan(found.name, found.description, tuple(map(_of_entry, found.steps)))
    playbooks = [one for one in snapshot.program.playbooks if one.steps and name in ("", one.name, one.title)]
    if not playbooks:
        raise CannotRead(_("There is no playbook with steps that a plan could be made of."))
    playbook = playbooks[0]
    agent = next(each for each in snapshot.program.agents if playbook in each.playbooks)
    title = agent.title if agent.heading is not None else playbook.title
    description = " ".join((agent.description or playbook.description).split())[:2_000]
    return Plan(title, description, tuple(_steps(playbook.steps)), tuple(_parameters(playbook)))


def _parameters(playbook: Playbook) -> Iterator[PlanParameter]:
    return (PlanParameter(each.name, each.type) for each in playbook.parameters)


def _of_entry(entry: PlaybookStep) -> PlanStep:
    tool = entry.expected_tools[0] if len(entry.expected_tools) == 1 else ""
    return PlanStep(entry.description, tool, expected="; ".join(entry.hints)[:2_000])


def _steps(steps: Sequence[Step]) -> Iterator[PlanStep]:
    """*steps* with each *otherwise* in the step before that has the condition."""
    at = 0
    while at < len(steps):
        if _arm(steps[at]) is BranchForm.IF:
            step, at = _decision(steps, at)
            yield step
        elif steps[at].kind is not StepKind.RAW:
            yield _step(steps[at])
            at += 1
        else:
            at += 1


def _arm(step: Step) -> BranchForm | None:
    """Which arm of a decision *step* is, where its body stands below it."""
    meaning = step.meaning
    return meaning.form if isinstance(meaning, Branch) and meaning.action is None and step.children else None


def _decision(steps: Sequence[Step], at: int) -> tuple[PlanStep, int]:
    """The decision that begins at *at*, with its other arms; and where it ends."""
    step = steps[at]
    assert isinstance(step.meaning, Branch) and step.meaning.condition is not None
    otherwise: tuple[PlanStep, ...] = ()
    end = at + 1
    form = _arm(steps[end]) if end < len(steps) else None
    if form is BranchForm.OTHERWISE:
        otherwise, end = tuple(_steps(steps[end].children)), end + 1
    elif form is BranchForm.ELSE_IF:
        inner, end = _decision(steps, end)
        otherwise = (inner,)
    children = tuple(_steps(step.children))
    words = step.meaning.condition.text
    return PlanStep(words, condition=words, steps=children, otherwise=otherwise), end


def _step(step: Step) -> PlanStep:
    children = tuple(_steps(step.children))
    if isinstance(step.meaning, Loop) and step.meaning.action is None and children:
        return PlanStep(step.text, loop=step.text, steps=children)
    call = step.meaning
    if isinstance(call, Call) and not call.is_resolved and not children:
        try:
            arguments = {each.name: _value(each.value.source) for each in call.arguments}
        except (ValueError, SyntaxError):
            return PlanStep(step.text)
        if "" not in arguments:
            return PlanStep(step.text, call.target, arguments, call.result.name if call.result is not None else "")
    return PlanStep(step.text, steps=children)


def _value(source: str) -> Any:
    """What *source* stands for in a plan. Raises ValueError or SyntaxError where a plan cannot say it."""
    return source if "$" in source else ast.literal_eval(source)
