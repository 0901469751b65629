"""Surgery on steps: what each command makes of a text, and when it says no."""

from __future__ import annotations

import pytest

from tests.core.check import check_command, check_refused
from workbench.editing.commands import (
    AddOtherwise,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    InvertCondition,
    SwapBranches,
)
from workbench.model.meaning import BranchForm

HEAD = "# Desk\n## Main\n### Steps\n"
DECISION = HEAD + '- If $x > 3\n  - Tell user "big"\n- Otherwise\n  - Tell user "small"\n    - why\n- Done\n'


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        ("If $x > 3", "If $x <= 3"),
        ("Else if $x == 'x == y'", "Else if $x != 'x == y'"),
        ("If $x is at least 3", "If $x is less than 3"),
        ("If $x is not empty", "If $x is empty"),
        ("If `$x in [1, 2]`", "If `$x not in [1, 2]`"),
        ("When $x contains 'is'", "When $x does not contain 'is'"),
        ("If $x > 1 and $y", "Unless $x > 1 and $y"),
        ("Else if $x or $y", "Else if not ($x or $y)"),
        ("If the customer is angry", "Unless the customer is angry"),
        ("Else if the customer isn't angry", "Else if the customer is angry"),
        ("**If** $n > 2, then:", "**If** $n <= 2, then:"),
    ],
)
def test_a_condition_and_its_opposite_become_each_other(condition: str, opposite: str) -> None:
    first, second = (f"{HEAD}- If $a\n  - one\n- {words} <!-- why -->\n  - two\n" for words in (condition, opposite))
    check_command(first, lambda find: InvertCondition(find(condition)), second)
    if "isn't" not in condition:
        check_command(second, lambda find: InvertCondition(find(opposite)), first)


def test_what_no_opposite_is_sure_of_is_not_inverted() -> None:
    text = HEAD + "- If $a\n  - one\n- Else if they ask for help\n  - two\n- Otherwise\n  - three\n- Rest\n"
    check_refused(text, lambda find: InvertCondition(find("Else if")), "no-opposite")
    check_refused(text, lambda find: InvertCondition(find("Otherwise")), "no-condition")
    check_refused(text, lambda find: InvertCondition(find("Rest")), "no-branch")


def test_swapped_branches_do_what_they_did() -> None:
    after = HEAD + '- If $x <= 3\n  - Tell user "small"\n    - why\n- Otherwise\n  - Tell user "big"\n- Done\n'
    change = check_command(DECISION, lambda find: SwapBranches(find("If $x")), after)
    assert not change.added and not change.removed
    check_command(after, lambda find: SwapBranches(find("Otherwise")), DECISION)


def test_branches_that_cannot_be_swapped_say_why() -> None:
    check_refused(HEAD + "- If $x\n  - one\n", lambda find: SwapBranches(find("If")), "no-otherwise")
    one_line = HEAD + "- If $x, return\n- Otherwise\n  - two\n"
    check_refused(one_line, lambda find: SwapBranches(find("If")), "one-line")
    many = HEAD + "- If $x\n  - one\n- Else if $y\n  - two\n- Otherwise\n  - three\n"
    check_refused(many, lambda find: SwapBranches(find("If")), "many-branches")


def test_otherwise_and_its_condition_become_each_other() -> None:
    asked = DECISION.replace("Otherwise", "If $x <= 3")
    alternative = DECISION.replace("Otherwise", "Else if $x <= 3")
    check_command(DECISION, lambda find: ConvertBranch(find("Otherwise"), BranchForm.IF), asked)
    check_command(asked, lambda find: ConvertBranch(find("If $x <="), BranchForm.OTHERWISE), DECISION)
    check_command(DECISION, lambda find: ConvertBranch(find("Otherwise"), BranchForm.ELSE_IF), alternative)
    check_command(alternative, lambda find: ConvertBranch(find("Else"), BranchForm.OTHERWISE), DECISION)
    check_command(alternative, lambda find: ConvertBranch(find("Else"), BranchForm.IF), asked)


def test_a_branch_is_not_converted_where_that_would_say_something_else() -> None:
    changing = DECISION.replace('Tell user "big"', "$x = 1")
    check_refused(changing, lambda find: ConvertBranch(find("Otherwise"), BranchForm.IF), "changes-condition")
    other = DECISION.replace("Otherwise", "Else if $x > 5")
    check_refused(other, lambda find: ConvertBranch(find("Else"), BranchForm.OTHERWISE), "other-condition")
    check_refused(DECISION, lambda find: ConvertBranch(find("If $x"), BranchForm.ELSE_IF), "first-branch")


def test_otherwise_is_added_in_the_words_of_the_file() -> None:
    text = HEAD + "1. If $x\n   1. one\n2. Rest\n   - If $y\n     - a\n   - Else\n     - b\n"
    after = text.replace("2. Rest", "2. Else\n   1. two\n3. Rest")
    check_command(text, lambda find: AddOtherwise(find("If $x"), "two"), after)
    check_refused(DECISION, lambda find: AddOtherwise(find("If $x")), "has-otherwise")


def test_a_disabled_step_stands_as_it_was_in_a_comment() -> None:
    text = HEAD + "1. One\r\n2. Two <!-- a --> <!-- b --&gt; -->\r\n   - inner\r\n3. Three"
    inside = "2. Two <!-- a --&gt; <!-- b --&amp;gt; --&gt;\r\n   - inner\r\n"
    after = text.replace(text[text.index("2.") : text.index("3.")], f"<!-- disabled\r\n{inside}-->\r\n")
    change = check_command(text, lambda find: DisableSteps((find("Two"),)), after)
    assert len(change.removed) == 2
    check_command(after, lambda find: EnableSteps((find("Three"),)), text)
    check_command(after, lambda _find: EnableSteps(line=6), text)
    last = text.replace("3. Three", "<!-- disabled\r\n3. Three\r\n-->")
    check_command(text, lambda find: DisableSteps((find("Three"),)), last)
    check_command(last, lambda find: EnableSteps((find("Two"),)), text)
    check_refused(text, lambda find: EnableSteps((find("Two"),)), "not-disabled")
    check_refused(text, lambda _find: EnableSteps(line=99), "not-disabled")
