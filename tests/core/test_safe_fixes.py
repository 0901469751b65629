"""All safe fixes as one change of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

import workbench.model.checks
from tests.conftest import examples
from tests.core.strategies import documents, programs
from tests.core.work import lines_run
from workbench.editing.safe_fixes import SafeFixes, safe_fixes_by_round
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange
from workbench.syntax.text import SourceText


def all_safe_fixes(snapshot: Snapshot) -> SafeFixes:
    """Every safe fix of *snapshot*, and of what they bring to light."""
    return (SafeFixes((), 0), *safe_fixes_by_round(snapshot))[-1]


def fixed(text: str) -> str:
    """*text* with all its safe fixes."""
    return TextChange(all_safe_fixes(derive(SourceText(text))).edits).apply(text)


def test_all_that_can_be_fixed_safely_is_fixed_and_counted() -> None:
    text = "# A\n## M\n### Trigger\n- When asked\n### Step\n- Say hi\n"
    assert all_safe_fixes(derive(SourceText(text))).count == 2
    assert fixed(text) == "# A\n## M\n### Triggers\n- When asked\n### Steps\n- Say hi\n"


def test_a_text_without_problems_stays_as_it_is() -> None:
    assert all_safe_fixes(derive(SourceText("# A\n## M\n### Steps\n- Say hi\n"))).edits == ()


@given(documents())
def test_after_all_safe_fixes_nothing_is_left_to_fix_safely(text: str) -> None:
    assert all_safe_fixes(derive(SourceText(fixed(text)))).edits == ()


def test_many_fixes_among_lines_that_are_alike_are_hardly_more_work_than_reading_the_text() -> None:
    one = "## P{number}\n### Trigger\n- When asked\n### Step\n- Say hi\n"
    text = "# A\n" + "".join(one.format(number=number) for number in range(400))
    snapshot = derive(SourceText(text))
    reading = lines_run(lambda: derive(SourceText(text)).diagnostics)
    assert lines_run(lambda: all_safe_fixes(snapshot)) < 3 * reading


def read_by_others(text: str) -> list[object]:
    """What other tools read in *text*: every description, setting, trigger, step and note, and how it is done."""
    return [
        [one.name, one.kind, one.description, one.metadata, [_told(each) for each in one.playbooks], one.functions]
        for one in derive(SourceText(text)).program.agents
    ]


def _told(playbook: Playbook) -> tuple[object, ...]:
    lists = (playbook.triggers, playbook.steps, playbook.notes)
    words = [[step.text for root in each for step in root.walk()] for each in lists]
    return playbook.name, playbook.mode, playbook.parameters, playbook.description, playbook.metadata, words


@given(programs())
@settings(max_examples=examples(40))
def test_safe_fixes_change_nothing_that_is_read(text: str) -> None:
    assert read_by_others(fixed(text)) == read_by_others(text)


PROMPTS = [
    "execution_mode: react\nFind it.\n\n- one\n- two\n",
    "Find it.\n\n- one\n* two\n\nexecution_mode: raw\n",
    "metadata:\n  execution_mode: raw\n---\nFind it.\n<rules>\n- one\n</rules>\n",
    "<rules>\n- one\n* two\n</rules>\n",
    "Rules:\n- one\n+ two\n\nBe brief.\n",
    "It does it.\n- one\n- two\n",
    "execution_mode: react\nFind it.\n### Form\n- one\n* two\n",
]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_nothing_is_written_into_a_prompt_or_what_may_be_one(prompt: str) -> None:
    text = f"# A\nIt knows:\n- much\n* more\n## Main\n### Steps\n- Return 1\n## Research\n{prompt}"
    assert fixed(text) == text


SAFE = {
    "section-heading": ("## M\n### Step\n- a\n", "## M\n### Steps\n- a\n"),
    "steps-without-heading": ("## M\n### Steps\n- a\n## N\n- b\n", "## M\n### Steps\n- a\n## N\n### Steps\n- b\n"),
    "second-list": ("## M\n### Steps\n- a\n* b\n", "## M\n### Steps\n- a\n- b\n"),
    "name-is-phrase": ("## Do it($x)\n### Steps\n- a\n", "## DoIt($x)\n### Steps\n- a\n"),
    "metadata-not-closed": (
        "metadata:\n  public: true\ntext\n## M\n### Steps\n- a\n",
        "metadata:\n  public: true\n---\ntext\n## M\n### Steps\n- a\n",
    ),
    "unclosed-comment": ("## M\n### Steps\n- a\n<!-- b\n", "## M\n### Steps\n- a\n<!-- b -->\n"),
}


@pytest.mark.parametrize("code", SAFE)
def test_each_safe_fix_writes_this_and_keeps_what_is_read(code: str) -> None:
    before, after = (f"# A\n{each}" for each in SAFE[code])
    found = [one for one in derive(SourceText(before)).diagnostics if any(fix.is_safe for fix in one.fixes)]
    assert {one.code for one in found} == {code}
    assert fixed(before) == after
    assert read_by_others(after) == read_by_others(before)


def test_every_kind_of_safe_fix_is_held_to_this() -> None:
    checks = Path(workbench.model.checks.__file__).parent
    makers = sum(path.read_text("utf-8").count("safe_replacement(") for path in checks.glob("*.py"))
    makers += sum(path.read_text("utf-8").count("is_safe=True") for path in checks.glob("*.py"))
    assert makers == len(SAFE) + 1  # the helper itself, which is defined with both
