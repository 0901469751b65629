"""Remembers where everything was, and puts it back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.shell.panes.centre import CentreView
from workbench.gui.shell.panes.panes import Panes
from workbench.settings import Settings

_VERSION = 1
_GEOMETRY, _PANES, _CENTRE = "window", "panes", "centre"


class LayoutMemory:
    """The layout of one window: saved when it closes, restored when it opens."""

    def __init__(self, window: QMainWindow, panes: Panes, centre: CentreView, settings: SettingsController) -> None:
        self._window = window
        self._panes = panes
        self._centre = centre
        self._settings = settings

    def save(self) -> None:
        """Remember the layout as it is; raises CannotSave."""
        states = {
            _GEOMETRY: bytes(self._window.saveGeometry().data()),
            _PANES: bytes(self._window.saveState(_VERSION).data()),
            _CENTRE: self._centre.layout_state(),
        }
        self._settings.change(partial(_with_layouts, states=states))

    def restore(self) -> None:
        """Put everything where it was; whatever cannot be understood stays as it is at first."""
        layouts = self._settings.current.layouts
        if _GEOMETRY in layouts:
            self._window.restoreGeometry(QByteArray(layouts[_GEOMETRY]))
        if _PANES not in layouts:
            self._panes.share_room()
        else:
            self._window.restoreState(QByteArray(layouts[_PANES]), _VERSION)
        if _CENTRE in layouts:
            self._centre.restore_layout(layouts[_CENTRE])

    def reset(self) -> None:
        """Put everything where it was at first, and forget the rest."""
        self._panes.arrange()
        self._centre.share_equally()
        self._settings.change(forget_layouts)


def _with_layouts(settings: Settings, states: Mapping[str, bytes]) -> Settings:
    for name, state in states.items():
        settings = settings.with_layout(name, state)
    return settings


def forget_layouts(settings: Settings) -> Settings:
    """*settings* with every layout forgotten."""
    return settings.without_layouts()
