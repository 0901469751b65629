"""The lanes of the timeline by agent, worker and tool: the same bars as by depth, however they came."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from benchmarks.million_run import RUN, million_events
from tests.conftest import examples
from tests.gui.test_long_runs import long_run, panel
from tests.gui.test_theme import contrast
from tests.gui.test_timeline_model import event
from workbench.engine.journal.events import RunEvent
from workbench.gui.control.context import WindowContext
from workbench.gui.look.theming import DARK, LIGHT, Theme, apply_theme
from workbench.gui.timeline import lanes
from workbench.gui.timeline.bars import lane_groups
from workbench.gui.timeline.bars.bar_colors import Heat, is_with_people, scale_of
from workbench.gui.timeline.bars.bar_fold import BarFold
from workbench.gui.timeline.bars.bar_painter import Strip, heats_of
from workbench.gui.timeline.bars.bar_words import PlannedSteps, cost_text
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarKind, BarStatus, BarTable, Tint, tint_of
from workbench.gui.timeline.bars.lane_groups import Arrow, GroupedTable, Lanes, laid_out, rows_of, same_bar
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.timeline.timeline_view import TimelineView
from workbench.model.meaning import StepKind
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

__all__ = ["long_run", "panel"]

_SORTS = st.sampled_from([Lanes.AGENT, Lanes.WORKER, Lanes.TOOL, Lanes.PLAN])
_NAMES = ("playbook", "step", "call", "question", "model", "end", "fail")
_EVENTS = st.lists(st.tuples(st.sampled_from(_NAMES), st.integers(0, 2), st.integers(1, 9)), max_size=50)
_BEGINS = {
    "playbook": ("playbook.entered", "playbook.exited"),
    "step": ("step.entered", "step.exited"),
    "call": ("tool.call", "effect.result"),
    "question": ("input.asked", "input.given"),
    "model": ("model.asked", "model.answered"),
}
_FAILS = {"step": "step.failed", "call": "effect.error"}


def _nested(told: Sequence[tuple[str, int, int]]) -> list[RunEvent]:
    """Events of bars that begin inside of one another, and end."""
    events, going, at_ms = list[RunEvent](), list[tuple[str, str]](), 0
    for number, (name, which, after_ms) in enumerate(told):
        at_ms += after_ms
        if name in _BEGINS:
            going.append((name, f"s{number}"))
            said = {"agent": f"A{which}", "playbook": "P", "tool": f"t{which}", "model": f"m{which}", "text": "Why?"}
            events.append(event(_BEGINS[name][0], at_ms, f"s{number}", "Main:01", **said))
        elif going:
            kind, span = going.pop()
            type_ = _FAILS.get(kind, _BEGINS[kind][1]) if name == "fail" else _BEGINS[kind][1]
            events.append(event(type_, at_ms, span, "Main:01", status="done", message="no"))
    return events


def _grown(events: Sequence[RunEvent], sort: Lanes, step: int) -> tuple[BarTable, GroupedTable]:
    """The bars by depth and by *sort*, which takes over *step* events at a time."""
    fold = BarFold(lambda _step, _seq: StepKind.STEP)
    grouped = GroupedTable(sort, fold.table)
    for first in range(0, len(events), step):
        for each in events[first : first + step]:
            fold.take(each)
        grouped.catch_up(fold.table)
    return fold.table, grouped


def _told(table: BarTable) -> list[object]:
    bars = [table.bar(number, index) for number, lane in enumerate(table.lanes) for index in range(len(lane))]
    covered = [lane.coverage.stretches(0, table.end_ns + 1, 1) for lane in table.lanes]
    return [bars, covered, table.failures, sorted(table.open_bars.values()), table.end_ns]


@settings(max_examples=examples(60))
@given(_EVENTS, _SORTS, st.integers(1, 9))
def test_lanes_that_grow_are_those_that_are_laid_out_at_once(
    told: list[tuple[str, int, int]], sort: Lanes, step: int
) -> None:
    by_depth, grown = _grown(_nested(told), sort, step)
    assert _told(grown) == _told(laid_out(sort, by_depth))
    every = [by_depth.bar(number, at) for number, lane in enumerate(by_depth.lanes) for at in range(len(lane))]
    assert grown.count() == len(every) == sum(group.count for group in grown.groups)
    for bar in every:
        here = same_bar(grown, bar)
        assert here is not None
        assert (here.name, here.start_ns, here.end_ns, here.tint, here.note) == (
            *(bar.name, bar.start_ns, bar.end_ns, bar.tint, bar.note),
        )


@settings(max_examples=examples(40))
@given(_EVENTS, _SORTS)
def test_bars_of_a_lane_follow_each_other_and_lie_within_the_lane_above(
    told: list[tuple[str, int, int]], sort: Lanes
) -> None:
    _by_depth, grown = _grown(_nested(told), sort, 7)
    last_ns = grown.end_ns + 1
    for group in grown.groups:
        for outer, number in zip([None, *group.lanes], group.lanes, strict=False):
            lane = grown.lanes[number]
            ends = [end if end != OPEN_NS else last_ns for end in lane.ends]
            assert all(end <= start for end, start in zip(ends, lane.starts[1:], strict=False))
            for start_ns in lane.starts if outer is not None else ():
                assert grown.bar_at(outer or 0, start_ns, 0) is not None


def test_very_many_bars_are_covered_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    events = list(million_events(900))
    one_by_one = _told(_grown(events, Lanes.TOOL, 50)[1])
    monkeypatch.setattr(lane_groups, "_AT_ONCE", 10)
    assert _told(_grown(events, Lanes.TOOL, 900)[1]) == one_by_one


def test_a_run_lies_against_the_text_with_which_it_began() -> None:
    head = "# Refund\n\n## Main()\n\n### Steps\n\n- $found = 120\n"
    old = derive(SourceText(f"{head}- Pay it back\n- Write a letter\n- Return $found\n"))
    new = derive(SourceText(f"{head}- Ask the bank\n- Return $found\n"))
    planned = PlannedSteps(new, ((6, old),))
    fold = BarFold(lambda _step, _seq: StepKind.STEP, planned)
    told = (("playbook.entered", ""), ("step.entered", "01"), ("step.exited", "01"), ("step.entered", "02"))
    later = (("step.failed", "02"), ("step.entered", "02"), ("step.exited", "02"))
    for seq, (name, step) in enumerate((*told, *later), 1):
        body = {"playbook": "Main", "agent": "", "status": "done", "message": "no", "text": ""}
        fold.take(event(name, seq, f"s{step}{seq > 5}", f"Main:{step}" if step else "", **body))
    grouped = GroupedTable(Lanes.PLAN, fold.table)
    assert [(each.title, each.count, each.note) for each in grouped.groups] == [
        *(("As planned", 3, ""), ("Not planned", 1, ""), ("Planned, not done", 2, "03, 04")),
    ]


def test_groups_have_their_names_and_fold_into_one_row() -> None:
    events = list(million_events(400))
    titles = {
        sort: [group.title for group in _grown(events, sort, 400)[1].groups] for sort in (Lanes.AGENT, Lanes.WORKER)
    }
    assert titles[Lanes.AGENT] == ["Desk", "Packer", "Courier", "Auditor", "Buyer"]
    assert titles[Lanes.WORKER] == ["Runtime", "Questions", "Tools", "Model small-7b"]
    table = _grown(events, Lanes.AGENT, 400)[1]
    rows, folded = rows_of(table), rows_of(table, frozenset({"Desk"}))
    desk = table.groups[0].lanes
    assert rows.lanes[: len(desk) + 1] == (-1, *desk)
    assert folded.lanes[:2] == (desk[0], -1)
    assert {folded.rows[lane] for lane in desk} == {0}


@pytest.fixture
def shown(panel: TimelinePanel, qtbot: QtBot, context: WindowContext) -> TimelinePanel:
    """The pane with a run that counts as long."""
    with qtbot.waitSignal(context.shown.settled, timeout=60_000):
        context.shown.show(RUN)
    qtbot.waitUntil(lambda: panel.board.run is not None and not panel.board.run.is_read_ahead, timeout=60_000)
    return panel


def _choose(panel: TimelinePanel, lanes: Lanes) -> None:
    panel.lanes.setCurrentIndex(panel.lanes.findData(lanes))
    panel.lanes.activated.emit(panel.lanes.currentIndex())


def test_lanes_are_chosen_remembered_and_folded(
    qtbot: QtBot, shown: TimelinePanel, context: WindowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, run = shown.board.view, shown.board.run
    assert run is not None
    monkeypatch.setattr(lanes, "FEW", 10)  # it is laid out beside the window
    _choose(shown, Lanes.AGENT)
    qtbot.waitUntil(lambda: isinstance(view.table, GroupedTable))
    assert context.settings.current.timeline_lanes == "agent"
    assert _told(view.table) == _told(laid_out(Lanes.AGENT, run.table))
    assert TimelinePanel(context).lanes.lanes is Lanes.AGENT
    view.grab()
    rows = len(view.lane_geometry().rows.lanes)
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, int(view.lane_geometry().top_of(0)) + 8)
    )
    assert len(view.lane_geometry().rows.lanes) == rows - len(view.table.groups[0].lanes)
    bar = run.bar_around(300)
    assert bar is not None
    view.choose(bar)
    assert shown.board.events.table.currentIndex().row() == bar.seq
    for _twice in range(2):
        QTest.keyClick(view, Qt.Key.Key_C)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.current is not None
    assert view.current.start_ns <= bar.start_ns
    _choose(shown, Lanes.DEPTH)
    assert view.table is run.table
    assert len(view.lane_geometry().rows.lanes) == len(run.table.lanes)


@pytest.mark.parametrize("failed", [0, 1_234, 4_999])
def test_a_failure_among_thousands_of_bars_is_painted(failed: int, qtbot: QtBot) -> None:
    apply_theme(LIGHT)
    table = BarTable()
    for at in range(5_000):
        table.open("a", Bar(0, 0, Tint(BarKind.STEP, BarStatus.RUNNING), at * 10**6, OPEN_NS, "a", "a", at))
        table.close("a", at * 10**6 + 10**6, BarStatus.FAILED if at == failed else BarStatus.DONE)
    view = TimelineView()
    qtbot.addWidget(view)
    view.resize(700, 120)
    view.show()
    view.show_table(table, view.words)
    picture = view.viewport().grab().toImage()
    y = int(view.lane_geometry().y_of(0)) + 15  # below the flag
    reds = [x for x in range(picture.width()) if QColor(picture.pixel(x, y)).name() == LIGHT.failed.lower()]
    assert reds
    assert abs(reds[0] - view.navigator.window.x_of(failed * 10**6)) < 4


def _folded(*events: RunEvent) -> BarTable:
    fold = BarFold(lambda _step, _seq: StepKind.STEP)
    for each in events:
        fold.take(each)
    return fold.table


def test_attempts_of_a_call_are_bars_in_it() -> None:
    table = _folded(
        event("run.started", 0),
        event("tool.call", 1, "s1", "Main:01", tool="send"),
        event("effect.in_doubt", 5, "s1", "Main:01", text="Was it sent?"),
        event("effect.resolved", 9, "s1", "Main:01", how="again"),
        event("effect.in_doubt", 12, "s1", "Main:01", text="Was it sent?"),
        event("effect.resolved", 14, "s1", "Main:01", how="again"),
        event("effect.error", 20, "s1", "Main:01", message="gone"),
    )
    call, *tries = [table.bar(lane, at) for lane in range(2) for at in range(len(table.lanes[lane]))]
    assert [(bar.name, bar.start_ns // 10**6, bar.end_ns // 10**6, bar.status) for bar in tries] == [
        ("1", 1, 5, BarStatus.BLOCKED),
        ("2", 9, 12, BarStatus.BLOCKED),
        ("3", 14, 20, BarStatus.FAILED),
    ]
    assert (call.status, call.note) == (BarStatus.FAILED, "gone")
    assert {place[0] for place in table.failures} == {0, 1}
    assert [group.title for group in GroupedTable(Lanes.TOOL, table).groups] == ["send"]


def test_waiting_for_people_is_told_from_the_work_of_models() -> None:
    table = _folded(
        event("input.asked", 0, "s1", "Main:01", text="Which?", kind="judge"),
        event("model.asked", 1, "s2", "Main:01", model="small"),
        event("model.answered", 3, "s2", "Main:01", input=30, output=4, cost_usd=0.5),
        event("input.given", 4, "s1", "Main:01"),
        event("tool.call", 5, "s3", "Main:02", tool="send"),
        event("approval.asked", 6, "s3", "Main:02", text="Send it?"),
        event("approval.granted", 9, "s3", "Main:02"),
        event("effect.result", 10, "s3", "Main:02"),
    )
    bars = [table.bar(lane, at) for lane in range(2) for at in range(len(table.lanes[lane]))]
    assert [(bar.tint.kind, is_with_people(bar.tint)) for bar in bars] == [
        *((BarKind.JUDGEMENT, False), (BarKind.CALL, False), (BarKind.MODEL, False), (BarKind.QUESTION, True)),
    ]
    assert table.costs.between(1e6, 3e6) == table.costs.total == 0.5
    assert cost_text(table.costs, 3e6, 9e6) == ""
    assert cost_text(table.costs) == "$0.5000"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_colour_of_people_is_no_other_and_can_be_read(theme: Theme) -> None:
    others = {*theme.kinds.values(), theme.accent, theme.done, theme.failed, theme.waiting, theme.blocked, theme.muted}
    assert theme.people not in others
    assert contrast(theme.people, theme.surface) >= 4.5
    assert contrast(theme.people, theme.window) >= 4.5


def test_heat_tells_time_or_cost_also_of_thousands_of_bars(shown: TimelinePanel) -> None:
    view, legend = shown.board.view, shown.board.legend
    assert "Waiting for people" in legend.words()
    plain = view.grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_H)
    by_time = view.grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    by_cost = view.grab().toImage()
    assert (shown.bar.heat.isChecked(), shown.bar.cost.isChecked()) == (False, True)
    assert legend.words()[0].startswith("Cost of each bar, from nothing to $0.")
    assert plain != by_time != by_cost != plain
    assert not legend.grab().isNull()
    QTest.keyClick(view, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert view.grab().toImage() == plain


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=40), st.integers(1, 50))
def test_heats_of_a_strip_hide_no_failure_and_fill_no_gap(told: list[tuple[int, int]], columns: int) -> None:
    table, at_ns = BarTable(), 0
    for number, (gap, lasts) in enumerate(told):
        at_ns += gap * 100_000
        table.open("a", Bar(0, 0, Tint(BarKind.STEP, BarStatus.RUNNING), at_ns, OPEN_NS, "a", "a", number))
        at_ns += lasts * 100_000
        table.close("a", at_ns, BarStatus.FAILED if lasts == 9 else BarStatus.DONE)
    strip = Strip(*table.lanes[0].coverage.row(0, at_ns, 200_000))
    scale = scale_of(Heat.TIME, table)
    assert scale is not None
    heats = heats_of(table.lanes[0], strip, scale, columns)
    assert len(heats) == len(strip.codes)
    for heat, code in zip(heats, strip.codes, strict=True):
        assert bool(heat) is (bool(code) and tint_of(code).status is BarStatus.DONE)


def test_arrows_lead_to_what_the_selection_calls_and_to_whom_it_writes(qtbot: QtBot) -> None:
    table = _folded(
        event("playbook.entered", 1, "s1", agent="Desk", playbook="Main"),
        event("message.sent", 2, "s1", **{"from": "Desk"}, to=["Tax"], text="Hello", meeting=0),
        event("playbook.entered", 3, "s2", "Main:01", agent="Tax", playbook="Check"),
        event("message.received", 4, "s2", agent="Tax", source="Desk", messages=[]),
        event("playbook.exited", 5, "s2", "Main:01"),
        event("playbook.exited", 6, "s1"),
    )
    grouped = GroupedTable(Lanes.AGENT, table)
    desk, tax = (group.lanes[0] for group in grouped.groups)
    main, check = grouped.bar(desk, 0), grouped.bar(tax, 0)
    called, written = Arrow(check.start_ns, desk, check.start_ns, tax), Arrow(1_000_000, desk, 3_000_000, tax)
    assert grouped.arrows(main, 0, grouped.end_ns) == [called, written]
    assert grouped.arrows(check, 0, grouped.end_ns) == [called, written]
    assert grouped.arrows(main, 0, 10) == [written]
    assert GroupedTable(Lanes.WORKER, table).arrows(main, 0, grouped.end_ns) == []
    view = TimelineView()
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show_table(grouped, view.words)
    before = view.grab().toImage()
    view.point_at(main)
    view.hovered = None
    assert view.grab().toImage() != before
