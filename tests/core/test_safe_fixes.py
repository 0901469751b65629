"""All safe fixes as one change of the text."""

from __future__ import annotations

import time
from collections.abc import Callable

from hypothesis import given

from tests.core.strategies import documents
from workbench.editing.safe_fixes import all_safe_fixes
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText, TextChange


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


def test_many_fixes_among_lines_that_are_alike_do_not_take_longer_than_reading_the_text() -> None:
    one = "## P{number}\n### Trigger\n- When asked\n### Step\n- Say hi\n"
    text = "# A\n" + "".join(one.format(number=number) for number in range(400))
    snapshot = derive(SourceText(text))
    reading = seconds(lambda: derive(SourceText(text)).diagnostics)
    assert seconds(lambda: all_safe_fixes(snapshot)) < 20 * reading + 0.5


def seconds(work: Callable[[], object]) -> float:
    """How long *work* takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
