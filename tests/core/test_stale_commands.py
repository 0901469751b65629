"""A command that names what is gone by now is refused: a field that stays open may hand over an old place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.check import snapshot_of
from tests.core.editing_cases import commands_on, steps_of
from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    Refusal,
    SetPlaybookField,
    SetStepField,
    WrapForm,
    WrapSteps,
)
from workbench.editing.undoable import plan, refusal_of
from workbench.model.program import SectionKind, StepId
from workbench.model.snapshot import Snapshot

GONE = StepId("gone")
TEXTS = {
    "markdown": "# A\n## Main\n### Triggers\n- When x\n### Steps\n- One\n- If $x\n  - Two\n### Notes\n- N\n",
    "empty": "# A\n## Main\n",
    "list": "id: Main\nname: M\nsteps:\n- id: one\n  description: One\n- id: two\n  description: Two\n",
    "no steps": "id: Main\nname: M\nsteps: []\n",
    "groups": "id: Main\nname: M\nstep_groups:\n- id: g\n  steps:\n  - id: one\n    description: One\n",
    "json": '{"id": "Main", "name": "M", "steps": [{"id": "one", "description": "One"}]}',
}


def stale_places(snapshot: Snapshot) -> Iterator[Place]:
    """Places that are not, or are no longer."""
    for section in SectionKind:
        yield Place("Main", None, GONE, section)
        yield Place("Main", GONE, None, section)
        yield Place("Main", GONE, GONE, section)
    yield Place("Elsewhere")
    roots = [step for step in steps_of(snapshot) if snapshot.parent(step.id) is None]
    for step in roots:
        yield Place("Main", step.id, GONE)
        for other in roots:
            # a step of the top level, as if it stood in another
            yield Place("Main", other.id, step.id)


def stale_commands(snapshot: Snapshot) -> Iterator[Command]:
    """Each command with something in it that is gone."""
    steps = tuple(step.id for step in steps_of(snapshot))
    for place in stale_places(snapshot):
        yield InsertStep(place, "New")
        yield InsertLines(place, "- New\n")
        yield from (MoveSteps((step,), place) for step in steps)
    for some in ((GONE,), (*steps[:1], GONE)):
        yield from (DeleteSteps(some), DuplicateSteps(some), WrapSteps(some, WrapForm.IF))
        yield MoveSteps(some, Place("Main"))
    yield SetStepField(GONE, "hints", ["a"])
    yield SetPlaybookField("Elsewhere", "tags", ["a"])
    if steps:
        yield from (replaced for replaced in map(_with_gone, commands_on(snapshot, steps[0])) if replaced is not None)


def _with_gone(command: Command) -> Command | None:
    """*command* about a step that is gone; None where it is about none."""
    if not hasattr(command, "step"):
        return None
    fields = {name: getattr(command, name) for name in command.__slots__}
    return type(command)(**{**fields, "step": GONE})


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_names_a_step_or_place_that_is_gone_is_refused(text: str) -> None:
    snapshot = snapshot_of(text)
    for command in stale_commands(snapshot):
        refusal = refusal_of(snapshot, command)
        assert isinstance(refusal, Refusal), command
        assert plan(snapshot, command) == refusal
