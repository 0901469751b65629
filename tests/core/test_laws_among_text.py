"""The laws of editing on files of people who know no language: what no command is about stays, in its order."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import DATA, examples
from tests.core.check import check_change, heads, snapshot_of
from tests.core.editing_cases import FILES, VARIANTS, places_of, steps_of
from tests.core.strategies import ordinary_documents
from workbench.editing.change import DocumentChange
from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    InsertStep,
    MoveSteps,
    SetStepText,
    WrapForm,
    WrapSteps,
)
from workbench.editing.document import Document
from workbench.model.meaning import StepKind
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText, Span

ORDINARY = [path for name in ("ordinary", "procedures") for path in sorted((DATA / name).glob("*.md"))]
MANY = 20
_MARKER = re.compile(r"^(?:[-+*]|[0-9]{1,9}[.)])(?=\s|$)|(?<=[Ss]tep )[0-9]+|^[0-9]+(?=\.? \|)")
_DIGITS = re.compile(r"[0-9]+")
_RULE = re.compile(r"(?:-{3,}|\*{3,})$")


def drawn_command(snapshot: Snapshot, chance: random.Random) -> Command:
    """One of the commands that people give most, on any step."""
    chosen = chance.choice(steps_of(snapshot))
    step, place = chosen.id, chance.choice(places_of(snapshot))
    any_kind = [*[MoveSteps((step,), place)] * 3, InsertStep(place, "Check new words"), DeleteSteps((step,))]
    # text that is written anew or twice may be read as something else than it was
    on_steps = [
        DuplicateSteps((step,)),
        WrapSteps((step,), WrapForm.IF, "it rains"),
        SetStepText(step, "Check it again"),
    ]
    return chance.choice([*any_kind, *(on_steps if chosen.kind is not StepKind.RAW else [])])


def outside(snapshot: Snapshot, steps: Iterator[StepId]) -> list[str]:
    """The lines that none of *steps* owns, without indents, markers and numbers, which follow the place."""
    text, done, left = snapshot.text, 0, ""
    for span in sorted((snapshot.owned_span(step) for step in steps), key=lambda one: (one.start, one.end)):
        left += Span(done, max(done, span.start)).of(text)
        done = max(done, span.end)
    left += text[done:]
    # rules stay between headings, whichever heading comes where
    lines = [line.strip() for line in left.splitlines()]
    said = [line for line in lines if line and not _RULE.match(line)]
    return [_DIGITS.sub("1", line) if line[:1] in "#|" else _MARKER.sub("1", line) for line in said]


def of_command(change: DocumentChange, command: Command) -> tuple[Iterator[StepId], Iterator[StepId]]:
    """The steps that *command* is about: as far as they were there before, and as far as they are there now."""
    named = getattr(command, "steps", ()) or ((command.step,) if isinstance(command, SetStepText) else ())
    was = () if isinstance(command, InsertStep) else named
    now = [step for step in named if change.after.has(step)]
    if not isinstance(command, MoveSteps | SetStepText):
        now += [step for step in change.after.where if step not in change.before.where and change.after.has(step)]
    return iter(was), iter(now)


def check_outside(change: DocumentChange, command: Command) -> None:
    """All other lines are there, in their order, and everything follows from the text alone."""
    was, now = of_command(change, command)
    before, after = outside(change.before, was), outside(change.after, now)
    left = iter(before)
    wanted = next(left, None)
    for line in after:
        if line == wanted:
            wanted = next(left, None)
        else:
            # a list that was not there yet can need a heading
            assert line.startswith("#")
            assert isinstance(command, InsertStep | MoveSteps)
    assert wanted is None
    anew = snapshot_of(change.after.text)
    assert [step.text for step in steps_of(anew)] == [step.text for step in steps_of(change.after)]
    assert [step.kind for step in steps_of(anew)] == [step.kind for step in steps_of(change.after)]
    check_change(change)


def check_row(text: str, chance: random.Random, count: int) -> None:
    """*count* edits in a row, and all of them taken back."""
    document = Document.from_text(text)
    texts = []
    for _each in range(count):
        before = document.snapshot
        if not steps_of(before):
            break
        command = drawn_command(before, chance)
        change = document.execute(command)
        if isinstance(change, DocumentChange) and not change.change.is_empty:
            check_outside(change, command)
            texts.append((before.text, heads(before)))
    for earlier, where in reversed(texts):
        document.undo()
        assert (document.snapshot.text, heads(document.snapshot)) == (earlier, where)
    assert not document.can_undo


@given(ordinary_documents(), st.integers(0, 999))
@settings(max_examples=examples(50))
def test_edits_leave_all_other_lines_in_their_order(text: str, seed: int) -> None:
    check_row(text, random.Random(seed), 6)


@pytest.mark.parametrize("path", [*FILES, *ORDINARY], ids=lambda path: path.name)
def test_twenty_edits_of_a_file_leave_all_other_lines_in_their_order(path: Path) -> None:
    # the names decide, so that both line ends are tried on many files
    variant = "with CRLF" if len(path.name) % 2 else "as it is"
    text = VARIANTS[variant](SourceText.decode(path.read_bytes()).text)
    check_row(text, random.Random(path.name), MANY)
