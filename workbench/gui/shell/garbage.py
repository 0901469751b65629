"""Garbage is collected on the GUI thread only.

Python collects cycles on whatever thread happens to allocate. A widget that is part of a
cycle would then be deleted on the thread of a run, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

_EVERY_MS = 200
_BULK = 50_000
"""So many new objects between two looks are a long document that was read."""
_MOST_BULKS = 12
_OLDEST = 2
_GROWTH = 1.25
"""By how much the old objects must have become more before all of them are looked at: Python's own rule."""


class GuiGarbageCollector(QObject):
    """Does what Python's own collector would have done, but on this thread, between two events.

    A long document has hundreds of thousands of objects, hardly any of them in a cycle, and to look at them would hold
    the window up for a third of a second. They are put aside with all that there is at the time (only what is in cycles
    stays longer for that), and looked at once the person has turned to another program.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._due_above = list(gc.get_threshold())
        self._old_objects = 0
        self._bulks = 0
        gc.disable()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self.on_state_changed)

    @Slot(Qt.ApplicationState)
    def on_state_changed(self, state: Qt.ApplicationState) -> None:
        """Nobody waits for this program now: look at what was put aside as well."""
        if state is not Qt.ApplicationState.ApplicationActive and self._bulks:
            self._bulks = 0
            gc.unfreeze()
            gc.collect(_OLDEST)
            self._old_objects = len(gc.get_objects(_OLDEST))

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        if counts[0] > _BULK and self._bulks < _MOST_BULKS:
            self._bulks += 1
            self._old_objects = 0
            gc.freeze()
            return
        due = next((each for each in (_OLDEST, 1, 0) if counts[each] > self._due_above[each]), None)
        if due == _OLDEST:
            self._consider_all(counts[_OLDEST])
        elif due is not None:
            gc.collect(due)

    def _consider_all(self, grown: int) -> None:
        """Look at everything if enough is new: that takes a tenth of a second where much is open.

        *grown*: how many times something has become old since the last time. Counting takes long, too: it is done
        only now and then.
        """
        wait = gc.get_threshold()[_OLDEST]
        if len(gc.get_objects(_OLDEST)) > self._old_objects * _GROWTH:
            gc.collect(_OLDEST)
            self._old_objects = len(gc.get_objects(_OLDEST))
            self._due_above[_OLDEST] = wait
        else:
            self._due_above[_OLDEST] = grown + wait
