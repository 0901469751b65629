"""The timeline and the variables pane with real runs."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.options import RunOptions
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running import retelling
from workbench.gui.control.running.retelling import ReadRun, Retelling
from workbench.gui.look.theming import DARK, apply_theme
from workbench.gui.timeline.bars.bars import BarKind, BarStatus
from workbench.gui.timeline.time_window import Mode
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.timeline.timeline_view import TimelineView
from workbench.gui.variables.variable_tree import BEFORE, VALUE
from workbench.gui.variables.variables_panel import VariablesPanel

NESTED = """# Desk

## Main

### Steps

- $n = 0
- While $n < 3
  - $n = $n + 1
  - $d = Double($n)
- $order = {"id": 7, "items": ["tea", "milk"]}
- Return $n / 0

## Double($x)

### Steps

- Return $x * 2
"""


@pytest.fixture(autouse=True)
def nested(context: WindowContext) -> None:
    """The document that runs."""
    context.documents.open_text(NESTED)


@pytest.fixture
def panel(qtbot: QtBot, context: WindowContext) -> TimelinePanel:
    """The pane after a run that failed in its last step."""
    made = TimelinePanel(context)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    qtbot.waitUntil(lambda: made.board.events.model.rowCount() == _event_count(made) > 0)
    return made


def selected_address(context: WindowContext) -> str:
    """The address of the step that is selected everywhere."""
    return context.documents.snapshot.address(context.selection.selected[0])


def bar_called(view: TimelineView, step: str, kind: BarKind) -> tuple[int, int]:
    """Lane and index of the first bar of *step*."""
    for lane in range(len(view.table.lanes)):
        for index in range(len(view.table.lanes[lane])):
            bar = view.table.bar(lane, index)
            if bar.step == step and bar.tint.kind is kind:
                return lane, index
    raise AssertionError(step)


def point_on(view: TimelineView, place: tuple[int, int]) -> QPoint:
    """The middle of a bar, brought into sight first."""
    bar = view.table.bar(*place)
    view.navigator.show(bar.start_ns, bar.end_ns)
    geometry = view.lane_geometry()
    x = view.navigator.window.x_of((bar.start_ns + bar.end_ns) / 2)
    return QPointF(x, geometry.y_of(bar.lane) + geometry.bar_px / 2).toPoint()


def test_every_event_of_the_run_is_in_the_list(panel: TimelinePanel, context: WindowContext) -> None:
    assert context.runs.run is not None
    events = context.runs.host.events(context.runs.run.id)
    shown = [panel.board.events.model.event_at(row) for row in range(panel.board.events.model.rowCount())]
    assert shown == list(events)


def test_a_click_on_a_bar_selects_its_step_everywhere(
    qtbot: QtBot, panel: TimelinePanel, context: WindowContext
) -> None:
    view = panel.board.view
    place = bar_called(view, "Main:02", BarKind.STEP)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_on(view, place))
    assert selected_address(context) == "Main:02"


def test_an_event_in_the_list_selects_its_step_and_its_bar(panel: TimelinePanel, context: WindowContext) -> None:
    table = panel.board.events.table
    row = panel.board.events.model.next_failure(-1)
    assert row is not None
    table.selectRow(row)
    table.event_chosen.emit(panel.board.events.model.event_at(row))
    assert selected_address(context) == "Main:04"
    assert panel.board.view.current is not None
    assert panel.board.view.current.step == "Main:04"


def test_a_step_selected_elsewhere_is_framed_here(panel: TimelinePanel, context: WindowContext) -> None:
    step = context.documents.snapshot.at_address("Main:02.01")
    assert step is not None
    before = panel.board.view.grab().toImage()
    context.selection.select((step.id,), "canvas")
    assert panel.board.view.grab().toImage() != before


def test_the_failure_is_marked_and_can_be_jumped_to(panel: TimelinePanel) -> None:
    panel.board.events.table.go_to_next_failure()
    row = panel.board.events.table.currentIndex().row()
    assert panel.board.events.model.event_at(row).name == "step.failed"
    table = panel.board.view.table
    assert BarStatus.FAILED in {table.bar(lane, index).status for lane, index in table.failures}


def test_the_filter_shows_only_what_matches(qtbot: QtBot, panel: TimelinePanel) -> None:
    model = panel.board.events.model
    panel.board.events.filter_box.setText("double entered")
    qtbot.waitUntil(lambda: model.rowCount() == 9)
    assert {model.event_at(row).name for row in range(9)} == {"playbook.entered", "step.entered"}


def test_events_are_copied_as_json_lines(panel: TimelinePanel) -> None:
    panel.board.events.table.clearSelection()
    panel.board.events.table.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(len(lines)))


def test_an_earlier_run_can_be_looked_at(qtbot: QtBot, panel: TimelinePanel, context: WindowContext) -> None:
    first = context.runs.host.runs()[0]
    context.documents.open_text("# Desk\n\n## Main\n\n### Steps\n\n- Return 1\n")
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    panel.runs.run_chosen.emit(first.id)
    qtbot.waitUntil(lambda: _event_count(panel) == first.events)
    assert not context.shown.is_live
    panel.runs.run_chosen.emit(context.runs.host.runs()[0].id)
    qtbot.waitUntil(lambda: 0 < _event_count(panel) < first.events)


def test_a_journal_that_cannot_be_read_is_told(qtbot: QtBot, context: WindowContext, own_places: Places) -> None:
    own_places.data_dir.mkdir(parents=True)
    own_places.runs_file.write_bytes(b"this is no database" * 100)
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    with qtbot.waitSignal(context.notices.noticed):
        panel.runs.refresh()
    assert panel.runs.count() == 0


def test_a_run_that_is_not_there_is_told(qtbot: QtBot, panel: TimelinePanel, context: WindowContext) -> None:
    with qtbot.waitSignal(context.notices.noticed) as noticed:
        context.shown.look_requested.emit("elsewhere")
    assert "not in the journal" in noticed.args[0].text
    assert "not in the journal" in panel.bar.info.text()


def test_a_run_is_told_while_it_is_read(
    qtbot: QtBot, panel: TimelinePanel, context: WindowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("_FIRST", 3), ("_PAGE", 5), ("_AHEAD", 8)):
        monkeypatch.setattr(retelling, name, size)
    run = context.runs.host.runs()[0]
    teller, told, shares = Retelling(context.runs.host, panel), list[RunEvent](), list[float]()
    teller.told.connect(told.extend)
    teller.told.connect(lambda _batch: shares.append(teller.share))
    with qtbot.waitSignal(teller.over):
        teller.tell(run.id)
    assert tuple(told) == context.runs.host.events(run.id)
    assert shares[0] < 0.5
    assert (shares, teller.share) == (sorted(shares), 1.0)


def test_reading_a_run_can_be_stopped(
    qtbot: QtBot, panel: TimelinePanel, context: WindowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("_FIRST", 3), ("_PAGE", 5), ("_AHEAD", 8)):
        monkeypatch.setattr(retelling, name, size)
    with qtbot.waitSignal(context.shown.events_arrived):
        context.shown.show(context.runs.host.runs()[0].id)
    with qtbot.waitSignal(context.shown.settled):
        panel.bar.stop_wanted.emit()
    assert panel.board.run is not None
    assert 0 < len(panel.board.run.events) < context.runs.host.runs()[0].events
    assert "%" not in panel.bar.info.text()


def test_of_a_run_that_nobody_waits_for_any_more_no_failure_is_told(
    qtbot: QtBot, panel: TimelinePanel, context: WindowContext
) -> None:
    first = context.runs.host.runs()[0]
    teller, failures, begun = Retelling(context.runs.host, panel), list[object](), list[ReadRun]()
    teller.failed.connect(failures.append)
    teller.begun.connect(begun.append)
    with qtbot.waitSignal(teller.over):
        teller.tell(RunId("elsewhere"))
        teller.tell(first.id)
    assert failures == []
    assert [read.view.id for read in begun] == [first.id]


def test_arrows_walk_from_bar_to_bar(qtbot: QtBot, panel: TimelinePanel, context: WindowContext) -> None:
    view = panel.board.view
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down):
        qtbot.keyClick(view, key)
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert selected_address(context) == "Main:02"
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.current is not None
    assert view.current.tint.kind is BarKind.PLAYBOOK


def test_the_timeline_claims_ctrl_0_while_it_has_the_keys(panel: TimelinePanel) -> None:
    view = panel.board.view
    view.zoom(8, 100)
    control = Qt.KeyboardModifier.ControlModifier
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_0, control)
    override.ignore()
    QApplication.sendEvent(view, override)
    assert override.isAccepted()
    QTest.keyClick(view, Qt.Key.Key_0, control)
    assert view.navigator.mode is Mode.FIT


def test_the_wheel_zooms_at_the_pointer_and_a_drag_pans(qtbot: QtBot, panel: TimelinePanel) -> None:
    view = panel.board.view
    before = view.navigator.window
    view.zoom(4, 200)
    assert view.navigator.window.time_at(200) == pytest.approx(before.time_at(200), abs=2)
    start = view.navigator.window.start_ns
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    qtbot.mouseMove(view.viewport(), QPoint(290, 200))
    qtbot.mouseMove(view.viewport(), QPoint(250, 200))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(250, 200))
    assert view.navigator.window.start_ns > start


def test_the_tooltip_names_step_duration_and_error(panel: TimelinePanel) -> None:
    view = panel.board.view
    words = view.words.tooltip(view.table.bar(*view.table.failures[0]), view.now_ns)
    assert "Main:04" in words
    assert "failed" in words
    assert "zero" in words


def test_both_themes_are_painted(panel: TimelinePanel) -> None:
    light = panel.grab().toImage()
    apply_theme(DARK)
    assert panel.grab().toImage() != light


def test_open_bars_grow_while_the_run_waits(qtbot: QtBot, context: WindowContext) -> None:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    panel.show()
    context.documents.open_text("# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n")
    context.runs.start()
    qtbot.waitUntil(lambda: len(panel.board.view.table.open_bars) == 3)
    seen = panel.board.view.now_ns
    qtbot.waitUntil(lambda: panel.board.view.now_ns > seen + 50_000_000)


def step_once(qtbot: QtBot, context: WindowContext) -> None:
    """Let the paused run carry out one step."""
    qtbot.waitUntil(lambda: _is_paused(context))
    assert context.runs.state is not None
    begun = context.runs.state.steps
    context.runs.step()
    qtbot.waitUntil(lambda: _is_paused(context) and context.runs.state.steps > begun)  # type: ignore[union-attr]


def test_variables_show_what_changed_and_what_it_was(qtbot: QtBot, context: WindowContext) -> None:
    panel = VariablesPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    context.runs.start(RunOptions(start_paused=True))
    step_once(qtbot, context)
    qtbot.waitUntil(lambda: _value_of(panel, "$n") == "0")
    step_once(qtbot, context)
    step_once(qtbot, context)
    qtbot.waitUntil(lambda: _value_of(panel, "$n") == "1")
    item = panel.tree.row_of("$n")
    assert item is not None
    assert item.text(BEFORE) == "0"


def test_the_call_stack_shows_the_innermost_call_first(qtbot: QtBot, context: WindowContext) -> None:
    panel = VariablesPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    context.runs.start(RunOptions(start_paused=True))
    for _step in range(4):  # the fourth calls the other playbook
        step_once(qtbot, context)
    qtbot.waitUntil(lambda: panel.stack.topLevelItemCount() == 2)
    names = [panel.stack.topLevelItem(row).text(0) for row in range(2)]  # type: ignore[union-attr]
    assert names == ["Double", "Main"]


def test_what_is_inside_a_value_is_listed_when_it_is_opened(qtbot: QtBot, context: WindowContext) -> None:
    panel = VariablesPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    qtbot.waitUntil(lambda: panel.tree.row_of("$order") is not None)
    item = panel.tree.row_of("$order")
    assert item is not None
    item.setExpanded(True)
    assert [(item.child(row).text(0), item.child(row).text(VALUE)) for row in range(2)] == [
        ("id", "7"),
        ("items", '["tea", "milk"]'),
    ]


def _is_paused(context: WindowContext) -> bool:
    return context.runs.state is not None and context.runs.state.status.value == "paused"


def _value_of(panel: VariablesPanel, name: str) -> str:
    item = panel.tree.row_of(name)
    return item.text(VALUE) if item is not None else ""


def _event_count(panel: TimelinePanel) -> int:
    return len(panel.board.run.events) if panel.board.run is not None else 0
