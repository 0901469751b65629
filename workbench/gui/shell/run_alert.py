"""Calls the person when a run waits for them and they are elsewhere: by the window's entry and the desktop's notices.

Only the name of the playbook is told: a notice stands on locked screens, and in the lists of other programs.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from workbench.engine.ports import Request
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line
from workbench.i18n import _


class RunAlert(QObject):
    """Tells once for every question or call that waits while no window of this program is active."""

    alerted = Signal(object)  # str: what is told

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        context.runs.request_changed.connect(self._on_request_changed)
        context.actions.register("run.notify", self.toggle)
        self._mark()

    def toggle(self) -> None:
        """Tell, or stop telling."""
        is_notified = not self._context.settings.current.is_notified
        self._context.settings.change(lambda settings: replace(settings, is_notified=is_notified))
        self._mark()

    def _mark(self) -> None:
        self._context.actions.set_mark(
            "run.notify", Mark.ON if self._context.settings.current.is_notified else Mark.OFF
        )

    @Slot(object)
    def _on_request_changed(self, request: Request | None) -> None:
        if self._tray is not None:
            self._tray.hide()
        if request is None or not self._context.settings.current.is_notified:
            return
        if QGuiApplication.applicationState() is not Qt.ApplicationState.ApplicationActive:
            self._tell()

    def _tell(self) -> None:
        view = self._context.shown.view
        name = drawable_line(view.name) if view is not None else ""
        words = _("{playbook} is waiting for you").format(playbook=name) if name else _("A run is waiting for you")
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._show(words)
        self.alerted.emit(words)

    def _show(self, words: str) -> None:
        """As a title: in the text below it some desktops read markup."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon("workbench", Ink.ACCENT), self)
            self._tray.messageClicked.connect(self._on_clicked)
        self._tray.show()  # without it, most desktops show no notice
        self._tray.showMessage(words, _("Playbook Workbench"), icon("workbench", Ink.ACCENT))

    @Slot()
    def _on_clicked(self) -> None:
        self._window.raise_()
        self._window.activateWindow()
