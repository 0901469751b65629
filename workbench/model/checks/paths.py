"""Findings about variables on the way to a step: set only further down, or in some arms of a decision only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from workbench.i18n import _
from workbench.model.checks.context import Context, replacement, warning
from workbench.model.checks.variables import GIVEN
from workbench.model.decisions import arm_leaves, chains, continues_chain
from workbench.model.meaning import Branch, BranchForm, JumpForm, StepKind, TriggerEvent
from workbench.model.program import Agent, Playbook, Step
from workbench.model.step_facts import Facts, facts_of, facts_of_run, own_facts, step_runs, variable_key
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, line_end


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
    around = _Around(context, agent, facts)
    for playbook in agent.playbooks:
        yield from _check_playbook(context, playbook, around)


def _check_playbook(context: Context, playbook: Playbook, around: _Around) -> Iterator[Diagnostic]:
    own = frozenset().union(*[fact.sets for fact in around.facts[id(playbook)]])
    reads = _whole(playbook).open_reads
    doubtful = [(name, step, arm) for name, step, arm in reads if arm is not None or name in own]
    told: set[tuple[str, str]] = set()
    for name, step, arm in doubtful:
        # where a name has no value the first time, the run stops: later reads tell nothing new
        place = (name, step.id if arm is not None else "")
        if place in told or around.may_set(name, playbook):
            continue
        if arm is not None:
            yield _unset_finding(context, step, name, arm)
        elif around.comes_first(playbook, name, step):
            yield _early(context, playbook, step, name)
        else:
            continue
        told.add(place)


class _Around:
    """What there is beside one playbook of an agent; worked out when it is asked for, which is seldom."""

    def __init__(self, context: Context, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> None:
        self.facts = facts
        self._context = context
        self._agent = agent

    def may_set(self, name: str, playbook: Playbook) -> bool:
        """True where *name* may have a value before *playbook* begins."""
        parameters = {variable_key(one.name, is_state) for one in playbook.parameters for is_state in (True, False)}
        return name in parameters or name in GIVEN or not self._setters.get(name, set()) <= {id(playbook)}

    def comes_first(self, playbook: Playbook, name: str, step: Step) -> bool:
        """True where *step*, which reads *name*, is carried out before anything could have set it."""
        if any(jump.form is JumpForm.GO_TO for fact in self.facts[id(playbook)] for _step, jump in fact.jumps):
            return False
        if name[0] == "$" and name[1:] in self._python:
            return False
        # the state of an agent is still there when the playbook is carried out again
        return name[0] != "$" or not self._is_repeated(playbook) or step.id in _unconditional(playbook.steps)

    @cached_property
    def _setters(self) -> dict[str, set[int]]:
        """For each name the playbooks that set it, by their ids."""
        found: dict[str, set[int]] = {}
        for playbook in self._agent.playbooks:
            for fact in self.facts[id(playbook)]:
                for name in fact.sets:
                    found.setdefault(name, set()).add(id(playbook))
        return found

    @cached_property
    def _python(self) -> str:
        return "\n".join(self._agent.python)

    @cached_property
    def _called(self) -> set[str]:
        """The names of all playbooks that something in the file calls."""
        runs = (run for playbook in self._context.program.playbooks for run in step_runs(playbook))
        return {call.target.rpartition(".")[2] for run in runs for _step, call in facts_of_run(run).calls}

    def _is_repeated(self, playbook: Playbook) -> bool:
        """True where *playbook* may be carried out more than once."""
        triggers = [trigger.meaning for trigger in playbook.triggers]
        starts = all(isinstance(each, TriggerEvent) and each.is_start for each in triggers)
        return not starts or playbook.name in self._called or playbook.name in self._python


def _unconditional(steps: Sequence[Step]) -> set[str]:
    """The ids of the steps of one list that are carried out, or asked, whatever holds."""
    return {chain[0].id for chain in chains(steps)}


def _early(context: Context, playbook: Playbook, step: Step, name: str) -> Diagnostic:
    runs = (facts_of_run(run) for run in step_runs(playbook))
    setter = next((setter for fact in runs for found, setter in fact.set_at if found == name), None)
    number = context.document.number(setter.id) if setter is not None else ""
    if number and setter is not step:
        message = _("{name} has no value here yet: it is only set in step {number}.").format(name=name, number=number)
    else:
        message = _("{name} has no value here yet: nothing sets it before.").format(name=name)
    return warning("used-before-set", message, context.words(step, name))


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
                paths.read(fact.needs)
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
    paths.read(own.needs)
    paths.set(own.sets)
    paths.follow(_walked(step.children))
    if step.kind is StepKind.LOOP:
        _forget_later_rounds(paths, step)
    return paths


def _forget_later_rounds(paths: _Paths, loop: Step) -> None:
    """Leave out reads under a condition of what *loop* sets itself: an earlier round may have set it."""
    own, first = facts_of(loop).sets, {loop.id, *_unconditional(loop.children)}
    reads = paths.open_reads
    paths.open_reads = [one for one in reads if one[2] is not None or one[0] not in own or one[1].id in first]


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
    marker = arm.item.sign if not arm.item.is_ordered else "-"
    lines = [f"{arm.item.indent}{marker} Otherwise", f"{child}{marker} {name} = None", ""]
    title = _("Add an Otherwise that sets {name} to nothing").format(name=name)
    return (replacement(title, Span(end, end), lead + newline.join(lines)),)
