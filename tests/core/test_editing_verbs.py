"""What each command does to the text, apart from moving."""

from __future__ import annotations

import pytest

from tests.core.check import Find, check_command, check_laws, check_refused, check_unchanged, snapshot_of
from workbench.editing.commands import (
    AddNote,
    AddPlaybook,
    AddTrigger,
    ChangeKind,
    Command,
    DeleteSteps,
    DuplicateSteps,
    InsertLines,
    InsertStep,
    Place,
    RenamePlaybook,
    SetStepText,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.editing.references import references
from workbench.model.meaning import StepKind

BOOK = "## Book\n### Steps\n"


def test_deleting_takes_children_and_owned_comments_and_nothing_else() -> None:
    check_command(
        BOOK + "- A\n\n<!-- gap -->\n\n<!-- mine -->\n- If x\n  - In\n- C\n",
        lambda find: DeleteSteps((find("If x"),)),
        BOOK + "- A\n\n<!-- gap -->\n\n- C\n",
    )


def test_deleting_neighbours_keeps_the_comment_between_them() -> None:
    check_command(
        BOOK + "- A\n\n<!-- gap -->\n\n- B\n- C\n",
        lambda find: DeleteSteps((find("A"), find("B"))),
        BOOK + "\n<!-- gap -->\n\n- C\n",
    )


def test_deleting_renumbers_what_follows() -> None:
    check_command(BOOK + "1. A\n2. B\n3. C\n", lambda find: DeleteSteps((find("B"),)), BOOK + "1. A\n2. C\n")


def test_deleting_the_last_step_leaves_no_blank_lines_behind() -> None:
    check_command(
        BOOK + "- A\n\n- B\n\n### Notes\n- N\n",
        lambda find: DeleteSteps((find("B"),)),
        BOOK + "- A\n\n### Notes\n- N\n",
    )


def test_a_copy_stands_below_with_its_comment_and_new_ids() -> None:
    change = check_command(
        BOOK + "<!-- why -->\n1. If x\n   - In\n2. B\n",
        lambda find: DuplicateSteps((find("If x"),)),
        BOOK + "<!-- why -->\n1. If x\n   - In\n<!-- why -->\n2. If x\n   - In\n3. B\n",
    )
    assert len(change.added) == 2


def test_a_new_step_copies_the_style_of_its_neighbours() -> None:
    check_command(
        BOOK + "*   A\r\n\r\n*   B\r\n",
        lambda find: InsertStep(Place("Book", None, find("A")), "New"),
        BOOK + "*   A\r\n\r\n*   New\r\n\r\n*   B\r\n",
    )


def test_further_lines_of_a_new_step_go_on_below_the_first() -> None:
    check_command(
        BOOK + "1. A\n",
        lambda find: InsertStep(Place("Book", None, find("A")), "New\nand more\n- with a child"),
        BOOK + "1. A\n2. New\n   and more\n   - with a child\n",
    )


def test_a_first_child_is_indented_as_elsewhere_in_the_file() -> None:
    check_command(
        BOOK + "- If x\n\t* In\n- If y\n",
        lambda find: InsertStep(Place("Book", find("If y")), "New"),
        BOOK + "- If x\n\t* In\n- If y\n\t* New\n",
    )


def test_a_first_child_goes_below_the_fence_of_its_parent() -> None:
    check_command(
        BOOK + "- A\n  ```sh\n  ls\n  ```\n- B\n",
        lambda find: InsertStep(Place("Book", find("A")), "New"),
        BOOK + "- A\n  ```sh\n  ls\n  ```\n  - New\n- B\n",
    )


def test_comments_at_the_end_of_a_block_stay_at_its_end() -> None:
    check_command(
        BOOK + "- A\n<!-- end -->\n",
        lambda find: InsertStep(Place("Book", None, find("A")), "New"),
        BOOK + "- A\n- New\n<!-- end -->\n",
    )


def test_pasted_source_keeps_its_nesting_and_comments() -> None:
    check_command(
        BOOK + "- If x\n  - In\n",
        lambda find: InsertLines(
            Place("Book", find("If x"), find("In")), "    * P\n      <!-- c -->\n      * Q\n    * R\n"
        ),
        BOOK + "- If x\n  - In\n  - P\n    <!-- c -->\n    * Q\n  - R\n",
    )


def test_pasted_prose_becomes_one_step_per_line() -> None:
    check_command(
        BOOK + "- A\n",
        lambda find: InsertLines(Place("Book", None, find("A")), "one\n\n  two\n"),
        BOOK + "- A\n- one\n- two\n",
    )


def test_pasting_a_heading_among_steps_is_refused() -> None:
    check_refused(BOOK + "- A\n", lambda find: InsertLines(Place("Book"), "## Other\n- B\n"), "not-steps")


def test_new_words_leave_comments_and_line_breaks_elsewhere_alone() -> None:
    check_command(
        BOOK + "- First words <!-- why -->\n  and the end\n  - In\n",
        lambda find: SetStepText(find("First"), "First words and some end"),
        BOOK + "- First words <!-- why -->\n  and some end\n  - In\n",
    )


def test_words_that_are_there_already_change_nothing() -> None:
    check_unchanged(BOOK + "- A\n  b <!-- c -->\n", lambda find: SetStepText(find("A"), "A b"))


@pytest.mark.parametrize(
    ("text", "code"),
    [(" ", "no-words"), ("A <!-- b", "open-comment"), ("A\n- b", "splits-step"), ("A\n\nb", "splits-step")],
)
def test_words_that_would_break_the_step_are_refused(text: str, code: str) -> None:
    check_refused(BOOK + "- A\n", lambda find: SetStepText(find("A"), text), code)


def test_wrapping_keeps_children_comments_and_gaps() -> None:
    check_command(
        BOOK + "<!-- a -->\n1. A\n\n2. If y\n   - In\n3. C\n",
        lambda find: WrapSteps((find("A"), find("If y")), WrapForm.FOR_EACH, "$x in $all"),
        BOOK + "1. For each $x in $all\n   <!-- a -->\n   1. A\n\n   2. If y\n      - In\n2. C\n",
    )


def test_only_neighbours_are_wrapped_together() -> None:
    check_refused(
        BOOK + "- A\n- B\n- C\n", lambda find: WrapSteps((find("A"), find("C")), WrapForm.IF), "not-neighbours"
    )


def test_unwrapping_keeps_the_comments_of_the_words_that_go() -> None:
    check_command(
        BOOK + "<!-- a -->\n- If x <!-- b -->\n  - In\n    - Deep\n  <!-- end -->\n- C\n",
        lambda find: UnwrapStep(find("If x")),
        BOOK + "<!-- a -->\n<!-- b -->\n- In\n  - Deep\n<!-- end -->\n- C\n",
    )


def test_a_step_that_holds_code_is_not_unwrapped() -> None:
    check_refused(BOOK + "- If x\n  ```sh\n  ls\n  ```\n  - In\n", lambda find: UnwrapStep(find("If x")), "holds-text")


@pytest.mark.parametrize(
    ("words", "kind", "after"),
    [
        ("the name", StepKind.ASK, "Ask user for the name"),
        ("$a = 1", StepKind.TELL, "Tell user $a"),
        ("All is well", StepKind.TELL, 'Tell user "All is well"'),
        ("$a > 1", StepKind.DECISION, "If $a > 1"),
        ("If $a > 1", StepKind.LOOP, "While $a > 1"),
        ("Tell user $a", StepKind.RETURN, "Return $a"),
        ("Return $a + 1", StepKind.ASSIGN, "$result = $a + 1"),
        ("Ask user for $name", StepKind.TELL, "Tell user $name"),
        ('Tell user "Goodbye"', StepKind.END, "End program"),
        ("Load the account", StepKind.CALL, "LoadTheAccount()"),
    ],
)
def test_changing_the_kind_keeps_what_the_step_says(words: str, kind: StepKind, after: str) -> None:
    change = check_command(
        BOOK + f"- {words} <!-- c -->\n- B\n",
        lambda find: ChangeKind(find(words), kind),
        BOOK + f"- {after} <!-- c -->\n- B\n",
    )
    assert next(iter(change.after.program.playbooks[0].steps)).kind is kind


def test_a_kind_that_a_step_has_already_changes_nothing() -> None:
    check_unchanged(BOOK + "- Return 1\n", lambda find: ChangeKind(find("Return"), StepKind.RETURN))


def test_a_trigger_gets_a_heading_like_those_of_the_file() -> None:
    check_command(
        "# A\n\n## Book\nTalks.\n\n### STEPS:\n- A\n",
        lambda _find: AddTrigger("Book", "When it rains"),
        "# A\n\n## Book\nTalks.\n\n### TRIGGERS:\n- When it rains\n\n### STEPS:\n- A\n",
    )


def test_steps_without_a_heading_do_not_become_triggers() -> None:
    change = check_command(
        "## Book\n- A\n",
        lambda _find: AddTrigger("Book", "When it rains"),
        "## Book\n\n### Triggers\n- When it rains\n\n### Steps\n- A\n",
    )
    assert [step.text for step in change.after.program.playbooks[0].steps] == ["A"]


def test_a_note_joins_those_there_are() -> None:
    check_command(
        BOOK + "- A\n### Notes\n* One\n", lambda _find: AddNote("Book", "Two"), BOOK + "- A\n### Notes\n* One\n* Two\n"
    )


def test_a_note_without_a_final_newline_ends_without_one() -> None:
    check_command(BOOK + "- A", lambda _find: AddNote("Book", "N"), BOOK + "- A\n### Notes\n- N")


def test_a_playbook_is_added_after_another() -> None:
    check_command(
        "# A\n\n## One\n### Steps\n- A\n\n## Two\n### Steps\n- B\n",
        lambda _find: AddPlaybook("New one", "One"),
        "# A\n\n## One\n### Steps\n- A\n\n## New one\n### Steps\n\n## Two\n### Steps\n- B\n",
    )


def test_a_playbook_is_added_to_an_empty_file() -> None:
    change = check_laws(snapshot_of(""), AddPlaybook("Main"))
    assert [playbook.name for playbook in change.after.program.playbooks] == ["Main"]


@pytest.mark.parametrize(
    ("name", "code"), [("Two", "name-taken"), ("", "no-name"), ("a\nb", "no-name"), ("!", "no-name")]
)
def test_names_that_cannot_be_called_are_refused(name: str, code: str) -> None:
    book = "# A\n## One\n### Steps\n- A\n## Two\n### Steps\n- B\n"
    check_refused(book, lambda _find: AddPlaybook(name), code)
    check_refused(book, lambda _find: RenamePlaybook("One", name), code)


def test_renaming_changes_the_heading_and_every_call() -> None:
    check_command(
        "# Desk\n```python\nawait Two(1)\n```\n## One\n### Steps\n- Two(1) <!-- Two(1) -->\n- `$x = Two(2)`\n"
        '- Tell user "Two(1) {Two(3)}"\n- Desk.Two(1)\n- Other.Two(1)\n- Twoo(1)\n\n## Two($n:int=1) -> str\n'
        "### Steps\n- Return Two($n)\n",
        lambda _find: RenamePlaybook("Two", "Look up"),
        "# Desk\n```python\nawait LookUp(1)\n```\n## One\n### Steps\n- LookUp(1) <!-- Two(1) -->\n- `$x = LookUp(2)`\n"
        '- Tell user "Two(1) {LookUp(3)}"\n- Desk.LookUp(1)\n- Other.Two(1)\n- Twoo(1)\n\n## Look up($n:int=1) -> str\n'
        "### Steps\n- Return LookUp($n)\n",
    )


def test_mentions_of_steps_are_found_but_not_in_code_and_comments() -> None:
    text = BOOK + "1. See step 2 and steps 3, 4.\n2. B <!-- step 1 -->\n   ```\n   step 1\n   ```\n"
    snapshot = snapshot_of(text)
    found = references(snapshot, snapshot.program.playbooks[0])
    assert [reference.number for reference in found] == ["2", "3", "4"]
    assert [reference.step is not None for reference in found] == [True, False, False]


def _gone(_find: Find) -> Command:
    return DeleteSteps((type(_find("A"))("s999"),))


def test_a_step_that_is_gone_is_refused() -> None:
    check_refused(BOOK + "- A\n", _gone, "no-such-step")


def test_a_playbook_is_renamed_outside_of_the_comment_that_says_its_name() -> None:
    text = "# A\n## <!-- Send --> Send($to)\n### Steps\n- a\n"
    check_command(text, lambda _find: RenamePlaybook("Send", "Post"), text.replace("Send($to)", "Post($to)"))
