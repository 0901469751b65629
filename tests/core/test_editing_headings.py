"""Steps that headings begin: moved, copied, deleted and added with all that stands below them."""

from __future__ import annotations

import pytest

from tests.core.check import check_command, check_refused, check_unchanged
from workbench.editing.commands import (
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    MoveSteps,
    Place,
    SetStepText,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.model.meaning import StepKind
from workbench.model.program import StepId

FIRST = "### Step 1: Knead\n\nUse both hands.\n\n- Flour\n- Water\n"
SECOND = "### Step 2: Rest\n\n```sh\nwait 1h\n```\n"
THIRD = "### Step 3: Bake\n\n1. Heat\n2. Wait\n"
BREAD = f"# Bread\n\n## Steps\n\n{FIRST}\n{SECOND}\n{THIRD}"


def chapter(after: StepId | None = None, parent: StepId | None = None) -> Place:
    """A place in *Steps*."""
    return Place("Steps", parent, after)


def test_a_heading_moves_with_all_it_holds_and_the_numbers_stay_where_they_are() -> None:
    moved = FIRST.replace("1:", "2:")
    check_command(
        BREAD,
        lambda find: MoveSteps((find("Step 1"),), chapter(find("Step 2"))),
        f"# Bread\n\n## Steps\n\n{SECOND.replace('2:', '1:')}\n{moved}\n{THIRD}",
    )


def test_a_heading_moves_to_the_end_and_up_to_the_beginning() -> None:
    check_command(
        BREAD,
        lambda find: MoveSteps((find("Step 3"),), chapter()),
        "# Bread\n\n## Steps\n\n### Step 1: Bake\n\n1. Heat\n2. Wait\n\n"
        + FIRST.replace("1:", "2:")
        + "\n"
        + SECOND.replace("2:", "3:"),
    )


def test_numbers_without_a_word_are_counted_as_well() -> None:
    text = "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n\n### 2. Pour\n\nSlow.\n"
    check_command(
        text,
        lambda find: MoveSteps((find("1. Boil"),), chapter(find("2. Pour"))),
        "# Tea\n\n## Steps\n\n### 1. Pour\n\nSlow.\n\n### 2. Boil\n\nHot.\n",
    )


def test_rules_between_headings_stay_between_them() -> None:
    text = "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n\n---\n\n### 2. Pour\n\nSlow.\n\n---\n\n### 3. Drink\n\nSip.\n"
    check_command(
        text,
        lambda find: MoveSteps((find("1. Boil"),), chapter(find("3. Drink"))),
        "# Tea\n\n## Steps\n\n### 1. Pour\n\nSlow.\n\n---\n\n### 2. Drink\n\nSip.\n\n---\n\n### 3. Boil\n\nHot.\n",
    )
    check_command(
        text,
        lambda find: DeleteSteps((find("2. Pour"),)),
        "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n\n---\n\n### 2. Drink\n\nSip.\n",
    )


def test_a_deleted_heading_takes_along_what_it_holds() -> None:
    check_command(
        BREAD,
        lambda find: DeleteSteps((find("Step 1"),)),
        f"# Bread\n\n## Steps\n\n{SECOND.replace('2:', '1:')}\n{THIRD.replace('3:', '2:')}",
    )


def test_a_copied_heading_has_the_next_number() -> None:
    check_command(
        BREAD,
        lambda find: DuplicateSteps((find("Step 2"),)),
        f"# Bread\n\n## Steps\n\n{FIRST}\n{SECOND}\n{SECOND.replace('2:', '3:')}\n{THIRD.replace('3:', '4:')}",
    )


def test_a_new_step_below_a_heading_is_a_heading_with_the_next_number() -> None:
    check_command(
        BREAD,
        lambda find: InsertStep(chapter(find("Step 1")), "Cover"),
        f"# Bread\n\n## Steps\n\n{FIRST}\n### Step 2: Cover\n\n"
        f"{SECOND.replace('2:', '3:')}\n{THIRD.replace('3:', '4:')}",
    )


def test_a_new_step_at_the_end_of_headings_is_a_heading() -> None:
    check_command(
        "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n",
        lambda find: InsertStep(chapter(find("1. Boil")), "Pour\nSlowly."),
        "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n\n### 2. Pour\n\nSlowly.\n",
    )


def test_a_new_first_step_above_headings_is_a_heading() -> None:
    check_command(
        "# Tea\n\n## Steps\n\n### 1. Boil\n\nHot.\n",
        lambda _find: InsertStep(chapter(), "Fill"),
        "# Tea\n\n## Steps\n\n### 1. Fill\n\n### 2. Boil\n\nHot.\n",
    )


def test_a_new_step_in_a_heading_goes_between_its_texts() -> None:
    check_command(
        BREAD,
        lambda find: InsertStep(chapter(find("Use both"), find("Step 1")), "Salt"),
        BREAD.replace("hands.\n\n- Flour", "hands.\n\n- Salt\n- Flour"),
    )
    check_command(
        BREAD,
        lambda find: InsertStep(chapter(find("```sh"), find("Step 2")), "Salt"),
        BREAD.replace("1h\n```\n", "1h\n```\n- Salt\n"),
    )


def test_the_first_step_below_an_empty_heading() -> None:
    check_command(
        "# Tea\n\n## Steps\n\n### 1. Boil\n\n### 2. Pour\n\n1. Slowly\n",
        lambda find: InsertStep(chapter(None, find("1. Boil")), "Hot"),
        "# Tea\n\n## Steps\n\n### 1. Boil\n\n1. Hot\n\n### 2. Pour\n\n1. Slowly\n",
    )


def test_an_item_moves_from_one_heading_to_another() -> None:
    check_command(
        BREAD,
        lambda find: MoveSteps((find("Flour"),), chapter(find("Heat"), find("Step 3"))),
        BREAD.replace("- Flour\n", "").replace("1. Heat\n2. Wait", "1. Heat\n2. Flour\n3. Wait"),
    )


def test_text_moves_from_one_heading_to_another() -> None:
    check_command(
        BREAD,
        lambda find: MoveSteps((find("Use both"),), chapter(find("Heat"), find("Step 3"))),
        BREAD.replace("Use both hands.\n\n", "").replace("1. Heat\n2. Wait", "1. Heat\n\nUse both hands.\n\n2. Wait"),
    )


def test_a_heading_gets_the_level_of_those_that_it_comes_to() -> None:
    boil, rest = "### 1. Boil\n\n#### Wait\n\n- Sit\n\n", "#### 1. Rest\n\n- Lie\n"
    text = f"# Tea\n\n## Steps\n\n{boil}### 2. Pour\n\nSlow.\n\n## Resolution\n\n{rest}"
    check_command(
        text,
        lambda find: MoveSteps((find("1. Boil"),), Place("Resolution", None, find("1. Rest"))),
        f"# Tea\n\n## Steps\n\n### 1. Pour\n\nSlow.\n\n## Resolution\n\n{rest}\n#### 2. Boil\n\n##### Wait\n\n- Sit\n",
    )


def test_pasted_headings_are_steps_beside_those_there_are() -> None:
    check_command(
        BREAD,
        lambda find: InsertLines(chapter(find("Step 1")), "# Step 9: Cover\n\n- With a cloth\n"),
        f"# Bread\n\n## Steps\n\n{FIRST}\n### Step 2: Cover\n\n- With a cloth\n\n"
        f"{SECOND.replace('2:', '3:')}\n{THIRD.replace('3:', '4:')}",
    )


def test_a_title_can_be_changed_and_keeps_what_stands_below() -> None:
    check_command(
        BREAD, lambda find: SetStepText(find("Step 2"), "Step 2: Sleep"), BREAD.replace("Step 2: Rest", "Step 2: Sleep")
    )
    check_command(
        BREAD, lambda find: SetStepText(find("Step 2"), "Sleep"), BREAD.replace("Step 2: Rest", "Step 2: Sleep")
    )
    check_unchanged(BREAD, lambda find: SetStepText(find("Step 2"), "Step 2: Rest"))


def test_a_paragraph_that_is_a_step_keeps_its_lines() -> None:
    text = "# Tea\n\n## Steps\n\n**Step 1** Boil the\nwater.\n\n**Step 2** Pour.\n"
    check_unchanged(text, lambda find: SetStepText(find("**Step 1**"), "**Step 1** Boil the water."))
    check_command(
        text,
        lambda find: SetStepText(find("**Step 1**"), "**Step 1** Boil the milk."),
        text.replace("water.", "milk."),
    )


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda find: MoveSteps((find("Flour"),), chapter(find("Step 2"))), "below-heading"),
        (lambda find: InsertLines(chapter(find("Step 2")), "- Salt\n"), "below-heading"),
        (lambda find: MoveSteps((find("Step 3"),), chapter(find("Use both"), find("Step 1"))), "takes-in"),
        (lambda find: MoveSteps((find("Step 3"),), chapter(None, find("Flour"))), "heading"),
        (lambda find: MoveSteps((find("Step 3"),), chapter(None, find("Step 3"))), "into-itself"),
        (lambda find: WrapSteps((find("Step 3"),), WrapForm.IF), "heading"),
        (lambda find: UnwrapStep(find("Step 3")), "heading"),
        (lambda find: SetStepText(find("Step 3"), "two\nlines"), "no-title"),
    ],
)
def test_what_cannot_be_done_with_headings_is_refused(make: object, code: str) -> None:
    assert callable(make)
    check_refused(BREAD, make, code)


