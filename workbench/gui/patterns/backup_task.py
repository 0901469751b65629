"""Copies the library once a day, away from the window's own thread."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

from workbench.errors import StoreFailed
from workbench.library.backup import back_up_when_due
from workbench.library.store import PatternStore

log = logging.getLogger(__name__)

_AFTER_MS = 30_000
_AGAIN_MS = 3_600_000


def _back_up(path: Path) -> None:
    """One copy, where one is due, over a connection of its own."""
    store = PatternStore(path)
    try:
        made = back_up_when_due(store)
    except StoreFailed as error:
        # the pane that shows the library says so too
        log.info("Made no backup of %s: %s", path.name, error)
        return
    finally:
        store.close()
    if made is not None:
        log.info("Backed up %s", path.name)


class DailyBackup(QObject):
    """Looks half a minute after the start, then every hour, whether a copy is due."""

    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._path = path
        self.thread_of_copy: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(_AFTER_MS)

    @Slot()
    def look(self) -> None:
        """Copy the library when the last copy is more than a day old."""
        self._timer.setInterval(_AGAIN_MS)
        # a copy that is cut off by the end of the program is made again the next time
        self.thread_of_copy = threading.Thread(target=_back_up, args=(self._path,), name="patterns-backup", daemon=True)
        self.thread_of_copy.start()
