"""A step far away gives thousands of items another number: they stay what they are, and nothing is read anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_snapshot import meaning_of
from tests.core.work import TIMES_LARGER, WORST_GROWTH, growth
from workbench.editing.change import DocumentChange
from workbench.editing.commands import DeleteSteps, InsertStep, MoveSteps, Place
from workbench.editing.document import Document
from workbench.model.layout.program import LayoutCache, layout_program
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.blocks import ItemNode

HEAD = "# Desk\n## Main\n### Steps\n"
_BODIES = ("", "", "", "   - Inner\n     1. Deep\n", "   more words\n", "   <!-- why -->\n   - Child\n", "\n")
_LEADS = ("", "", "", "", "<!-- above -->\n", "Some text\n\n", "- A bullet\n")


@st.composite
def numbered(draw: st.DrawFn) -> str:
    """A program with one list of steps, most of them with numbers."""
    first, sign = draw(st.sampled_from([1, 1, 7, 95])), draw(st.sampled_from([".", ")"]))
    does_count = draw(st.sampled_from([True, True, True, False]))
    is_plain = draw(st.booleans())
    lines = []
    for index in range(draw(st.integers(12, 24))):
        lead = "" if is_plain else draw(st.sampled_from(_LEADS))
        body = "" if is_plain else draw(st.sampled_from(_BODIES))
        number = first + index if does_count else first
        lines.append(f"{lead}{number}{sign} Say {draw(st.sampled_from(['a', 'b', index]))}\n{body}")
    text = HEAD + "".join(lines)
    return text if draw(st.booleans()) else text.rstrip("\n")


def items(snapshot: Snapshot) -> Iterator[tuple[object, ...]]:
    """Every block as it was scanned, with its items and the steps that it means."""
    for block, root in zip(snapshot.blocks, snapshot.roots, strict=True):
        walked = tuple(map(_of_item, block.item.walk())) if block.item is not None else ()
        steps = [(step.text, step.meaning, step.item and _of_item(step.item)) for step in root.walk()] if root else []
        yield block.kind, block.text, block.problems, walked, steps


def _of_item(item: ItemNode) -> tuple[object, ...]:
    words = (item.owned, item.lines, item.indent, item.sign, item.digits, item.head, item.text)
    return *words, item.fences, item.tails, item.box


def without_digits(text: str) -> str:
    """*text* with the same sign in the place of every digit."""
    return re.sub(r"\d", "0", text)


def check_as_read_anew(document: Document) -> None:
    """The snapshot is what its text says, and every step has one id that leads to it."""
    snapshot = document.snapshot
    anew = derive(snapshot.source)
    assert list(items(snapshot)) == list(items(anew))
    assert meaning_of(snapshot) == meaning_of(anew)
    assert snapshot.block_starts == anew.block_starts
    for index, ids in enumerate(snapshot.block_ids):
        assert all(snapshot.where[step] == index for step in ids)
    for root in filter(None, snapshot.roots):
        assert all(step.block is root.block and snapshot.find(step.id) is step for step in root.walk())


@settings(max_examples=examples(25))
@given(numbered(), st.data())
def test_far_moves_in_numbered_lists_mean_what_their_text_says(text: str, data: st.DataObject) -> None:
    document = Document.from_text(text)
    steps = document.snapshot.program.playbooks[0].steps
    ids, places = frozenset(document.snapshot.where), st.integers(0, len(steps) - 1)
    moved = {steps[data.draw(places)].id for _each in range(data.draw(st.sampled_from([1, 1, 2])))}
    after = data.draw(st.one_of(st.none(), places.map(lambda at: steps[at].id)))
    before = document.snapshot
    change = document.execute(MoveSteps(tuple(moved), Place("Main", None, after)))
    check_as_read_anew(document)
    if isinstance(change, DocumentChange):
        assert without_digits(change.besides_numbers.apply(before.text)) == without_digits(document.snapshot.text)
    assert frozenset(document.snapshot.where) == ids
    done = document.snapshot
    for state, turn in ((before, document.undo), (done, document.redo), (before, document.undo)):
        turn()
        check_as_read_anew(document)
        if done is not before:
            assert (document.snapshot.text, document.snapshot.block_ids) == (state.text, state.block_ids)


@settings(max_examples=examples(15))
@given(numbered(), st.data())
def test_what_comes_and_goes_in_numbered_lists_means_what_its_text_says(text: str, data: st.DataObject) -> None:
    document = Document.from_text(text)
    for _each in range(data.draw(st.integers(1, 3))):
        before = document.snapshot
        steps = before.program.playbooks[0].steps
        step = data.draw(st.sampled_from(steps)).id
        is_new = data.draw(st.booleans())
        command = InsertStep(Place("Main", None, step), "Say it") if is_new else DeleteSteps((step,))
        change = document.execute(command)
        if isinstance(change, DocumentChange):
            check_as_read_anew(document)
            assert without_digits(change.besides_numbers.apply(before.text)) == without_digits(document.snapshot.text)
    after = document.snapshot
    while document.can_undo:
        document.undo()
        check_as_read_anew(document)
    assert document.snapshot.text == text
    while document.can_redo:
        document.redo()
    assert (document.snapshot.text, document.snapshot.block_ids) == (after.text, after.block_ids)


def test_steps_keep_their_ids_where_only_numbers_change() -> None:
    document = Document.from_text(HEAD + "".join(f"{number}. Say {number}\n" for number in range(1, 121)))
    steps = document.snapshot.program.playbooks[0].steps
    document.execute(MoveSteps((steps[2].id,), Place("Main", None, steps[110].id)))
    after = document.snapshot.program.playbooks[0].steps
    assert [step.id for step in after] == [step.id for step in (*steps[:2], *steps[3:111], steps[2], *steps[111:])]
    assert [*map(document.snapshot.marker, after)] == [f"{number}." for number in range(1, 121)]
    assert sum(len(window.new) for window in document.snapshot.numbered) > 100
    document.execute(DeleteSteps((after[0].id,)))
    check_as_read_anew(document)


def test_items_above_that_stand_apart_leave_a_far_move_alone() -> None:
    document = Document.from_text(
        HEAD + "1. Say 1\n\n\n2. Say 2\n\n" + "".join(f"{number}. Say {number}\n" for number in range(3, 40))
    )
    steps = document.snapshot.program.playbooks[0].steps
    document.execute(MoveSteps((steps[4].id,), Place("Main", None, steps[30].id)))
    check_as_read_anew(document)
    assert "\n30. Say 31\n31. Say 5\n32. Say 32\n" in document.snapshot.text


def test_a_far_move_tells_which_steps_changed_by_more_than_their_number() -> None:
    document = Document.from_text(HEAD + "".join(f"{number}. Say {number}\n" for number in range(1, 41)))
    steps = document.snapshot.program.playbooks[0].steps
    change = document.execute(MoveSteps((steps[2].id,), Place("Main", None, steps[30].id)))
    assert isinstance(change, DocumentChange)
    assert steps[20].id not in change.changed
    assert steps[2].id in change.changed
    assert document.snapshot.step(steps[20].id) is steps[20]
    assert document.snapshot.marker(steps[20]) == "20."


def move_far(text: str) -> None:
    """The third step goes to the end, and back."""
    document = Document.from_text(text)
    steps = document.snapshot.program.playbooks[0].steps
    document.execute(MoveSteps((steps[2].id,), Place("Main", None, steps[-2].id)))
    document.undo()


def test_a_far_move_costs_so_much_for_each_line_that_it_changes() -> None:
    few, many = (
        HEAD + "".join(f"{number}. Say {number}\n" for number in range(1, count)) for count in (150, 150 * TIMES_LARGER)
    )
    assert growth(move_far, few, many) < WORST_GROWTH


def test_blocks_that_only_get_another_number_are_drawn_once() -> None:
    document = Document.from_text(HEAD + "".join(f"{number}. Say {number}\n" for number in range(1, 41)))
    cache = LayoutCache()
    steps = document.snapshot.program.playbooks[0].steps
    before = layout_program(document.snapshot, frozenset(), cache).playbooks[0].fragments
    document.execute(MoveSteps((steps[2].id,), Place("Main", None, steps[30].id)))
    layout = layout_program(document.snapshot, frozenset(), cache)
    after = layout.playbooks[0].fragments
    assert len({*map(id, after)} - {*map(id, before)}) < 16
    fresh = layout_program(document.snapshot).playbooks[0]
    assert [each.steps[0].id for each in after] == [each.steps[0].id for each in fresh.fragments]
    assert [each.number(each.fragment.boxes[0]) for each in layout.playbooks[0].placed] == [
        each.number(each.fragment.boxes[0]) for each in fresh.placed
    ]
