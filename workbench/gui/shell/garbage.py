"""Garbage is collected on the GUI thread only.

Python collects cycles on whatever thread happens to allocate. A widget that is part of a
cycle would then be deleted on the thread of a run, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_EVERY_MS = 200
_OLDEST = 2
_GROWTH = 1.25
"""By how much the old objects must have become more before all of them are looked at: Python's own rule."""


class GuiGarbageCollector(QObject):
    """Does what Python's own collector would have done, but on this thread, between two events."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._due_above = list(gc.get_threshold())
        self._old_objects = 0
        gc.disable()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
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
