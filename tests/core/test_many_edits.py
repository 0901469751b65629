"""One change of thousands of edits: four times the edits are about four times the work, counted and not timed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.work import TIMES_LARGER, WORST_GROWTH, growth
from workbench.editing.commands import EditText, WrapForm, WrapSteps
from workbench.editing.document import Document
from workbench.model.incremental.identity import Carried, Ids, Matching, NewStep
from workbench.model.program import StepId
from workbench.syntax.change import TextChange, TextEdit, smallest_change
from workbench.syntax.text import Span

HEAD = "# Desk\n## Book\n### Steps\n"
FEW, MANY = 150, 150 * TIMES_LARGER


def replaced(document: Document, old: str, new: str) -> None:
    """Every *old* becomes *new*, in one change."""
    starts = [at for at in range(len(document.snapshot.text)) if document.snapshot.text.startswith(old, at)]
    document.execute(EditText(tuple(TextEdit(Span(at, at + len(old)), new) for at in starts), "Many"))


def mend_and_undo(text: str) -> None:
    """An edit in each step, taken back and done again."""
    document = Document.from_text(text)
    replaced(document, "Say", "Tell")
    document.undo()
    document.redo()


def empty_and_write_again(text: str) -> None:
    """All steps go, and come back as what somebody writes."""
    document = Document.from_text(text)
    document.execute(EditText((TextEdit(Span(len(HEAD), len(text)), ""),), "Cut"))
    document.execute(EditText((TextEdit(Span(len(HEAD), len(HEAD)), text[len(HEAD) :]),), "Paste"))


@pytest.mark.parametrize("work", [mend_and_undo, empty_and_write_again])
@pytest.mark.parametrize("step", ["- Say hi\n", "- Say {number}\n"])
def test_steps_are_recognised_by_the_thousand(work: Callable[[str], object], step: str) -> None:
    few, many = (HEAD + "".join(step.format(number=each) for each in range(count)) for count in (FEW, MANY))
    assert growth(work, few, many) < WORST_GROWTH


def wrap_all(text: str) -> None:
    """All children of one step, in a step of their own."""
    document = Document.from_text(text)
    parent = document.snapshot.program.playbooks[0].steps[0]
    document.execute(WrapSteps(tuple(child.id for child in parent.children), WrapForm.IF))
    assert document.snapshot.program.playbooks[0].steps[0].children[0].children


def test_thousands_of_steps_can_be_wrapped_together() -> None:
    head = f"{HEAD}- If $x > 1\n"
    few, many = (head + "".join(f"  - Say {each}\n" for each in range(count)) for count in (FEW, MANY))
    assert growth(wrap_all, few, many) < WORST_GROWTH


def change_twice(text: str) -> None:
    """Many edits of *text*, and many of what comes of them: composed, inverted, followed by positions."""
    first = TextChange(tuple(TextEdit(Span(at, at + 1), "xy") for at in range(0, len(text), 4)))
    second = TextChange(tuple(TextEdit(Span(at, at + 2), "z") for at in range(0, len(text), 3)))
    both = first.compose(second)
    assert both.apply(text) == second.apply(first.apply(text))
    assert both.invert(text).apply(both.apply(text)) == text
    assert all(both.map_position(at) <= both.map_position(at + 1) for at in range(len(text)))


def test_changes_of_many_edits_are_put_together_in_one_pass() -> None:
    assert growth(change_twice, "abcd" * FEW, "abcd" * MANY) < WORST_GROWTH


@given(st.lists(st.integers(0, 20)), st.lists(st.tuples(st.integers(0, 22), st.integers(0, 4)), max_size=6))
def test_what_is_carried_goes_to_the_first_steps_from_there_on(heads: list[int], starts: list[tuple[int, int]]) -> None:
    carried = [
        Carried(start, tuple(StepId(f"s{index}{each}") for each in range(count)))
        for index, (start, count) in enumerate(starts)
    ]
    expected = [NewStep(head, "") for head in heads]
    for one in carried:
        following = [step for step in expected if step.head >= one.start]
        for step, step_id in zip(following, one.ids, strict=False):
            step.id = step_id
    found = [NewStep(head, "") for head in heads]
    Matching(TextChange(()), carried, Ids(1, lambda _id: False)).match((), found)
    assert found == expected


@given(st.text("ab", max_size=30), st.text("ab", max_size=30))
def test_the_smallest_change_is_without_what_both_begin_and_end_with(old: str, new: str) -> None:
    change = smallest_change(old, new)
    assert change.apply(old) == new
    assert (old == new) == (not change.edits)
    for edit in change.edits:
        gone = edit.span.of(old)
        assert not gone or not edit.insert or (gone[0] != edit.insert[0] and gone[-1] != edit.insert[-1])
