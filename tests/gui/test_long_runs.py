"""The timeline of a run of many events: read by columns beside the window, the same bars as told one by one."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from benchmarks.million_run import RUN, million_events
from tests.conftest import examples
from tests.core.steplist_cutting import IN_MEMORY
from workbench.disk.places import Places
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.storage.room import compact
from workbench.engine.journal.storage.rows import glance
from workbench.gui.control.context import WindowContext
from workbench.gui.timeline.bars import bar_reader
from workbench.gui.timeline.bars.bar_colors import HEATS, Heat, heat_of, scale_of
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_painter import _heated, pieces
from workbench.gui.timeline.bars.bar_reader import ColumnFold
from workbench.gui.timeline.bars.bars import (
    OPEN_NS,
    Bar,
    BarKind,
    BarStatus,
    BarTable,
    Coverage,
    Tint,
    copied,
)
from workbench.gui.timeline.strips import tick_text, ticks
from workbench.gui.timeline.time_window import fitted
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.model.meaning import StepKind

_Told = tuple[str, dict[str, object], str, str, int]
_STEPS = ("Main:01", "Main:02", "Sub:01")
_SPANS = ("s1", "s2", "s3", "")
_BODIES = st.one_of(
    st.builds(
        dict, status=st.sampled_from(["done", "skipped", "failed"]), error=st.sampled_from(["bad", 'a "status":"done"'])
    ),
    st.builds(dict, status=st.just("done")),
    st.builds(
        dict, tool=st.sampled_from(["find", 'q"x', ""]), named=st.just({"tool": "inner"}), safety=st.just("read")
    ),
    st.builds(dict, text=st.sampled_from(["Why?", 'a\n"b"', "é", ""]), fields=st.just([{"text": "inner"}])),
    st.builds(dict, model=st.sampled_from(["small", ""]), endpoint=st.just("local")),
    st.builds(dict, agent=st.sampled_from(["Tax", 'T"x']), playbook=st.just("Sub"), arguments=st.just({"agent": "no"})),
    st.builds(dict, playbook=st.sampled_from(["Sub", ""]), is_failed=st.booleans(), reads=st.just([{"playbook": "x"}])),
    st.builds(dict, taken=st.booleans()),
    st.just({}),
)
_NAMES = (
    *("playbook.entered", "playbook.exited", "step.entered", "step.exited", "step.failed", "branch.taken"),
    *("tool.call", "effect.result", "effect.error", "input.asked", "input.given", "model.asked", "model.answered"),
    *("run.paused", "run.resumed", "run.completed", "approval.asked", "approval.granted", "timer.due", "wait.begun"),
    *("say.told", "var.set", "unknown"),
)
_EVENTS = st.lists(
    st.tuples(st.sampled_from(_NAMES), _BODIES, st.sampled_from(_SPANS), st.sampled_from(_STEPS), st.integers(-3, 9)),
    max_size=60,
)


def _told(events: Sequence[RunEvent]) -> tuple[BarTable, array[int]]:
    fold, positions = BarFold(lambda _step, _seq: StepKind.STEP), array("q")
    for event in events:
        fold.take(event)
        positions.append(fold.clock.position_ns)
    return fold.table, positions


def _read(journal: Journal, run: RunId) -> tuple[BarTable, array[int]]:
    fold = ColumnFold(BarFold(lambda _step, _seq: StepKind.STEP), run)
    while parts := glance(journal, run, fold.count):
        for part in parts:
            fold.take(part)
    return copied(fold.fold.table), fold.positions


def _bars(table: BarTable) -> list[object]:
    bars = [table.bar(number, index) for number, lane in enumerate(table.lanes) for index in range(len(lane))]
    covered = [lane.coverage.stretches(0, table.end_ns + 1, 1) for lane in table.lanes]
    agents = [[table.texts.at(agent) for agent in lane.agents] for lane in table.lanes]
    return [bars, agents, covered, table.failures, table.open_bars, table.end_ns]


@settings(max_examples=examples(150))
@given(_EVENTS, st.booleans())
def test_columns_lead_to_the_same_bars_as_events(told: list[_Told], is_packed: bool) -> None:
    journal, at_ns, events = Journal(IN_MEMORY), 100, []
    events.append(RunEvent(RUN, 0, decoded("run.created", {"playbook": "Main", "path": ""}), 1, at_ns))
    for seq, (name, said, span, step, after) in enumerate(told, 1):
        at_ns += after * 1_000_000
        events.append(RunEvent(RUN, seq, decoded(name, said), at_ns, at_ns, span, "", step, 3))
    journal.append(events)
    if is_packed:
        compact(journal, [RUN])
    (table, positions), (expected, places) = _read(journal, RUN), _told(events)
    assert positions == places
    assert _bars(table) == _bars(expected)
    journal.close()


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900), st.integers(1, 9)), min_size=1, max_size=40))
def test_bars_that_are_added_at_once_cover_what_they_cover_one_by_one(told: list[tuple[int, int, int]]) -> None:
    starts, ends, at = list[int](), list[int](), 0
    for gap, length, _code in told:
        starts.append(at + gap)
        ends.append(at := at + gap + length)
    codes = [code for _gap, _length, code in told]
    single, whole = (Coverage(most_buckets=64, finest_ns=1) for _each in range(2))
    for coverage in (single, whole):
        coverage.reach(max(starts[-1], ends[-1] - 1))
    for start_ns, end_ns, code in zip(starts, ends, codes, strict=True):
        single.add(start_ns, end_ns, code)
    whole.fill(starts, ends, codes)
    for width in (1, 10, 100, 1_000, 10_000):
        assert whole.stretches(0, at + 1, width) == single.stretches(0, at + 1, width)


@pytest.fixture
def long_run(own_places: Places) -> Sequence[RunEvent]:
    """A run of the journal of which a part is packed."""
    events = tuple(million_events(5_500))
    journal = Journal(own_places.runs_file)
    for first in range(0, len(events), 500):
        journal.append(events[first : first + 500])
    journal.close()
    return events


@pytest.fixture
def panel(
    qtbot: QtBot, context: WindowContext, long_run: Sequence[RunEvent], monkeypatch: pytest.MonkeyPatch
) -> TimelinePanel:
    """The pane, in which every run counts as long, and is shown in parts."""
    monkeypatch.setattr("workbench.gui.timeline.timeline_panel.LONG", 1)
    monkeypatch.setattr(bar_reader, "_FIRST", 100)
    made = TimelinePanel(context)
    qtbot.addWidget(made)
    made.resize(1000, 400)
    made.show()
    return made


@pytest.fixture
def shown(panel: TimelinePanel, qtbot: QtBot, context: WindowContext) -> TimelinePanel:
    """The pane with that run, of which all was told."""
    with qtbot.waitSignal(context.shown.settled, timeout=60_000):
        context.shown.show(RUN)
    run = panel.board.run
    assert run is not None
    qtbot.waitUntil(lambda: not run.is_read_ahead, timeout=60_000)
    return panel


def _search(panel: TimelinePanel, qtbot: QtBot, text: str) -> None:
    with qtbot.waitSignal(panel.search.changed, timeout=60_000):
        panel.search.field.setText(text)
        panel.search.search()


def test_what_is_found_is_marked_and_gone_to(shown: TimelinePanel, qtbot: QtBot) -> None:
    expected = [event.seq for event in million_events(5_500) if "order-9" in str(event)]
    _search(shown, qtbot, "order-9")
    assert list(shown.search.found) == expected
    wanted = list[int]()
    shown.search.event_wanted.connect(wanted.append)
    for modifier in (Qt.KeyboardModifier.NoModifier,) * 2 + (Qt.KeyboardModifier.ShiftModifier,) * 2:
        QTest.keyClick(shown.search.field, Qt.Key.Key_Return, modifier)
    assert wanted == [expected[0], expected[1], expected[0], expected[-1]]
    current = shown.board.view.current
    assert current is not None
    assert current.seq == expected[-1]
    assert shown.board.events.table.currentIndex().row() == expected[-1]
    QTest.keyClick(shown.board.view, Qt.Key.Key_P)
    assert wanted[-1] == expected[-2]
    QTest.keyClick(shown.board.view, Qt.Key.Key_N)
    assert wanted[-1] == expected[-1]


def test_a_search_without_words_or_hits_leads_nowhere(shown: TimelinePanel, qtbot: QtBot) -> None:
    _search(shown, qtbot, "nowhere")
    QTest.keyClick(shown.search.field, Qt.Key.Key_Return)
    assert shown.board.view.current is None
    assert "0" in shown.search.count.text()
    _search(shown, qtbot, "")
    assert shown.search.count.text() == ""


def test_the_overview_shows_where_the_timeline_is_and_leads_there(shown: TimelinePanel) -> None:
    view, minimap = shown.board.view, shown.board.minimap
    view.zoom(50, 0)
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() // 2, 5))
    window, middle_ns = view.navigator.window, minimap.whole.time_at(minimap.width() // 2)
    assert window.start_ns + window.span_ns / 2 == pytest.approx(middle_ns, rel=0.01)
    assert not minimap.grab().isNull()


@pytest.mark.parametrize(("key", "other"), [(Qt.Key.Key_W, Qt.Key.Key_S), (Qt.Key.Key_D, Qt.Key.Key_A)])
def test_letters_zoom_and_pan_and_back(key: Qt.Key, other: Qt.Key, shown: TimelinePanel) -> None:
    view = shown.board.view
    view.zoom(20, 300)
    before = view.navigator.window
    QTest.keyClick(view, key)
    assert view.navigator.window != before
    QTest.keyClick(view, other)
    assert view.navigator.window.start_ns == pytest.approx(before.start_ns)


def test_bars_are_coloured_by_their_time_and_failures_stay_what_they_are(shown: TimelinePanel) -> None:
    view = shown.board.view
    view.resize(600, 200)
    before = view.grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_H)
    assert shown.bar.heat.isChecked()
    assert view.grab().toImage() != before
    view.take_theme()
    QTest.keyClick(view, Qt.Key.Key_H)
    assert view.grab().toImage() == before


def test_what_takes_longer_is_hotter() -> None:
    heats = [heat_of(10.0**power, 10**12) for power in range(13)]
    assert heats == sorted(heats)
    assert (heats[0], heats[-1]) == (0, HEATS - 1)
    lane = BarTable()
    for at, status in enumerate((BarStatus.DONE, BarStatus.FAILED, BarStatus.WAITING)):
        lane.open("a", Bar(0, 0, Tint(BarKind.STEP, BarStatus.RUNNING), at * 10**9, OPEN_NS, "a", "a", at))
        lane.close("a", (at + 1) * 10**9, status)
    window = fitted(3 * 10**9, 300)
    scale = scale_of(Heat.TIME, lane)
    assert scale is not None
    heated = [_heated(piece, window, scale).code for piece in pieces(lane.lanes[0], window)]
    assert [code >= 256 for code in heated] == [True, False, False]


def test_one_can_look_at_days_and_at_a_microsecond() -> None:
    assert tick_text(3 * 86_400 * 10**9 + 7_200 * 10**9, 3_600 * 10**9) == "3 days 2:00:00"
    window = fitted(10 * 86_400 * 10**9, 1_000)
    for _turn in range(200):
        window = window.zoomed(1.2, 500, 10 * 86_400 * 10**9)
    assert window.span_ns == 1_000
    assert len({tick.words for tick in ticks(window, lambda words: 7.0 * len(words))}) > 1


def test_a_long_run_is_shown_before_it_is_told(
    panel: TimelinePanel, qtbot: QtBot, context: WindowContext, long_run: Sequence[RunEvent]
) -> None:
    with qtbot.waitSignal(context.shown.settled, timeout=60_000):
        context.shown.show(RUN)
    run = panel.board.run
    assert run is not None
    qtbot.waitUntil(lambda: not run.is_read_ahead, timeout=60_000)
    assert _bars(run.table) == _bars(_told(long_run)[0])
    assert panel.board.view.table is run.table
    assert run.bar_around(300) is not None
