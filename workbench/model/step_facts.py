"""What a top-level step says about names: which variables it sets and reads, what it calls, where it jumps.

Computed once per step and kept as long as the step is the same object, so that checking a
document after an edit looks only at what is new.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from workbench.model.inner_calls import inner_calls
from workbench.model.meaning import (
    Branch,
    Call,
    Condition,
    End,
    Judge,
    Jump,
    Loop,
    Meaning,
    Return,
    Several,
    StepKind,
    Variable,
)
from workbench.model.program import Playbook, Step
from workbench.model.sentences.calls import is_implied
from workbench.model.sentences.step_mentions import step_mentions
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression, Template

_MENTION = regex(rf"\$(?<![\w$]\$){NAME}")


_RUN = 48


@dataclass(frozen=True, slots=True)
class Facts:
    """Names are keys as written: ``$total`` for agent state, ``total`` for the frame.

    *state*: those of *sets* that are agent state. *set_at*: for each name the first step, other than a loop, that
    sets it. *uses*: the state that the words of the steps mention otherwise than to set it. *needs*: those of *reads*
    whose step has not set them before itself. *judges*: the steps that are left to judgement. *references*: the numbers
    of steps that prose mentions. *may_leave*: something in it can leave the playbook or a loop. *loops*: those whose
    condition the runtime evaluates.
    """

    sets: frozenset[str]
    state: frozenset[str]
    set_at: tuple[tuple[str, Step], ...]
    uses: frozenset[str]
    read_names: frozenset[str]
    reads: tuple[tuple[str, Step], ...]
    needs: tuple[tuple[str, Step], ...]
    calls: tuple[tuple[Step, Call], ...]
    jumps: tuple[tuple[Step, Jump], ...]
    judges: tuple[Step, ...]
    references: tuple[tuple[str, Step], ...]
    may_leave: bool
    loops: tuple[Step, ...]


def variable_key(name: str, is_state: bool) -> str:
    """``$name`` or ``name``."""
    return f"${name}" if is_state else name


@lru_cache(maxsize=65_536)
def facts_of(root: Step) -> Facts:
    """The facts of *root* and everything below it."""
    return _facts(root.walk())


@lru_cache(maxsize=65_536)
def own_facts(step: Step) -> Facts:
    """The facts of *step* without what stands below it."""
    return _facts((step,))


@lru_cache(maxsize=64)
def step_runs(playbook: Playbook) -> tuple[tuple[Step, ...], ...]:
    """The steps of *playbook* in runs; looked up by the playbook, since hashing all its steps takes time."""
    return runs_of(playbook.steps)


def runs_of(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], ...]:
    """*steps* in runs of some dozens, cut where the steps themselves say so.

    An edit changes one run and leaves the others equal, wherever in the list it is made; no
    run begins with a branch, so that a decision is never cut in two.
    """
    cuts = [
        at for at, step in enumerate(steps) if not hash(step.id) % _RUN and step.kind is not StepKind.DECISION and at
    ]
    return tuple([steps[first:last] for first, last in pairwise([0, *cuts, len(steps)]) if last > first])


@lru_cache(maxsize=8_192)
def facts_of_run(run: tuple[Step, ...]) -> Facts:
    """The facts of all steps in *run* and everything below them."""
    facts = [facts_of(root) for root in run]
    set_at: dict[str, Step] = {}
    for fact in facts:
        for name, step in fact.set_at:
            set_at.setdefault(name, step)
    return Facts(
        frozenset().union(*[fact.sets for fact in facts]),
        frozenset().union(*[fact.state for fact in facts]),
        tuple(set_at.items()),
        frozenset().union(*[fact.uses for fact in facts]),
        frozenset().union(*[fact.read_names for fact in facts]),
        tuple(chain.from_iterable([fact.reads for fact in facts])),
        tuple(chain.from_iterable([fact.needs for fact in facts])),
        tuple(chain.from_iterable([fact.calls for fact in facts])),
        tuple(chain.from_iterable([fact.jumps for fact in facts])),
        tuple(chain.from_iterable([fact.judges for fact in facts])),
        tuple(chain.from_iterable([fact.references for fact in facts])),
        any(fact.may_leave for fact in facts),
        tuple(chain.from_iterable([fact.loops for fact in facts])),
    )


def _facts(steps: Iterable[Step]) -> Facts:
    gathering = _Gathering()
    for step in steps:
        _add_step(gathering, step)
    return Facts(
        frozenset(gathering.sets),
        frozenset([name for name in gathering.sets if name[0] == "$"]),
        tuple(gathering.set_at.items()),
        frozenset(gathering.uses),
        frozenset([name for name, _step in gathering.reads]),
        tuple(gathering.reads),
        tuple(gathering.needs),
        tuple(gathering.calls),
        tuple(gathering.jumps),
        tuple(gathering.judges),
        tuple(gathering.references),
        gathering.may_leave,
        tuple(gathering.loops),
    )


@dataclass(slots=True)
class _Gathering:
    sets: set[str] = field(default_factory=set)
    set_at: dict[str, Step] = field(default_factory=dict)
    uses: set[str] = field(default_factory=set)
    reads: list[tuple[str, Step]] = field(default_factory=list)
    calls: list[tuple[Step, Call]] = field(default_factory=list)
    jumps: list[tuple[Step, Jump]] = field(default_factory=list)
    judges: list[Step] = field(default_factory=list)
    references: list[tuple[str, Step]] = field(default_factory=list)
    setting: set[str] = field(default_factory=set)
    needs: list[tuple[str, Step]] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    may_leave: bool = False
    loops: list[Step] = field(default_factory=list)

    def add(self, step: Step, meaning: Meaning) -> None:
        """Note what *meaning* says about names."""
        _GATHER.get(type(meaning), _Gathering.parts)(self, step, meaning)

    def parts(self, step: Step, meaning: Meaning) -> None:
        """What has no rule of its own sets every variable in it, and reads every expression."""
        for name in meaning.__slots__:
            self._part(step, getattr(meaning, name))

    def _part(self, step: Step, part: object) -> None:
        match part:
            case Variable():
                self._set(part)
            case Expression():
                self._read(step, part)
            case Condition():
                self._condition(step, part)
            case Template(pieces=pieces) | tuple(pieces):
                for piece in pieces:
                    self._part(step, piece)

    def judge(self, step: Step, meaning: Judge) -> None:
        """Whoever judges sets the outputs."""
        self._set(*meaning.outputs)
        self._go_on()
        self.judges.append(step)
        for outcome in meaning.outcomes:
            self.add(step, outcome)

    def several(self, step: Step, meaning: Several) -> None:
        """Each part counts, and knows what those before it have set."""
        for part in meaning.parts:
            self.add(step, part)
            self._go_on()

    def call(self, step: Step, meaning: Call) -> None:
        """The result is set; written arguments are read."""
        self.calls.append((step, meaning))
        if meaning.result is not None:
            self._set(meaning.result)
        kept = meaning.arguments[0].value.tree if meaning.target == "SaveArtifact" and meaning.arguments else None
        if isinstance(kept, ast.Constant) and isinstance(kept.value, str):
            self._set(Variable(kept.value.removeprefix("$")))  # the variable of its name
        for argument in meaning.arguments:
            if not is_implied(meaning, argument):
                self._read(step, argument.value)

    def branch(self, step: Step, meaning: Branch) -> None:
        """The condition is read, and the action on the same line counts too."""
        self._condition(step, meaning.condition)
        self._action(step, meaning.action)

    def loop(self, step: Step, meaning: Loop) -> None:
        """The variable is set in each round."""
        if meaning.condition is not None and meaning.condition.test is not None:
            self.loops.append(step)
        self._condition(step, meaning.condition)
        self._read(step, meaning.items)
        if meaning.variable is not None:
            self._set(meaning.variable)
            self._go_on()
        self._action(step, meaning.action)

    def give_back(self, step: Step, meaning: Return) -> None:
        """The value is read."""
        self.may_leave = True
        self._read(step, meaning.value)

    def jump(self, step: Step, meaning: Jump) -> None:
        """Remembered, to be held against the numbers there are."""
        self.may_leave = True
        self.jumps.append((step, meaning))

    def _action(self, step: Step, action: Meaning | None) -> None:
        if action is not None:
            self.add(step, action)

    def _set(self, *variables: Variable) -> None:
        self.setting.update([variable_key(one.name, one.is_state) for one in variables])

    def _go_on(self) -> None:
        """What has been set so far has a value in what the step does next."""
        self.known |= self.setting

    def _condition(self, step: Step, condition: Condition | None) -> None:
        if condition is not None:
            self._read(step, condition.test)

    def _read(self, step: Step, expression: Expression | None) -> None:
        if expression is not None:
            names = [variable_key(name, is_state) for name, is_state in expression.names]
            self.reads += [(name, step) for name in names]
            self.needs += [(name, step) for name in names if name not in self.known]


def _add_step(gathering: _Gathering, step: Step) -> None:
    """Note what *step* says, in its meaning and in its words."""
    gathering.setting.clear()
    gathering.known.clear()
    gathering.add(step, step.meaning)
    for name in gathering.setting:
        gathering.sets.add(name)
        if not isinstance(step.meaning, Loop):
            gathering.set_at.setdefault(name, step)
    text = step.text
    if "$" in text:
        mentions = _MENTION.findall(text)
        gathering.uses.update([one for one in mentions if one not in gathering.setting or mentions.count(one) > 1])
    if "(" in text:
        gathering.calls += [(step, call) for call in inner_calls(step.meaning)]
    if "step" in text or "Step" in text:
        _refer(gathering, step)


def _refer(gathering: _Gathering, step: Step) -> None:
    """Numbers that the words mention; a jump's own number is held against the steps elsewhere."""
    if isinstance(step.meaning, Jump):
        return
    gathering.references += [(mention.group(), step) for mention in step_mentions(step.text)]


def _end(gathering: _Gathering, _step: Step, _meaning: End) -> None:
    """The program is left."""
    gathering.may_leave = True


_GATHER: dict[type, Callable[[_Gathering, Step, Any], None]] = {
    Judge: _Gathering.judge,
    Several: _Gathering.several,
    Call: _Gathering.call,
    Branch: _Gathering.branch,
    Loop: _Gathering.loop,
    Return: _Gathering.give_back,
    Jump: _Gathering.jump,
    End: _end,
}
