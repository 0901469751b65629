"""What keys do to lines and brackets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.editing.typing.lines import (
    Rewritten,
    closing_for,
    copied_down,
    copied_up,
    is_pair,
    is_typed_over,
    joined,
    matching_brackets,
    moved_down,
    moved_up,
    sorted_lines,
)
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span

Verb = Callable[[str, Span], Rewritten | None]


def done(verb: Verb, marked: str) -> str | None:
    """What *verb* makes of *marked*, in which ``<`` and ``>`` stand around what is selected (``|``: a caret)."""
    start, end = (marked.index("|"),) * 2 if "|" in marked else (marked.index("<"), marked.index(">") - 1)
    text = marked.replace("<", "").replace(">", "").replace("|", "")
    found = verb(text, Span(start, end))
    if found is None:
        return None
    after, span = TextChange(found.edits).apply(text), found.selected
    if not len(span):
        return f"{after[: span.start]}|{after[span.start :]}"
    return f"{after[: span.start]}<{span.of(after)}>{after[span.end :]}"


@pytest.mark.parametrize(
    ("verb", "before", "after"),
    [
        (moved_up, "- a\n- b|\n- c\n", "- b|\n- a\n- c\n"),
        (moved_up, "- a\n- b|", "- b|\n- a"),
        (moved_up, "- a\r\n- <b\r\n- c>\r\n", "- <b\r\n- c>\r\n- a\r\n"),
        (moved_up, "|a\nb", None),
        (moved_down, "- a|\n- b\n- c\n", "- b\n- a|\n- c\n"),
        (moved_down, "- a|\n- b", "- b\n- a|"),
        (moved_down, "<a\n>b\nc", "b\n<a\n>c"),
        (moved_down, "a\n|", None),
        (copied_up, "a\nb|", "a\nb|\nb"),
        (copied_down, "a|\nb", "a\na|\nb"),
        (copied_down, "<a\nb>\n", "a\nb\n<a\nb>\n"),
        (joined, "- If| so\n  - do it\n", "- If so| do it\n"),
        (joined, "<a\n b\n c>\nd", "a b| c\nd"),
        (joined, "a|", None),
        (joined, "a|\n", None),
        (sorted_lines, "<- c\n  - a\n- B\n- a>\n", "<- a\n- B\n- c\n  - a\n>"),
        (sorted_lines, "<a\nb>", None),
    ],
)
def test_lines_move_and_what_is_selected_goes_along(verb: Verb, before: str, after: str | None) -> None:
    assert done(verb, before) == after


LINES = st.lists(st.sampled_from(["- a", "  - b", "", "c d", "1. e"]), min_size=1, max_size=6)


@settings(max_examples=examples(40))
@given(lines=LINES, ends=st.sampled_from(["\n", "\r\n", "\r"]), last=st.booleans(), data=st.data())
def test_no_line_is_lost_and_up_takes_back_down(lines: list[str], ends: str, last: bool, data: st.DataObject) -> None:
    text = ends.join(lines) + (ends if last else "")
    places = [at for at in range(len(text) + 1) if text[max(0, at - 1) : at + 1] != "\r\n"]
    span = Span(*sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places)))))
    for verb in (moved_up, moved_down, sorted_lines):
        found = verb(text, span)
        if found is not None:
            after = TextChange(found.edits).apply(text)
            assert sorted(after.split()) == sorted(text.split())
    down = moved_down(text, span)
    if down is not None:
        after = TextChange(down.edits).apply(text)
        back = moved_up(after, down.selected)
        assert back is not None
        assert TextChange(back.edits).apply(after) == text
        assert back.selected == span


@pytest.mark.parametrize(
    ("text", "at", "typed", "close"),
    [
        ("Call F", 6, "(", ")"),
        ("Call F x", 7, "(", ""),
        ("say ", 4, '"', '"'),
        ('say "hi', 7, '"', ""),
        ("5", 1, '"', ""),
        ("F()", 2, "{", "}"),
        ("a", 1, "x", ""),
    ],
)
def test_what_is_opened_is_closed_where_that_helps(text: str, at: int, typed: str, close: str) -> None:
    assert closing_for(text, at, typed) == close


@pytest.mark.parametrize(
    ("text", "at", "typed", "is_over"),
    [
        ("F()", 2, ")", True),
        ("F(", 2, ")", False),
        ("F)", 1, ")", True),
        ("F(()", 3, ")", False),
        ('"a"', 2, '"', True),
    ],
)
def test_what_is_there_already_is_typed_over(text: str, at: int, typed: str, is_over: bool) -> None:
    assert is_typed_over(text, at, typed) is is_over


def test_a_bracket_knows_its_partner() -> None:
    text = "F(a, [1, 2)]"
    assert matching_brackets("F(a[1])", 1) == (1, 6)
    assert matching_brackets("F(a[1])", 7) == (6, 1)
    assert matching_brackets(text, 5) == (5, 11)
    assert matching_brackets("a ( b", 2) == (2,)
    assert matching_brackets("a b", 1) == ()
    assert [is_pair("()x", at) for at in range(4)] == [False, True, False, False]
