"""The events of a run as the timeline keeps and lists them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.gui.timeline.events.event_list import Column, EventModel
from workbench.gui.timeline.events.event_store import PACK, EventStore, as_json_lines, pack, summary, unpack

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def event(seq: int, type_: str = "step.entered", **body: object) -> RunEvent:
    """The event with number *seq*."""
    return RunEvent(RunId("r"), seq, decoded(type_, body), seq, seq, f"s{seq}", step="Main:01")


@given(st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=3), max_size=5))
def test_what_is_packed_comes_back_as_it_was(bodies: list[dict[str, object]]) -> None:
    events = tuple(RunEvent(RunId("r"), seq, decoded("x", body), 1, 2) for seq, body in enumerate(bodies))
    assert unpack(pack(events)) == events


@given(st.lists(st.integers(0, 900), max_size=8))
def test_the_store_is_a_list_of_all_that_was_added(batches: list[int]) -> None:
    store, everything = EventStore(), list[RunEvent]()
    for size in batches:
        batch = [event(len(everything) + at) for at in range(size)]
        store.extend(batch)
        everything += batch
    assert len(store) == len(everything)
    assert list(store) == everything
    assert [store[at] for at in range(0, len(store), 97)] == everything[::97]


def test_old_events_are_kept_in_little_memory() -> None:
    store = EventStore()
    store.extend(event(seq, text="$n = $n + 1") for seq in range(3 * PACK))
    assert store[0] == event(0, text="$n = $n + 1")
    with pytest.raises(IndexError):
        store[3 * PACK]


def test_a_model_shows_what_is_added_only_when_it_catches_up(qtbot: QtBot) -> None:
    store, model = EventStore(), EventModel()
    model.show_events(store)
    store.extend(event(seq) for seq in range(5))
    assert model.rowCount() == 0
    with qtbot.waitSignal(model.rowsInserted):
        model.catch_up()
    assert model.rowCount() == 5


def test_a_filter_holds_for_what_comes_later(qtbot: QtBot) -> None:
    store, model = EventStore(), EventModel()
    model.show_events(store)
    model.set_filter("failed")
    store.extend([event(0), event(1, "step.failed", message="no"), event(2)])
    model.catch_up()
    assert [model.event_at(row).seq for row in range(model.rowCount())] == [1]


def test_jumping_to_the_next_failure_goes_round(qtbot: QtBot) -> None:
    store, model = EventStore(), EventModel()
    store.extend(event(seq, "step.failed" if seq in {2, 5} else "step.entered") for seq in range(8))
    model.show_events(store)
    assert [model.next_failure(row) for row in (-1, 2, 5)] == [2, 5, 2]


def test_the_row_of_an_event_is_found_with_a_filter_too(qtbot: QtBot) -> None:
    store, model = EventStore(), EventModel()
    store.extend(event(seq, "step.failed" if seq % 3 == 0 else "step.entered") for seq in range(9))
    model.show_events(store)
    assert model.row_of(4) == 4
    model.set_filter("failed")
    assert (model.row_of(6), model.row_of(4), model.row_of(8)) == (2, 2, None)


def test_an_event_is_told_in_the_words_of_the_terminal(qtbot: QtBot) -> None:
    model = EventModel()
    model.show_events([event(0, "tool.call", key="k", tool="look", positional=["here"], named={"times": 2})])
    assert model.data(model.index(0, Column.SUMMARY)) == "look(here, times=2)"
    assert summary(event(0, pc=3)) == ""


def test_json_lines_hold_every_field() -> None:
    assert as_json_lines([event(7, name="ä")]) == (
        '{"run": "r", "seq": 7, "type": "step.entered", "at_ns": 7, "mono_ns": 7, "span": "s7", "parent": "", '
        '"step": "Main:01", "line": 0, "attempt": 1, "actor": "engine", "body": {"name": "ä"}}\n'
    )
