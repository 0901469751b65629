"""What holds of every operation on steps, whatever the file: what comes back, what stays, and what is done then."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.conftest import DATA, examples
from tests.core.check import snapshot_of, try_laws
from tests.core.editing_cases import steps_of, surgery_on
from tests.core.engine_driver import play
from tests.core.strategies import documents, ordinary_documents, programs
from tests.core.surgery_programs import exact_programs
from workbench.editing.change import DocumentChange
from workbench.editing.commands import (
    ChangeLoop,
    Command,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InvertCondition,
    JoinSteps,
    MakeExact,
    Refusal,
    SortSteps,
    SplitStep,
    SwapBranches,
)
from workbench.editing.surgery.disabling import disabled_in
from workbench.editing.undoable import plan
from workbench.engine.options import RunOptions
from workbench.model.meaning import Branch, BranchForm, LoopForm
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Severity

ANY_FILE = st.one_of(documents(), programs(), ordinary_documents())
LISTS = sorted((DATA / "steplists").iterdir())


@given(ANY_FILE, st.data())
@settings(max_examples=examples(15))
def test_every_operation_is_refused_with_a_reason_or_keeps_the_laws(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    assume(steps_of(snapshot))
    step = data.draw(st.sampled_from(steps_of(snapshot))).id
    outcome = try_laws(snapshot, data.draw(st.sampled_from(list(surgery_on(snapshot, step)))))
    if isinstance(outcome, Refusal):
        assert outcome.message.endswith(".")


@given(ANY_FILE, st.data())
@settings(max_examples=examples(15))
def test_a_step_that_was_disabled_comes_back_byte_for_byte(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    assume(steps_of(snapshot))
    step = data.draw(st.sampled_from(steps_of(snapshot))).id
    change = try_laws(snapshot, DisableSteps((step,)))
    if isinstance(change, DocumentChange):
        assert_enabled(change.after, text)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_entries_of_a_step_list_come_back_byte_for_byte(path: Path) -> None:
    snapshot = snapshot_of(path.read_bytes().decode("utf-8"))
    done = 0
    for step in steps_of(snapshot):
        change = try_laws(snapshot, DisableSteps((step.id,)))
        if isinstance(change, DocumentChange):
            done += 1
            assert all(one in change.after.text for one in ("# region disabled", "# endregion"))
            assert_enabled(change.after, snapshot.text)
    assert done or snapshot.program.format.is_json or len(steps_of(snapshot)) < 2


def assert_enabled(snapshot: Snapshot, text: str) -> None:
    """What is disabled in *snapshot* comes back, and the text is *text* then."""
    (found,) = disabled_in(snapshot)
    back = plan(snapshot, EnableSteps(line=snapshot.lines.line(found.span.start) + 1))
    assert not isinstance(back, Refusal), back
    assert back.change.apply(snapshot.text) == text


@given(exact_programs, st.data())
@settings(max_examples=examples(5))
def test_what_promises_to_do_the_same_does(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    steps = [step for step in steps_of(snapshot) if snapshot.playbook_of(step.id).name == "Main"]
    tried = [command for step in steps for command in keeping_on(snapshot, step.id)]
    changes = (try_laws(snapshot, command) for command in data.draw(st.permutations(tried)))
    change = next((one for one in changes if isinstance(one, DocumentChange) and not one.change.is_empty), None)
    assume(change is not None)
    assert change is not None
    assert outcome_of(change.after) == outcome_of(snapshot)
    assert errors_in(change.after) <= errors_in(snapshot)


@given(exact_programs, st.data())
@settings(max_examples=examples(4))
def test_what_is_extracted_and_inlined_again_does_what_it_did(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    steps = [step.id for step in steps_of(snapshot) if snapshot.playbook_of(step.id).name == "Main"]
    extracted = plan(snapshot, ExtractPlaybook((data.draw(st.sampled_from(steps)),), "Apart"))
    assume(not isinstance(extracted, Refusal))
    assert not isinstance(extracted, Refusal) and extracted.after is not None
    call = extracted.after.step_at(extracted.heads[0])
    assert call is not None
    inlined = plan(extracted.after, InlineCall(call))
    assume(not isinstance(inlined, Refusal))
    assert not isinstance(inlined, Refusal) and inlined.after is not None
    assert outcome_of(inlined.after) == outcome_of(extracted.after) == outcome_of(snapshot)


def keeping_on(snapshot: Snapshot, step: StepId) -> Iterator[Command]:
    """The operations on *step* after which the same is done."""
    siblings = [one.id for one in snapshot.siblings(step)]
    at = siblings.index(step)
    yield SwapBranches(step)
    yield ConvertBranch(step, BranchForm.OTHERWISE)
    meaning = snapshot.step(step).meaning
    if isinstance(meaning, Branch) and meaning.form is BranchForm.OTHERWISE:
        yield ConvertBranch(step, BranchForm.IF)
    yield from (ChangeLoop(step, form) for form in LoopForm)
    yield SplitStep(step)
    yield JoinSteps(tuple(siblings[at : at + 2]))
    yield MakeExact(step)
    yield ExtractPlaybook(tuple(siblings[at : at + 3]), "Apart")
    yield InlineCall(step)


def outcome_of(snapshot: Snapshot) -> tuple[object, ...]:
    """What a run of ``Main`` tells, gives back, and ends with."""
    with tempfile.TemporaryDirectory() as folder:
        played = play(snapshot, Path(folder), options=RunOptions(is_trusted=True, max_steps=400))
    return played.told(), played.state.result, played.state.status


def errors_in(snapshot: Snapshot) -> set[str]:
    """The codes of all errors."""
    return {finding.code for finding in snapshot.diagnostics if finding.severity is Severity.ERROR}


@given(exact_programs, st.data())
@settings(max_examples=examples(8))
def test_an_inverted_condition_holds_where_it_did_not_and_comes_back(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    branches = [step for step in steps_of(snapshot) if step.text.startswith("If ")]
    assume(branches)
    step = data.draw(st.sampled_from(branches))
    there = plan(snapshot, InvertCondition(step.id))
    assert not isinstance(there, Refusal) and there.after is not None
    back = plan(there.after, InvertCondition(step.id))
    assert not isinstance(back, Refusal)
    assert back.change.apply(there.after.text) == text


@given(ordinary_documents(), st.data())
@settings(max_examples=examples(12))
def test_sorting_twice_is_sorting_once(text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(text)
    assume(steps_of(snapshot))
    siblings = tuple(one.id for one in snapshot.siblings(data.draw(st.sampled_from(steps_of(snapshot))).id))
    sorted_once = plan(snapshot, SortSteps(siblings))
    assume(not isinstance(sorted_once, Refusal) and not sorted_once.is_empty)
    assert not isinstance(sorted_once, Refusal) and sorted_once.after is not None
    again = plan(sorted_once.after, SortSteps(siblings))
    assert isinstance(again, Refusal)
    assert again.code == "sorted"
