"""What a top-level step says about names: which variables it sets and reads, what it calls, where it jumps.

Computed once per step and kept as long as the step is the same object, so that checking a
document after an edit looks only at what is new.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from workbench.model.meaning import (
    Argument,
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
from workbench.syntax.expressions import Expression, Template


@dataclass(frozen=True, slots=True)
class Facts:
    """Names are keys as written: ``$total`` for agent state, ``total`` for the frame."""

    sets: frozenset[str]
    reads: tuple[tuple[str, Step], ...]
    calls: tuple[tuple[Step, Call], ...]
    jumps: tuple[tuple[Step, Jump], ...]


def variable_key(name: str, is_state: bool) -> str:  # noqa: FBT001 - mirrors the pair that expressions hold
    """``$name`` or ``name``."""
    return f"${name}" if is_state else name


@lru_cache(maxsize=65_536)
def facts_of(root: Step) -> Facts:
    """The facts of *root* and everything below it."""
    gathering = _Gathering()
    for step in root.walk():
        gathering.add(step, step.meaning)
    return Facts(
        frozenset(gathering.sets), tuple(gathering.reads), tuple(gathering.calls), tuple(gathering.jumps)
    )


@dataclass(slots=True)
class _Gathering:
    sets: set[str] = field(default_factory=set)
    reads: list[tuple[str, Step]] = field(default_factory=list)
    calls: list[tuple[Step, Call]] = field(default_factory=list)
    jumps: list[tuple[Step, Jump]] = field(default_factory=list)

    def add(self, step: Step, meaning: Meaning) -> None:
        match meaning:
            case Assign(target, value):
                self._set(target)
                self._read(step, value)
            case Judge(_, outputs):
                self._set(*outputs)
            case Ask(_, variables):
                self._set(*variables)
            case Tell(_, template):
                self._read_template(step, template)
            case Call():
                self._call(step, meaning)
            case Branch(_, condition, action):
                self._condition(step, condition)
                self._action(step, action)
            case Loop():
                self._loop(step, meaning)
            case Return(value, _):
                self._read(step, value)
            case Jump():
                self.jumps.append((step, meaning))
            case TriggerEvent(_, _, condition):
                self._condition(step, condition)

    def _action(self, step: Step, action: Meaning | None) -> None:
        if action is not None:
            self.add(step, action)

    def _loop(self, step: Step, loop: Loop) -> None:
        if loop.variable is not None:
            self._set(loop.variable)
        self._condition(step, loop.condition)
        self._read(step, loop.items)
        self._action(step, loop.action)

    def _call(self, step: Step, call: Call) -> None:
        self.calls.append((step, call))
        if call.result is not None:
            self._set(call.result)
        arguments: tuple[Argument, ...] = () if call.is_resolved else call.arguments
        for argument in arguments:
            self._read(step, argument.value)

    def _set(self, *variables: Variable) -> None:
        self.sets.update([variable_key(one.name, one.is_state) for one in variables])

    def _condition(self, step: Step, condition: Condition | None) -> None:
        if condition is not None:
            self._read(step, condition.test)

    def _read_template(self, step: Step, template: Template | None) -> None:
        for piece in template.pieces if template else ():
            if isinstance(piece, Expression):
                self._read(step, piece)

    def _read(self, step: Step, expression: Expression | None) -> None:
        if expression is not None:
            self.reads += [(variable_key(name, is_state), step) for name, is_state in expression.names]
