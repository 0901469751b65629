"""Steps with a box to tick: what is read, how it is ticked, and what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from tests.core.check import check_command, check_refused, check_unchanged, snapshot_of
from tests.core.cli_driver import Terminal
from tests.core.strategies import WORDS
from workbench.editing.commands import (
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    SetStepText,
    TickSteps,
    WrapForm,
    WrapSteps,
)
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.incremental.advancing import advance
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.scan import scan
from workbench.syntax.text import Span

HEAD = "# Shop\n\n## Opening\n\n"
LIST = HEAD + "- [x] Light on\n- [ ] Count the till\n  - [ ] Notes\n"
PROGRAM = "## Main\n### Steps\n"

READ = {
    "- [ ] Lock": (False, "Lock"),
    "- [x] Lock": (True, "Lock"),
    "* [X]  Lock": (True, "Lock"),
    "1. [ ] Lock": (False, "Lock"),
    "-   [ ]\tLock": (False, "Lock"),
    "- [ ]": (False, ""),
    "- [x] <!-- done --> Lock": (True, "Lock"),
    "- [x](https://example.org)": (None, "[x](https://example.org)"),
    "- [x]: y": (None, "[x]: y"),
    "- [  ] Lock": (None, "[  ] Lock"),
    "- [] Lock": (None, "[] Lock"),
    "- [1] Lock": (None, "[1] Lock"),
    "- Lock [x]": (None, "Lock [x]"),
    "- [x]Lock": (None, "[x]Lock"),
}


@pytest.mark.parametrize("line", READ)
def test_a_box_stands_between_marker_and_words(line: str) -> None:
    step = snapshot_of(f"{PROGRAM}{line}\n").program.playbooks[0].steps[0]
    assert (step.is_ticked, step.text) == READ[line]


def test_the_place_of_a_box_counts_from_its_block() -> None:
    text = "- a\n  - [x] b\n"
    item = scan(text)[0].item
    assert item is not None
    box = item.children[0].box
    assert box is not None
    assert (box.of(text), item.children[0].head.of(text), item.box) == ("[x]", "b", None)


@given(WORDS)
def test_a_step_compiles_to_the_same_with_and_without_a_box(words: str) -> None:
    if not words.startswith("["):
        plain, boxed = (snapshot_of(f"{PROGRAM}- {box}{words}\n  - {box}Do it\n") for box in ("", "[ ] "))
        assert compile_assembly(plain).text == compile_assembly(boxed).text


def test_a_list_that_is_judged_as_a_whole_is_judged_without_its_boxes() -> None:
    plain, boxed = (
        snapshot_of(f"{PROGRAM}- Do the first of these that fits:\n  - {box}Call\n  - {box}Write\n")
        for box in ("", "[ ] ")
    )
    assert compile_assembly(plain).text == compile_assembly(boxed).text


def test_a_step_is_ticked_in_its_box() -> None:
    check_command(
        LIST,
        lambda find: TickSteps((find("Count"), find("Notes")), ticked=True),
        HEAD + "- [x] Light on\n- [x] Count the till\n  - [x] Notes\n",
    )


def test_a_box_is_emptied() -> None:
    check_command(LIST, lambda find: TickSteps((find("Light"),), ticked=False), LIST.replace("[x]", "[ ]"))


def test_a_file_that_ticks_with_capitals_goes_on_so() -> None:
    check_command(
        LIST.replace("x", "X"),
        lambda find: TickSteps((find("Notes"),), ticked=True),
        LIST.replace("x", "X").replace("- [ ] Notes", "- [X] Notes"),
    )


def test_ticking_what_is_ticked_changes_nothing() -> None:
    check_unchanged(LIST, lambda find: TickSteps((find("Light"),), ticked=True))


def test_a_step_without_a_box_cannot_be_ticked() -> None:
    check_refused(HEAD + "1. Lock\n", lambda find: TickSteps((find("Lock"),), ticked=True), "no-box")


def test_a_new_step_among_boxes_gets_an_empty_one() -> None:
    check_command(
        LIST,
        lambda find: InsertStep(Place("Opening", None, find("Light")), "Air on"),
        LIST.replace("- [ ] Count", "- [ ] Air on\n- [ ] Count"),
    )


def test_a_new_box_looks_like_the_one_beside_it() -> None:
    check_command(
        HEAD + "* [x]  One\n",
        lambda find: InsertStep(Place("Opening", None, find("One")), "Two"),
        HEAD + "* [x]  One\n* [ ]  Two\n",
    )


def test_the_first_step_inside_a_step_with_a_box_gets_one() -> None:
    check_command(
        HEAD + "1. [ ] One\n",
        lambda find: InsertStep(Place("Opening", find("One")), "Two"),
        HEAD + "1. [ ] One\n   - [ ] Two\n",
    )


def test_a_pasted_step_keeps_its_own_box_and_gets_one_where_it_has_none() -> None:
    check_command(
        LIST,
        lambda find: InsertLines(Place("Opening", None, find("Light")), "- [x] A\n- B\n"),
        LIST.replace("- [ ] Count", "- [x] A\n- [ ] B\n- [ ] Count"),
    )


def test_a_step_among_plain_ones_gets_no_box() -> None:
    check_command(
        HEAD + "1. One\n",
        lambda find: InsertStep(Place("Opening", None, find("One")), "Two"),
        HEAD + "1. One\n2. Two\n",
    )


def test_moves_and_copies_keep_their_boxes() -> None:
    check_command(
        LIST,
        lambda find: MoveSteps((find("Light"),), Place("Opening", find("Count"), find("Notes"))),
        HEAD + "- [ ] Count the till\n  - [ ] Notes\n  - [x] Light on\n",
    )
    check_command(
        LIST, lambda find: DuplicateSteps((find("Light"),)), LIST.replace("- [x] L", "- [x] Light on\n- [x] L")
    )


def test_new_words_leave_the_box() -> None:
    check_command(LIST, lambda find: SetStepText(find("Light"), "Lamp on"), LIST.replace("Light", "Lamp"))


def test_an_empty_box_takes_words() -> None:
    step = snapshot_of(HEAD + "- [ ]\n- [ ] b\n").program.playbooks[0].steps[0].id
    check_command(HEAD + "- [ ]\n- [ ] b\n", lambda find: SetStepText(step, "a"), HEAD + "- [ ] a\n- [ ] b\n")


def test_a_condition_around_boxes_has_one() -> None:
    check_command(
        HEAD + "- [ ] One\n",
        lambda find: WrapSteps((find("One"),), WrapForm.IF, "If it rains"),
        HEAD + "- [ ] If it rains\n  - [ ] One\n",
    )


def test_deleting_takes_the_box_along() -> None:
    check_command(LIST, lambda find: DeleteSteps((find("Count"),)), HEAD + "- [x] Light on\n")


def test_a_step_stays_the_same_while_its_box_is_typed() -> None:
    snapshot = snapshot_of(HEAD + "- Lock\n- b\n")
    first = snapshot.program.playbooks[0].steps[0].id
    at = snapshot.text.index("Lock")
    for character in "[ ] ":
        snapshot = advance(snapshot, TextChange((TextEdit(Span(at, at), character),)))
        at += 1
    step = snapshot.program.playbooks[0].steps[0]
    assert (step.id, step.is_ticked, step.text) == (first, False, "Lock")


def test_the_terminal_ticks_and_unticks(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "opening.md"
    path.write_text(LIST, encoding="utf-8")
    assert terminal.run("edit", path, "tick", "Opening:02.01").code == 0
    assert terminal.run("edit", path, "untick", "Opening:01").code == 0
    assert path.read_text(encoding="utf-8") == LIST.replace("- [ ] N", "- [x] N").replace("- [x] L", "- [ ] L")
