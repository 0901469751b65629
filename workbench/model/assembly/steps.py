"""The steps of one playbook as lines of assembly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.model.assembly.actions import ActionPrinter, one_line
from workbench.model.meaning import Branch, BranchForm, Judge, Jump, JumpForm, ListedStep, Loop, Meaning, Raw
from workbench.model.program import Playbook, Step
from workbench.model.queries import Queries


@dataclass
class StepPrinter:
    """Prints a playbook's steps."""

    document: Queries
    playbook: Playbook
    _actions: ActionPrinter = field(init=False)

    def lines(self) -> Iterator[tuple[str, Step]]:
        """Lines such as ``  - 02.01:EXE $x:int = 3``, each with the step it comes from."""
        self._actions = ActionPrinter({parameter.name for parameter in self.playbook.parameters})
        steps = [step for step in self.playbook.steps if not isinstance(step.meaning, Raw)]
        yield from self._block(steps, "", 0, _Around())

    def _block(self, steps: list[Step], above: str, depth: int, around: _Around) -> Iterator[tuple[str, Step]]:
        for ordinal, step in enumerate(steps, 1):
            number = f"{above}{ordinal:02d}"
            follow = f"{above}{ordinal + 1:02d}" if ordinal < len(steps) else around.follow
            yield from self._step(step, number, depth, _Around(follow, around.loop, around.after))

    def _step(self, step: Step, number: str, depth: int, around: _Around) -> Iterator[tuple[str, Step]]:
        indent = "  " * depth
        meaning = step.meaning
        yield f"{indent}- {number}:{self._head(step, meaning, around)}", step
        inner = around
        if isinstance(meaning, Loop):
            inner = _Around(number, number, around.follow)
        elif isinstance(meaning, Branch):
            inner = _Around(around.follow, around.loop, around.after)
        below = 0
        action = meaning.action if isinstance(meaning, Branch | Loop) else None
        if action is not None:
            below = 1
            yield f"{indent}  - {number}.01:{self._action(action, inner)}", step
        children = [child for child in step.children if not isinstance(child.meaning, Raw)]
        yield from self._children(children, number, depth + 1, inner, below)
        if isinstance(meaning, Loop):
            last = below + len(children) + 1
            yield f"{indent}  - {number}.{last:02d}:JMP {number}", step

    def _children(
        self, children: list[Step], number: str, depth: int, inner: _Around, below: int
    ) -> Iterator[tuple[str, Step]]:
        for ordinal, child in enumerate(children, below + 1):
            is_last = ordinal == below + len(children)
            follow = inner.follow if is_last else f"{number}.{ordinal + 1:02d}"
            yield from self._step(child, f"{number}.{ordinal:02d}", depth, _Around(follow, inner.loop, inner.after))

    def _head(self, step: Step, meaning: Meaning, around: _Around) -> str:
        if isinstance(meaning, Branch):
            return f"CND {_branch(meaning)}"
        if isinstance(meaning, Loop):
            return f"CND {self._actions.loop(meaning)}"
        if isinstance(meaning, Judge | ListedStep):
            return self._actions.words(_with_details(step))
        assert not isinstance(meaning, Raw)
        return self._action(meaning, around)

    def _action(self, action: Meaning, around: _Around) -> str:
        return _jump(action, around) if isinstance(action, Jump) else self._actions.action(action)


@dataclass(frozen=True, slots=True)
class _Around:
    """Where control goes: to what follows, back to the head of the loop, and to what follows the loop."""

    follow: str = ""
    loop: str = ""
    after: str = ""


def _branch(branch: Branch) -> str:
    if branch.form is BranchForm.OTHERWISE or branch.condition is None:
        return "Otherwise"
    word = {BranchForm.IF: "If", BranchForm.ELSE_IF: "Else if", BranchForm.WHEN: "When"}[branch.form]
    return f"{word} {one_line(branch.condition.text)}"


def _jump(jump: Jump, around: _Around) -> str:
    if jump.form is JumpForm.GO_TO:
        return f"JMP {'.'.join(part.zfill(2) for part in jump.number.split('.'))}"
    target = around.loop if jump.form is JumpForm.CONTINUE else around.after
    return f"JMP {target}" if target else "RET"


def _with_details(step: Step) -> str:
    """The words of a step with the code that stands inside it."""
    return " ".join([step.text, *step.details])
