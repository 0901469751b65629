"""What a top-level step says about names: which variables it sets and reads, what it calls, where it jumps.

Computed once per step and kept as long as the step is the same object, so that checking a
document after an edit looks only at what is new.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    Call,
    Condition,
    Judge,
    Jump,
    Loop,
    Meaning,
    Return,
    Tell,
    TriggerEvent,
    Variable,
)
from workbench.model.program import Step
from workbench.syntax.expressions import Expression


@dataclass(frozen=True, slots=True)
class Facts:
    """Names are keys as written: ``$total`` for agent state, ``total`` for the frame.

    *judges*: the steps that are left to judgement.
    """

    sets: frozenset[str]
    read_names: frozenset[str]
    reads: tuple[tuple[str, Step], ...]
    calls: tuple[tuple[Step, Call], ...]
    jumps: tuple[tuple[Step, Jump], ...]
    judges: tuple[Step, ...]


def variable_key(name: str, is_state: bool) -> str:
    """``$name`` or ``name``."""
    return f"${name}" if is_state else name


@lru_cache(maxsize=65_536)
def facts_of(root: Step) -> Facts:
    """The facts of *root* and everything below it."""
    gathering = _Gathering()
    for step in root.walk():
        gathering.add(step, step.meaning)
    return Facts(
        frozenset(gathering.sets),
        frozenset([name for name, _step in gathering.reads]),
        tuple(gathering.reads),
        tuple(gathering.calls),
        tuple(gathering.jumps),
        tuple(gathering.judges),
    )


@dataclass(slots=True)
class _Gathering:
    sets: set[str] = field(default_factory=set)
    reads: list[tuple[str, Step]] = field(default_factory=list)
    calls: list[tuple[Step, Call]] = field(default_factory=list)
    jumps: list[tuple[Step, Jump]] = field(default_factory=list)
    judges: list[Step] = field(default_factory=list)

    def add(self, step: Step, meaning: Meaning) -> None:
        """Note what *meaning* says about names."""
        gather = _GATHER.get(type(meaning))
        if gather is not None:
            gather(self, step, meaning)

    def assign(self, step: Step, meaning: Assign) -> None:
        """The target is set, the value read."""
        self._set(meaning.target)
        self._read(step, meaning.value)

    def judge(self, step: Step, meaning: Judge) -> None:
        """Whoever judges sets the outputs."""
        self._set(*meaning.outputs)
        self.judges.append(step)

    def ask(self, _step: Step, meaning: Ask) -> None:
        """Whoever answers sets the variables."""
        self._set(*meaning.variables)

    def tell(self, step: Step, meaning: Tell) -> None:
        """The placeholders of exact wording are read."""
        for piece in meaning.template.pieces if meaning.template else ():
            if isinstance(piece, Expression):
                self._read(step, piece)

    def call(self, step: Step, meaning: Call) -> None:
        """The result is set; written arguments are read."""
        self.calls.append((step, meaning))
        if meaning.result is not None:
            self._set(meaning.result)
        for argument in () if meaning.is_resolved else meaning.arguments:
            self._read(step, argument.value)

    def branch(self, step: Step, meaning: Branch) -> None:
        """The condition is read, and the action on the same line counts too."""
        self._condition(step, meaning.condition)
        self._action(step, meaning.action)

    def loop(self, step: Step, meaning: Loop) -> None:
        """The variable is set in each round."""
        if meaning.variable is not None:
            self._set(meaning.variable)
        self._condition(step, meaning.condition)
        self._read(step, meaning.items)
        self._action(step, meaning.action)

    def give_back(self, step: Step, meaning: Return) -> None:
        """The value is read."""
        self._read(step, meaning.value)

    def jump(self, step: Step, meaning: Jump) -> None:
        """Remembered, to be held against the numbers there are."""
        self.jumps.append((step, meaning))

    def trigger(self, step: Step, meaning: TriggerEvent) -> None:
        """The condition is read."""
        self._condition(step, meaning.condition)

    def _action(self, step: Step, action: Meaning | None) -> None:
        if action is not None:
            self.add(step, action)

    def _set(self, *variables: Variable) -> None:
        self.sets.update([variable_key(one.name, one.is_state) for one in variables])

    def _condition(self, step: Step, condition: Condition | None) -> None:
        if condition is not None:
            self._read(step, condition.test)

    def _read(self, step: Step, expression: Expression | None) -> None:
        if expression is not None:
            self.reads += [(variable_key(name, is_state), step) for name, is_state in expression.names]


_GATHER: dict[type, Callable[[_Gathering, Step, Any], None]] = {
    Assign: _Gathering.assign,
    Judge: _Gathering.judge,
    Ask: _Gathering.ask,
    Tell: _Gathering.tell,
    Call: _Gathering.call,
    Branch: _Gathering.branch,
    Loop: _Gathering.loop,
    Return: _Gathering.give_back,
    Jump: _Gathering.jump,
    TriggerEvent: _Gathering.trigger,
}
