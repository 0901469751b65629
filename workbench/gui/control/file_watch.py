"""Tells when a file may have changed on disk."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot


class FileWatch(QObject):
    """Watches one file and its folder.

    The folder too, because a watch on a file goes silent when the file is replaced: the new
    one is then watched instead. A signal is only a hint; whoever gets it compares contents.
    """

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_changed)
        self._watcher.directoryChanged.connect(self._on_changed)

    def watch(self, path: Path | None) -> None:
        """Watch *path* (None: nothing) instead of what was watched before."""
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)
        self._path = path.absolute() if path else None
        self._add()

    @Slot(str)
    def _on_changed(self, _path: str) -> None:
        self._add()
        self.touched.emit()

    def _add(self) -> None:
        """Watch whatever of file and folder exists and is not watched."""
        if self._path is None:
            return
        wanted = {str(each) for each in (self._path, self._path.parent) if each.exists()}
        missing = wanted - {*self._watcher.files(), *self._watcher.directories()}
        if missing:
            self._watcher.addPaths(sorted(missing))
