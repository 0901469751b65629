"""Starts the workbench as a person would, and leaves as soon as its window has been painted, tidying nothing up."""

from __future__ import annotations

import gc
import os
import sys

gc.disable()  # what the program itself does before it loads the window; here that is loaded for the filter

from PySide6.QtCore import QEvent, QObject, QTimer, Slot  # noqa: E402 - see above
from PySide6.QtWidgets import QMainWindow  # noqa: E402

from workbench.__main__ import main  # noqa: E402
from workbench.gui.app import application_for_window  # noqa: E402


class _Leaving(QObject):
    """Ends the application after the first paint of a main window."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Never stops an event."""
        if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow):
            QTimer.singleShot(0, self._leave)
        return False

    @Slot()
    def _leave(self) -> None:
        os._exit(0)


if __name__ == "__main__":
    application = application_for_window()
    leaving = _Leaving(application)
    application.installEventFilter(leaving)
    sys.exit(main(sys.argv[1:]))
