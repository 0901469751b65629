"""Cycles are collected on the GUI thread, and only there."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from workbench.gui.shell.garbage import GuiGarbageCollector


class _Knot:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def collector(qapp: QApplication) -> GuiGarbageCollector:
    """The collector of a window, where nothing is new yet: between tests much is left to be looked at."""
    gc.collect(0)
    return GuiGarbageCollector(qapp)


def test_a_cycle_that_is_due_is_collected(collector: GuiGarbageCollector) -> None:
    gone = weakref.ref(_Knot())
    kept = [_Knot() for _round in range(2_000)]
    collector.look()
    assert gone() is None
    assert kept


def test_old_objects_are_not_counted_again_while_nothing_becomes_old(
    collector: GuiGarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, counted = gc.get_objects, list[int]()
    monkeypatch.setattr(gc, "get_objects", lambda generation: counted.append(generation) or count(generation))
    gc.collect()
    for _round in range(2):  # the first time everything is worth a look
        for _time in range(gc.get_threshold()[2] + 1):
            gc.collect(1)
        collector.look()
    counted.clear()
    for _look in range(5):
        collector.look()
    assert counted == []


def test_what_a_long_document_brings_is_looked_at_when_nobody_waits(collector: GuiGarbageCollector) -> None:
    gone = weakref.ref(_Knot())
    kept = [[number] for number in range(60_000)]
    collector.look()
    assert gone() is not None
    assert gc.get_freeze_count() > len(kept)
    collector.on_state_changed(Qt.ApplicationState.ApplicationActive)
    assert gone() is not None
    collector.on_state_changed(Qt.ApplicationState.ApplicationInactive)
    assert gone() is None
    assert gc.get_freeze_count() == 0


def test_another_thread_collects_nothing(collector: GuiGarbageCollector) -> None:
    seen: list[int] = []
    gone = weakref.ref(_Knot(), lambda _reference: seen.append(threading.get_ident()))

    def allocate() -> None:
        for _round in range(5):
            [_Knot() for _each in range(2_000)]

    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
    assert gone() is not None
    gc.collect()
    assert seen == [threading.get_ident()]
    assert isinstance(collector, QObject)
