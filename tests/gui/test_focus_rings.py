"""What has the keys shows it at its edge: nothing that a person reads is covered, and the ring goes with the focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.control.pane_table import PANES
from workbench.gui.look.frames import RingedArea
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow

ASKING = '# Desk\n\n## Main\n\n- Tell user "one"\n- Ask user for $name\n- Tell user "Hi {$name}"\n'
MOST_CHANGED = 0.2


@pytest.fixture
def waiting(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The real window while a run waits for an answer."""
    window.context.documents.open_text(ASKING)
    window.activateWindow()
    qtbot.waitActive(window)
    window.context.runs.start()
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    qtbot.waitUntil(lambda: panel.form is not None)
    return window


def areas_that_scroll(window: MainWindow) -> Iterator[QAbstractScrollArea]:
    """All that take the keys, each while its pane is in front."""
    for pane in PANES:
        window.panes.bring_forward(pane.id)
        QApplication.processEvents()
        yield from _in_sight(window.panes.panel(pane.id))
    yield from _in_sight(window.centre)


def _in_sight(pane: QWidget) -> Iterator[QAbstractScrollArea]:
    for area in pane.findChildren(QAbstractScrollArea):
        if area.isVisible() and area.isEnabled() and area.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            yield area


def picture(area: QWidget) -> QImage:
    return area.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def share_changed(one: QImage, other: QImage) -> float:
    """How much of two pictures of one size differs."""
    ours, theirs = bytes(one.constBits()), bytes(other.constBits())
    pixels = range(0, len(ours), 4)
    return sum(ours[at : at + 4] != theirs[at : at + 4] for at in pixels) / len(pixels)


def test_the_focus_covers_nothing(waiting: MainWindow) -> None:
    covered = []
    for area in areas_that_scroll(waiting):
        area.clearFocus()
        before = picture(area)
        area.setFocus(Qt.FocusReason.TabFocusReason)
        if area.hasFocus() and share_changed(before, picture(area)) > MOST_CHANGED:
            covered.append(f"{type(area).__name__} {area.accessibleName()}")
    assert covered == []


class Paintings(QObject):
    """Counts how often a viewport is painted."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


@pytest.mark.parametrize("pane", ["run", "timeline"])
def test_the_ring_goes_with_the_focus(qtbot: QtBot, waiting: MainWindow, pane: str) -> None:
    waiting.panes.bring_forward(pane)
    area = waiting.panes.panel(pane).findChild(RingedArea)
    assert area is not None
    area.setFocus()
    qtbot.waitUntil(area.hasFocus)
    QApplication.processEvents()
    paintings = Paintings(waiting)
    area.viewport().installEventFilter(paintings)
    waiting.centre.canvas.setFocus()
    qtbot.waitUntil(lambda: paintings.count > 0)
