"""Qt's Python bindings on this interpreter: the versions that crash do so here, and not in front of a person."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

REPEATS = 5_000


class _Bell(QObject):
    """Something that can ring."""

    rung = Signal(object)


class _Ear(QObject):
    """Counts what it hears."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.count = 0

    def hear(self, _tone: object) -> None:
        """One more."""
        self.count += 1


def test_five_thousand_signals_are_all_heard(qtbot: QtBot) -> None:
    bell = _Bell()
    ear = _Ear(bell)
    bell.rung.connect(ear.hear)
    for tone in range(REPEATS):
        bell.rung.emit(tone)
    assert ear.count == REPEATS


def test_five_thousand_rectangles_are_painted(qtbot: QtBot) -> None:
    image = QImage(100, 100, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    for index in range(REPEATS):
        painter.fillRect(QRect(index % 100, index // 100, 1, 1), QColor("#204060"))
    painter.end()
    assert image.pixelColor(99, 49) == QColor("#204060")
