"""Diagnostics: each finding is found where it is, and its fix removes it."""

from __future__ import annotations

import pytest

from tests.core.test_snapshot import book
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import TextChange

MAIN = "# A\n\n## M\n### Steps\n"

FINDINGS = [
    ("unclosed-fence", f"{MAIN}- a\n\n```sh\n", "```sh\n"),
    ("unclosed-comment", f"{MAIN}- a\n\n<!-- x\n", "<!-- x\n"),
    ("nested-fence", f"{MAIN}- a\n\n```md\n```sh\n```\n", "```sh"),
    ("empty-file", "", ""),
    ("no-heading", "- a\n", "- a"),
    ("section-heading", "# A\n## M\n### Trigger\n- When x\n### Steps\n- a\n", "### Trigger"),
    ("section-heading", "# A\n## M\n### Steps:\n- a\n", "### Steps:"),
    ("section-heading", "# A\n## M\n## Steps\n- a\n", "## Steps"),
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
    assert finding.message.endswith(".")


@pytest.mark.parametrize(("code", "text", "where"), FINDINGS)
def test_each_fix_removes_its_finding(code: str, text: str, where: str) -> None:
    finding = found(text, code)
    assert finding is not None
    for fix in finding.fixes:
        again = found(TextChange(fix.edits).apply(text), code)
        assert again is None or again.span.of(text) != where


def test_a_clean_playbook_has_no_findings() -> None:
    text = f'{MAIN}- Ask user for $name\n- If $name is empty\n  - Return 1\n- Tell user "Hello {{$name}}"\n'
    assert book(text).diagnostics == ()


def test_a_runbook_without_section_headings_is_not_nagged() -> None:
    assert book("# Disk\n\n## Do\n1. a\n2. b\n").diagnostics == ()
