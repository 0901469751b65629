"""What is known of the files of the open folder: read beside the window, and again when something in it changes."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from workbench.disk.files import is_folder
from workbench.disk.places import Places
from workbench.gui.control.background import Messenger
from workbench.gui.control.document_controller import DocumentController, FileState
from workbench.gui.control.file_watch import FileWatch
from workbench.gui.control.settings_controller import SettingsController
from workbench.model.kinds import kind_named
from workbench.settings import Settings

if TYPE_CHECKING:  # loaded with the first project
    from workbench.project.index import ProjectIndex, Wanted

log = logging.getLogger(__name__)
_REST_MS = 300
_TOLD_S = 0.5
_MOST_WATCHED = 1_000


class _Told(Messenger):
    """Carries what is known so far."""

    grown = Signal(object, object)  # Reading, ProjectIndex
    ended = Signal(object, object)  # Reading, Exception | None


class Reading(QRunnable):
    """Reads the folder *root* on a thread of its own, until it is whole or nobody wants it any more.

    *known*: an earlier index of it. *is_checked*: whether what is doubtful in the files is wanted as well.
    """

    def __init__(self, places: Places, root: Path, known: ProjectIndex, wanted: Wanted, *, is_checked: bool) -> None:
        super().__init__()
        self.told = _Told()
        self.is_over = threading.Event()
        self._places = places
        self._root = root
        self._known = known
        self._wanted = wanted
        self._is_checked = is_checked

    def run(self) -> None:
        """Tell what is known now and then; a mistake of ours is handed over."""
        try:
            for index in self._seen():
                self.told.grown.emit(self, index)
        except Exception as mistake:  # noqa: BLE001 - told on the window's thread
            self.told.ended.emit(self, mistake)
        else:
            self.told.ended.emit(self, None)
        self.told.deleteLater()

    def _seen(self) -> Iterator[ProjectIndex]:
        from workbench.project.index import indexed  # noqa: PLC0415 - loaded with the first project
        from workbench.project.kept import keep, kept_entries  # noqa: PLC0415 - likewise
        from workbench.project.reading import Readers  # noqa: PLC0415 - likewise

        known = self._known.entries if self._known.folders else kept_entries(self._places, self._root)
        readers = Readers(self.is_over.is_set, self._known.earlier, has_findings=self._is_checked)
        told_s = 0.0
        for index in indexed(self._root, known, wanted=self._wanted, reader=readers):
            if self.is_over.is_set():
                return
            if index.is_whole or time.monotonic() - told_s > _TOLD_S:
                told_s = time.monotonic()
                yield index
            if index.is_whole and index.entries != known:
                keep(self._places, index)


class ProjectController(QObject):
    """Holds the one project; nothing is read before a pane asks for it.

    *is_reading*: while more is to come.
    """

    index_changed = Signal(object)  # ProjectIndex
    folder_changed = Signal()
    reading_changed = Signal()
    left = Signal()  # the window closes

    def __init__(
        self, documents: DocumentController, settings: SettingsController, places: Places, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = ""
        self.is_stopped = False
        self._places = places
        self._settings = settings
        self._index: ProjectIndex | None = None
        self._reading: Reading | None = None
        self._wanted: Wanted = {}
        self._is_stale = False
        self._was_open = True
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.refresh)
        self._way = FileWatch(self)
        self._way.touched.connect(self.refresh)
        self._folders = QFileSystemWatcher(self)
        self._folders.directoryChanged.connect(self._rest.start)
        settings.settings_changed.connect(self._on_settings_changed)
        documents.file_state_changed.connect(settings.take_file)
        documents.file_state_changed.connect(self._on_file_state_changed)

    @property
    def index(self) -> ProjectIndex:
        """What is known now, of no folder while none is open."""
        if self._index is None:
            from workbench.project.index import ProjectIndex  # noqa: PLC0415 - loaded with the first project

            self._index = ProjectIndex(Path(self.folder))
        return self._index

    @property
    def is_reading(self) -> bool:
        """Whether more is to come."""
        return self._reading is not None

    def begin(self) -> None:
        """Read the open folder, for the first pane that wants to know."""
        if not self.folder:
            self._show(self._settings.current.project_folder)

    def stop(self) -> None:
        """Read no more; what is known stays."""
        self.is_stopped = True
        self._end()

    def go_on(self) -> None:
        """Read what was left out."""
        self.is_stopped = False
        self.refresh()

    def leave(self) -> None:
        """The window closes: nobody wants anything any more."""
        self._rest.stop()
        self._end()
        self.left.emit()
        self._pool.waitForDone()

    def look(self) -> None:
        """Look again, as when the window comes to the front: no watch sees everything."""
        if self.folder and not self.is_stopped:
            self._rest.start()

    @Slot()
    def refresh(self) -> None:
        """Take in what has changed in the folder."""
        is_open = is_there(self.folder)
        if is_open and not self._was_open:  # it was gone, and is there again
            self.folder_changed.emit()
        self._was_open = is_open
        if self._reading is not None:
            self._is_stale = True
        elif is_open:
            settings = self._settings.current
            self._wanted = wanted_kinds(settings)
            self._reading = Reading(
                self._places, Path(self.folder), self.index, self._wanted, is_checked=settings.checks_project
            )
            self._reading.told.grown.connect(self._on_grown)
            self._reading.told.ended.connect(self._on_ended)
            self._pool.start(self._reading)
            self.reading_changed.emit()
        else:
            self.folder_changed.emit()

    def _show(self, folder: str) -> None:
        self._end()
        self.folder, self.is_stopped = folder, False
        self._index = None
        watch_folders(self._folders, ())
        self._way.watch(Path(folder) if folder else None)
        self.folder_changed.emit()
        self.index_changed.emit(self.index)
        if folder:
            self.refresh()

    def _end(self) -> None:
        reading, self._reading = self._reading, None
        self._is_stale = False
        if reading is not None:
            reading.is_over.set()
            self.reading_changed.emit()

    @Slot(object, object)
    def _on_grown(self, reading: Reading, index: ProjectIndex) -> None:
        if reading is self._reading:
            is_first = index.folders != self.index.folders
            self._index = index
            if is_first:
                watch_folders(self._folders, folders_of(self.index))
            self.index_changed.emit(index)

    @Slot(object, object)
    def _on_ended(self, reading: Reading, mistake: Exception | None) -> None:
        if reading is self._reading:
            self._reading = None
            self.reading_changed.emit()
            # a folder that was made again is watched no more, and what came into it meanwhile was not seen
            is_new = mistake is None and watch_folders(self._folders, folders_of(self.index))
            if self._is_stale or is_new:
                self._is_stale = False
                self._rest.start()
        if mistake is not None:
            raise mistake
        log.debug("Knew %d of %d files", len(self.index.entries), self.index.count)

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        if settings.project_folder != self.folder:
            self._show(settings.project_folder)
        elif self.folder and self.index.folders and wanted_kinds(settings) != self._wanted:
            self.look()

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """What was just saved may say something else."""
        if self.folder and state.path is not None and not state.is_dirty and self.index.path_of(state.path):
            self.look()


def is_there(folder: str) -> bool:
    """Whether *folder* is named, and there."""
    return bool(folder) and is_folder(Path(folder))


def wanted_kinds(settings: Settings) -> Wanted:
    """What the person has said of files, by the whole path."""
    return {path: kind for path, word in settings.kinds.items() if (kind := kind_named(word)) is not None}


def folders_of(index: ProjectIndex) -> list[str]:
    """The whole paths of the folders in *index*."""
    return [str(index.root / folder.path) for folder in index.folders]


def watch_folders(watcher: QFileSystemWatcher, paths: Sequence[str]) -> bool:
    """Let *watcher* watch the folders *paths*, as many as it may, and no others; whether one of them is new to it."""
    watched, wanted = set(watcher.directories()), set(paths[:_MOST_WATCHED])
    if watched - wanted:
        watcher.removePaths(sorted(watched - wanted))
    fresh = sorted(wanted - watched)
    return bool(fresh) and len(watcher.addPaths(fresh)) < len(fresh)
