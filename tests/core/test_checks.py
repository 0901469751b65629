"""Diagnostics: each finding is found where it is, and its fix removes it."""

from __future__ import annotations

import pytest

from tests.core.test_snapshot import book
from workbench.syntax.change import TextChange
from workbench.syntax.diagnostics import Diagnostic

MAIN = "# A\n\n## M\n### Steps\n"

FINDINGS = [
    ("unclosed-fence", f"{MAIN}- a\n\n```sh\n", "```sh\n"),
    ("unclosed-comment", f"{MAIN}- a\n\n<!-- x\n", "<!-- x\n"),
    ("nested-fence", f"{MAIN}- a\n\n```md\n```sh\n```\n", "```sh"),
    ("empty-file", "", ""),
    ("no-heading", "- $x = 1\n", "- $x = 1"),
    ("section-heading", "# A\n## M\n### Trigger\n- When x\n### Steps\n- a\n", "### Trigger"),
    ("section-heading", "# A\n## M\n### Steps:\n- a\n", "### Steps:"),
    ("section-heading", "# A:AI\n## M\n## Steps\n- a\n", "## Steps"),
    ("steps-without-heading", f"{MAIN}- a\n\n## N\n- b\n", "b"),
    ("text-among-steps", f"{MAIN}In order:\n\n- a\n", "In order:"),
    ("no-steps", MAIN, "### Steps"),
    ("duplicate-agent", f"{MAIN}- a\n\n# A\n", "# A"),
    ("duplicate-playbook", f"{MAIN}- a\n\n## M\n### Steps\n- b\n", "## M"),
    ("unset-variable", f"{MAIN}- $total = 1\n- $x = $totl + 1\n", "$totl"),
    ("unknown-call", f"{MAIN}- Othr()\n\n## Other\n### Steps\n- a\n", "Othr"),
    ("too-many-arguments", f"{MAIN}- Other(1, 2)\n\n## Other($a)\n### Steps\n- Return $a\n", "Other(1, 2)"),
    ("unknown-argument", f"{MAIN}- Other(b=1, a=2)\n\n## Other($a)\n### Steps\n- Return $a\n", "b"),
    ("missing-argument", f"{MAIN}- Other()\n\n## Other($a)\n### Steps\n- Return $a\n", "Other()"),
    ("unknown-step", f"{MAIN}- Go to step 7\n", "Go to step 7"),
    ("jump-outside-loop", f"{MAIN}- break\n", "break"),
    ("unreachable-step", f"{MAIN}- Return 1\n- a\n", "a"),
    ("unreachable-step", f"{MAIN}- While $x\n  - If y\n    - break\n  - Otherwise\n    - continue\n  - a\n", "a"),
    ("branch-without-if", f"{MAIN}- Otherwise\n  - a\n", "Otherwise"),
    ("unclosed-front-matter", "---\ntitle: x\n", "---\n"),
    ("agent-kind", "# A: b\n## M\n### Steps\n- a\n", "b"),
    ("built-in-name", "# A\n## Say\n### Steps\n- a\n", "## Say"),
    ("name-is-phrase", "# A\n## Check it($n)\n### Steps\n- Return $n\n", "## Check it($n)"),
    ("parameter-marker", "# A\n## F($a, *, $b)\n### Steps\n- Return $a + $b\n", " *"),
    ("unknown-section", f"{MAIN}- a\n### Stpes\n- b\n", "### Stpes"),
    ("second-list", f"{MAIN}- a\n1) b\n", "1)"),
    ("indented-code", f"{MAIN}\n    x = 1\n\n- a\n", "    x = 1"),
    ("metadata-value", "# A\nstartup_mode: never\n---\n## M\n### Steps\n- a\n", "startup_mode: never"),
    ("metadata-value", "---\ndeviation:\n  faild: stop\n---\n# A\n## M\n### Steps\n- a\n", "faild"),
    ("metadata-value", "---\nplans: {approve: aks}\n---\n# A\n## M\n### Steps\n- a\n", "aks"),
    ("metadata-value", "# A\n## M\ndeviation: {drift: sotp}\n### Steps\n- a\n", "sotp"),
    (
        "nothing-made",
        "---\nplans: {number: 0}\n---\n# A\n## M\n### Steps\n- Plan how to a, then do it\n",
        "Plan how to a, then do it",
    ),
    ("metadata-value", "---\nplans: yes\n---\n# A\n## M\n### Steps\n- a\n", "plans"),
    ("metadata-key", "# A\n## M\nexecution_mod: raw\n---\n### Steps\n- a\n", "execution_mod"),
    ("remote-settings", "# A\nremote:\n  type: a2a\n  url: x\n---\n## M\n### Steps\n- a\n", "type: a2a"),
    ("python-dollar", "# A\n```python\nx = $y\n```\n## M\n### Steps\n- a\n", "$"),
    ("python-syntax", "# A\n```python\nx = 1\n  y = (\n```\n## M\n### Steps\n- a\n", "y = ("),
    ("python-unnamed-triggers", '# A\n```python\n@playbook(["é"])\ndef f(): ...\n```\n## M\n### Steps\n- a\n', '["é"]'),
    ("unused-variable", f"{MAIN}- $ab = 1\n- $a = 1\n- Return $a\n", "$ab"),
    ("maybe-unset", f"{MAIN}- If x is good\n  - $a = 1\n- Return $a + 1\n", "$a"),
    ("endless-loop", f'{MAIN}- $n = 1\n- Until $n > 3\n  - Tell user "{{$n}}"\n', "Until $n > 3"),
    ("endless-recursion", f"{MAIN}- N()\n\n## N\n### Steps\n- M()\n", "N()"),
    ("unknown-reference", f"{MAIN}- See step 9 for more\n", "9"),
    ("argument-twice", f"{MAIN}- N(1, a=2)\n\n## N($a)\n### Steps\n- Return $a\n", "a"),
    ("argument-order", f"{MAIN}- N(a=1, 2)\n\n## N($a, $b)\n### Steps\n- Return $a + $b\n", "a=1, 2"),
    ("argument-order", f"{MAIN}- read_file(path='a', 2)\n", "path='a', 2"),
    ("argument-order", f"{MAIN}- Run N with a=1, 2\n\n## N($a, $b)\n### Steps\n- Return $b\n", "Run N with a=1, 2"),
    ("trigger-never-fires", "# A\n## M\n### Triggers\n- When $n > 3\n### Steps\n- a\n", "$n"),
    ("trigger-never-fires", "# A\n## M\n### Triggers\n- After calling Nothing\n### Steps\n- a\n", "Nothing"),
    ("unset-placeholder", "# A\n## M\nIt is {$n}.\n### Steps\n- a\n", "$n"),
    ("placeholder-refused", "# A\n## M($n)\nIt is {$n +}.\n### Steps\n- a\n", "+"),
    ("assembly-line", f"{MAIN}- 01:EXE a\n- b\n", "b"),
    ("assembly-code", f"{MAIN}- 01:EXC a\n", "EXC"),
    ("assembly-jump", f"{MAIN}- 01:JMP 09\n", "01:JMP 09"),
    ("assembly-number-place", f"{MAIN}- 01:EXE a\n- 02.01:EXE b\n", "02.01"),
    (
        "ambiguous-call",
        f"{MAIN}- Send the summary\n\n## SendSummaryToTeam\n### Steps\n- a\n\n## SendSummaryToBoss\n### Steps\n- b\n",
        "Send the summary",
    ),
]


