"""The settings of this person while the window is open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from workbench.settings import Places, Settings, load_settings, save_settings


class SettingsController(QObject):
    """Reads and changes the settings. The file is the truth: other windows and runs change it too."""

    settings_changed = Signal(object)  # Settings

    def __init__(self, places: Places, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places = places

    @property
    def current(self) -> Settings:
        """The settings as they are now."""
        return load_settings(self._places)

    def change(self, changed: Callable[[Settings], Settings]) -> None:
        """Save what *changed* makes of the current settings; raises CannotSave."""
        before = self.current
        after = changed(before)
        if after != before:
            save_settings(self._places, after)
            self.settings_changed.emit(after)
