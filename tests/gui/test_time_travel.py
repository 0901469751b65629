"""An earlier moment of a run is shown by every pane, and nothing that goes on meanwhile moves it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.editing.commands import InsertStep, Place
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.run_events import Told
from workbench.engine.ports import Answer
from workbench.engine.state.fold import fold
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running import keyframes
from workbench.gui.control.running.run_folds import MarkFold
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.plan.plan_panel import PlanPanel
from workbench.gui.runs.cards import CardFold
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.timeline_panel import TimelinePanel
from workbench.gui.variables.variable_tree import BEFORE, NOW, VALUE
from workbench.gui.variables.variables_panel import VariablesPanel
from workbench.gui.words.run_words import RunWords
from workbench.i18n import duration_text

HEAD = "# Desk\n\n## Main\n\n"
COUNTING = f'{HEAD}- $n = 0\n- While $n < 3\n  - $n = $n + 1\n  - Tell user "{{$n}}"\n- $last = $n\n- Return $last\n'
ASKING = f'{HEAD}- $n = 1\n- Tell user "one"\n- Ask user for $name\n- $n = 2\n- Return $name\n'
LONG = f"{HEAD}- $n = 0\n- While $n < 400\n  - $n = $n + 1\n"
STEPS = "id: tidy\nname: Tidy\nsteps:\n  - id: look\n    description: Look around\n    expected_tools: [look]\n"


def ran(qtbot: QtBot, window: MainWindow, text: str = COUNTING) -> tuple[RunEvent, ...]:
    """All events of a run of *text* that is over."""
    window.context.documents.open_text(text)
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.shown.is_settled)
    assert window.context.shown.view is not None
    return window.context.runs.host.events(window.context.shown.view.id)


def asked(qtbot: QtBot, window: MainWindow) -> None:
    """A run that waits for an answer."""
    window.context.documents.open_text(ASKING)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)


def went_to(qtbot: QtBot, context: WindowContext, seq: int) -> None:
    context.shown.moments.go_to(seq)
    qtbot.waitUntil(lambda: context.shown.moment is not None and context.shown.moment.seq == seq)


def seq_of(events: Sequence[RunEvent], name: str, nth: int = 0) -> int:
    return [event.seq for event in events if event.name == name][nth]


_Pane = TypeVar("_Pane")


def panel_of(window: MainWindow, name: str, kind: type[_Pane]) -> _Pane:
    panel = window.panes.panel(name)
    assert isinstance(panel, kind)
    return panel


def status(context: WindowContext, address: str) -> MarkStatus | None:
    step = context.documents.snapshot.at_address(address)
    assert step is not None
    mark = context.shown.marks.get(step.id)
    return mark.status if mark is not None else None


def chosen_by_key(window: MainWindow, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    view = panel_of(window, "timeline", TimelinePanel).board.view
    QTest.keyClick(view, key, keys)


def test_every_moment_is_what_the_events_up_to_it_lead_to(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    context = window.context
    assert context.shown.view is not None
    words = RunWords(context.shown.view.ran).step_words
    conversation = panel_of(window, "run", RunPanel).conversation
    window.panes.bring_forward("run")
    for seq in (*range(len(events) - 1), *reversed(range(len(events) - 1))):
        went_to(qtbot, context, seq)
        marks, cards = MarkFold(), CardFold(words)
        marks.take(events[: seq + 1])
        cards.take(events[: seq + 1])
        assert context.shown.state == fold(events[: seq + 1])
        assert {context.shown.steps.address_of(step): mark for step, mark in context.shown.marks.items()} == marks.marks
        assert conversation.cards == cards.cards
        assert context.shown.shown_ns() == marks.clock.position_ns


def test_keyframes_know_every_moment_however_far_apart_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyframes, "APART", 4)
    monkeypatch.setattr(keyframes, "MOST", 6)
    monkeypatch.setattr(keyframes, "NEAR", 3)
    events = [RunEvent(RunId("r"), seq, Told(str(seq)), 0, 0) for seq in range(100)]
    frames = keyframes.Keyframes(_Sum())
    for first in range(0, 100, 7):
        frames.take(events[first : first + 7])
    for seq in (*range(100), *reversed(range(100)), 50, 3, 98, 51, 52):
        first, end = frames.bounds(seq)
        moment = keyframes.Moment(seq, first, tuple(events[first:end]))
        assert frames.at(moment).taken == list(range(seq + 1))
    assert frames.fold.taken == list(range(100))


class _Sum:
    def __init__(self) -> None:
        self.taken: list[int] = []

    def take(self, events: Sequence[RunEvent]) -> None:
        self.taken += [event.seq for event in events]

    def copied(self) -> _Sum:
        made = _Sum()
        made.taken = list(self.taken)
        return made


def test_a_long_run_is_known_at_every_distance(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window, LONG)
    assert len(events) > 2 * keyframes.APART
    for seq in (3, len(events) - 2, keyframes.APART, keyframes.APART - 1, 2 * keyframes.APART - 1, 700):
        went_to(qtbot, window.context, seq)
        assert window.context.shown.state == fold(events[: seq + 1])
    window.panes.bring_forward("run")
    conversation = panel_of(window, "run", RunPanel).conversation
    for seq in (keyframes.APART - 2, 700, len(events) - 2):
        went_to(qtbot, window.context, seq)
        expected = CardFold(RunWords(window.context.documents.snapshot).step_words)
        expected.take(events[: seq + 1])
        qtbot.waitUntil(lambda: conversation.cards == expected.cards)  # noqa: B023 - waited for at once


def test_the_flowchart_and_the_source_show_the_moment(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    went_to(qtbot, window.context, seq_of(events, "step.entered", 2))
    assert status(window.context, "Main:02.01") is MarkStatus.RUNNING
    assert status(window.context, "Main:03") is None
    status_of = window.centre.source.editor.gutter.status_of
    assert [status_of(line) for line in range(4, 9)] == ["done", "running", "running", None, None]
    step = window.context.documents.snapshot.at_address("Main:02.01")
    assert step is not None
    assert window.centre.canvas.view.look.marks[step.id].status is MarkStatus.RUNNING


def test_the_variables_show_the_moment_and_what_differs_from_now(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    window.panes.bring_forward("variables")
    tree = panel_of(window, "variables", VariablesPanel).tree
    went_to(qtbot, window.context, seq_of(events, "var.set", 2))
    row = tree.row_of("$n")
    assert row is not None
    assert (row.text(VALUE), row.text(BEFORE), row.text(NOW)) == ("2", "1", "3")
    last = tree.row_of("$last")
    assert last is not None
    assert (last.text(VALUE), last.text(NOW)) == ("not set yet", "3")
    window.context.shown.moments.back_to_now()
    assert tree.isColumnHidden(NOW)
    row = tree.row_of("$n")
    assert row is not None
    assert row.text(VALUE) == "3"


def test_the_call_stack_shows_the_moment(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    window.panes.bring_forward("variables")
    stack = panel_of(window, "variables", VariablesPanel).stack
    assert stack.topLevelItemCount() == 0
    went_to(qtbot, window.context, seq_of(events, "var.set", 2))
    item = stack.topLevelItem(0)
    assert item is not None
    assert (item.text(0), item.text(1)) == ("Main", "02.01")


def test_the_plan_shows_the_moment(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(STEPS)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    request = window.context.runs.request
    assert request is not None
    window.context.runs.answer(request.id, Answer(values=(("action", "look"), ("result", "fine"))))
    qtbot.waitUntil(lambda: window.context.runs.request != request)
    plan = panel_of(window, "plan", PlanPanel)
    model = plan.table.model()
    qtbot.waitUntil(lambda: model.index(0, 3).data() == "1")
    went_to(qtbot, window.context, 2)
    assert model.index(0, 3).data() == "0"
    window.context.shown.moments.back_to_now()
    assert model.index(0, 3).data() == "1"
    plan.hide()
    went_to(qtbot, window.context, 2)
    assert model.index(0, 3).data() == "1"  # nobody sees it, so it waits
    plan.show()
    assert model.index(0, 3).data() == "0"


def test_a_line_says_which_moment_it_is_and_leads_back(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    seq = seq_of(events, "var.set", 2)
    assert not window.moment_line.isVisible()
    went_to(qtbot, window.context, seq)
    assert window.moment_line.isVisible()
    count = len(events)
    assert window.moment_line.words == f"Past moment, event {seq} of {count - 1}: Main:02.01: $n = 2"
    window.context.actions.action("run.now").trigger()
    assert window.context.shown.moment is None
    assert not window.moment_line.isVisible()
    assert window.context.shown.state == fold(events)


def test_what_goes_on_meanwhile_moves_nothing(qtbot: QtBot, window: MainWindow) -> None:
    asked(qtbot, window)
    context = window.context
    window.panes.bring_forward("run")
    went_to(qtbot, context, 3)
    panel = panel_of(window, "run", RunPanel)
    state, cards = context.shown.state, list(panel.conversation.cards)
    assert panel.form is None
    request = context.runs.request
    assert request is not None
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.answer(request.id, Answer(values=(("name", "Ada"),)))
    assert context.shown.state is state
    assert panel.conversation.cards == cards
    context.shown.moments.back_to_now()
    assert "Run completed" in [card.text for card in panel.conversation.cards]
    assert context.shown.state == context.runs.state


def test_what_was_entered_is_there_again_after_a_look_back(qtbot: QtBot, window: MainWindow) -> None:
    asked(qtbot, window)
    panel = panel_of(window, "run", RunPanel)
    assert panel.form is not None
    window.panes.bring_forward("run")
    panel.form.take_focus()
    field = QApplication.focusWidget()
    assert field is not None
    qtbot.keyClicks(field, "Ada")
    went_to(qtbot, window.context, 3)
    window.context.shown.show_live()
    assert window.context.shown.moment is None
    assert panel.form is not None
    assert "Ada" in panel.form.written().values()


def test_keys_of_the_timeline_go_from_event_to_event_and_from_step_to_step(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    moments = window.context.shown.moments
    chosen_by_key(window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: moments.moment is not None)
    chosen_by_key(window, Qt.Key.Key_Left)
    assert moments.seq == len(events) - 3
    chosen_by_key(window, Qt.Key.Key_Right)
    assert moments.seq == len(events) - 2
    chosen_by_key(window, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert moments.seq == seq_of(events, "step.entered", -1)
    chosen_by_key(window, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert moments.seq == seq_of(events, "step.entered", -2)
    chosen_by_key(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert moments.seq == seq_of(events, "step.entered", -1)
    chosen_by_key(window, Qt.Key.Key_Escape)
    assert moments.seq is None


def test_keys_of_the_event_list_do_the_same(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    moments = window.context.shown.moments
    table = panel_of(window, "timeline", TimelinePanel).board.events.table
    qtbot.waitUntil(lambda: table.model().rowCount() == len(events))
    QTest.keyClick(table, Qt.Key.Key_Left)
    QTest.keyClick(table, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: moments.moment is not None)
    assert moments.seq == len(events) - 2
    QTest.keyClick(table, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert moments.seq == seq_of(events, "step.entered", -1)
    assert table.currentIndex().row() == moments.seq


def test_the_playhead_is_dragged_along_the_ruler(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    panel = panel_of(window, "timeline", TimelinePanel)
    window.panes.bring_forward("timeline")
    view, run = panel.board.view, panel.board.run
    assert run is not None
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 4))
    qtbot.waitUntil(lambda: window.context.shown.moment is not None)
    first = window.context.shown.moments.seq
    at = QPoint(round(view.navigator.window.x_of(run.position_of(len(events) // 2))) + 1, 4)
    qtbot.mouseMove(view.viewport(), at)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    later = window.context.shown.moments.seq
    assert first is not None
    assert later is not None
    assert first < later
    qtbot.waitUntil(lambda: view.playhead_ns == run.position_of(later))  # a moment that is far away is read first


def test_the_last_event_of_a_run_that_is_over_is_now(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    went_to(qtbot, window.context, 5)
    window.context.shown.moments.go_to(len(events) - 1)
    assert window.context.shown.moment is None


def test_another_run_is_shown_as_it_is(qtbot: QtBot, window: MainWindow) -> None:
    ran(qtbot, window)
    went_to(qtbot, window.context, 5)
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.start()
    assert window.context.shown.moment is None
    assert window.context.shown.state == window.context.runs.state
    assert not window.moment_line.isVisible()


def test_actions_make_sense_only_where_there_is_another_moment(qtbot: QtBot, window: MainWindow) -> None:
    action = window.context.actions.action
    assert not action("run.back").isEnabled()
    ran(qtbot, window)
    assert action("run.back").isEnabled()
    assert not action("run.forward").isEnabled()
    went_to(qtbot, window.context, 5)
    assert action("run.forward").isEnabled()
    assert action("run.now").isEnabled()


def test_a_text_that_has_changed_since_is_told(qtbot: QtBot, window: MainWindow) -> None:
    ran(qtbot, window)
    went_to(qtbot, window.context, 5)
    assert "changed since" not in window.moment_line.words
    window.context.documents.execute(InsertStep(Place("Main"), "$before = 1"))
    assert "the file has changed since" in window.moment_line.words
    assert "the file has changed since" in panel_of(window, "run", RunPanel).header.words


def executions_of(window: MainWindow, address: str) -> list[tuple[object, ...]]:
    """What the inspector lists of the step at *address*."""
    step = window.context.documents.snapshot.at_address(address)
    assert step is not None
    window.context.selection.select((step.id,))
    table = panel_of(window, "inspector", InspectorPanel).page.executions.table
    if table is None:
        return []
    model = table.model()
    return [tuple(model.index(row, column).data() for column in (0, 1)) for row in range(model.rowCount())]


def test_each_execution_of_a_step_is_listed_with_its_round(qtbot: QtBot, window: MainWindow) -> None:
    ran(qtbot, window)
    assert executions_of(window, "Main:02.01") == [("1", "done"), ("2", "done"), ("3", "done")]
    assert executions_of(window, "Main:02") == [("–", "done"), ("↻ 1", "done"), ("↻ 2", "done"), ("↻ 3", "done")]
    assert executions_of(window, "Main:03") == [("–", "done")]


def test_an_execution_that_is_chosen_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    assert len(executions_of(window, "Main:02.01")) == 3
    view = panel_of(window, "inspector", InspectorPanel).page.executions.table
    assert view is not None
    view.clicked.emit(view.model().index(1, 0))
    moments = window.context.shown.moments
    qtbot.waitUntil(lambda: moments.moment is not None)
    ends = [event.seq for event in events if event.name == "step.exited" and event.step == "Main:02.01"]
    assert moments.seq == ends[1]
    assert view.currentIndex().row() == 1
    assert window.context.shown.state == fold(events[: ends[1] + 1])


def test_a_step_that_did_not_run_has_no_executions(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(COUNTING)
    assert executions_of(window, "Main:02.01") == []
    assert not panel_of(window, "inspector", InspectorPanel).page.executions.isVisible()


def test_a_value_is_led_back_to_where_it_was_made(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    window.panes.bring_forward("variables")
    panel = panel_of(window, "variables", VariablesPanel)
    qtbot.waitUntil(lambda: panel.tree.row_of("$last") is not None)
    panel.tree.setCurrentItem(panel.tree.row_of("$last"))
    (action,) = panel.tree.actions()
    assert action.shortcut().toString() == "F12"
    action.trigger()
    qtbot.waitUntil(lambda: window.context.shown.moment is not None)
    assert window.context.shown.moments.seq == seq_of(events, "var.set", -1)
    tree = panel.origin.tree
    assert tree.isVisible()
    top = tree.topLevelItem(0)
    assert top is not None
    assert (top.text(0), top.text(1)) == ("$last = 3", "Main:03")
    assert top.child(0).text(0) == "$n = 3"
    tree.itemClicked.emit(top.child(0), 0)
    assert window.context.shown.moments.seq == seq_of(events, "var.set", -2)
    QTest.keyClick(tree, Qt.Key.Key_Escape)
    assert not tree.isVisible()


def test_where_a_value_of_an_earlier_moment_came_from_is_another_place(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    window.panes.bring_forward("variables")
    panel = panel_of(window, "variables", VariablesPanel)
    went_to(qtbot, window.context, seq_of(events, "var.set", 2) + 1)
    panel.tree.setCurrentItem(panel.tree.row_of("$n"))
    panel.tree.ask_origin()
    qtbot.waitUntil(panel.origin.isVisible)
    assert window.context.shown.moments.seq == seq_of(events, "var.set", 2)


def test_a_conversation_that_was_hidden_catches_up(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window)
    conversation = panel_of(window, "run", RunPanel).conversation
    window.panes.bring_forward("variables")
    went_to(qtbot, window.context, seq_of(events, "say.told"))
    window.panes.bring_forward("run")
    qtbot.waitUntil(conversation.isVisible)
    assert conversation.cards[-1].text == "1"
    window.panes.bring_forward("variables")
    window.context.shown.moments.back_to_now()
    window.panes.bring_forward("run")
    qtbot.waitUntil(conversation.isVisible)
    assert conversation.cards[-1].text == "Run completed"


CHOOSING = (
    f"{HEAD}- $n = 0\n- While $n < 3\n  - $n = $n + 1\n  - If $n > 1\n    - $large = $n\n  - Otherwise\n"
    "    - $small = $n\n- Return $n\n"
)


def test_the_ways_that_a_run_took_are_drawn_and_follow_the_moment(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window, CHOOSING)
    canvas = window.centre.canvas
    canvas.show()

    def times() -> dict[tuple[str, str], int]:
        taken, layout, snapshot = canvas.view.ink.taken, canvas.state.layout, canvas.state.snapshot
        routes = [route for each in layout.playbooks[0].placed for route in each.fragment.routes if route.source]
        assert taken is not None
        return {
            (snapshot.step(route.source).text, route.kind.name): taken.times(route)
            for route in routes
            if route.source is not None and route.kind.name in {"YES", "NO", "REPEAT"}
        }

    whole = {("While $n < 3", "YES"): 3, ("If $n > 1", "YES"): 2, ("If $n > 1", "NO"): 1, ("Otherwise", "REPEAT"): 3}
    assert times() == whole
    shown = canvas.view.grab().toImage()
    went_to(qtbot, window.context, seq_of(events, "loop.iter", 1) - 1)
    assert times() == {**whole, ("While $n < 3", "YES"): 1, ("If $n > 1", "YES"): 0, ("Otherwise", "REPEAT"): 0}
    window.context.shown.moments.back_to_now()
    qtbot.waitUntil(lambda: window.context.shown.moment is None)
    assert times() == whole
    window.context.actions.action("view.run-ways").trigger()
    assert canvas.view.ink.taken is None
    assert canvas.view.grab().toImage() != shown


def test_heat_says_how_often_and_how_long_and_follows_the_moment(qtbot: QtBot, window: MainWindow) -> None:
    events = ran(qtbot, window, COUNTING)
    canvas, actions = window.centre.canvas, window.context.actions
    canvas.show()

    def words() -> dict[str, str]:
        return {canvas.state.snapshot.step(step).text: each.words for step, each in canvas.view.look.heat.items()}

    plain = canvas.view.grab().toImage()
    actions.action("view.heat-count").trigger()
    often = {"$n = 0": "×1", "While $n < 3": "×1", "$n = $n + 1": "×3", 'Tell user "{$n}"': "×3"}
    qtbot.waitUntil(lambda: words() == {**often, "$last = $n": "×1", "Return $last": "×1"})
    assert canvas.view.grab().toImage() != plain
    bar = canvas.frame_use.heat.bar
    assert bar.isVisible()
    assert bar.legend.accessibleDescription() == "×1, ×2, ×3"
    went_to(qtbot, window.context, seq_of(events, "loop.iter", 1) - 1)
    qtbot.waitUntil(lambda: words() == {**often, "$n = $n + 1": "×1", 'Tell user "{$n}"': "×1"})
    window.context.shown.moments.back_to_now()
    actions.action("view.heat-time").trigger()
    assert not actions.action("view.heat-count").isChecked()
    executions, steps = window.context.shown.executions, window.context.shown.steps
    assert executions is not None
    loop = canvas.state.snapshot.program.playbooks[0].steps[1]
    whole, *inner = (executions.rows[steps.address_of(each.id)].spent_ns(None) for each in loop.walk())
    qtbot.waitUntil(lambda: words().get(loop.text) == duration_text(whole // 1_000 * 1_000))
    assert sum(inner) <= whole <= events[-1].at_ns - events[0].at_ns
    canvas.view.look_at(0.2, QPointF(0, 0), QPointF(0, 0))
    assert sum(len(rects) for _warmth, rects in canvas.view.look.far_heat) == len(words())
    bar.hider.click()
    assert not actions.action("view.heat-time").isChecked()
    assert not words()
    assert not bar.isVisible()
