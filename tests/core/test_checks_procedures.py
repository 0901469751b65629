"""Findings on procedures and skills: only what their authors would agree to, in the same order every time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import is_thorough
from tests.core.check import snapshot_of
from workbench.cli.reading import read_program
from workbench.editing.safe_fixes import safe_fixes_by_round
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

DATA = Path(__file__).parents[1] / "data"
FILES = sorted([*DATA.glob("ordinary/*.md"), *DATA.glob("procedures/*.md")])


def codes(text: str) -> list[str]:
    """The codes found in *text*, which is a procedure or a skill."""
    snapshot = snapshot_of(text)
    assert snapshot.deriver.is_procedure
    return [finding.code for finding in snapshot.diagnostics]


HEAD = "# Slow printer\n\n## Diagnosis\n\n"
WRONG = {
    "a way to a step that is not there": ("1. Look\n2. Go back to step 7\n", ["unknown-reference"]),
    "a repetition of steps that are not there": ("1. Look\n2. Repeat steps 8-9\n", ["unknown-reference"]),
    "a condition that leads nowhere": ("1. Look\n2. If it is red, go to step 9.\n", ["unknown-reference"]),
    "a number that stands twice": ("1. Look\n2. Open\n2. Close\n", ["step-number"]),
    "a number that is left out": ("1. Look\n2. Open\n4. Close\n", ["step-number"]),
    "a number without words": ("1. Look\n2.\n", ["empty-step"]),
    "a box without words": ("- [ ] Look\n- [ ]\n- [ ] Open\n", ["empty-step"]),
    "a fence that is never closed": ("1. Look\n\n```sh\nlpstat\n", ["unclosed-fence"]),
    "a heading that is not there": ("1. Look [below](#below)\n", ["missing-anchor"]),
}
FINE = {
    "a mention of what another step found": "1. Look\n2. Open\n3. Compare with what step 9 found\n",
    "a way to a step of another text": "1. Look\n2. Go to step 9 of the fire plan\n",
    "a way to a step of another chapter": "1. Go to step 3\n\n## Mitigation\n\n1. a\n2. b\n3. c\n",
    "a way that nobody should take": "1. Look\n2. Do not go to step 9\n",
    "the same number everywhere": "1. Look\n1. Open\n1. Close\n",
    "a list that goes on after text": "1. Look\n2. Open\n\nThen wait.\n\n3. Close\n4. Lock\n",
    "a second list that begins with one": "1. Look\n2. Open\n\nThen wait.\n\n1. Close\n1. Lock\n",
    "a list that counts from five": "5. Look\n6. Open\n",
    "a form to be filled in": "Steps to reproduce:\n\n1.\n2.\n3.\n",
    "a form with one line": "Steps to reproduce:\n\n1.\n",
    "a comment that says what to fill in": "1. Look\n2. <!-- what you saw -->\n",
    "a bullet as a line between": "- Look\n-\n- Open\n",
    "an anchor that is still to be found": "1. Look [here](#TODO-url)\n",
    "words that are code in programs": "1. Return valid\n2. total = price\n3. Stop\n4. Repeat\n",
    "steps below a return": "1. Return the key\n2. Lock the door\n",
    "punctuation in headings": "1. Look\n\n## 2. What's new? (v1.0 & later)\n\n- [ ] Read\n",
    "equal headings": "1. Look\n\n### Notes\n\nA.\n\n### Notes\n\nB.\n",
    "imports that are spoken of": "1. Write `!import other.pb`, or\n\n   ```\n   !import other.pb\n   ```\n",
    "python as an illustration": "1. Look\n\n```python\nclass Printer\n    ...\n```\n",
}


@pytest.mark.parametrize(("text", "expected"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_in_a_procedure_is_found(text: str, expected: list[str]) -> None:
    assert codes(HEAD + text) == expected


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_people_write_is_no_finding(text: str) -> None:
    assert codes(HEAD + text) == []


def _skill(**fields: str) -> str:
    known = {"name": "lost-keys", "description": "Finds lost keys.", **fields}
    lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in known.items())
    return f"---\n{lines}---\n\n# Lost keys\n\n## Steps\n\n1. Look\n2. Ask\n"


SKILLS = {
    "all is well": (_skill(), []),
    "an underscore": (_skill(name="lost_keys"), ["skill-name"]),
    "two hyphens": (_skill(name="lost--keys"), ["skill-name"]),
    "capitals, where a key is only in skills": (_skill(name="Lost Keys", license="MIT"), ["skill-name"]),
    "capitals, as agents have them": (_skill(name="Lost Keys"), []),
    "capitals, beside a key of agents": (_skill(name="lost_keys", tools="[read]"), []),
    "a long name": (_skill(name="k" * 65), ["skill-name"]),
    "a reserved word": (_skill(name="claude-keys"), ["skill-name"]),
    "no description": (_skill(description=""), ["skill-description"]),
    "a long description": (_skill(description="k" * 1025), ["skill-description"]),
    "the longest description": (_skill(description="k" * 1024), []),
    "a tag": (_skill(description="Finds keys of <b>rooms</b>."), ["skill-description"]),
    "less than": (_skill(description="Finds 3 < 5 keys."), []),
    "tools as a list": (_skill(allowed_tools="[Read, Grep]"), []),
    "tools as text": (_skill(allowed_tools="Read Grep"), []),
    "tools as a map": (_skill(allowed_tools="{read: true}"), ["skill-tools"]),
}


@pytest.mark.parametrize(("text", "expected"), SKILLS.values(), ids=SKILLS)
def test_a_skill_is_checked_by_the_strictest_rules(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_finding_about_a_skill_stands_at_its_key() -> None:
    snapshot = snapshot_of(_skill(name="lost_keys"))
    assert [finding.span.of(snapshot.text) for finding in snapshot.diagnostics] == ["name: lost_keys"]


def test_a_fence_that_ended_early_is_told_of_once() -> None:
    assert codes(HEAD + "1. Fill in:\n\n```md\n```sh\nmake\n```\nDone.\n```\n") == ["nested-fence"]


def test_a_procedure_that_speaks_of_imports_imports_nothing(tmp_path: Path) -> None:
    file = tmp_path / "guide.md"
    file.write_text(HEAD + FINE["imports that are spoken of"], encoding="utf-8")
    assert read_program([file]).diagnostics == ()


def test_python_with_a_line_of_dots_in_a_program_is_an_illustration() -> None:
    code = "```python\nclass Printer\n    # ...\n```\n"
    program = f"# Desk\n\n{code}\n## Main\n### Steps\n- Say hello\n"
    assert "python-syntax" not in [finding.code for finding in snapshot_of(program).diagnostics]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_safe_fix_changes_an_ordinary_file(path: Path) -> None:
    snapshot = derive(SourceText(path.read_text(encoding="utf-8")))
    assert [fixes for fixes in safe_fixes_by_round(snapshot) if fixes.edits] == []


def _checked(seed: str) -> str:
    """What ``check`` prints of many files, as a process whose hashes begin with *seed*."""
    folders = ("ordinary/*.md", "procedures/*.md", "programs/*.md", "language/*.md", "steplist_corpus/*")
    files = [str(path) for folder in folders for path in sorted(DATA.glob(folder)) if path.is_file()]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "workbench", "check", "--json", *files]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120).stdout


def test_the_order_of_findings_is_the_same_every_time() -> None:
    first = _checked("1")
    assert first.startswith("[") and '"code"' in first
    assert {_checked(seed) for seed in ("2", "77")[: 2 if is_thorough() else 1]} == {first}
