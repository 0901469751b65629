"""Random things in the real window, without a display, for so many seconds."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, qInstallMessageHandler
from PySide6.QtTest import QTest

from tests.gui.somebody import Somebody
from workbench.disk.places import places_under
from workbench.gui.app import application_for_window
from workbench.gui.control.context import window_context
from workbench.gui.shell.main_window import MainWindow

_OFFSCREEN = "This plugin does not support"
_THINGS = 300
"""How many are done in one window, before a new one is opened."""


def failures(seconds: int, folder: Path) -> Iterator[str]:
    """What went wrong within *seconds*; each window is named by its seed."""
    application = application_for_window()
    application.setQuitOnLastWindowClosed(False)
    # as in the window itself: on this thread only
    gc.disable()
    told: list[str] = []
    qInstallMessageHandler(lambda _kind, _where, words: told.append(words) if _OFFSCREEN not in words else None)
    until = time.monotonic() + seconds
    seed = done = 0
    while time.monotonic() < until:
        person = in_a_window(folder / str(seed), seed, until)
        yield from (f"window {seed}, {failure}" for failure in person.failures)
        if told:
            yield f"window {seed}, Qt said {len(told)} times something such as: {told[0]}"
            told.clear()
        done += person.done
        seed += 1
        gc.collect()
    print(f"did {done} things in {seed} windows")


def in_a_window(folder: Path, seed: int, until: float) -> Somebody:
    """Somebody who did _THINGS, or fewer *until* it was time to go."""
    folder.mkdir()
    owner = QObject()
    window = MainWindow(window_context(places_under(folder / "home"), owner))
    window.show()
    window.panes.fill()
    person = Somebody(window, folder, seed)
    with person.at_work():
        while person.done < _THINGS and time.monotonic() < until:
            person.do_something()
            if random.random() < 0.05:
                QTest.qWait(30)
    window.context.runs.leave()
    window.context.documents.close()
    window.close()
    window.deleteLater()
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return person
