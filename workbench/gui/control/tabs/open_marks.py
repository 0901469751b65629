"""Tells which files of this window are open in another one as well, and comes forward where that one wants it."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from workbench.disk.private import make_private_folder
from workbench.editing.keeping.open_marks import OpenMark, leave_wish, marks_elsewhere
from workbench.gui.control.tabs.open_tabs import OpenTabs, Tab

log = logging.getLogger(__name__)


class OpenMarks(QObject):
    """Has a mark for each file that was read here. Where none can be made, nobody is told, and all else works."""

    wanted = Signal(object)  # Tab: another window wants it to come forward

    def __init__(self, tabs: OpenTabs, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._folder = folder
        self._marks: dict[Tab, OpenMark] = {}
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._look)
        tabs.changed.connect(self._follow)

    def elsewhere(self, tab: Tab) -> tuple[Path, ...]:
        """The marks of other windows that have the file of *tab* open."""
        mark = self._marks.get(tab)
        return marks_elsewhere(self._folder, tab.path, mark.file if mark is not None else None) if tab.path else ()

    def go_there(self, mark: Path) -> None:
        """Have the window with *mark* come forward."""
        try:
            leave_wish(mark)
        except OSError as error:
            log.info("Could not ask for %s: %s", mark.name, error)

    def leave(self) -> None:
        """The window closes."""
        for mark in self._marks.values():
            mark.remove()
        self._marks = {}

    @Slot()
    def _follow(self) -> None:
        open_files = ((tab, tab.path) for tab in self._tabs.tabs if tab is self._tabs.shown or tab.kept is not None)
        wanted = {tab: path for tab, path in open_files if path is not None}
        for tab in [tab for tab, mark in self._marks.items() if wanted.get(tab) != mark.path]:
            self._marks.pop(tab).remove()
        for tab in wanted.keys() - self._marks.keys():
            try:
                make_private_folder(self._folder)
                self._marks[tab] = OpenMark(self._folder, wanted[tab])
            except OSError as error:
                log.info("Could not mark %s as open: %s", tab.name, error)
                return
        if self._marks and not self._watcher.directories():
            self._watcher.addPath(str(self._folder))

    @Slot()
    def _look(self) -> None:
        for tab, mark in tuple(self._marks.items()):
            if mark.take_wish():
                self.wanted.emit(tab)
