"""What is copied and pasted stays what it was: fences stay fences, and blank lines in them keep their blanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import check_command, check_refused, snapshot_of
from tests.core.editing_cases import FILES, VARIANTS, steps_of
from tests.core.steplist_cases import values_of
from workbench.editing.change import DocumentChange
from workbench.editing.commands import InsertLines, Place
from workbench.editing.document import Document
from workbench.editing.geometry.indentation import dedented, source_of
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText

BOOK = "# D\n## Main\n### Steps\n"
FENCED = "- One\n  ```text\n  a\n     \n  \n  \tb\n  ```\n"
NESTED = "- If $x\n    - One\n      ```text\n      a\n         \n      \n      b\n      ```\n"


def test_a_fence_that_is_pasted_is_one_block() -> None:
    change = check_command(
        BOOK + "- One\n- Two\n",
        lambda find: InsertLines(Place("Main", None, find("One")), "  ```sh\n  code\n     \n\n  ```"),
        BOOK + "- One\n```sh\ncode\n   \n\n```\n- Two\n",
    )
    assert len(change.added) == 1


def test_words_around_a_pasted_fence_become_steps() -> None:
    check_command(
        BOOK + "- One\n",
        lambda find: InsertLines(Place("Main", None, find("One")), "first\nsecond\n```\ncode\n```\nthird\n"),
        BOOK + "- One\n- first\n- second\n```\ncode\n```\n- third\n",
    )


def test_a_fence_that_never_ends_is_not_pasted_as_steps() -> None:
    paste = InsertLines(Place("Main"), "```\ncode\n")
    check_refused(BOOK + "- One\n", lambda _find: paste, "not-steps")


def test_a_fence_that_is_pasted_into_a_step_list_is_one_step() -> None:
    document = Document.from_text("id: w\nname: W\nsteps:\n- id: one\n  description: One\n")
    assert isinstance(document.execute(InsertLines(Place("w"), "first\n```\ncode\n\nmore\n```\n")), DocumentChange)
    steps = values_of(document.snapshot.text)["steps"]
    assert [step["description"] for step in steps] == ["first", "```\ncode\n\nmore\n```", "One"]


@pytest.mark.parametrize("source", [FENCED, NESTED])
def test_blank_lines_of_a_copied_fence_keep_their_blanks(source: str) -> None:
    snapshot = snapshot_of(BOOK + source)
    step = next(step for step in steps_of(snapshot) if step.text == "One")
    shared = " " * 4 if source is NESTED else ""
    owned = snapshot.owned_span(step.id).of(snapshot.text)
    assert source_of(snapshot, (step.id,)) == "".join(
        line.removeprefix(shared) for line in owned.splitlines(keepends=True)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a\r\n\r\n    \r\n  b", "a\r\n\r\n  \r\nb"),
        ("\ta\n\t\tb\n", "a\n\tb\n"),
        ("    a\n  b\n \n", "  a\nb\n \n"),
        ("\ta\n  b", "\ta\n  b"),
        (" \n", " \n"),
    ],
)
def test_only_what_all_lines_share_is_taken(text: str, expected: str) -> None:
    assert dedented(text) == expected


def said(step: Step) -> list[tuple[str, tuple[str, ...]]]:
    """What *step* and all in it say, with their fences."""
    return [(each.text, tuple(dedented(detail) for detail in each.details)) for each in step.walk()]


def copied(snapshot: Snapshot, step: Step) -> Step | None:
    """The step that comes of copying *step* and pasting it below itself; None where that is refused."""
    parent = snapshot.parent(step.id)
    kind = snapshot.section_of(step.id).kind
    place = Place(snapshot.playbook_of(step.id).name, parent.id if parent else None, step.id, kind)
    document = Document.from_text(snapshot.text)
    change = document.execute(InsertLines(place, source_of(snapshot, (step.id,))))
    return change.after.step(change.selection[0]) if isinstance(change, DocumentChange) else None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_step_of_any_file_says_the_same_when_it_is_copied_and_pasted(path: Path) -> None:
    for variant in VARIANTS.values():
        snapshot = snapshot_of(variant(SourceText.decode(path.read_bytes()).text))
        # a text over several blocks holds lists, which are steps where they are pasted among steps
        steps = [step for step in steps_of(snapshot) if not step.is_spread]
        found = [(step, copied(snapshot, step)) for step in steps[:: max(1, len(steps) // 8)]]
        assert [said(copy) for _step, copy in found if copy] == [said(step) for step, copy in found if copy]
        assert all(copy for step, copy in found if step.item is not None)
