"""Somebody who is elsewhere is told that a run waits, and nothing else of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from workbench.gui.shell.main_window import MainWindow

ASKING = "# Desk\n\n## Refunds\n\n- Ask user for $secret\n- Ask user for $more\n"


@pytest.fixture
def told(window: MainWindow) -> list[str]:
    """What was told."""
    words: list[str] = []
    window.run_alert.alerted.connect(words.append)
    return words


def run_until_it_waits(
    qtbot: QtBot, window: MainWindow, *, is_elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = Qt.ApplicationState
    state = states.ApplicationInactive if is_elsewhere else states.ApplicationActive
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: state)
    window.context.documents.open_text(ASKING)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)


def test_a_run_that_waits_is_told_by_its_name_alone(
    qtbot: QtBot, window: MainWindow, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_until_it_waits(qtbot, window, is_elsewhere=True, monkeypatch=monkeypatch)
    assert told == ["Refunds is waiting for you"]


def test_whoever_looks_at_the_window_is_not_told(
    qtbot: QtBot, window: MainWindow, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_until_it_waits(qtbot, window, is_elsewhere=False, monkeypatch=monkeypatch)
    assert told == []


def test_whoever_has_turned_it_off_is_not_told(
    qtbot: QtBot, window: MainWindow, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window.context.actions.action("run.notify").trigger()
    run_until_it_waits(qtbot, window, is_elsewhere=True, monkeypatch=monkeypatch)
    assert told == []
    assert not window.context.settings.current.is_notified
