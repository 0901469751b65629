"""Garbage is collected on the GUI thread only.

Python collects cycles on whatever thread happens to allocate. A widget that is part of a
cycle would then be deleted on the thread of a run, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_EVERY_MS = 500


class GuiGarbageCollector(QObject):
    """Does what Python's own collector would have done, at moments when this thread is idle."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return
