"""Rule pages: every finding is explained, and every example is true."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.cli.reading import read_program
from workbench.model.checks.rules import rule_codes, rule_page
from workbench.model.loader.loading import read_steplist
from workbench.model.snapshot import derive
from workbench.syntax.change import TextChange
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import SourceText

PACKAGE = Path(__file__).resolve().parents[2] / "workbench"
MAKERS = {"Diagnostic", "error", "warning", "note", "Problem", "_open_problem", "NormalName", "report", "_stop"}
NO_CODES = {"streamable-http"}
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


def codes_in(path: Path) -> Iterator[str]:
    """Every code that *path* can give to a finding: what findings are made with, and what looks like a code."""
    is_check = path.parent.name == "checks" or path.name in {"signatures.py", "imports.py"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and _name(node.func) in MAKERS:
            first = node.args[1 if _name(node.func) == "NormalName" else 0] if len(node.args) > 1 else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value:
                yield first.value
        elif is_check and isinstance(node, ast.Constant) and CODE.fullmatch(str(node.value)):
            yield str(node.value)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def emitted() -> set[str]:
    """The codes of all findings."""
    folders = ("model", "syntax")
    return {
        code for folder in folders for path in (PACKAGE / folder).rglob("*.py") for code in codes_in(path)
    } - NO_CODES


def findings(text: str, language: str) -> tuple[Diagnostic, ...]:
    """What is found in an example."""
    found = derive(SourceText(text)).diagnostics
    return found + read_steplist(text).diagnostics if language != "markdown" else found


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert set(rule_codes()) == emitted()


@pytest.mark.parametrize("code", rule_codes())
def test_a_page_says_what_it_means_and_why_it_matters(code: str) -> None:
    page = rule_page(code)
    assert page is not None
    assert page.title
    assert f"`{code}`" in page.text
    for part in ("## What it means\n\n", "## Why it matters\n\n"):
        sentence = page.text.split(part)[1].split("\n\n")[0]
        assert sentence.endswith((".", ".\n"))


EXAMPLES = [code for code in rule_codes() if rule_page(code).language and code != "import-refused"]  # type: ignore[union-attr]


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_before_gives_the_finding_and_the_one_after_does_not(code: str) -> None:
    page = rule_page(code)
    assert page is not None
    assert code in {finding.code for finding in findings(page.before, page.language)}
    assert code not in {finding.code for finding in findings(page.after, page.language)}


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_after_has_no_other_errors(code: str) -> None:
    page = rule_page(code)
    assert page is not None
    assert [one.code for one in findings(page.after, page.language) if one.severity.value == "error"] == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_each_fix_of_an_example_removes_the_finding(code: str) -> None:
    page = rule_page(code)
    assert page is not None
    for finding in findings(page.before, page.language):
        if finding.code == code:
            for fix in finding.fixes:
                again = findings(TextChange(fix.edits).apply(page.before), page.language)
                assert code not in {one.code for one in again}, fix.title


def test_the_example_of_an_import(tmp_path: Path) -> None:
    page = rule_page("import-refused")
    assert page is not None
    path = tmp_path / "a.md"
    path.write_text(page.before, "utf-8")
    assert [one.code for one in read_program([path]).diagnostics] == ["import-refused"]


@pytest.mark.parametrize("code", sorted({*rule_codes()} - {*EXAMPLES, "import-refused"}))
def test_only_what_no_text_of_one_small_file_shows_is_without_an_example(code: str) -> None:
    assert code in {
        "data-syntax",
        "nested-too-deep",
        "front-matter-twice",
        "too-large",
        "not-utf8",
        "import-outside",
        "missing-file",
        "unknown-skill",
    }


def test_the_terminal_explains_a_code(terminal: Terminal) -> None:
    done = terminal.run("check", "--explain", "endless-loop")
    assert done.code == 0
    assert done.out.startswith("# A loop that cannot end")


def test_a_misspelt_code_gets_the_nearest_ones(terminal: Terminal) -> None:
    done = terminal.run("check", "--explain", "endles-loop")
    assert (done.code, done.out) == (2, "")
    assert "endless-loop" in done.err
