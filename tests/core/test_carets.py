"""Several carets in one text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.editing.commands import EditText
from workbench.editing.document import Document
from workbench.editing.typing.carets import (
    Caret,
    Carets,
    beside,
    in_column,
    in_order,
    next_occurrence,
    taken_back,
    taken_forward,
    word_at,
    written,
)
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span

TEXT = "- a b\r\n- a bc\r\nshort\r\n- a\r\n"


def at(*places: int) -> Carets:
    """Carets at *places*, none of which selects anything."""
    return tuple(Caret(place, place) for place in places)


@settings(max_examples=examples(40))
@given(
    places=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=6), word=st.text(max_size=3)
)
def test_what_is_written_stands_before_every_caret(places: list[tuple[int, int]], word: str) -> None:
    text = "0123456789abcdefghij"
    carets = in_order(Caret(*pair) for pair in places)
    for made in (written(carets, [word]), taken_back(text, carets), taken_forward(text, carets)):
        TextChange(made.edits)  # raises where edits overlap
    after = written(carets, [word])
    result = TextChange(after.edits).apply(text)
    assert [result[caret.head - len(word) : caret.head] for caret in after.carets] == [word] * len(carets)
    assert [caret.head for caret in after.carets] == sorted(caret.head for caret in after.carets)


def test_each_caret_can_have_words_of_its_own() -> None:
    made = written(at(0, 5), ["x", "yz"])
    assert (TextChange(made.edits).apply("a\r\nbc"), made.carets) == ("xa\r\nbcyz", at(1, 8))


def test_a_line_end_is_taken_away_as_a_whole() -> None:
    assert TextChange(taken_back("a\r\nb", at(3)).edits).apply("a\r\nb") == "ab"
    assert TextChange(taken_forward("a\r\nb", at(1)).edits).apply("a\r\nb") == "ab"
    assert taken_back("a", at(0)).edits == ()


def test_carets_that_meet_become_one() -> None:
    assert in_order([Caret(3, 1), Caret(2, 5), *at(9, 9)]) == (Caret(5, 1), Caret(9, 9))
    assert in_order([Caret(1, 3), Caret(3, 5)]) == (Caret(1, 3), Caret(3, 5))


def test_the_word_of_the_caret_and_then_each_next_one_is_selected() -> None:
    text = "ab xab ab"
    first = next_occurrence(text, at(1), Caret(1, 1))
    assert first == Caret(0, 2)
    second = next_occurrence(text, (first,), first)
    assert second == Caret(4, 6)
    third = next_occurrence(text, (first, second), second)
    assert third == Caret(7, 9)
    assert next_occurrence(text, (first, second, third), third) is None
    assert next_occurrence("  ", at(1), Caret(1, 1)) is None
    assert word_at("a, b", 2) == Span(2, 2)


@pytest.mark.parametrize(
    ("start", "step", "expected"), [(5, 1, 12), (12, -1, 5), (13, 1, 20), (0, -1, None), (25, 1, 27), (27, 1, None)]
)
def test_a_caret_is_added_above_or_below(start: int, step: int, expected: int | None) -> None:
    found = beside(TEXT, Caret(start, start), step)
    assert (found.head if found is not None else None) == expected


def test_a_column_is_selected_line_by_line() -> None:
    assert [caret.span.of(TEXT) for caret in in_column(TEXT, 2, 27 - 2)] == ["a", "a", "o", "a"]
    assert in_column(TEXT, 9, 2) == at(2, 9)


def test_typing_at_several_carets_is_one_undo_as_typing_at_one_is() -> None:
    document = Document.from_text("- a\n- b\n- c\n")
    carets = at(3, 7, 11)
    for letter in "xyz":
        made = written(carets, [letter])
        document.execute(EditText(made.edits))
        carets = made.carets
    assert document.snapshot.text == "- axyz\n- bxyz\n- cxyz\n"
    document.undo()
    assert document.snapshot.text == "- a\n- b\n- c\n"
