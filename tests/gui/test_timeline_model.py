"""Coverage, bars, windows of time: the parts of the timeline that need no screen."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_painter import pieces
from workbench.gui.timeline.bars.bars import (
    OPEN_NS,
    Bar,
    BarKind,
    BarStatus,
    BarTable,
    Coverage,
    Tint,
    paint_code,
    tint_of,
)
from workbench.gui.timeline.strips import tick_step_ns, tick_text, ticks
from workbench.gui.timeline.time_window import Mode, TimeNavigator, TimeWindow, fitted
from workbench.i18n import duration_text
from workbench.model.meaning import StepKind

STEP = Tint(BarKind.STEP, BarStatus.RUNNING)


def event(type_: str, at_ms: int, span: str = "", step: str = "", **body: object) -> RunEvent:
    """An event *at_ms* after the beginning."""
    return RunEvent(RunId("r"), at_ms, decoded(type_, body), at_ms * 1_000_000, at_ms * 1_000_000, span, step=step)


def folded(*events: RunEvent) -> BarTable:
    """The bars of *events*."""
    fold = BarFold(lambda _address, _seq: StepKind.STEP)
    for each in events:
        fold.take(each)
    return fold.table


def table_of(stretches: list[tuple[int, int]], failed: frozenset[int] = frozenset()) -> BarTable:
    """One lane of closed bars."""
    table = BarTable()
    for index, (start_ns, end_ns) in enumerate(stretches):
        table.open(str(index), Bar(0, 0, STEP, start_ns, OPEN_NS, "a", "Main:01", index))
        table.close(str(index), end_ns, BarStatus.FAILED if index in failed else BarStatus.DONE)
    return table


# bars that follow each other: gap, length
LANES = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 5000)), min_size=1, max_size=60)


def laid_out(lane: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Gaps and lengths as starts and ends."""
    at, found = 0, []
    for gap, length in lane:
        found.append((at + gap, at + gap + length))
        at += gap + length
    return found


@given(LANES, st.integers(1, 4000))
def test_coverage_shows_every_bar_at_every_zoom(lane: list[tuple[int, int]], width_ns: int) -> None:
    bars = laid_out(lane)
    coverage = Coverage(most_buckets=64, finest_ns=1)
    for start_ns, end_ns in bars:
        coverage.add(start_ns, end_ns, 1)
    found = coverage.stretches(0, bars[-1][1] + 1, width_ns)
    for start_ns, end_ns in bars:
        assert any(a <= start_ns and max(end_ns, start_ns + 1) <= b for a, b, _code in found)


@given(LANES, st.data())
def test_coverage_never_hides_a_failure(lane: list[tuple[int, int]], data: st.DataObject) -> None:
    bars = laid_out(lane)
    failed = data.draw(st.integers(0, len(bars) - 1))
    coverage = Coverage(most_buckets=32, finest_ns=1)
    for index, (start_ns, end_ns) in enumerate(bars):
        coverage.add(start_ns, end_ns, 9 if index == failed else 1)
    found = coverage.stretches(0, bars[-1][1] + 1, data.draw(st.integers(1, 100_000)))
    assert any(code == 9 and a <= bars[failed][0] < b for a, b, code in found)


@given(LANES, st.integers(1, 300), st.integers(1, 40_000))
def test_every_bar_in_the_window_lies_under_a_piece(lane: list[tuple[int, int]], width_px: int, span_ns: int) -> None:
    bars = laid_out(lane)
    window = TimeWindow(0.0, float(span_ns), width_px)
    found = list(pieces(table_of(bars).lanes[0], window))
    for start_ns, end_ns in bars:
        if start_ns < span_ns - 1:
            left, right = window.x_of(start_ns), min(window.x_of(end_ns), width_px)
            covered = [piece for piece in found if piece.left < max(right, left + 1) and piece.right > left - 1]
            assert covered


def test_a_long_bar_that_begins_in_the_pixel_of_a_short_one_is_drawn_in_full() -> None:
    table = table_of([(0, 10), (12, 1_000_000)])
    widest = max(piece.right - piece.left for piece in pieces(table.lanes[0], TimeWindow(0.0, 1e6, 100)))
    assert widest > 98


def test_the_pieces_of_a_million_bars_are_no_more_than_the_pixels() -> None:
    lane = table_of([(at * 1000, at * 1000 + 900) for at in range(20_000)]).lanes[0]
    assert len(list(pieces(lane, fitted(20_000_000, 500)))) <= 2 * 500


@pytest.mark.parametrize("kind", list(StepKind))
def test_a_paint_code_holds_kind_and_status(kind: StepKind) -> None:
    tint = Tint(BarKind.STEP, BarStatus.FAILED, kind)
    assert tint_of(paint_code(tint)) == tint


