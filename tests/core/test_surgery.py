"""Surgery on steps: what each command makes of a text, and when it says no."""

from __future__ import annotations

import pytest

from tests.core.check import check_command, check_refused
from workbench.editing.commands import (
    AddOtherwise,
    ChangeLoop,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InvertCondition,
    JoinSteps,
    MakeExact,
    SortSteps,
    SplitStep,
    SwapBranches,
)
from workbench.model.meaning import BranchForm, LoopForm

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


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ('Tell user "x", then $a = 3', ['Tell user "x"', "$a = 3"]),
        ("Wash the dishes. Fold the shirts", ["Wash the dishes", "Fold the shirts"]),
        ("Greet the user and ask for their $name", ["Greet the user", "Ask for their $name"]),
    ],
)
def test_a_step_is_split_into_what_it_says_and_joined_again(whole: str, parts: list[str]) -> None:
    one, two = f"{HEAD}1. {whole} <!-- c -->\n2. Rest\n", f"{HEAD}1. {parts[0]} <!-- c -->\n2. {parts[1]}\n3. Rest\n"
    if whole.startswith("Wash"):
        one, two = one.replace(" <!-- c -->\n", "\n"), two.replace("dishes <!-- c -->", "dishes.")
    change = check_command(one, lambda find: SplitStep(find(whole)), two)
    assert len(change.added) == 1
    if not whole.startswith("Greet"):
        check_command(two, lambda find: JoinSteps((find(parts[0]), find(parts[1]))), one)


def test_a_branch_in_one_line_is_split_into_head_and_body() -> None:
    text = HEAD + "- If $x > 3, then return 1\n- Otherwise: tell user {$x}\n- Rest\n"
    after = HEAD + "- If $x > 3\n  - Return 1\n- Otherwise: tell user {$x}\n- Rest\n"
    check_command(text, lambda find: SplitStep(find("If")), after)
    body = after.replace(": tell user {$x}", "\n  - Tell user {$x}")
    check_command(after, lambda find: SplitStep(find("Otherwise")), body)


def test_what_says_one_thing_is_not_split_and_what_would_be_judged_is_not_joined() -> None:
    text = HEAD + "- Check name and address\n- $a = 3\n- Look around\n- If $a\n  - x\n- Done\n"
    check_refused(text, lambda find: SplitStep(find("Check")), "one-thing")
    check_refused(text, lambda find: SplitStep(find("$a = 3"), 4), "no-cut")
    check_refused(text, lambda find: JoinSteps((find("$a = 3"), find("Look"))), "would-be-judged")
    check_refused(text, lambda find: JoinSteps((find("Look"), find("Done"))), "not-neighbours")
    check_refused(text, lambda find: JoinSteps((find("If"), find("Done"))), "holds-steps")


def test_steps_are_sorted_with_what_they_own_and_numbers_stay() -> None:
    text = HEAD + "1. Zip it\n   - b\n   - a\n<!-- of apples -->\n2. **apples** 10\n3. Apples 9\n"
    after = HEAD + "1. Apples 9\n<!-- of apples -->\n2. **apples** 10\n3. Zip it\n   - b\n   - a\n"
    change = check_command(text, lambda find: SortSteps((find("Zip"), find("**a"), find("Apples"))), after)
    assert not change.added and not change.removed
    check_command(text, lambda find: SortSteps((find("Zip"),)), text.replace("- b\n   - a", "- a\n   - b"))


def test_what_is_no_program_gets_no_variables() -> None:
    text = "# Laundry\n\n1. Ask user for the name\n2. Repeat 3 times\n   - Wash it\n3. Fold it\n"
    check_refused(text, lambda find: MakeExact(find("Ask")), "no-exact-form")
    check_refused(text, lambda find: ChangeLoop(find("Repeat"), LoopForm.WHILE), "no-program")


def test_entries_that_would_not_come_back_are_not_disabled() -> None:
    text = "id: one\nsteps:\n- id: a\n  description: b\n- id: c\n  description: d\n"
    check_refused(text.replace("  desc", "\tdesc"), lambda find: DisableSteps((find("- id: c"),)), "damaged")
    asked = text.replace("steps:\n-", "? steps\n: -").replace("\n-", "\n  -").replace("\n  d", "\n    d")
    check_refused(asked, lambda find: DisableSteps((find("b"),)), "would-merge")
    check_refused('{"id": "one", "steps": [{"id": "a"}]}', lambda find: DisableSteps((find("a"),)), "no-comments")
    one = text[: text.index("- id: c")]
    check_refused(one, lambda find: DisableSteps((find("b"),)), "last-step")


def test_steps_that_need_their_order_are_not_sorted() -> None:
    text = HEAD + "- $b = 1\n- $a = $b\n- If $a\n  - x\n- Otherwise\n  - y\n"
    check_refused(text, lambda find: SortSteps((find("$b"), find("$a"))), "order")
    check_refused(text, lambda find: SortSteps((find("If"), find("Otherwise"))), "branches")


@pytest.mark.parametrize(
    ("form", "loop", "other", "changed"),
    [
        (LoopForm.UNTIL, "While $x > 3", LoopForm.WHILE, "Until $x <= 3"),
        (LoopForm.FOR_EACH, "Repeat 3 times", LoopForm.REPEAT, "For each $round in range(3)"),
    ],
)
def test_a_loop_gets_another_form_and_its_own_again(form: LoopForm, loop: str, other: LoopForm, changed: str) -> None:
    first, second = (f"{HEAD}- A\n- {words}\n  - B\n" for words in (loop, changed))
    check_command(first, lambda find: ChangeLoop(find(loop), form), second)
    check_command(second, lambda find: ChangeLoop(find(changed), other), first)


