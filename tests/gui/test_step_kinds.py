"""Every kind of step is read, offered, explained, compiled and carried out, as the recipe for a new one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import try_laws
from tests.core.engine_driver import book, play
from workbench.assist.openings import Sample
from workbench.editing.change import DocumentChange
from workbench.editing.commands import ChangeKind
from workbench.engine.journal.choices import RunStatus
from workbench.gui.inspector.step_rows import rows_of
from workbench.gui.words.kinds import CHOICES, KINDS
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import Raw, StepKind
from workbench.model.program import Step

SAMPLES = [(kind, sample) for kind, spec in KINDS.items() for sample in spec.samples]
each_sample = pytest.mark.parametrize(("kind", "sample"), SAMPLES, ids=lambda one: getattr(one, "text", ""))


def step_of(sample: Sample) -> Step:
    """The step that *sample* is, below one that sets what it reads."""
    return book(with_values(sample)).program.playbooks[0].steps[-1]


def with_values(sample: Sample) -> str:
    """*sample* below steps that set what it reads, and below an arm that it can go on from."""
    return f"- $value = 1\n- $items = [1]\n- If $value > 5\n  - Stop\n- {sample.text}\n"


def test_every_kind_stands_in_the_table() -> None:
    assert set(KINDS) == set(StepKind)


@each_sample
def test_what_is_offered_is_read_as_the_kind_that_it_is_offered_as(kind: StepKind, sample: Sample) -> None:
    assert step_of(sample).kind is kind
    assert sample.blank in sample.text


@each_sample
def test_the_inspector_says_what_a_step_does(kind: StepKind, sample: Sample) -> None:
    assert rows_of(step_of(sample).meaning) != rows_of(Raw())


@each_sample
def test_a_step_is_compiled(kind: StepKind, sample: Sample) -> None:
    assert compile_assembly(book(with_values(sample))).text.count("\n- ") == 4


@each_sample
def test_a_step_is_carried_out(kind: StepKind, sample: Sample, tmp_path: Path) -> None:
    played = play(with_values(sample), tmp_path, "answers: [{values: {answer: yes}}, {text: done}]")
    assert played.state.status is not RunStatus.RUNNING  # as it stays where the machine knows no such step


@pytest.mark.parametrize("kind", CHOICES, ids=lambda kind: kind.value)
def test_a_step_can_become_each_kind_that_is_offered(kind: StepKind) -> None:
    snapshot = book('- Look around\n- Tell user "Hello"\n- If $count > 1\n')
    others = [step for step in snapshot.program.playbooks[0].steps if step.kind is not kind]
    changes = [(step, try_laws(snapshot, ChangeKind(step.id, kind))) for step in others]
    assert kind in {change.after.step(step.id).kind for step, change in changes if isinstance(change, DocumentChange)}
