"""Comparing long texts line by line: exact, small, and without much work, however many lines are alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.work import WORST_GROWTH, lines_run
from workbench.editing.keeping.merge import merge
from workbench.syntax.comparing.lines import line_change

ONE = "## P{number}\n### Trigger\n- When asked\n### Step\n- Say hi\n- Say hi\n"
LONG = "".join(ONE.format(number=number) for number in range(600))
MENDED = LONG.replace("### Trigger\n", "### Triggers\n").replace("### Step\n", "### Steps\n")
blocks = st.sampled_from(["a\n" * 90, "b\n" * 90, "a\nb\n" * 60, "one\n", "two\n", "three\n", "b\n", "a\n"])
long_texts = st.lists(blocks, min_size=4, max_size=10).map("".join)


@given(long_texts, long_texts)
def test_a_change_of_lines_leads_from_one_long_text_to_the_other(old: str, new: str) -> None:
    assert line_change(old, new).apply(old) == new


@given(long_texts, long_texts, long_texts)
def test_a_merge_of_long_texts_with_one_side_unchanged_is_the_other_side(base: str, ours: str, theirs: str) -> None:
    assert merge(base, ours, base).text == ours
    assert merge(base, base, theirs).text == theirs


def test_a_thousand_lines_among_many_that_are_alike_are_found_one_by_one() -> None:
    change = line_change(LONG, MENDED)
    assert change.apply(LONG) == MENDED
    assert len(change.edits) == 1200


def test_four_times_as_many_lines_are_four_times_the_work() -> None:
    short, changed = LONG[: len(LONG) // 4], MENDED[: len(MENDED) // 4]
    assert lines_run(lambda: line_change(LONG, MENDED)) < WORST_GROWTH * lines_run(lambda: line_change(short, changed))


def test_changes_at_both_ends_of_a_long_text_merge() -> None:
    ours, theirs = LONG.replace("P1\n", "Mine\n", 1), LONG.replace("P598\n", "Theirs\n")
    merged = merge(LONG, ours, theirs)
    assert not merged.conflicts
    assert merged.text == ours.replace("P598\n", "Theirs\n")


def test_a_long_text_without_a_line_in_common_is_one_change() -> None:
    assert len(line_change("a\n" * 400, "b\n" * 400).edits) == 1
