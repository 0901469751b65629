"""Tests of the window: a warning from Qt fails the test that caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.gui.context import window_context
from workbench.gui.main_window import MainWindow
from workbench.settings import Places


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let pytest-qt fail on warnings of Qt, not only on critical messages."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


def _leave(window: MainWindow) -> None:
    """Give up what is unsaved, so that no question stays open after the test."""
    window.context.runs.leave()
    window.context.documents.close()


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication, own_places: Places) -> Iterator[Callable[[], MainWindow]]:
    """Makes real windows that share settings and stores."""
    owners = []

    def make() -> MainWindow:
        owner = QObject()
        owners.append(owner)
        window = MainWindow(window_context(own_places, owner))
        qtbot.addWidget(window, before_close_func=_leave)
        window.show()
        return window

    yield make
    for owner in owners:
        owner.deleteLater()


@pytest.fixture
def window(open_window: Callable[[], MainWindow]) -> MainWindow:
    """The real window, empty."""
    return open_window()


@pytest.fixture
def another_window(open_window: Callable[[], MainWindow]) -> MainWindow:
    """A second window of the same person."""
    return open_window()
