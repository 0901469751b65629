"""Tests of the window: a warning from Qt fails the test that caused it."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, SignalInstance
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from tests.conftest import PATIENCE_S
from tests.gui.canvas_driver import CanvasDriver
from workbench.disk.places import Places
from workbench.gui.assembly import assembly_panel
from workbench.gui.control import context as diagnosis
from workbench.gui.control import file_watch, project_controller
from workbench.gui.control.background import finish_background_work
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.looking import project_check
from workbench.gui.control.versions import git_states
from workbench.gui.files import file_renaming, project_panel
from workbench.gui.look.theming import LIGHT, apply_theme, current_theme
from workbench.gui.outline import outline_panel
from workbench.gui.plan import plan_panel
from workbench.gui.shell import announcer
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.panes import panes
from workbench.gui.timeline.events import event_list
from workbench.gui.variables import variables_panel

PATIENCE_MS = 1000 * PATIENCE_S
NEVER_MS = 3_600_000
REST_MS = 10
RESTS = (
    *((module, "_REST_MS") for module in (assembly_panel, diagnosis, file_renaming, outline_panel)),
    *((module, "_REST_MS") for module in (announcer, project_controller, project_panel)),
    *((module, "REFRESH_MS") for module in (plan_panel, variables_panel)),
    (event_list, "FILTER_WAIT_MS"),
    (file_watch, "REST_MS"),
)
"""How long what follows the person, a folder or a run waits for more of it before it looks."""


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests for which every panel must have been made."""
    config.addinivalue_line("markers", "all_panes: the window is complete, as it is a moment after it is shown")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let pytest-qt fail on warnings of Qt, not only on critical messages."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
        # the platform without a display says this of every window, and of every menu that pops up
        unsupported = "propagateSizeHints|raise|grabbing the keyboard"
        item.add_marker(pytest.mark.qt_log_ignore(f"This plugin does not support ({unsupported})"))


@pytest.fixture(autouse=True, scope="session")
def no_collection_elsewhere() -> Iterator[None]:
    """As in the window itself: cycles with widgets in them are collected on this thread only."""
    gc.disable()
    yield
    gc.enable()


_tests_since = itertools.count(1)


@pytest.fixture(autouse=True)
def collected_now_and_then() -> None:
    """Collect on this thread now and then, before there is a window: each time looks at all that is kept.

    Not rarer: Python would keep thousands of widgets that Qt has deleted, and Qt makes new ones at their addresses.
    """
    if next(_tests_since) % 40 == 0:
        gc.collect()


@pytest.fixture(autouse=True)
def no_window_or_theme_is_left() -> Iterator[None]:
    """Delete windows that a test leaves: until they are collected, each change of the theme would style them again."""
    yield
    left = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    for window in left:
        window.deleteLater()
    if left:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if current_theme() != LIGHT:
        apply_theme(LIGHT)


@pytest.fixture(autouse=True, scope="session")
def short_rests() -> Iterator[None]:
    """Nobody types here: what waits until typing rests, or a folder is quiet, waits only for the next events."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in RESTS:
            patch.setattr(module, name, REST_MS)
        # git is asked, and whole projects are checked, in the tests that are about it
        patch.setattr(git_states, "REST_MS", NEVER_MS)
        patch.setattr(project_check, "REST_MS", NEVER_MS)
        patch.setattr(project_check, "FIRST_MS", NEVER_MS)
        yield


@pytest.fixture(autouse=True)
def buttons_let_go() -> Iterator[None]:
    """A double click of QTest never lets go of the button, and while one is down no run of a later test is followed."""
    yield
    if QApplication.mouseButtons() is not Qt.MouseButton.NoButton:
        QTest.mouseRelease(QWidget(), Qt.MouseButton.LeftButton)


@pytest.fixture(autouse=True)
def nothing_goes_on_behind_it(home: Path) -> Iterator[None]:
    """What a test has begun in the background ends with it: else it would keep something in the home of the next."""
    assert home
    yield
    finish_background_work()


class PatientBot(QtBot):
    """Waits for what happens until only a hang can be the reason that it does not."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        """Return when *callback* holds."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = PATIENCE_MS, **more: Any) -> SignalBlocker:
        """Return when *signal* was emitted."""
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: list[SignalInstance], *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        """Return when all *signals* were emitted."""
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE_MS) -> Any:
        """Return when *widget* is the active window."""
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """The pointer and the keys of a patient person."""
    return PatientBot(request)


class Windows:
    """Makes real windows that share settings and stores, and takes them away again."""

    def __init__(self, own_places: Places) -> None:
        self._places = own_places
        self._made: list[tuple[MainWindow, QObject]] = []

    def __call__(self) -> MainWindow:
        """A new window, shown, with every panel made."""
        window = self.fresh()
        window.panes.fill()
        return window

    def in_front(self) -> MainWindow:
        """A new window, shown, with those panels that somebody sees; others come when a test or a run asks for them."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(panes, "_FILL_AFTER_MS", NEVER_MS)
            return self.fresh()

    def fresh(self) -> MainWindow:
        """A new window at the moment when it is shown."""
        owner = QObject()
        window = MainWindow(window_context(self._places, owner))
        self._made.append((window, owner))
        window.show()
        return window

    def take_away(self) -> None:
        """Give up what is unsaved, and delete at once: windows that pile up make every later one slower."""
        for window, owner in self._made:
            window.context.runs.leave()
            window.context.tabs.unshown.leave()
            window.context.tabs.tabs[:] = [tab for tab in window.context.tabs.tabs if tab.kept is None]
            window.context.documents.fields.leave()
            if window.context.tabs.dirty:
                window.context.documents.close()
            window.close()
            window.deleteLater()
            owner.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication, own_places: Places) -> Iterator[Windows]:
    """Makes real windows of one person."""
    windows = Windows(own_places)
    yield windows
    windows.take_away()


@pytest.fixture
def window(open_window: Windows, request: pytest.FixtureRequest) -> MainWindow:
    """The real window, empty."""
    return open_window() if request.node.get_closest_marker("all_panes") else open_window.in_front()


@pytest.fixture
def another_window(open_window: Callable[[], MainWindow]) -> MainWindow:
    """A second window of the same person."""
    return open_window()


@pytest.fixture
def context(qapp: QApplication, own_places: Places) -> Iterator[WindowContext]:
    """The controllers of a window, without the window."""
    owner = QObject()
    made = window_context(own_places, owner)
    yield made
    made.runs.leave()
    owner.deleteLater()


@pytest.fixture
def open_canvas(qtbot: QtBot, own_places: Places) -> Iterator[Callable[[str], CanvasDriver]]:
    """Opens a text in a canvas pane of its own that is taken away after the test."""
    opened: list[CanvasDriver] = []

    def open_text(text: str) -> CanvasDriver:
        opened.append(CanvasDriver(QObject(), own_places, text))
        return opened[-1]

    yield open_text
    for canvas in opened:
        canvas.take_away()
