"""All safe fixes as one change of the text."""

from __future__ import annotations

from hypothesis import given

from tests.core.strategies import documents
from tests.core.work import lines_run
from workbench.editing.safe_fixes import SafeFixes, safe_fixes_by_round
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
