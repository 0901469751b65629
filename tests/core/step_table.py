"""How many steps of whole programs are exact, and which are judged, with the reason.

``python -m tests.core.step_table`` prints the table of the programs in ``tests/data/programs`` and of the samples;
with files, that of those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.core.programs import PROGRAMS, read
from workbench.cli.reading import ReadProgram
from workbench.model.meaning import (
    Branch,
    Judge,
    Loop,
    LoopForm,
    Meaning,
    Return,
    Several,
    Tell,
    TriggerEvent,
)
from workbench.model.program import Step
from workbench.resources import sample_playbooks

NEEDS_JUDGEMENT = "needs judgement"
LOOKS_EXACT = "judged-though-exact"


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step that somebody has to judge. *reason*: what ``check`` says of it, or that it needs judgement."""

    place: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """What is counted of one program. *worded*: told in words of its own, or by a model that finds better ones."""

    name: str
    steps: int
    worded: int
    judged: tuple[JudgedStep, ...]

    @property
    def exact(self) -> int:
        """How many steps are carried out as they are written."""
        return self.steps - self.worded - len(self.judged)


def row_of(file: Path) -> Row:
    """The row of the program *file*."""
    program = read(file)
    steps = list(_steps(program))
    judged = [step for step in steps if is_judged(step.meaning)]
    worded = [step for step in steps if not is_judged(step.meaning) and is_worded(step.meaning)]
    return Row(file.stem, len(steps), len(worded), tuple(_told(program, step) for step in judged))


def _steps(program: ReadProgram) -> Iterator[Step]:
    """All triggers and steps."""
    for playbook in program.snapshot.program.playbooks:
        for root in (*playbook.triggers, *playbook.steps):
            yield from (step for step in root.walk() if step.item is not None)


def _told(program: ReadProgram, step: Step) -> JudgedStep:
    snapshot = program.snapshot
    span = snapshot.text_span(step.id)
    found = [one for one in program.diagnostics if one.code == LOOKS_EXACT]
    said = [one.message for one in found if span.start <= one.span.start < span.end]
    return JudgedStep(snapshot.address(step.id), step.text, " ".join(said) or NEEDS_JUDGEMENT)


def is_judged(meaning: Meaning | None) -> bool:
    """Whether somebody has to say something for *meaning* to be carried out, besides what a person is asked for."""
    match meaning:
        case Judge():
            return True
        case Several(parts):
            return any(map(is_judged, parts))
        case Branch(condition=condition, action=action):
            return (condition is not None and condition.test is None) or is_judged(action)
        case Loop(form=LoopForm.FOR_EACH, items=items, action=action):
            return items is None or is_judged(action)
        case Loop(condition=condition, action=action):
            return (condition is not None and condition.test is None) or is_judged(action)
        case Return(value=value, text=text):
            return value is None and bool(text)
        case TriggerEvent():
            return _is_judged_trigger(meaning)
    return False


def _is_judged_trigger(trigger: TriggerEvent) -> bool:
    if trigger.hearing is not None:
        return trigger.hearing.is_judged
    if trigger.condition is not None:
        return trigger.condition.test is None
    return not (trigger.is_start or trigger.moment or trigger.timing)


def is_worded(meaning: Meaning | None) -> bool:
    """Whether *meaning* tells something whose words are left open."""
    match meaning:
        case Tell(template=template):
            return template is None
        case Several(parts):
            return any(map(is_worded, parts))
        case Branch(action=action) | Loop(action=action):
            return is_worded(action)
    return False


def table(files: list[Path]) -> Iterator[str]:
    """The lines of the table of *files*."""
    rows = [row_of(file) for file in files]
    yield f"{'program':18}{'steps':>7}{'exact':>7}{'worded':>8}{'judged':>8}"
    for row in rows:
        yield f"{row.name:18}{row.steps:7}{row.exact:7}{row.worded:8}{len(row.judged):8}"
        for judged in row.judged:
            yield f"    {judged.place}  {judged.text}  ({judged.reason})"
    counts = [sum(part) for part in zip(*((r.steps, r.exact, r.worded, len(r.judged)) for r in rows), strict=True)]
    yield f"{'all':18}{counts[0]:7}{counts[1]:7}{counts[2]:8}{counts[3]:8}"


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]] or [*PROGRAMS, *sample_playbooks()]
    print("\n".join(table(given)))
