"""Steps among headings, rules, paragraphs and fences: these stay where they are, and nothing runs into anything."""

from __future__ import annotations

import pytest

from tests.core.check import check_command, check_refused, check_unchanged, snapshot_of
from workbench.editing.commands import DeleteSteps, DuplicateSteps, InsertLines, InsertStep, MoveSteps, Place
from workbench.editing.document import Document

BOOK = "## Book\n### Steps\n"


def test_a_step_goes_below_the_text_that_follows_its_list() -> None:
    check_command(
        BOOK + "1. Wash\n2. Fold\n\nIf nothing is clean, borrow some.\n\n3. Close\n",
        lambda find: MoveSteps((find("Fold"),), Place("Book", None, find("If nothing"))),
        BOOK + "1. Wash\n\nIf nothing is clean, borrow some.\n\n2. Fold\n\n3. Close\n",
    )


def test_text_goes_up_between_two_steps_of_a_tight_list() -> None:
    check_command(
        BOOK + "- Wash\n- Fold\n\nBorrow some.\n",
        lambda find: MoveSteps((find("Borrow"),), Place("Book", None, find("Wash"))),
        BOOK + "- Wash\n\nBorrow some.\n\n- Fold\n",
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_step_that_leaves_two_texts_leaves_a_blank_line_between_them(end: str) -> None:
    check_command(
        (BOOK + "- Call\n\nGuidelines\n- Resolve\n\nExample\n- End\n").replace("\n", end),
        lambda find: DeleteSteps((find("Resolve"),)),
        (BOOK + "- Call\n\nGuidelines\n\nExample\n- End\n").replace("\n", end),
    )


@pytest.mark.parametrize("between", ["***", "<!-- the second part -->"])
def test_a_step_moves_past_what_begins_the_next_group_and_leaves_it_there(between: str) -> None:
    check_command(
        f"# Lift\n- Read\n- Listen\n\n{between}\n\n- Climb\n- Knock\n",
        lambda find: MoveSteps((find("Listen"),), Place("Lift", None, find("Climb"))),
        f"# Lift\n- Read\n\n{between}\n\n- Climb\n- Listen\n- Knock\n",
    )


@pytest.mark.parametrize("between", ["***", "<!-- the second part -->"])
def test_a_step_moved_up_to_the_end_of_a_group_stands_above_what_begins_the_next(between: str) -> None:
    check_command(
        f"# Lift\n- Read\n\n{between}\n\n- Climb\n- Knock\n",
        lambda find: MoveSteps((find("Knock"),), Place("Lift", None, find("Read"))),
        f"# Lift\n- Read\n- Knock\n\n{between}\n\n- Climb\n",
    )


def test_a_new_step_goes_below_the_text_that_explains_the_one_above() -> None:
    check_command(
        BOOK + "- If x\n  - Wash\n  ```sh\n  tap on\n  ```\n\n  This takes a minute.\n  - Fold\n",
        lambda find: InsertStep(Place("Book", find("If x"), find("Wash")), "Dry"),
        BOOK + "- If x\n  - Wash\n  ```sh\n  tap on\n  ```\n\n  This takes a minute.\n\n  - Dry\n  - Fold\n",
    )


def test_a_new_step_goes_above_the_text_that_introduces_the_one_below() -> None:
    check_command(
        BOOK + "- If x\n  - Wash\n\n  When all is dry:\n\n  - Fold\n",
        lambda find: InsertStep(Place("Book", find("If x"), find("Wash")), "Dry"),
        BOOK + "- If x\n  - Wash\n  - Dry\n\n  When all is dry:\n\n  - Fold\n",
    )


def test_a_new_step_does_not_swallow_the_text_right_below_a_fence() -> None:
    snapshot = snapshot_of(BOOK + "- Fill\n\n```\ntap on\n```\nMind the carpet.\n\n- Water\n")
    fence = snapshot.program.playbooks[0].steps[1].id
    check_command(
        snapshot.text,
        lambda _find: InsertStep(Place("Book", None, fence), "Wait"),
        BOOK + "- Fill\n\n```\ntap on\n```\n\n- Wait\n\nMind the carpet.\n\n- Water\n",
    )


def test_a_copy_does_not_swallow_the_text_right_below_a_fence() -> None:
    snapshot = snapshot_of(BOOK + "- Fill\n\n```\ntap on\n```\nMind the carpet.\n")
    fence = snapshot.program.playbooks[0].steps[1].id
    check_command(
        snapshot.text,
        lambda _find: DuplicateSteps((fence,)),
        BOOK + "- Fill\n\n```\ntap on\n```\n```\ntap on\n```\nMind the carpet.\n",
    )


def test_pasted_text_goes_below_a_step_as_text_of_its_own() -> None:
    check_command(
        BOOK + "- Fill\n- Water\n",
        lambda find: InsertLines(Place("Book", None, find("Fill")), "- Wait\n\nMind the carpet.\n"),
        BOOK + "- Fill\n- Wait\n\nMind the carpet.\n- Water\n",
    )


def test_a_step_that_would_take_in_indented_text_below_is_refused() -> None:
    snapshot = snapshot_of(BOOK + "- Fill\n\n```\ntap on\n```\n\n    indented\n")
    fence = snapshot.program.playbooks[0].steps[1].id
    check_refused(snapshot.text, lambda _find: InsertStep(Place("Book", None, fence), "Wait"), "would-merge")


TRIP = "# Trip\n\n## Before\n\n1. Book the train.\n\nLook at the timetable twice.\n\n## After\n\n1. Unpack.\n"


def test_a_chapter_stays_with_its_text_when_its_last_step_is_deleted() -> None:
    change = check_command(TRIP, lambda find: DeleteSteps((find("Book"),)), TRIP.replace("1. Book the train.\n\n", ""))
    before, _after = change.after.program.playbooks
    assert (before.title, [step.text for step in before.steps]) == ("Before", ["Look at the timetable twice."])


def test_a_chapter_stays_when_its_last_step_moves_away_and_takes_it_back() -> None:
    text = "# Trip\n\n## Before\n\n1. Book.\n\n## After\n\n1. Unpack.\n"
    document = Document.from_text(text)
    book = document.snapshot.program.playbooks[0].steps[0].id
    document.execute(MoveSteps((book,), Place("After")))
    assert document.snapshot.text == "# Trip\n\n## Before\n\n\n## After\n\n1. Book.\n2. Unpack.\n"
    assert [one.title for one in document.snapshot.program.playbooks] == ["Before", "After"]
    document.execute(MoveSteps((book,), Place("Before")))
    assert document.snapshot.text == text


def test_exchanging_equal_steps_is_no_edit() -> None:
    text = BOOK + "- Knock\n- Knock\n"
    check_unchanged(text, lambda find: MoveSteps((find("Knock"),), Place("Book", None, "s2")))
    document = Document.from_text(text)
    first, second = document.snapshot.program.playbooks[0].steps
    document.execute(MoveSteps((first.id,), Place("Book", None, second.id)))
    assert not document.can_undo
