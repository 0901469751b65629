"""The files that were open lately, as a menu."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _


class FileAction(QAction):
    """Opens one file."""

    chosen = Signal(object)  # Path

    def __init__(self, path: Path, parent: QMenu) -> None:
        super().__init__(menu_text(path.name), parent)
        self._path = path
        self.setToolTip(tip(str(path)))
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        self.chosen.emit(self._path)


class RecentMenu(QMenu):
    """Filled whenever it opens."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(_("Open recen&t"), parent)
        self._context = context
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    @Slot()
    def _fill(self) -> None:
        self.clear()
        for name in self._context.settings.current.recent_files:
            action = FileAction(Path(name), self)
            action.chosen.connect(self._context.documents.open_requested)
            self.addAction(action)
        if self.isEmpty():
            self.addAction(_("No recent files")).setEnabled(False)
