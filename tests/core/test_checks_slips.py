"""What is plainly wrong is seen at once, and what is merely prose is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.test_snapshot import book
from workbench.model.checks.rules import rule_codes
from workbench.model.snapshot import derive
from workbench.resources import sample_playbooks
from workbench.syntax.change import TextChange
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import SourceText

MAIN = "# A\n\n## M\n### Triggers\n- At the beginning\n### Steps\n"
CODES = frozenset(
    {
        "used-before-set",
        "empty-body",
        "never-closed",
        "bracket-too-many",
        "missing-space",
        "misspelt-keyword",
        "marks-in-code",
    }
)
FILES = [*sample_playbooks(), *sorted((DATA / "markdown").iterdir()), *sorted((DATA / "language").glob("*.md"))]


def found(steps: str, code: str = "") -> list[Diagnostic]:
    """The findings of this kind in *steps*; those with *code* where that is given."""
    return [one for one in book(MAIN + steps).diagnostics if one.code in ({code} if code else CODES)]


def marked(steps: str, code: str = "") -> list[str]:
    return [one.span.of(MAIN + steps) for one in found(steps, code)]


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        ("- If $late > 3\n  - Return 1\n- $late = 4\n", ["$late"]),
        ('- Tell user "{$severity}"\n- $severity = 1\n- Tell user "{$severity}"\n', ["$severity"]),
        ("- $n = $n + 1\n", ["$n"]),
        ("- While $n < 3\n  - $n = 3\n", ["$n"]),
        ("- Until $done\n  - $done = true\n", ["$done"]),
        ('- For each $i in [1, 2]\n  - Tell user "{$last}"\n  - $last = $i\n', ["$last"]),
        ("- Return $x\n- Ask user for $x\n", ["$x"]),
        ("- If the user is here\n  - Return $x\n- $x = 2\n", ["$x"]),
        ("- Set $y to $x and set $x to 1\n", ["$x"]),
        ("- For each $v in $w: $w = $v\n", ["$w"]),
        ("- M2()\n- Return $x\n- $x = 1\n\n## M2\n### Steps\n- $y = 1\n- Return $y\n", ["$x"]),
    ],
)
def test_a_variable_that_is_set_only_further_down_is_found(steps: str, names: list[str]) -> None:
    assert marked(steps, "used-before-set") == names


SET_BEFORE = {
    "an earlier round set it": '- For each $i in [1, 2]\n  - If $i > 1\n    - Tell user "{$a}"\n  - $a = $i\n',
    "a jump leads back": '- If the user waits\n  - Tell user "{$a}"\n- $a = 1\n- Go to step 1\n',
    "another playbook sets it": "- N()\n- Return $a\n- $a = 1\n\n## N\n### Steps\n- $a = 2\n",
    "the playbook is carried out again": (
        "- N()\n- N()\n\n## N\n### Steps\n- If the user was here before\n  - Return $a\n- $a = 2\n"
    ),
    "it is a parameter": "- N(1)\n\n## N($a)\n### Steps\n- $b = $a\n- $a = 2\n- Return $b\n",
    "somebody is asked": "- Ask user for $a\n- Return $a\n- $a = 2\n",
    "an earlier part of the step sets it": "- Ask user for $a and set $b to $a\n- Return $b\n",
    "one part of a sentence sets it and the next tells it": "- Set $a to 1, then tell user $a\n",
    "the loop on the same line sets it": "- For each $a in [1, 2]: tell user $a\n",
    "the action on the line of an If sets it": '- If the user waits, set $a to 1 and set $b to $a\n- Tell user "x"\n',
    "Python sets it": "- f()\n- Return $a\n- $a = 2\n\n# B\n",
}


@pytest.mark.parametrize("case", SET_BEFORE)
def test_a_variable_that_may_have_been_set_is_no_finding(case: str) -> None:
    python = "```python\n@playbook\ndef f():\n    self.state.a = 1\n```\n" if case.startswith("Python") else ""
    text = MAIN.replace("# A\n", f"# A\n{python}") + SET_BEFORE[case]
    assert "used-before-set" not in [one.code for one in book(text).diagnostics]


CALLED = "\n## N($list)\n### Steps\n- Return $list\n"


@pytest.mark.parametrize("steps", ["- Return $list\n", "- Return $list\n- N(1)\n"])
def test_a_parameter_of_another_playbook_is_not_set_here(steps: str) -> None:
    assert [one.message for one in found(steps + CALLED, "unset-variable")] == [
        "$list has no value here: it is a parameter of N."
    ]


@pytest.mark.parametrize(
    "steps",
    [
        "- N(1)\n- Return $list\n",
        "- While $x\n  - $y = $list\n  - N(1)\n",
        "- $y = $list\n\n## O\n### Steps\n- N(1)\n- M()\n",
    ],
)
def test_a_parameter_of_a_playbook_that_was_called_has_a_value(steps: str) -> None:
    assert found(steps + CALLED, "unset-variable") == [
        one for one in found(steps + CALLED, "unset-variable") if "$list" not in one.message
    ]


def test_a_name_of_another_playbook_alone_is_not_set_here() -> None:
    steps = "- N()\n- Return total_sum\n\n## N\n### Steps\n- total_sum = 3\n- Return total_sum\n"
    assert len(found(steps, "unset-variable")) == 1


@pytest.mark.parametrize(
    "steps",
    [
        "- If $a > 1\n- b\n", "- For each $x in [1]\n- b\n", "- Repeat 3 times\n- b\n",
        "- If the user is angry\n- $b = 1\n",
        "- If $a > 1\n  - b\n- Otherwise\n- c $d\n", "- While the user waits $x\n  - If $a > 1\n  - b\n",
    ],
)  # fmt: skip
def test_a_branch_or_loop_in_which_nothing_stands_is_found(steps: str) -> None:
    finding = found(steps, "empty-body")[0]
    again = TextChange(finding.fixes[0].edits).apply(MAIN + steps)
    assert "empty-body" not in [one.code for one in book(again).diagnostics]


@pytest.mark.parametrize(
    "steps",
    [
        "- If $a > 1, return 2\n", "- If $a > 1\n  ```sh\n  ls\n  ```\n", "- Otherwise return 1\n",
    ],
)  # fmt: skip
def test_what_stands_in_a_branch_in_another_way_is_seen(steps: str) -> None:
    assert found(steps, "empty-body") == []


MENDED = {
    "- Mitigate($sum": "- Mitigate($sum)",
    '- Tell user "hi {$x}': '- Tell user "hi {$x}"',
    '- Tell user "hi {$x"': '- Tell user "hi {$x}"',
    "- Tell user “hello": "- Tell user “hello”",
    "- $x = [1, (2 + 3": "- $x = [1, (2 + 3)]",
    "- `F($x)": "- `F($x)`",
    '- If $x == "a': '- If $x == "a"',
    "- F($x))": "- F($x)",
    "- $x = (1 + 2)]": "- $x = (1 + 2)",
    "- Retrun 4": "- Return 4",
    "- Retrun": "- Return",
    "- Othrwise": "- Otherwise",
    "- If $x > 3, retrun 4": "- If $x > 3, return 4",
    "- Fro each $i in $xs, $y = 1": "- For each $i in $xs, $y = 1",
    '- Tel user "hi"': '- Tell user "hi"',
    "- Untill $x > 3, $x = 4": "- Until $x > 3, $x = 4",
    "- F($x)\n-Tell user": "- F($x)\n- Tell user",
    '- F($x)\n-X Tell user "hi"': '- F($x)\n- X Tell user "hi"',
    '- F($x)\n  1.Tell user "hi"': '- F($x)\n  1. Tell user "hi"',
    "- Mitigate($sum\n-X Tell user": "- Mitigate($sum)\n-X Tell user",
    "- If **$x** > 2, return": "- If $x > 2, return",
    "- $y = $x **+ 1**": "- $y = $x + 1",
}


@pytest.mark.parametrize("slip", MENDED)
def test_a_slip_of_the_pen_is_found_and_mended(slip: str) -> None:
    text = f"{MAIN}- $x = 3\n{slip}\n"
    finding = next(one for one in book(text).diagnostics if one.code in CODES - {"used-before-set", "empty-body"})
    assert TextChange(finding.fixes[0].edits).apply(text) == f"{MAIN}- $x = 3\n{MENDED[slip]}\n"


def test_a_trigger_that_never_closes_is_found() -> None:
    text = "# A\n## M\n### Triggers\n- When $x > (3\n### Steps\n- $x = 1\n"
    assert "never-closed" in [one.code for one in book(text).diagnostics]


PROSE = """- Whole plates go to the kitchen
- Returns
- Returns of last week (see below
- Well, ask the owner's friends
- Press :-) or 1) to go on
- A 5" pipe, and a 3' board
- Tell user the "total
- Text the team
- Step 3: $x is there
- Think about $x (the first
- Ship the next item
- Run curl \\
  -X POST \\
  -d "$x"
- Use the option
  --force
- It is cold: -5 degrees,
  -10 at night
- Sell $x to the customer
- Breaking news: $x
- *Note*
  *this* is marked
- Call me (or not
- “Stop” is what he said, "go" is what she said
- Ask user for $name (first and last
- Quiet down
- Point $x out
- **Note:** look at **$x** and __all__ of `f(**k)`
""".splitlines(keepends=True)


def test_prose_holds_no_slips() -> None:
    assert marked("".join(PROSE)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_of_ours_gives_a_false_alarm(path: Path) -> None:
    assert [one for one in derive(SourceText.decode(path.read_bytes())).diagnostics if one.code in CODES] == []


def test_each_of_these_findings_has_a_page() -> None:
    assert set(rule_codes()) >= CODES
