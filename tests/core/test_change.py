"""Changes as values: their laws for any text and any edits, and where positions go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_snapshot import changes
from workbench.syntax.change import Side, TextChange, TextEdit, smallest_change
from workbench.syntax.text import Span

_TEXTS = st.text("abc\n", max_size=24)


def _change(*edits: tuple[int, int, str]) -> TextChange:
    return TextChange(tuple(TextEdit(Span(start, end), insert) for start, end, insert in edits))


@given(st.data(), _TEXTS)
def test_a_change_can_be_undone_and_joined_with_the_next(data: st.DataObject, text: str) -> None:
    first = data.draw(changes(text))
    between = first.apply(text)
    second = data.draw(changes(between))
    assert first.invert(text).apply(between) == text
    assert first.compose(second).apply(text) == second.apply(between)
    assert [span.of(between) for span in first.new_spans] == [edit.insert for edit in first.edits]


@given(st.data(), _TEXTS)
def test_positions_keep_their_order_and_stay_in_the_text(data: st.DataObject, text: str) -> None:
    change = data.draw(changes(text))
    for side in Side:
        places = [change.map_position(at, side) for at in range(len(text) + 1)]
        assert places == sorted(places)
        assert places[0] >= 0
        assert places[-1] <= len(change.apply(text))


@pytest.mark.parametrize(
    ("edits", "position", "before", "after"),
    [
        pytest.param([(1, 1, "xy")], 1, 1, 3, id="an insertion at it pushes it where it sticks to what follows"),
        pytest.param([(1, 1, "xy")], 2, 4, 4, id="an insertion before it pushes it"),
        pytest.param([(1, 1, "xy")], 0, 0, 0, id="an insertion behind it leaves it"),
        pytest.param([(1, 1, "x"), (1, 1, "yz")], 1, 1, 4, id="of several insertions at it, all push it"),
        pytest.param([(1, 2, "xyz")], 1, 1, 1, id="the start of what is replaced stays"),
        pytest.param([(1, 2, "xyz")], 2, 4, 4, id="the end of what is replaced goes behind what replaces it"),
        pytest.param([(1, 4, "")], 2, 1, 1, id="inside what is taken out it goes to the start"),
        pytest.param([(1, 4, "x")], 3, 1, 1, id="inside what is replaced it goes to the start"),
        pytest.param([(0, 1, ""), (1, 1, "x"), (1, 2, "")], 1, 0, 1, id="three edits meet at it"),
    ],
)
def test_where_a_position_goes(edits: list[tuple[int, int, str]], position: int, before: int, after: int) -> None:
    change = _change(*edits)
    assert (change.map_position(position, Side.BEFORE), change.map_position(position, Side.AFTER)) == (before, after)


def test_positions_and_edits_outside_of_a_text_are_refused() -> None:
    with pytest.raises(ValueError, match="no position -1"):
        _change((0, 1, "")).map_position(-1)
    with pytest.raises(ValueError, match="ends at 3, and the text at 2"):
        _change((1, 3, "x")).apply("ab")
    with pytest.raises(ValueError, match="overlap at 1"):
        _change((0, 2, ""), (1, 3, ""))


@given(_TEXTS, _TEXTS)
def test_the_smallest_change_leads_from_one_text_to_the_other(old: str, new: str) -> None:
    change = smallest_change(old, new)
    assert change.apply(old) == new
    assert all(edit.insert[:1] != edit.span.of(old)[:1] or not edit.insert for edit in change.edits if len(edit.span))