def found(text: str, code: str) -> Diagnostic | None:
    """The first finding with *code*."""
    return next((one for one in book(text).diagnostics if one.code == code), None)


@pytest.mark.parametrize(("code", "text", "where"), FINDINGS)
def test_a_finding_stands_where_it_belongs(code: str, text: str, where: str) -> None:
    finding = found(text, code)
    assert finding is not None
    assert finding.span.of(text) == where
    assert finding.message.endswith((".", "?"))


@pytest.mark.parametrize(("code", "text", "where"), FINDINGS)
def test_each_fix_removes_its_finding(code: str, text: str, where: str) -> None:
    finding = found(text, code)
    assert finding is not None
    for fix in finding.fixes:
        again = found(TextChange(fix.edits).apply(text), code)
        assert again is None or again.span.of(text) != where


NO_FINDINGS = {
    "set in every branch": f"{MAIN}- If x is good\n  - $a = 1\n- Otherwise\n  - $a = 2\n- Return $a\n",
    "the other branch leaves": f"{MAIN}- If x is good\n  - $a = 1\n- Otherwise\n  - Return 0\n- Return $a\n",
    "set before the decision": f"{MAIN}- $a = 0\n- If x is good\n  - $a = 1\n- Return $a\n",
    "set in a loop": f"{MAIN}- For each $i in [1, 2]\n  - $a = $i\n- Return $a\n",
    "a loop that a break leaves": f"{MAIN}- $n = 1\n- While $n > 0\n  - If the user is done\n    - break\n",
    "a loop that a call changes": (f"{MAIN}- $n = 1\n- While $n > 0\n  - N()\n\n## N\n### Steps\n- $n = $n - 1\n"),
    "a loop that a sentence changes": f"{MAIN}- $n = 1\n- While $n > 0\n  - Decrease $n by a little\n",
    "recursion that ends": "# A\n\n## F($n)\n### Steps\n- If $n < 1\n  - Return 1\n- F($n - 1)\n",
    "steps of another document": f"{MAIN}- See step 9 of the handbook\n",
    "words in braces": "# A\n## M\nWrite {name} in braces.\n### Steps\n- a\n",
    "a tool of an agent on a server": f"{MAIN}- Sky.look()\n\n# Sky\nremote:\n  type: mcp\n  url: https://example.org/mcp\n---\n",
    "a tool of a server of the project": f"{MAIN}- time.get_current_time()\n",
    "a free key": "# A\nteam: billing\n---\n## M\n### Steps\n- a\n",
}