def test_a_loop_gets_the_counter_that_while_needs_and_gives_it_back() -> None:
    text = HEAD + "1. $list = [1, 2]\n2. For each $x in $list\n   - Tell user {$x}\n3. Rest\n"
    inside = "   - $x = $list[$index]\n   - $index = $index + 1\n   - Tell user {$x}\n"
    after = HEAD + f"1. $list = [1, 2]\n2. $index = 0\n3. While $index < len($list)\n{inside}4. Rest\n"
    check_command(text, lambda find: ChangeLoop(find("For each"), LoopForm.WHILE), after)
    check_command(after, lambda find: ChangeLoop(find("While"), LoopForm.FOR_EACH), text)
    used = after.replace("4. Rest", "4. Tell user {$index}")
    check_refused(used, lambda find: ChangeLoop(find("While"), LoopForm.FOR_EACH), "no-counter")


@pytest.mark.parametrize(
    ("sentence", "exact"),
    [
        ("Ask user for the name and a home address", "Ask user for $name and $home_address"),
        ("Tell user the total", "Tell user $total"),
        ("Return the total", "Return $total"),
        ("Increase $total by 1", "$total = $total + 1"),
        ("Settle the order", "SettleOrder(order=$order)"),
        ("If the total is more than five", "If $total is more than 5"),
    ],
)
def test_a_sentence_is_written_in_its_exact_form(sentence: str, exact: str) -> None:
    below = "\n  - x" if sentence.startswith("If") else ""
    text = f"{HEAD}- $total = 1\n- Ask user for $order\n- {sentence}{below}\n\n## Settle order($order)\n- y\n"
    check_command(text, lambda find: MakeExact(find(sentence)), text.replace(f"- {sentence}", f"- {exact}"))


def test_what_has_no_exact_form_says_so() -> None:
    text = HEAD + "- $a = 3\n- Look around\n"
    check_refused(text, lambda find: MakeExact(find("$a")), "exact-already")
    check_refused(text, lambda find: MakeExact(find("Look")), "no-exact-form")


CALLED = (
    "# Desk\r\n## Main($rate)\r\n### Steps\r\n1. n = 2\r\n2. $tax = Work out($rate, n)\r\n3. Tell user {$tax}\r\n"
    "\r\n## Work out($rate, n)\r\n### Steps\r\n1. $tax = $rate * n\r\n2. Return $tax\r\n"
    "\r\n## Last\r\n### Steps\r\n- x\r\n"
).replace("$tax = Work out", "$tax = WorkOut")
WHOLE = CALLED[: CALLED.index("## Work")].replace("$tax = WorkOut($rate, n)", "$tax = $rate * n")
REST = CALLED[CALLED.index("## Last") :]


def test_steps_become_a_playbook_and_a_call_becomes_its_steps() -> None:
    change = check_command(WHOLE + REST, lambda find: ExtractPlaybook((find("$tax ="),), "Work out"), CALLED)
    assert len(change.added) == 2 and not change.removed
    inlined = CALLED.replace("$tax = WorkOut($rate, n)", "$tax = $rate * n")
    check_command(CALLED, lambda find: InlineCall(find("$tax = WorkOut")), inlined)


def test_a_playbook_without_a_name_is_called_by_the_words_of_its_first_step() -> None:
    text = HEAD + "- Tell the customer all about $x\n- $a = 1\n"
    named = (
        HEAD + "- TellTheCustomer()\n- $a = 1\n\n## TellTheCustomer()\n### Steps\n- Tell the customer all about $x\n"
    )
    check_command(text, lambda find: ExtractPlaybook((find("Tell"),)), named)
    part = HEAD + "- Tell the customer all about $x\n- Part()\n\n## Part()\n### Steps\n- $a = 1\n"
    check_command(text, lambda find: ExtractPlaybook((find("$a"),)), part)


def test_steps_that_cannot_stand_alone_are_not_extracted() -> None:
    text = HEAD + "- If $x\n  - n = 1\n- Repeat 2 times\n  - If n > 1\n    - Break\n- Return 3\n- Rest\n"
    for words, code in (("If n", "jumps"), ("Return", "leaves"), ("Repeat", "no-value")):
        check_refused(text, lambda find, words=words: ExtractPlaybook((find(words),), "Apart"), code)
    check_refused(text, lambda find: ExtractPlaybook((find("Rest"),), "Main"), "name-taken")
    check_refused("# Laundry\n\n- Wash\n- Fold\n", lambda find: ExtractPlaybook((find("Wash"),), "A"), "no-program")


def test_a_call_is_not_inlined_where_its_steps_would_do_something_else() -> None:
    calls = "- Again()\n- AskIt($n)\n- $a = Early(1)\n- $b = Nothing()\n- n = 1\n- Clash()\n- Swap($y, $x)\n- Main()\n"
    rest = (
        "\n## Ask it($n)\nWhat is {$n}?\n"
        "\n## Again\n- Again()\n\n## Early($x)\n- If $x\n  - Return 1\n- Return 2\n\n## Nothing\n- x\n"
        "\n## Clash\n- n = 3\n\n## Swap($x, $y)\n- x\n"
    )
    codes = {
        "Again()": "recursive",
        "$a =": "leaves",
        "$b =": "no-result",
        "Clash()": "same-name",
        "Swap": "entangled",
        "AskIt": "no-steps-in-it",
    }
    for words, code in {**codes, "Main()": "recursive", "n = 1": "no-call"}.items():
        check_refused(HEAD + calls + rest, lambda find, words=words: InlineCall(find(words)), code)
