"""Who judges is chosen in the window, remembered by file, and holds for the next run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from tests.model_replies import Asked, Reply
from tests.model_server import ModelServer
from workbench.engine.journal.run_events import JudgesChosen
from workbench.engine.judges import JudgeKind, JudgeOf, Judges, Limits, Subject
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_judges import chosen_judges, with_judges
from workbench.gui.models.judges_dialog import JudgesDialog
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.known import with_endpoint

BOOK = "# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Find out the $mood of Ada\n- Return $mood\n"

Opened = Callable[[], JudgesDialog]


@pytest.fixture
def file(tmp_path: Path, context: WindowContext) -> Path:
    """The file that is open."""
    path = tmp_path / "desk.md"
    path.write_text(BOOK)
    context.documents.open(path)
    return path


@pytest.fixture
def opened(qtbot: QtBot, context: WindowContext, file: Path) -> Opened:
    """Opens the dialog for the file."""
    window = QWidget()
    qtbot.addWidget(window)

    def open_dialog() -> JudgesDialog:
        dialog = JudgesDialog(context, window)
        dialog.show()
        return dialog

    return open_dialog


def choose(box: QComboBox, value: object) -> None:
    """Choose *value* in *box*."""
    box.setCurrentIndex(box.findData(value))


def test_who_has_chosen_nothing_judges_alone(opened: Opened, context: WindowContext, file: Path) -> None:
    dialog = opened()
    assert dialog.usual.currentData() is JudgeKind.PERSON
    assert dialog.limits.isHidden()
    dialog.accept()
    assert not context.settings.current.judging


def test_what_was_chosen_is_remembered_for_the_file_alone(opened: Opened, context: WindowContext, file: Path) -> None:
    dialog = opened()
    choose(dialog.usual, JudgeKind.MODEL)
    choose(dialog.others[Subject.CONDITIONS], JudgeKind.PERSON)
    dialog.proposes.setChecked(True)
    dialog.limits.lines["requests"].setText("20")
    dialog.limits.lines["cost_usd"].setText("0,5")
    dialog.accept()
    settings = context.settings.current
    conditions = (JudgeOf(Subject.CONDITIONS, JudgeKind.PERSON),)
    wanted = JudgesChosen(Judges(JudgeKind.MODEL, conditions, is_proposing=True), Limits(requests=20, cost_usd=0.5))
    assert chosen_judges(settings, file) == wanted
    assert chosen_judges(settings, file.with_name("other.md")) == JudgesChosen(Judges(), Limits())


def test_what_was_chosen_is_shown_again(opened: Opened, context: WindowContext, file: Path) -> None:
    chosen = JudgesChosen(Judges(JudgeKind.MODEL, model="big", is_handing_over=True), Limits(tokens=9000))
    context.settings.change(lambda settings: with_judges(settings, file, chosen))
    assert opened().chosen() == chosen


def test_what_is_no_limit_is_said(opened: Opened) -> None:
    dialog = opened()
    choose(dialog.usual, JudgeKind.MODEL)
    dialog.limits.lines["requests"].setText("many")
    dialog.accept()
    assert dialog.isVisible()
    assert dialog.said.text() == "“many” is not a limit, such as 20. Leave the field empty for no limit."


def test_an_earlier_run_can_be_chosen_only_where_there_is_one(opened: Opened) -> None:
    dialog = opened()
    choose(dialog.usual, JudgeKind.REPLAY)
    dialog.accept()
    assert dialog.said.text() == "There is no earlier run of this playbook whose answers could be given once more."


@pytest.fixture
def cheerful(context: WindowContext) -> Iterator[ModelServer]:
    """A model that finds everybody cheerful, which is the default one."""

    def answer(_asked: Asked) -> Reply:
        return Reply(data={"mood": "cheerful"})

    with ModelServer(answer) as server:
        endpoint = Endpoint("here", WireProtocol.OPENAI, server.url, model="scripted")
        context.settings.change(lambda settings: with_endpoint(settings, endpoint))
        yield server


def test_a_run_is_judged_by_the_model_that_was_chosen(
    qtbot: QtBot, opened: Opened, context: WindowContext, cheerful: ModelServer
) -> None:
    dialog = opened()
    choose(dialog.usual, JudgeKind.MODEL)
    dialog.accept()
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        context.runs.start()
    assert (finished.args[0].result, len(cheerful.requests)) == ("cheerful", 1)


def test_an_earlier_run_answers_once_more(
    qtbot: QtBot, opened: Opened, context: WindowContext, cheerful: ModelServer
) -> None:
    dialog = opened()
    choose(dialog.usual, JudgeKind.MODEL)
    dialog.accept()
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    again = opened()
    choose(again.usual, JudgeKind.REPLAY)
    again.accept()
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        context.runs.start()
    assert (finished.args[0].result, len(cheerful.requests)) == ("cheerful", 1)
