"""Findings about the way through the steps: what nothing reaches, branches without an If, jumps to nowhere.

And about what never ends: loops whose condition nothing changes, playbooks that always call themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from workbench.i18n import _
from workbench.model.checks.context import Context, error, note, warning
from workbench.model.checks.names import BUILT_IN
from workbench.model.decisions import continues_chain, unreached
from workbench.model.meaning import (
    Branch,
    BranchForm,
    Call,
    End,
    Judge,
    Jump,
    JumpForm,
    Loop,
    Meaning,
    Return,
    StepKind,
    actions_of,
    parts_of,
)
from workbench.model.program import Agent, Playbook, Step
from workbench.model.step_facts import Facts, facts_of, facts_of_run, own_facts, step_runs, variable_key
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
    return context.document.at_address(f"{playbook.address}:{number}") is not None


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


_QUIET = frozenset({"Say", "SaveArtifact", "LoadArtifact", "LoadFile", "Loadfile"})
"""Built-in playbooks that change no state and end nothing."""

_FAR = 200
"""How many playbooks are followed from one call; beyond that nothing is claimed."""


@dataclass(frozen=True, slots=True)
class _Reach:
    """What calling a playbook can do, calls within calls included. *is_known*: nothing in it is out of sight."""

    sets: frozenset[str]
    can_end: bool
    is_known: bool


def check_endless(context: Context, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> Iterator[Diagnostic]:
    """All findings of this kind in *agent*; *facts*: by the id of each playbook."""
    if context.is_assembly:
        return
    loops = [step for one in agent.playbooks for fact in facts[id(one)] if fact.loops for step in fact.loops]
    if loops:
        finder = _Loops(agent, facts)
        for step in loops:
            if finder.is_endless(step):
                message = _("Nothing in this loop changes its condition or exits it.")
                yield warning("endless-loop", message, context.head(step))
    yield from _recursion(context, agent, facts)


class _Loops:
    """Tells which loops of one agent never end."""

    def __init__(self, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> None:
        self._playbooks = {one.name: one for one in reversed(agent.playbooks)}
        self._facts = facts
        # what starts by itself may change state between any two steps
        self._sudden: set[str] = set()
        for playbook in agent.playbooks:
            if playbook.triggers:
                self._sudden.update(*[fact.sets for fact in facts[id(playbook)]])

    def is_endless(self, step: Step) -> bool:
        """True when the condition of *step* stays what it is and no way leads out."""
        loop = step.meaning
        assert isinstance(loop, Loop) and loop.condition is not None and loop.condition.test is not None
        asked = {variable_key(name, is_state) for name, is_state in loop.condition.test.names}
        facts = facts_of(step)
        if (
            not asked.isdisjoint(self._sudden)
            or not asked.isdisjoint(facts.sets)
            or not asked.isdisjoint(_judged(facts))
        ):
            return False
        return not _has_exit(step) and self._calls_change_nothing(facts, asked)

    def _calls_change_nothing(self, facts: Facts, asked: set[str]) -> bool:
        for _step, call in facts.calls:
            reach = self._reach(call.target)
            if reach.can_end or not asked.isdisjoint(reach.sets):
                return False
            if not reach.is_known and any(name[0] == "$" for name in asked):
                return False
        return True

    def _reach(self, name: str) -> _Reach:
        """What a call of *name* can do, together with all that it calls."""
        open_names, seen, sets = [name], {name}, set[str]()
        can_end, is_known = False, True
        while open_names:
            playbook = self._playbooks.get(current := open_names.pop())
            if playbook is None or not playbook.steps:
                can_end = can_end or current not in BUILT_IN or current == "EndProgram"
                is_known = is_known and current in _QUIET
                continue
            facts = self._facts[id(playbook)]
            sets.update(*[fact.sets for fact in facts], *[_judged(fact) for fact in facts])
            can_end = can_end or any(_can_end(step) for root in playbook.steps for step in root.walk())
            called = {call.target for fact in facts for _step, call in fact.calls} - seen
            seen |= called
            open_names += called
            if len(seen) > _FAR or can_end:
                return _Reach(frozenset(sets), can_end=True, is_known=False)
        return _Reach(frozenset(sets), can_end, is_known)


def _can_end(step: Step) -> bool:
    """True where *step* may end the program."""
    actions = actions_of(step.meaning)
    return any(isinstance(one, End) for action in actions for one in (action, *getattr(action, "outcomes", ())))


def _judged(facts: Facts) -> set[str]:
    """State that whoever carries out a sentence may change, because the sentence mentions it."""
    return {name for step in facts.judges for name in own_facts(step).uses}


def _has_exit(loop: Step) -> bool:
    """True when something below *loop* leaves it."""
    for step in loop.walk():
        if any(map(_leaves, actions_of(step.meaning))):
            return True
        if step is not loop and step.kind is StepKind.STEP and "$" not in step.text and not step.children:
            # a sentence without variables may well be what the loop waits for
            return True
    return False


def _leaves(action: Meaning) -> bool:
    """True for what leaves a loop, or may be followed by that."""
    if isinstance(action, Judge):
        return any(map(_leaves, action.outcomes))
    return isinstance(action, Return | End) or (isinstance(action, Jump) and action.form is not JumpForm.CONTINUE)


def _recursion(context: Context, agent: Agent, facts: Mapping[int, Sequence[Facts]]) -> Iterator[Diagnostic]:
    """Playbooks that call themselves on every way, directly or through others."""
    calls = {
        playbook.name: tuple(_certain_calls(playbook)) if _calls_any(facts[id(playbook)]) else ()
        for playbook in reversed(agent.playbooks)
    }
    # what is only said is judged where it leads back, so it never goes on for ever
    written = {name: tuple(one for one in found if not _is_said(*one)) for name, found in calls.items()}
    for playbook, _name, step in _leading_back(context, agent, written):
        message = _("{name} always calls itself here, so it never ends. Put the call under an If.")
        yield warning("endless-recursion", message.format(name=playbook.name), context.head(step))
    for playbook, name, step in _leading_back(context, agent, calls) if written != calls else ():
        if _is_said(name, step):
            message = _("These words mean {name}, which leads back to {playbook}. Where that goes on, they are judged.")
            yield note("words-lead-back", message.format(name=name, playbook=playbook.name), context.head(step))


def _is_said(target: str, step: Step) -> bool:
    calls = [one for one in parts_of(step.meaning) if isinstance(one, Call) and one.target == target]
    return all(one.is_by_words for one in calls)


def _leading_back(
    context: Context, agent: Agent, calls: Mapping[str, Sequence[tuple[str, Step]]]
) -> Iterator[tuple[Playbook, str, Step]]:
    """The *calls* that certainly lead back to the playbook that they stand in."""
    recurring = _recurring(calls)
    for playbook in agent.playbooks:
        for name, step in calls[playbook.name] if playbook.name in recurring else ():
            if name in recurring and step.id in context.document.where and _leads_back(name, playbook.name, calls):
                yield playbook, name, step


def _recurring(calls: Mapping[str, Sequence[tuple[str, Step]]]) -> set[str]:
    """The playbooks whose certain calls never run out: those that remain when all that end are taken away."""
    callers: dict[str, list[str]] = {}
    left = {name: sum(target in calls for target, _step in certain) for name, certain in calls.items()}
    for name, certain in calls.items():
        for target, _step in certain:
            callers.setdefault(target, []).append(name)
    ended = [name for name, count in left.items() if not count]
    remaining = set(calls).difference(ended)
    while ended:
        for caller in callers.get(ended.pop(), ()):
            left[caller] -= 1
            if not left[caller]:
                remaining.discard(caller)
                ended.append(caller)
    return remaining


def _calls_any(facts: Sequence[Facts]) -> bool:
    return any(fact.calls for fact in facts)


def _certain_calls(playbook: Playbook) -> Iterator[tuple[str, Step]]:
    """The calls that are made whenever the playbook runs: before anything that may leave it."""
    for run in step_runs(playbook):
        yield from _certain_calls_of(run)
        if facts_of_run(run).may_leave:
            return


@lru_cache(maxsize=8_192)
def _certain_calls_of(run: tuple[Step, ...]) -> tuple[tuple[str, Step], ...]:
    found: list[tuple[str, Step]] = []
    for step in run if facts_of_run(run).calls else ():
        found += [(one.target, step) for one in parts_of(step.meaning) if isinstance(one, Call)]
        if facts_of(step).may_leave:
            break
    return tuple(found)


def _leads_back(name: str, home: str, calls: Mapping[str, Sequence[tuple[str, Step]]]) -> bool:
    """True when calling *name* certainly comes to *home* again."""
    open_names, seen = [name], set[str]()
    while open_names and len(seen) < _FAR:
        current = open_names.pop()
        if current == home:
            return True
        if current not in seen:
            seen.add(current)
            open_names += [target for target, _step in calls.get(current, ())]
    return False