BOLD = "# Tea\n\n## Steps\n\n**Step 1** Boil.\n\n**Step 2:** Pour.\n\n**Step 3** Sip.\n"


def test_bold_steps_count_on_like_headings() -> None:
    check_command(
        BOLD,
        lambda find: MoveSteps((find("**Step 1**"),), chapter(find("**Step 3**"))),
        "# Tea\n\n## Steps\n\n**Step 1:** Pour.\n\n**Step 2** Sip.\n\n**Step 3** Boil.\n",
    )
    check_command(
        BOLD,
        lambda find: DeleteSteps((find("**Step 1**"),)),
        "# Tea\n\n## Steps\n\n**Step 1:** Pour.\n\n**Step 2** Sip.\n",
    )


def test_a_new_step_below_a_bold_one_is_like_it() -> None:
    check_command(
        BOLD,
        lambda find: InsertStep(chapter(find("**Step 2:**")), "Wait."),
        BOLD.replace("**Step 3** Sip.", "**Step 3:** Wait.\n\n**Step 4** Sip."),
    )


def test_a_new_step_among_paragraphs_that_are_steps_is_one() -> None:
    text = "# Members down\n\n## Mitigation\n\nSee who is there:\n\n```sh\nctl list\n```\n\nRemove the member.\n"
    change = check_command(
        text,
        lambda find: InsertStep(Place("Mitigation", None, find("```sh")), "Check it."),
        text.replace("Remove", "Check it.\n\nRemove"),
    )
    kinds = [step.kind for step in change.after.program.playbooks[0].steps]
    assert kinds == [StepKind.STEP, StepKind.RAW, StepKind.STEP, StepKind.STEP]


def test_a_heading_does_not_come_to_stand_over_others() -> None:
    text = "# Tea\n\n## Steps\n\n#### 1. Boil\n\n- Wait\n\n### 2. Pour\n\n- Slow\n"
    check_refused(text, lambda find: MoveSteps((find("2. Pour"),), chapter()), "would-merge")