def test_bars_nest_as_the_events_do() -> None:
    table = folded(
        event("playbook.entered", 0, "s1", playbook="Main"),
        event("step.entered", 1, "s2", "Main:01"),
        event("tool.call", 2, "s3", "Main:01", tool="look"),
        event("effect.result", 5, "s3", "Main:01"),
        event("step.exited", 6, "s2", "Main:01", status="done"),
        event("playbook.exited", 7, "s1"),
    )
    found = [(bar.lane, bar.name, bar.start_ns, bar.end_ns) for bar in (table.bar(lane, 0) for lane in range(3))]
    assert found == [(0, "Main", 0, 7e6), (1, "Main:01", 1e6, 6e6), (2, "look", 2e6, 5e6)]


def test_a_question_is_a_bar_that_waits() -> None:
    table = folded(
        event("step.entered", 0, "s1", "Main:01"),
        event("input.asked", 1, "s2", "Main:01", text="Which one?", kind="ask"),
    )
    assert (table.bar(1, 0).status, table.bar(1, 0).note) == (BarStatus.WAITING, "Which one?")


def test_a_failure_is_kept_with_its_message() -> None:
    table = folded(
        event("step.entered", 0, "s1", "Main:01"),
        event("step.failed", 3, "s1", "Main:01", message="No such file"),
        event("run.failed", 3),
    )
    assert table.failures == [(0, 0)]
    assert table.bar(0, 0).note == "No such file"


def test_a_stopped_run_leaves_no_bar_open() -> None:
    table = folded(
        event("playbook.entered", 0, "s1", playbook="Main"),
        event("step.entered", 1, "s2", "Main:01"),
        event("run.cancelled", 4),
    )
    assert not table.open_bars
    assert table.bar(1, 0).status is BarStatus.STOPPED


def test_time_between_a_crash_and_the_resume_takes_no_room() -> None:
    table = folded(
        event("step.entered", 0, "s1", "Main:01"),
        event("run.resumed", 3_600_000),
        event("step.exited", 3_600_005, "s1", "Main:01"),
    )
    assert table.end_ns == 5_000_000


def test_a_pause_takes_its_time() -> None:
    table = folded(event("run.paused", 0), event("run.resumed", 2_000), event("run.completed", 2_001))
    assert table.end_ns == 2_001_000_000


def test_a_clock_that_began_anew_moves_nothing_back() -> None:
    table = folded(event("step.entered", 900, "s1", "Main:01"), event("step.exited", 10, "s1", "Main:01"))
    assert table.end_ns == 0


@given(st.floats(0, 1e9), st.floats(1e5, 1e9), st.floats(0.2, 5), st.integers(0, 800))
def test_zooming_keeps_what_is_under_the_pointer(start_ns: float, span_ns: float, factor: float, x: int) -> None:
    window = TimeWindow(start_ns, span_ns, 800)
    zoomed = window.zoomed(factor, x, 10**10)
    is_free = zoomed.span_ns == pytest.approx(span_ns / factor) and zoomed.start_ns >= 0
    assert not is_free or zoomed.time_at(x) == pytest.approx(window.time_at(x), rel=1e-6, abs=1)


@given(st.floats(0, 1e12), st.floats(1e4, 1e13), st.floats(1, 400))
def test_ticks_are_round_and_leave_the_room_that_words_need(start_ns: float, span_ns: float, letter_px: float) -> None:
    window = TimeWindow(start_ns, span_ns, 900)
    found = ticks(window, lambda words: letter_px * len(words))
    assert len(found) <= 11
    assert all(tick.at_ns >= 0 for tick in found)
    for left, right in pairwise(found):
        assert window.x_of(right.at_ns) - window.x_of(left.at_ns) >= letter_px * len(left.words) - 0.001


def test_what_is_nearly_a_whole_unit_is_told_in_that_unit() -> None:
    near = (999_499, 999_500, 999_499_999, 999_500_000, 59.96e9, 3599.7e9)
    assert [duration_text(ns) for ns in near] == ["999 µs", "1 ms", "999 ms", "1.0 s", "1 min 00 s", "1 h 00 min"]


def test_durations_read_as_people_say_them() -> None:
    assert [duration_text(ns) for ns in (350e3, 12e6, 1.24e9, 185e9, 7440e9)] == [
        "350 µs",
        "12 ms",
        "1.2 s",
        "3 min 05 s",
        "2 h 04 min",
    ]


def test_tick_labels_are_as_precise_as_the_ticks() -> None:
    assert tick_text(1_500_000_000, tick_step_ns(4e8)) == "1.5 s"
    assert tick_text(65_000_000_000, 5_000_000_000) == "1:05"
    assert tick_text(59_999_999_000, 1_000) == "59.999999 s"
    assert tick_text(1_099_511_628_000, 1_000) == "18:19.511628"
    assert tick_text(3_600_250_000_000, 50_000_000) == "1:00:00.25"


def test_following_keeps_the_newest_in_sight_and_panning_ends_it() -> None:
    navigator = TimeNavigator()
    navigator.resize(500)
    navigator.grow(10**10)
    navigator.zoom(10, 250)
    navigator.set_mode(Mode.FOLLOW)
    navigator.grow(2 * 10**10)
    assert navigator.window.start_ns < 2 * 10**10 < navigator.window.end_ns
    navigator.pan(100)
    assert navigator.mode is Mode.FREE
