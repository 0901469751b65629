"""The settings of this person while the window is open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.disk.files import PROJECT_FILE, Stamp, look_at
from workbench.disk.places import Places
from workbench.errors import CannotSave
from workbench.gui.control.background import Job, finish_background_work
from workbench.settings import Settings, change_settings, change_settings_now, load_settings

if TYPE_CHECKING:
    from workbench.gui.control.document_controller import FileState
    from workbench.preferences import ProjectSettings

Change = Callable[[Settings], Settings]


class SettingsController(QObject):
    """The one way in which the window reads and changes the settings.

    The file is the truth, since other windows and runs change it too: it is read again when it is another
    than at the last time, and only then. While another program holds the settings, a change counts at once and is
    written beside the window; ``finish`` sees to it that none is lost. So a change is a pure function.

    *project*: what the project of the open file says of settings, None where it says nothing.
    """

    settings_changed = Signal(object)  # Settings
    permissions_changed = Signal()  # what was said about calls of tools, which is kept in a file of its own
    failed = Signal(object)  # CannotSave: changes that counted already could not be written, and count no more

    def __init__(self, places: Places, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._read: tuple[tuple[Stamp | None, ...], Settings] | None = None
        self._unwritten = _Unwritten(places)
        self._told: tuple[object, ...] = ()
        self._beside: tuple[Path, ...] = ()
        self._found: tuple[Path, Stamp | None] | None = None
        self.project: ProjectSettings | None = None

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        waiting = self._unwritten.changes  # before the file is looked at: what is written meanwhile counts all the same
        files = (self._places.settings_file, self._places.remembered_file)
        stamp = tuple(look_at(path).stamp for path in files)
        if self._read is None or self._read[0] != stamp:
            self._read = (stamp, load_settings(self._places))
        now = _all_of(waiting)(self._read[1])
        self._told = self._told or _all_said(now)
        return now

    @property
    def effective(self) -> Settings:
        """The settings that hold for the open file: what its project says goes before what the person has chosen."""
        return self.current if self.project is None else self.project.over(self.current)

    @Slot(object)
    def take_file(self, state: FileState) -> None:
        """Take what the project of the file says, or else the open folder; tells where that is another than before."""
        opened = self.current.project_folder
        folders = (state.path.parent if state.path is not None else None, Path(opened) if opened else None)
        self._beside = tuple(folder / PROJECT_FILE for folder in dict.fromkeys(folders) if folder is not None)
        self._look_beside()

    def _look_beside(self) -> None:
        stamps = ((path, look_at(path).stamp) for path in self._beside)
        found = next((each for each in stamps if each[1] is not None), None)
        if found == self._found:
            return
        self._found, before, self.project = found, self.project, None
        if found is not None:
            from workbench.preferences import project_settings  # noqa: PLC0415 - few projects say anything

            self.project = project_settings(found[0].parent)
        if self.project != before:
            self._tell(self.current)

    @Slot()
    def look(self) -> None:
        """Tell of what others have changed in the file; asked for when that may be."""
        self._look_beside()
        now = self.current
        if _all_said(now) != self._told:
            self._tell(now)

    def _tell(self, settings: Settings) -> None:
        self._told = _all_said(settings)
        self.settings_changed.emit(settings)

    def change(self, changed: Change) -> None:
        """Save what *changed* makes of the current settings; raises CannotSave."""
        outcome = None if self._unwritten.changes else change_settings_now(self._places, changed)
        if outcome is None:
            before = self.current
            outcome = before, changed(before)
            self._unwritten.add(changed)
            self._write()
        before, after = outcome
        if _all_said(after) != _all_said(before):
            # another window may have saved by now as well: what the file holds is read, not remembered
            self._read = None
            self._tell(after)

    def finish(self) -> None:
        """Have everything written when this returns. Raises CannotSave."""
        finish_background_work()
        self._unwritten.write()

    def _write(self) -> None:
        job = Job(self._unwritten.write)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, CannotSave):
            raise error
        self._tell(self.current)
        self.failed.emit(error)


class _Unwritten:
    """Changes that wait to be written, the oldest first; any thread may add some, or write them all."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._changes: list[Change] = []

    @property
    def changes(self) -> tuple[Change, ...]:
        """Those that are not known to be written."""
        with self._lock:
            return tuple(self._changes)

    def add(self, changed: Change) -> None:
        """Let *changed* be the last."""
        with self._lock:
            self._changes.append(changed)

    def write(self) -> None:
        """Write all of them, after whoever else changes the settings. Raises CannotSave; then they are given up."""
        with self._writing:
            changes = self.changes
            if not changes:
                return
            try:
                change_settings(self._places, _all_of(changes))
            finally:
                with self._lock:
                    del self._changes[: len(changes)]


def _all_said(settings: Settings) -> tuple[object, ...]:
    """What is to be told of *settings*, with what cannot be used of them."""
    return settings, dict(settings.wrong), settings.damage


def _all_of(changes: Sequence[Change]) -> Change:
    """One change that makes all of *changes*."""

    def changed(settings: Settings) -> Settings:
        for each in changes:
            settings = each(settings)
        return settings

    return changed