@pytest.mark.parametrize("case", NO_FINDINGS)
def test_what_is_fine_is_not_nagged_about(case: str) -> None:
    assert [one.code for one in book(NO_FINDINGS[case]).diagnostics] == []


def test_a_clean_playbook_has_no_findings() -> None:
    text = f'{MAIN}- Ask user for $name\n- If $name is empty\n  - Return 1\n- Tell user "Hello {{$name}}"\n'
    assert book(text).diagnostics == ()


def test_a_runbook_without_section_headings_is_not_nagged() -> None:
    assert book("# Disk\n\n## Do\n1. a\n2. b\n").diagnostics == ()


@pytest.mark.parametrize(
    "heading", ["# Desk<!-- c -->s: this", "## Step<!-- c -->- tal($) -> int", "## a<!-- ( -->b(c)"]
)
def test_a_comment_inside_a_heading_takes_no_finding_apart(heading: str) -> None:
    text = f"# Desk\n## Other\n### Steps\n- a\n{heading}\n### Steps\n- a\n"
    assert all(found.span.end <= len(text) for found in book(text).diagnostics)


def test_a_word_of_a_title_is_found_outside_of_comments() -> None:
    text = "# Desk\n## <!-- send it --> send it($to)\n### Steps\n- a\n"
    found = next(each for each in book(text).diagnostics if each.code == "name-is-phrase")
    assert found.fixes[0].edits[0].span.start == text.index("send it(")


@pytest.mark.parametrize("words", ["See step 1.{}", "Go to step {}", "Go to step 01.{}", "{}:EXE x", "01:JMP {}"])
def test_a_number_longer_than_python_reads_is_a_finding_at_most(words: str) -> None:
    found = book(f"{MAIN}- {words.format('9' * 5000)}\n- a\n### Triggers\n- T{'9' * 5000}:CND x\n").diagnostics
    assert all(one.code for one in found)


def test_odd_python_is_told_of_by_findings_alone(recwarn: pytest.WarningsRecorder) -> None:
    assert found("# A:AI\n```python\nx = 1if 2else 3\ny = (\n```\n", "python-syntax") is not None
    assert not recwarn.list
