"""Every command that could be tried on a snapshot, and every file that it is tried on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

from workbench.editing.commands import (
    AddNote,
    AddOtherwise,
    AddPlaybook,
    AddTrigger,
    ChangeKind,
    ChangeLoop,
    Command,
    ConvertBranch,
    DeleteSteps,
    DisableSteps,
    DuplicateSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InsertLines,
    InsertStep,
    InvertCondition,
    JoinSteps,
    MakeExact,
    MoveSteps,
    Place,
    RenamePlaybook,
    RenumbersSteps,
    SetStepText,
    SortSteps,
    SplitStep,
    SwapBranches,
    TickSteps,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.editing.refusals import is_drawn
from workbench.model.meaning import BranchForm, LoopForm, StepKind
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.resources import sample_playbooks

DATA = Path(__file__).resolve().parents[1] / "data" / "markdown"
FILES = [*sorted(DATA.iterdir()), *sample_playbooks()]
VARIANTS = {
    "as it is": lambda text: text,
    "with CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "without the final newline": lambda text: text.rstrip("\r\n"),
    "with tabs": lambda text: text.replace("\n    ", "\n\t").replace("\n  ", "\n\t"),
}
PASTED = "- New one\n  - with a child\n- <!-- c --> New two\n"


def steps_of(snapshot: Snapshot) -> list[Step]:
    """All steps, triggers and notes of playbooks."""
    roots = (root for root in snapshot.roots if root is not None)
    return [step for root in roots for step in root.walk() if is_drawn(snapshot, step.id)]


def places_of(snapshot: Snapshot) -> list[Place]:
    """Every place that something could be put."""
    places: list[Place] = [Place(playbook.name) for playbook in snapshot.program.playbooks]
    for step in steps_of(snapshot):
        parent = snapshot.parent(step.id)
        name, kind = snapshot.playbook_of(step.id).name, snapshot.section_of(step.id).kind
        places.append(Place(name, parent.id if parent else None, step.id, kind))
        places.append(Place(name, step.id, None, kind))
    return places


def commands_on(snapshot: Snapshot, step: StepId) -> Iterator[Command]:
    """One of each command that is about *step*."""
    playbook = snapshot.playbook_of(step).name
    yield DeleteSteps((step,))
    yield DuplicateSteps((step,))
    yield SetStepText(step, "Quite other words")
    yield WrapSteps((step,), WrapForm.IF, "$x > 1")
    yield UnwrapStep(step)
    yield TickSteps((step,), ticked=True)
    yield TickSteps((step,), ticked=False)
    yield from (ChangeKind(step, kind) for kind in (StepKind.TELL, StepKind.DECISION, StepKind.ASSIGN))
    yield AddTrigger(playbook, "When it rains")
    yield AddNote(playbook, "Be brief")
    yield AddPlaybook("Brand new", playbook)
    yield RenamePlaybook(playbook, "Another name")
    yield from surgery_on(snapshot, step)


def surgery_on(snapshot: Snapshot, step: StepId) -> Iterator[Command]:
    """One of each command of surgery on *step*."""
    yield InvertCondition(step)
    yield SwapBranches(step)
    yield from (ConvertBranch(step, form) for form in (BranchForm.IF, BranchForm.ELSE_IF, BranchForm.OTHERWISE))
    yield AddOtherwise(step)
    yield DisableSteps((step,))
    yield EnableSteps((step,))
    yield from (ChangeLoop(step, form) for form in LoopForm)
    yield SplitStep(step)
    yield SplitStep(step, 5)
    yield MakeExact(step)
    yield InlineCall(step)
    siblings = [one.id for one in snapshot.siblings(step)]
    at = siblings.index(step)
    yield JoinSteps(tuple(siblings[at : at + 2]))
    yield SortSteps(tuple(siblings[at:]))
    yield SortSteps((step,))
    yield ExtractPlaybook((step,), "Apart")
    yield ExtractPlaybook(tuple(siblings[at : at + 3]), "All apart")


def commands(snapshot: Snapshot) -> st.SearchStrategy[Command]:
    """Any command on *snapshot*, which has steps."""
    ids = [step.id for step in steps_of(snapshot)]
    return st.one_of(
        st.sampled_from(ids).flatmap(lambda step: st.sampled_from(list(commands_on(snapshot, step)))),
        renumbering(snapshot),
    )


def renumbering(snapshot: Snapshot) -> st.SearchStrategy[RenumbersSteps]:
    """Any command on *snapshot*, which has steps, that can change their numbers."""
    ids = [step.id for step in steps_of(snapshot)]
    one = st.sampled_from(ids)
    some = st.lists(one, min_size=1, max_size=3, unique=True).map(tuple)
    place = st.sampled_from(places_of(snapshot))
    words = st.sampled_from(["New", 'If $x\n- Tell user "y"', "Two\nlines"])
    updates = st.booleans()
    return st.one_of(
        st.builds(MoveSteps, some, place, updates_references=updates),
        st.builds(MoveSteps, some, place),
        st.builds(DeleteSteps, some, updates_references=updates),
        st.builds(DuplicateSteps, some, updates_references=updates),
        st.builds(WrapSteps, some, st.sampled_from(list(WrapForm)), updates_references=updates),
        st.builds(UnwrapStep, one, updates_references=updates),
        st.builds(InsertStep, place, words, updates_references=updates),
        st.builds(InsertLines, place, st.just(PASTED), updates_references=updates),
    )
