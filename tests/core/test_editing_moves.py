"""Moving steps: what travels, what stays, and how the text around adapts."""

from __future__ import annotations

from tests.core.check import check_command, check_refused, check_unchanged
from workbench.editing.commands import MoveSteps, Place

BOOK = "## Book\n### Steps\n"


def test_moving_a_step_takes_its_comment_along() -> None:
    check_command(
        BOOK + "- A\n<!-- why -->\n- B\n",
        lambda find: MoveSteps((find("B"),), Place("Book")),
        BOOK + "<!-- why -->\n- B\n- A\n",
    )


def test_a_comment_set_off_by_blank_lines_stays_above_what_it_announces() -> None:
    check_command(
        BOOK + "- A\n\n<!-- gap -->\n\n- B\n- C\n",
        lambda find: MoveSteps((find("C"),), Place("Book", None, find("A"))),
        BOOK + "- A\n- C\n\n<!-- gap -->\n\n- B\n",
    )


def test_moving_into_a_nest_indents_children_and_fences() -> None:
    check_command(
        BOOK + "- If x\n  - In\n- B\n  more\n  ```sh\n    deep\n\n  ```\n  - C\n",
        lambda find: MoveSteps((find("B"),), Place("Book", find("If x"), find("In"))),
        BOOK + "- If x\n  - In\n  - B\n    more\n    ```sh\n      deep\n\n    ```\n    - C\n",
    )


def test_moving_out_of_a_nest_takes_the_style_of_the_new_neighbours() -> None:
    check_command(
        BOOK + "1. If x\n   * In\n   * Out\n2. B\n",
        lambda find: MoveSteps((find("Out"),), Place("Book", None, find("If x"))),
        BOOK + "1. If x\n   * In\n2. Out\n3. B\n",
    )


def test_numbers_stay_one_where_all_are_one() -> None:
    check_command(
        BOOK + "1. A\n1. B\n1. C\n",
        lambda find: MoveSteps((find("C"),), Place("Book")),
        BOOK + "1. C\n1. A\n1. B\n",
    )


def test_padded_numbers_count_on() -> None:
    check_command(
        BOOK + "01) A\n02) B\n03) C\n",
        lambda find: MoveSteps((find("A"),), Place("Book", None, find("C"))),
        BOOK + "01) B\n02) C\n03) A\n",
    )


def test_a_missing_final_newline_stays_missing() -> None:
    check_command(
        BOOK + "- A\n- B\n- C",
        lambda find: MoveSteps((find("A"),), Place("Book", None, find("C"))),
        BOOK + "- B\n- C\n- A",
    )


def test_line_ends_stay_as_they_are() -> None:
    check_command(
        "## Book\r\n### Steps\r\n- A\r\n- B\r\n",
        lambda find: MoveSteps((find("A"),), Place("Book", None, find("B"))),
        "## Book\r\n### Steps\r\n- B\r\n- A\r\n",
    )


def test_moving_to_another_playbook_with_an_empty_list() -> None:
    check_command(
        BOOK + "- A\n- B\n\n## Other\n### Steps\n",
        lambda find: MoveSteps((find("A"),), Place("Other")),
        BOOK + "- B\n\n## Other\n### Steps\n- A\n",
    )


def test_moving_to_a_playbook_without_a_heading_for_steps() -> None:
    check_command(
        BOOK + "- A\n- B\n\n## Other\nTalks.\n",
        lambda find: MoveSteps((find("A"),), Place("Other")),
        BOOK + "- B\n\n## Other\nTalks.\n### Steps\n- A\n",
    )


def test_several_steps_move_together_in_source_order() -> None:
    check_command(
        BOOK + "- A\n- B\n- C\n- D\n",
        lambda find: MoveSteps((find("C"), find("A")), Place("Book", None, find("D"))),
        BOOK + "- B\n- D\n- A\n- C\n",
    )


def test_steps_of_different_lists_come_together() -> None:
    check_command(
        BOOK + "- A\n- If x\n  - In\n- C\n",
        lambda find: MoveSteps((find("In"), find("A")), Place("Book", None, find("C"))),
        BOOK + "- If x\n- C\n- A\n- In\n",
    )


def test_moving_to_where_it_is_changes_nothing() -> None:
    check_unchanged(BOOK + "- A\n- B\n", lambda find: MoveSteps((find("B"),), Place("Book", None, find("A"))))
    check_unchanged(BOOK + "- A\n- B\n", lambda find: MoveSteps((find("B"),), Place("Book", None, find("B"))))


def test_a_step_cannot_move_into_itself() -> None:
    book = BOOK + "- If x\n  - In\n"
    check_refused(book, lambda find: MoveSteps((find("If x"),), Place("Book", find("In"))), "into-itself")
    check_refused(book, lambda find: MoveSteps((find("If x"),), Place("Book", find("If x"))), "into-itself")


def test_a_step_with_an_open_fence_cannot_move() -> None:
    check_refused(
        BOOK + "- A\n  ```sh\n- B\n", lambda find: MoveSteps((find("A"),), Place("Book", None, find("B"))), "damaged"
    )


def test_a_trigger_cannot_become_a_step() -> None:
    book = "## Book\n### Triggers\n- When x\n### Steps\n- A\n"
    check_refused(book, lambda find: MoveSteps((find("When x"),), Place("Book", None, find("A"))), "other-section")


def test_a_moved_step_keeps_its_id_and_those_of_its_children() -> None:
    change = check_command(
        BOOK + "- A\n- If x\n  - In\n",
        lambda find: MoveSteps((find("If x"),), Place("Book")),
        BOOK + "- If x\n  - In\n- A\n",
    )
    assert not change.added
    assert not change.removed


def test_mentions_of_steps_are_offered_and_updated_on_wish() -> None:
    book = BOOK + "1. A\n2. Go back to step 1, see steps 2 and 3\n3. C\n"
    change = check_command(
        book,
        lambda find: MoveSteps((find("C"),), Place("Book"), updates_references=True),
        BOOK + "1. C\n2. A\n3. Go back to step 2, see steps 3 and 1\n",
    )
    assert not change.added
    check_command(
        book,
        lambda find: MoveSteps((find("C"),), Place("Book")),
        BOOK + "1. C\n2. A\n3. Go back to step 1, see steps 2 and 3\n",
    )


def test_a_comment_further_out_does_not_travel_with_what_stands_above_it() -> None:
    check_command(
        BOOK + "- If x\n  - In\n  <!-- end of the inner list -->\n<!-- end of the list -->\n\n- B\n",
        lambda find: MoveSteps((find("If x"),), Place("Book", None, find("B"))),
        BOOK + "<!-- end of the list -->\n\n- B\n- If x\n  - In\n  <!-- end of the inner list -->\n",
    )
