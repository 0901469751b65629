"""Tells when a file or a folder may have changed on disk, and has come to rest."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from workbench.disk.files import Identity, Kind, Look, absolute, look_at, way_to

REST_MS = 300
_EMPTY_REST_MS = 1000
"""A file that has just been emptied is about to be written."""


class FileWatch(QObject):
    """Watches what one path stands for.

    A watch of the system holds to the file or folder that it was given, wherever that goes. So every folder on the way
    is watched, also that of each link, and whenever anything happens in one of them, those that are others by now are
    watched instead. The signal is only a hint; whoever gets it compares contents. It comes once for a row of changes,
    when nothing has changed for a while: what another program is still writing is not taken for what it wrote.

    *rest_ms*: how long that is.
    """

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rest_ms = REST_MS
        self._path: Path | None = None
        self._identities: dict[str, Identity | None] = {}
        self._seen: Look | None = None
        self._told: Look | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self.look)
        self._watcher.directoryChanged.connect(self.look)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._on_rested)

    def watch(self, path: Path | None) -> None:
        """Watch *path* (None: nothing) instead of what was watched before."""
        self._rest.stop()
        self._path = absolute(path) if path else None
        self._told = None  # it may have changed since it was read
        self._watch_the_way()
        self.look()

    @Slot()
    def look(self) -> None:
        """Look again, as when the window comes to the front: no watch sees everything."""
        if self._path is not None and not self._rest.isActive():
            self._wait(look_at(self._path))

    @Slot()
    def _on_rested(self) -> None:
        if self._path is None:
            return
        self._watch_the_way()
        found = look_at(self._path)
        if found != self._seen:
            self._wait(found)
        elif found != self._told:
            self._told = found
            self.touched.emit()

    def _wait(self, found: Look) -> None:
        self._seen = found
        is_emptied = found.stamp is not None and not found.size
        self._rest.start(max(self.rest_ms, _EMPTY_REST_MS) if is_emptied else self.rest_ms)

    def _watch_the_way(self) -> None:
        """Watch what is on the way now, and nothing else."""
        way = way_to(self._path) if self._path is not None else ()
        looks = {str(each): look_at(each) for each in way}
        wanted = {each: look.identity for each, look in looks.items() if look.kind in {Kind.FILE, Kind.FOLDER}}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        stale = [each for each in watched if wanted.get(each) != self._identities.get(each)]
        if stale:
            self._watcher.removePaths(stale)
        missing = wanted.keys() - watched.difference(stale)
        if missing:
            self._watcher.addPaths(sorted(missing))
        self._identities = wanted
