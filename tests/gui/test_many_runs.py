"""Several runs go on at once in one window: each is its own, one of them is shown, and those that wait are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.control.running.window_runs import Phase, WindowRun
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

LETTER = "# Letter\n\n## Letter\n\n- Ask user for $name\n- Ask user for $town\n- Return $name\n"
ORDER = "# Order\n\n## Order\n\n- Ask user for $count:int\n- Return $count\n"
LOOP = "# Loop\n\n## Loop\n\n- $n = 0\n- While $n < 400\n  - $n = $n + 1\n"


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    file = tmp_path / "letter.md"
    file.write_text(LETTER, encoding="utf-8")
    return file


@pytest.fixture
def order(tmp_path: Path) -> Path:
    file = tmp_path / "order.md"
    file.write_text(ORDER, encoding="utf-8")
    return file


def begun(qtbot: QtBot, window: MainWindow, options: RunOptions | None = None, until: Phase = Phase.ASKS) -> WindowRun:
    """A new run of the document, which has come as far as *until*."""
    runs = window.context.runs
    with qtbot.waitSignal(runs.run_began) as began:
        runs.start(options)
    run: WindowRun = began.args[0]
    qtbot.waitUntil(lambda: run.phase is until)
    return run


def both(qtbot: QtBot, window: MainWindow, letter: Path, order: Path) -> tuple[WindowRun, WindowRun]:
    """A run of each file, which ask something both; the second is shown."""
    window.context.documents.open(letter)
    first = begun(qtbot, window)
    window.context.documents.open(order)
    return first, begun(qtbot, window)


def answer(run: WindowRun, **values: object) -> None:
    assert run.request is not None
    assert run.run.answer(run.request.id, Answer(values=tuple(values.items())))


def shown(qtbot: QtBot, window: MainWindow, run: WindowRun) -> None:
    """Wait until *run* is shown, with all that was told of it."""
    shown = window.context.shown
    qtbot.waitUntil(lambda: shown.view is not None and shown.view.id == run.id and shown.latest == run.state)


def pane(window: MainWindow) -> RunPanel:
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    return panel


def rows(window: MainWindow) -> list[str]:
    """The list of runs, without how long they last."""
    runs = pane(window).runs
    return [runs.item(row).text().rpartition(" · ")[0] for row in range(runs.count())]


def choose(window: MainWindow, row: int) -> None:
    """Click the run in *row*."""
    runs = pane(window).runs
    place = runs.visualItemRect(runs.item(row)).center()
    QTest.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)


def asked() -> QMessageBox:
    """The question that stands before the window."""
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible())


def press(box: QMessageBox, words: str) -> None:
    next(each for each in box.findChildren(QPushButton) if each.text().replace("&", "") == words).click()


def test_runs_of_two_files_are_answered_out_of_order(
    qtbot: QtBot, window: MainWindow, letter: Path, order: Path
) -> None:
    first, second = both(qtbot, window, letter, order)
    assert rows(window) == ["Letter in letter.md\nasks you something", "Order in order.md\nasks you something"]
    assert window.status.waiting_button.text() == "2 runs are waiting for you"
    answer(first, name="Ada")
    qtbot.waitUntil(lambda: first.request is not None and "town" in first.request.text)
    answer(second, count=3)
    qtbot.waitUntil(lambda: second.phase is Phase.OVER)
    assert window.status.waiting_button.text() == "Letter is waiting for you"
    answer(first, town="York")
    qtbot.waitUntil(lambda: first.phase is Phase.OVER)
    assert [each.state.result for each in (first, second) if each.state is not None] == ["Ada", 3]
    assert window.context.runs.going == ()


def test_the_run_that_is_chosen_is_shown_by_every_pane(
    qtbot: QtBot, window: MainWindow, letter: Path, order: Path
) -> None:
    first, second = both(qtbot, window, letter, order)
    window.panes.bring_forward("run")
    assert [card.text for card in pane(window).conversation.cards] == ["Run started", "Ask user for $count:int"]
    choose(window, 0)
    shown(qtbot, window, first)
    assert [card.text for card in pane(window).conversation.cards] == ["Run started", "Ask user for $name"]
    assert len(window.context.shown.marks) == 0  # the file of the other one is open
    window.context.documents.open(letter)
    shown(qtbot, window, first)
    step = window.context.documents.snapshot.at_address("Letter:01")
    assert step is not None
    assert window.context.shown.marks[step.id].status is MarkStatus.WAITING
    window.context.documents.open(order)  # its run is the one that belongs to it
    shown(qtbot, window, second)


def test_two_runs_of_one_file_keep_what_is_being_written_for_each(
    qtbot: QtBot, window: MainWindow, letter: Path
) -> None:
    window.context.documents.open(letter)
    first = begun(qtbot, window)
    panel = pane(window)
    panel.form.findChildren(QLineEdit)[0].setText("Ada")
    window.context.actions.trigger("run.start-another")
    qtbot.waitUntil(lambda: len(window.context.runs.waiting) == 2)
    second = window.context.runs.all[1]
    qtbot.waitUntil(lambda: panel.form is not None)
    panel.form.findChildren(QLineEdit)[0].setText("Grace")
    for run, name in ((first, "Ada"), (second, "Grace")):
        window.context.actions.trigger("run.next-waiting")
        shown(qtbot, window, run)
        qtbot.waitUntil(lambda: panel.form is not None)
        assert panel.form.findChildren(QLineEdit)[0].text() == name
    assert rows(window) == ["Letter in letter.md\nasks you something"] * 2


def test_stop_ends_the_run_that_is_shown_and_stop_all_asks(
    qtbot: QtBot, window: MainWindow, letter: Path, order: Path
) -> None:
    first, second = both(qtbot, window, letter, order)
    third = begun(qtbot, window)
    window.context.actions.trigger("run.stop")
    qtbot.waitUntil(lambda: third.phase is Phase.OVER)
    assert (first.phase, second.phase) == (Phase.ASKS, Phase.ASKS)
    assert rows(window)[-1] == "Order in order.md\nstopped"
    assert not window.context.actions.action("run.stop").isEnabled()
    window.context.actions.trigger("run.stop-all")
    assert "it asks again when it is resumed" in asked().informativeText()
    press(asked(), "Cancel")
    assert (first.phase, second.phase) == (Phase.ASKS, Phase.ASKS)
    window.context.actions.trigger("run.stop-all")
    press(asked(), "Stop all")
    qtbot.waitUntil(lambda: not window.context.runs.going)
    assert {each.state.status for each in (first, second) if each.state} == {RunStatus.CANCELLED}


def test_closing_the_window_asks_once_and_the_runs_can_be_resumed(
    qtbot: QtBot, window: MainWindow, letter: Path, order: Path
) -> None:
    both(qtbot, window, letter, order)
    assert not window.close()
    assert asked().text() == "Close while 2 runs go on?"
    assert "• Letter" in asked().informativeText()
    press(asked(), "Close")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert [each.is_resumable for each in window.context.runs.host.runs()] == [True, True]


@pytest.mark.parametrize("is_active", [True, False])
def test_each_question_that_is_not_looked_at_is_told_once(
    qtbot: QtBot, window: MainWindow, letter: Path, order: Path, monkeypatch: pytest.MonkeyPatch, is_active: bool
) -> None:
    states = Qt.ApplicationState
    state = states.ApplicationActive if is_active else states.ApplicationInactive
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: state)
    first, second = both(qtbot, window, letter, order)
    told: list[str] = []
    window.run_alert.alerted.connect(told.append)
    answer(first, name="Ada")
    qtbot.waitUntil(lambda: first.request is not None and "town" in first.request.text)
    assert told == ["Letter is waiting for you"]
    window.context.actions.trigger("run.next-waiting")
    shown(qtbot, window, first)
    window.context.actions.trigger("run.next-waiting")
    shown(qtbot, window, second)
    assert told == ["Letter is waiting for you"]


def test_a_breakpoint_of_a_file_stops_each_of_its_runs(qtbot: QtBot, window: MainWindow, letter: Path) -> None:
    window.context.documents.open(letter)
    first, second = begun(qtbot, window), begun(qtbot, window)
    town = window.context.documents.snapshot.at_address("Letter:02")
    assert town is not None
    window.context.breakpoints.toggle(town.id)
    answer(first, name="Ada")
    answer(second, name="Grace")
    qtbot.waitUntil(lambda: {first.phase, second.phase} == {Phase.AT_BREAKPOINT})
    assert rows(window) == ["Letter in letter.md\nstopped at a breakpoint"] * 2
    window.context.actions.trigger("run.go-on")  # that one which is shown
    qtbot.waitUntil(lambda: second.phase is Phase.ASKS)
    assert first.phase is Phase.AT_BREAKPOINT
    assert rows(window)[0].endswith("asks you something")


def test_ten_runs_at_once_are_ten_runs(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.context.documents.open_text(ORDER)
    runs = [begun(qtbot, window) for _number in range(9)]
    window.context.documents.open_text(LOOP)  # the file of the nine is closed, and one more goes on meanwhile
    busy = begun(qtbot, window, until=Phase.GOES_ON)
    for count, run in reversed([*enumerate(runs)]):
        answer(run, count=count)
    qtbot.waitUntil(lambda: not window.context.runs.going)
    assert [run.state.result for run in runs if run.state is not None] == [*range(9)]
    assert len(rows(window)) == 10
    assert window.context.shown.view == busy.view
    journal = window.context.runs.host.journal
    assert all(journal.check(run.id) for run in runs)


def test_who_goes_to_and_fro_between_runs_misses_nothing(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(LOOP)
    first, second = (begun(qtbot, window, until=Phase.GOES_ON) for _number in range(2))
    told: list[int] = []
    context = window.context
    context.shown.run_shown.connect(lambda _view: told.clear())
    context.shown.events_arrived.connect(lambda batch: told.extend(event.seq for event in batch))
    for run in (first, second, first, second, first):
        context.shown.show(run.id)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: context.shown.is_settled and second.phase is Phase.OVER)
    assert told == [*range(len(context.runs.host.events(first.id)))]


def test_a_run_asks_while_its_file_is_closed(qtbot: QtBot, window: MainWindow, letter: Path) -> None:
    window.context.documents.open(letter)
    run = begun(qtbot, window, RunOptions(start_paused=True), until=Phase.PAUSED)
    window.context.documents.close()
    window.context.runs.go_on()
    qtbot.waitUntil(lambda: run.phase is Phase.ASKS)
    panel = pane(window)
    qtbot.waitUntil(lambda: panel.form is not None)
    assert panel.header.words == "Letter in letter.md · waiting for you"
    answer(run, name="Ada")
    qtbot.waitUntil(lambda: run.request is not None and "town" in run.request.text)


def watched(qtbot: QtBot, window: MainWindow, file: Path, run: str) -> None:
    """Show in *window* a run that goes on elsewhere."""
    window.context.documents.open(file)
    window.context.shown.show(RunId(run))
    qtbot.waitUntil(lambda: window.context.shown.owner is not None)


def test_a_second_window_watches_a_run_and_cannot_steer_it(
    qtbot: QtBot, window: MainWindow, another_window: MainWindow, letter: Path
) -> None:
    window.context.documents.open(letter)
    run = begun(qtbot, window)
    watched(qtbot, another_window, letter, run.id)
    panel, actions = pane(another_window), another_window.context.actions
    words = "Letter · waiting · only watched here: it goes on in another window"
    qtbot.waitUntil(lambda: panel.header.words == words)
    assert panel.form is None
    steering = ("start", "pause", "go-on", "stop", "resume", "fork", "step", "step-into", "step-out", "skip")
    assert [each for each in steering if actions.action(f"run.{each}").isEnabled()] == []
    answer(run, name="Ada")
    qtbot.waitUntil(lambda: [card.text for card in panel.conversation.cards][-1:] == ["Ask user for $town"])
    step = another_window.context.documents.snapshot.at_address("Letter:02")
    assert step is not None
    assert another_window.context.shown.marks[step.id].status is MarkStatus.WAITING
    answer(run, town="York")
    qtbot.waitUntil(lambda: another_window.context.shown.is_settled)
    assert panel.header.words == "Letter · completed"
    assert not actions.action("run.resume").isEnabled()


_OWNER = """
import sys, time
from pathlib import Path
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import start_run
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

store, file = map(Path, sys.argv[1:])
snapshot = derive(SourceText.decode(file.read_bytes()))
run = start_run(snapshot, Journal(store), PersonBackend(), RunOptions(path=str(file)))
while not run.is_asking_person:
    time.sleep(0.01)
print(run.id, flush=True)
time.sleep(600)
"""


def test_the_run_of_a_program_that_was_killed_is_resumed_where_it_was_watched(
    qtbot: QtBot, window: MainWindow, letter: Path, own_places: Places
) -> None:
    own_places.data_dir.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", _OWNER, str(own_places.runs_file), str(letter)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        run = owner.stdout.readline().strip()
        watched(qtbot, window, letter, run)
        assert pane(window).header.words.endswith(f"only watched here: it goes on in process {owner.pid}")
        assert not window.context.actions.action("run.resume").isEnabled()
        owner.kill()
    qtbot.waitUntil(window.context.actions.action("run.resume").isEnabled)
    assert pane(window).header.words == "Letter · interrupted"
    window.context.runs.resume(RunId(run))
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    (resumed,) = window.context.runs.all
    answer(resumed, name="Ada")
    qtbot.waitUntil(lambda: resumed.request is not None and "town" in resumed.request.text)
