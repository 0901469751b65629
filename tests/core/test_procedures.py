"""Ordinary markdown as chapters and steps: what is drawn, what it stands in, and where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.check import snapshot_of
from workbench.editing.commands import AddPlaybook, SetStepText
from workbench.editing.edit_plan import EditPlan
from workbench.editing.undoable import plan
from workbench.model.incremental.advancing import advance
from workbench.model.meaning import Group, Raw
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span


def outline(snapshot: Snapshot) -> list[str]:
    """Chapters and steps as lines: ``#`` is carried out, ``-`` only read; text in brackets, groups in angles, boxes."""
    found = []
    for chapter in snapshot.program.playbooks:
        found.append(f"{'#' if chapter.is_carried_out else '-'} {chapter.title}")
        for root in chapter.steps:
            found += _lines(snapshot, root, 1)
    return found


def _lines(snapshot: Snapshot, step: Step, depth: int) -> list[str]:
    box = "" if step.is_ticked is None else "[x] " if step.is_ticked else "[ ] "
    words = box + " ".join(step.text.split())
    if isinstance(step.meaning, Raw):
        line = f"[{words}]"
    elif isinstance(step.meaning, Group):
        line = f"{snapshot.number(step.id)} <{words}>"
    else:
        line = f"{snapshot.number(step.id)} {words}"
    return ["  " * depth + line] + [each for child in step.children for each in _lines(snapshot, child, depth + 1)]


_FOLDER = Path(__file__).parents[1] / "data" / "ordinary"
_OUTLINES = Path(__file__).with_name("outlines")
FILES = sorted(_FOLDER.glob("*.md"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_ordinary_file_is_drawn_as_its_author_meant_it(path: Path) -> None:
    expected = (_OUTLINES / f"{path.stem}.txt").read_text(encoding="utf-8").splitlines()
    assert outline(snapshot_of(path.read_text(encoding="utf-8"))) == expected


def test_a_heading_step_owns_all_lines_up_to_the_next_one() -> None:
    snapshot = snapshot_of("# T\n\n## Step 1: A\n\nProse.\n\n- a\n\n## Step 2: B\n")
    first = snapshot.program.playbooks[0].steps[0]
    assert snapshot.owned_span(first.id).of(snapshot.text) == "## Step 1: A\n\nProse.\n\n- a\n"


def test_a_step_below_a_heading_knows_what_it_stands_in() -> None:
    snapshot = snapshot_of("# T\n\n## Work\n\n### First\n\n1. a\n   - b\n")
    deepest = next(step for root in snapshot.roots if root for step in root.walk() if step.text == "b")
    assert [step.text for step in snapshot.lineage(deepest.id)] == ["First", "a", "b"]
    assert snapshot.at_address("Work:01.01.01") is deepest


def test_every_offset_in_a_text_chapter_belongs_to_its_text() -> None:
    snapshot = snapshot_of("# T\n\n## Meaning\n\nOne.\n\n- two\n\n## Steps\n\n1. a\n")
    text = snapshot.program.playbooks[0].steps[0]
    assert snapshot.step_at(snapshot.text.index("two")) == text.id


def test_a_trigger_makes_a_program_of_a_procedure() -> None:
    assert not snapshot_of("# T\n\n## Work\n\n### Triggers\n\n- When it rains\n").deriver.is_procedure


_LINES = st.sampled_from(
    (
        *(
            "# Title",
            "## Steps",
            "## Meaning",
            "## Step 1: A",
            "## 2. B",
            "### 1. C",
            "### Group",
            "### Notes",
            "#### Deep",
        ),
        *("1. Do it", "2. Check", "- Run it", "  - nested", "- [ ] tick", "- You SHOULD x", "[l](m.md)", "$x = 1", ""),
        *("text", "**Step 3** more", "Label:", "```", "~~~", "---", "===", "| a | b |", "You MUST", "### Triggers"),
        *("> quote", "<!-- c -->"),
    )
)


@settings(max_examples=examples(150))
@given(st.lists(_LINES, max_size=14), st.lists(_LINES, max_size=3), st.integers(0, 400), st.integers(0, 60))
def test_the_next_snapshot_of_a_procedure_equals_reading_it_anew(
    lines: list[str], typed: list[str], at: int, length: int
) -> None:
    text = "\n".join(lines) + "\n"
    start = min(at, len(text))
    change = TextChange((TextEdit(Span(start, min(start + length, len(text))), "\n".join(typed)),))
    after = advance(snapshot_of(text), change)
    assert outline(after) == outline(snapshot_of(after.text))


def test_words_that_a_step_is_given_stand_above_its_fence() -> None:
    snapshot = snapshot_of("# A\n\n## Steps\n\n1. ```sh\n   ls\n   ```\n2. Rest\n")
    step = snapshot.program.playbooks[0].steps[0]
    planned = plan(snapshot, SetStepText(step.id, "List it"))
    assert isinstance(planned, EditPlan)
    assert planned.change.apply(snapshot.text) == "# A\n\n## Steps\n\n1. List it\n   ```sh\n   ls\n   ```\n2. Rest\n"


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("# A\n\n## Steps\n\n1. Rest\n", "\n## Look\n\n1. Check what is to be done first.\n"),
        ("# A\n\n## Steps\n* [ ] Rest\n", "\n## Look\n* [ ] Check what is to be done first.\n"),
        ("A\n=\n\nSteps\n-----\n\n- Rest\n", "\nLook\n----\n\n- Check what is to be done first.\n"),
        ("# A\n\nIt is slow.\n", "\n## Look\n\n- Check what is to be done first.\n"),
        ("# A\n\n1. Rest\n\n# B\n\n3) Go\n", "\n# Look\n\n1) Check what is to be done first.\n"),
    ],
)
def test_a_new_chapter_looks_like_the_others_and_has_one_step(text: str, added: str) -> None:
    snapshot = snapshot_of(text)
    planned = plan(snapshot, AddPlaybook("Look"))
    assert isinstance(planned, EditPlan)
    after = planned.change.apply(text)
    assert after == text + added
    assert snapshot_of(after).program.playbooks[-1].is_carried_out
