"""Tables: which lines they take, their cells, which are steps, and how their rows are edited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.check import check_command, check_refused, check_unchanged, snapshot_of
from workbench.editing.commands import (
    ChangeKind,
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    SetStepText,
    TickSteps,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.model.incremental.advancing import advance
from workbench.model.meaning import Group, StepKind
from workbench.model.program import count_ids
from workbench.model.snapshot import derive
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.scan import scan
from workbench.syntax.tables.reading import cells_of, read_table
from workbench.syntax.tables.steps import step_columns
from workbench.syntax.text import Span

HEAD = "# Pool\n\n## Procedure\n\n"
NAMES = "| # | Action | Who |\n|---|--------|-----|\n"
TABLE = HEAD + NAMES + "| 1 | Test the water | Ada |\n| 2 | Open the gate | Ben |\n| 3 | Ring the bell | |\n"


def kinds(text: str) -> list[BlockKind]:
    """The kinds of blocks in *text*, without blanks."""
    return [block.kind for block in scan(text) if block.kind is not BlockKind.BLANK]


CELLS = {
    "| a | b |": ["a", "b"],
    "a | b": ["a", "b"],
    "|a||": ["a", ""],
    "| a": ["a"],
    "  | a |  ": ["a"],
    r"| a \| b | c |": [r"a \| b", "c"],
    "| `a | b` | c |": ["`a | b`", "c"],
    "| ``a ` | b`` | c |": ["``a ` | b``", "c"],
    "| a ` b | c |": ["a ` b", "c"],
    "|": [""],
}


@pytest.mark.parametrize("line", CELLS)
def test_bars_part_cells_but_not_in_code_or_behind_a_backslash(line: str) -> None:
    assert [cell.of(line) for cell in cells_of(line)] == CELLS[line]


@given(st.text(alphabet="ab |`\\\t", max_size=20))
def test_cells_stand_in_order_and_hold_all_words(line: str) -> None:
    cells = cells_of(line)
    edges = [edge for cell in cells for edge in (cell.start, cell.end)]
    assert edges == sorted(edges)
    assert (
        "".join(cell.of(line) for cell in cells).replace("|", "").split() == line.replace("|", "").split()
        or "|" in line
    )


TABLES = ["| a | b |\n|---|:-:|\n| 1 | 2 |\n", "a | b\n--|--\n1 | 2\n", "| a |\n|-|\n", "a | b\r\n-|-\r\nrow\r\n"]


@pytest.mark.parametrize("text", TABLES)
def test_names_and_dashes_begin_a_table(text: str) -> None:
    assert kinds(text) == [BlockKind.TABLE]


NO_TABLES = [
    "| a | b |\n",
    "| a | b |\n|---|\n",
    "| a | b |\n\n|---|---|\n",
    "a\n---\n",
    "- a | b\n--|--\n",
    "    a | b\n--|--\n",
]


@pytest.mark.parametrize("text", NO_TABLES)
def test_what_lacks_names_or_dashes_is_no_table(text: str) -> None:
    assert BlockKind.TABLE not in kinds(text)


def test_text_directly_above_a_table_is_a_paragraph() -> None:
    assert kinds("one\ntwo\n| a |\n|---|\n") == [BlockKind.PARAGRAPH, BlockKind.TABLE]


@pytest.mark.parametrize("below", ["---\n", "- x\n", "# x\n", "> x\n", "```\nx\n```\n", "<!-- x -->\n"])
def test_what_begins_something_else_ends_a_table(below: str) -> None:
    assert kinds("| a |\n|---|\n| b |\n" + below)[0] is BlockKind.TABLE
    assert len(kinds("| a |\n|---|\n| b |\n" + below)) == 2


STEPS = {
    "| Step | Action |\n|-|-|\n| 1 | Wash |\n": (1, 0, None),
    "| Action | Step |\n|-|-|\n| Wash | 1 |\n": (0, 1, None),
    "| Step | Result |\n|-|-|\n| Wash it | clean |\n": (0, None, None),
    "| No. | **Step** |\n|-|-|\n| 1. | Wash it |\n": (1, 0, None),
    "| Nr | Aufgabe |\n|-|-|\n| 1 | Waschen |\n| 2 | Bügeln |\n": (1, 0, None),
    "| Schritt | Was |\n|-|-|\n| Schritt 1 | Waschen |\n| Schritt 2 | Bügeln |\n": (1, 0, None),
    "| # | How | Description |\n|-|-|-|\n| 0 | hot | Wash |\n| 1 | dry | Iron |\n": (2, 0, None),
    "| # | |\n|-|-|\n| 1 | Check the door |\n| 2 | Open the gate |\n": (1, 0, None),
    "| Done | Work |\n|-|-|\n| [ ] | Wash |\n": (1, None, 0),
    "| # | Risk | Owner |\n|-|-|-|\n| 1 | Fire | Ada |\n": None,
    "| Level | Action |\n|-|-|\n| 1 | Call |\n| 2 | Run |\n": None,
    "| # | Action |\n|-|-|\n| 1 | Call |\n| 5 | Run |\n": None,
    "| Pattern | Steps |\n|-|-|\n| a | first this, then that |\n": None,
    "| Step | Seconds |\n|-|-|\n| 1 | 8 |\n": None,
    "| Step | Action |\n|-|-|\n": None,
}


@pytest.mark.parametrize("text", STEPS)
def test_a_table_of_steps_is_told_by_its_names_numbers_and_boxes(text: str) -> None:
    table = read_table(text)
    assert table is not None
    found = step_columns(table)
    assert (found and (found.action, found.number, found.box)) == STEPS[text]


def test_rows_are_steps_in_procedures_only() -> None:
    names = [count_ids(block) for block in scan(NAMES + "| 1 | Wash it | |\n| | | |\n")]
    rows = [count_ids(block) for block in scan(NAMES + "| 1 | Wash it | |\n| | | |\n", is_procedure=True)]
    assert (names, rows) == ([1], [2])


def test_a_row_says_its_action_and_keeps_its_other_cells() -> None:
    (table,) = snapshot_of(TABLE).program.playbooks[0].steps
    assert isinstance(table.meaning, Group)
    assert [(row.text, row.details) for row in table.children] == [
        ("Test the water", ("Who: Ada",)),
        ("Open the gate", ("Who: Ben",)),
        ("Ring the bell", ()),
    ]


def test_a_row_is_found_where_its_line_is() -> None:
    snapshot = snapshot_of(TABLE)
    found = snapshot.step_at(TABLE.index("Ben"))
    assert found is not None
    assert (snapshot.step(found).text, snapshot.address(found)) == ("Open the gate", "Procedure:01.02")


def test_rows_change_places_and_keep_their_numbers_in_order() -> None:
    snapshot = snapshot_of(TABLE)
    (table,) = snapshot.program.playbooks[0].steps
    check_command(
        TABLE,
        lambda find: MoveSteps((find("Ring"),), Place("Procedure", table.id)),
        HEAD + NAMES + "| 1 | Ring the bell | |\n| 2 | Test the water | Ada |\n| 3 | Open the gate | Ben |\n",
    )


def test_a_row_is_deleted_and_the_others_are_numbered_on() -> None:
    check_command(
        TABLE,
        lambda find: DeleteSteps((find("Open"),)),
        HEAD + NAMES + "| 1 | Test the water | Ada |\n| 2 | Ring the bell | |\n",
    )


def test_the_last_line_stays_without_a_line_end() -> None:
    check_command(
        TABLE.rstrip("\n"),
        lambda find: DeleteSteps((find("Ring"),)),
        HEAD + NAMES + "| 1 | Test the water | Ada |\n| 2 | Open the gate | Ben |",
    )


def test_a_row_is_copied_below_itself() -> None:
    check_command(
        TABLE,
        lambda find: DuplicateSteps((find("Test"),)),
        TABLE.replace("| 2 | O", "| 2 | Test the water | Ada |\n| 3 | O").replace("| 3 | R", "| 4 | R"),
    )


def test_a_new_row_looks_like_the_one_above_it() -> None:
    snapshot = snapshot_of(TABLE)
    (table,) = snapshot.program.playbooks[0].steps
    check_command(
        TABLE,
        lambda find: InsertStep(Place("Procedure", table.id, find("Ring")), "Say a|b"),
        TABLE + "| 4 | Say a\\|b | |\n",
    )


def test_new_words_stand_in_their_cell() -> None:
    check_command(TABLE, lambda find: SetStepText(find("Open"), "Shut it"), TABLE.replace("Open the gate", "Shut it"))


def test_the_same_words_change_nothing() -> None:
    text = TABLE.replace("Open the gate", "Type `a|b`")
    check_unchanged(text, lambda find: SetStepText(find("Type"), "Type `a|b`"))


def test_a_row_is_ticked_in_its_box() -> None:
    text = HEAD + "Done | What\n--- | ---\n[ ] | Wash\n"
    check_command(text, lambda find: TickSteps((find("Wash"),), ticked=True), text.replace("[ ]", "[x]"))


def test_numbers_that_do_not_count_up_stay() -> None:
    text = HEAD + "| Step | Action |\n|-|-|\n| 1a | Wash |\n| 1b | Iron |\n"
    check_command(text, lambda find: DeleteSteps((find("Wash"),)), text.replace("| 1a | Wash |\n", ""))


REFUSED = {
    "words of two lines": (lambda find, _root: SetStepText(find("Open"), "a\nb"), "cell"),
    "a comment": (lambda find, _root: SetStepText(find("Open"), "a <!-- b -->"), "cell"),
    "no words": (lambda find, _root: SetStepText(find("Open"), " "), "no-words"),
    "words for the names": (lambda _find, root: SetStepText(root, "a"), "table-names"),
    "a step in a row": (lambda find, _root: InsertStep(Place("Procedure", find("Open")), "a"), "in-a-row"),
    "a row beside the table": (
        lambda find, root: MoveSteps((find("Open"),), Place("Procedure", None, root)),
        "other-table",
    ),
    "a list item among rows": (lambda find, root: MoveSteps((find("Dry"),), Place("Procedure", root)), "other-table"),
    "rows and others": (lambda find, _root: DeleteSteps((find("Open"), find("Dry"))), "several-tables"),
    "all rows": (lambda find, _root: DeleteSteps(tuple(map(find, ("Test", "Open", "Ring")))), "last-row"),
    "a paste": (lambda find, root: InsertLines(Place("Procedure", root), "- a\n"), "paste-row"),
    "a condition": (lambda find, _root: WrapSteps((find("Open"),), WrapForm.IF), "row"),
    "another kind": (lambda find, _root: ChangeKind(find("Open"), StepKind.TELL), "row"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_table_cannot_hold_is_refused(what: str) -> None:
    text = TABLE + "\n1. Dry\n"
    root = snapshot_of(text).program.playbooks[0].steps[0].id
    make, code = REFUSED[what]
    check_refused(text, lambda find: make(find, root), code)


def test_a_whole_table_moves_like_any_text() -> None:
    text = TABLE + "\n1. Dry\n"
    root = snapshot_of(text).program.playbooks[0].steps[0].id
    check_command(
        text,
        lambda find: MoveSteps((root,), Place("Procedure", None, find("Dry"))),
        HEAD + "1. Dry\n\n" + TABLE.removeprefix(HEAD),
    )


def test_a_table_cannot_be_taken_apart() -> None:
    root = snapshot_of(TABLE).program.playbooks[0].steps[0].id
    check_refused(TABLE, lambda _find: UnwrapStep(root), "no-children")


def test_a_table_that_is_typed_is_read_as_if_it_had_been_there() -> None:
    text = HEAD + "1. Dry\n\n"
    snapshot = snapshot_of(text)
    for character in "Now:\n" + NAMES + "| 1 | Wash it | x |\n":
        end = len(snapshot.text)
        snapshot = advance(snapshot, TextChange((TextEdit(Span(end, end), character),)))
        anew = derive(snapshot.source)
        assert [block.text for block in snapshot.blocks] == [block.text for block in anew.blocks]
        assert [len(ids) for ids in snapshot.block_ids] == [len(ids) for ids in anew.block_ids]
    assert snapshot.blocks[-1].kind is BlockKind.TABLE


def test_a_row_stays_the_same_while_others_are_typed() -> None:
    snapshot = snapshot_of(TABLE)
    rows = [row.id for row in snapshot.program.playbooks[0].steps[0].children]
    at = TABLE.index("| 2 |")
    after = advance(snapshot, TextChange((TextEdit(Span(at, at), "| 2 | Look around | |\n"),)))
    now = [row.id for row in after.program.playbooks[0].steps[0].children]
    assert [now[0], *now[2:]] == rows
