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
        self._thresholds = gc.get_threshold()
        self._old_objects = 0
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in (_OLDEST, 1, 0):
            if counts[generation] > self._thresholds[generation] and self._is_worth_it(generation):
                gc.collect(generation)
                return

    def _is_worth_it(self, generation: int) -> bool:
        """Whether enough is new; looking at everything takes a tenth of a second where much is open."""
        if generation < _OLDEST:
            return True
        now = len(gc.get_objects(_OLDEST))
        is_more = now > self._old_objects * _GROWTH
        if is_more:
            self._old_objects = now
        return is_more
