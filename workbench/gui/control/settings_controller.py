"""The settings of this person while the window is open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from workbench.disk.files import Stamp, look_at
from workbench.disk.places import Places
from workbench.settings import Settings, change_settings, load_settings


class SettingsController(QObject):
    """The one way in which the window reads and changes the settings.

    The file is the truth, since other windows and runs change it too: it is read again when it is another
    than at the last time, and only then.
    """

    settings_changed = Signal(object)  # Settings

    def __init__(self, places: Places, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._read: tuple[Stamp | None, Settings] | None = None

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        stamp = look_at(self._places.settings_file).stamp
        if self._read is None or self._read[0] != stamp:
            self._read = (stamp, load_settings(self._places))
        return self._read[1]

    def change(self, changed: Callable[[Settings], Settings]) -> None:
        """Save what *changed* makes of the current settings; raises CannotSave."""
        before, after = change_settings(self._places, changed)
        if after != before:
            # another window may have saved by now as well: what the file holds is read, not remembered
            self._read = None
            self.settings_changed.emit(after)
