"""Calls the person who is elsewhere when a run waits: by a notice of the desktop, else by the window's entry.

The status bar says so in any case.

Only the name of the playbook is told: a notice stands on locked screens, and in the lists of other programs.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from workbench.engine.journal.events import RunId
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.window_runs import Phase, WindowRun
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.vocabulary import status_of_run


class RunAlert(QObject):
    """Tells once for every question, call or breakpoint with which a run waits that is not being looked at.

    A run is looked at while it is shown and a window of this program is active.
    """

    alerted = Signal(object)  # str: what is told

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._told: dict[RunId, str] = {}
        context.runs.phase_changed.connect(self._on_phase_changed)
        context.runs.run_ended.connect(self._on_run_ended)
        context.actions.register("run.notify", self.toggle)
        context.settings.settings_changed.connect(self._mark)
        self._mark()

    def toggle(self) -> None:
        """Tell, or stop telling."""
        is_notified = not self._context.settings.current.is_notified
        self._context.settings.change(lambda settings: replace(settings, is_notified=is_notified))

    @Slot()
    def _mark(self) -> None:
        self._context.actions.set_mark(
            "run.notify", Mark.ON if self._context.settings.current.is_notified else Mark.OFF
        )

    @Slot(object)
    def _on_phase_changed(self, run: WindowRun) -> None:
        if self._tray is not None and not any(each.phase.is_asking for each in self._context.runs.waiting):
            self._tray.hide()
        if not run.phase.is_asking or self._is_looked_at(run) or not self._context.settings.current.is_notified:
            return
        if self._told.get(run.id) != run.wait:
            self._told[run.id] = run.wait
            self._tell(run)

    def _is_looked_at(self, run: WindowRun) -> bool:
        is_active = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        view = self._context.shown.view
        return is_active and view is not None and view.id == run.id

    def _tell(self, run: WindowRun) -> None:
        name, is_stopped = drawable_line(run.view.name), run.phase is Phase.AT_BREAKPOINT
        words = _("{playbook} has stopped at a breakpoint") if is_stopped else _("{playbook} is waiting for you")
        words = words.format(playbook=name)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._show(words)
        else:
            QApplication.alert(self._window)
        self.alerted.emit(words)

    @Slot(object)
    def _on_run_ended(self, run: WindowRun) -> None:
        """That a run is over which is not shown is told in the status bar alone: nobody is waited for."""
        self._told.pop(run.id, None)
        view = self._context.shown.view
        if run.state is not None and run.state.is_over and view is not None and view.id != run.id:
            status = status_of_run(run.state.status, is_live=False)
            name = drawable_line(run.view.name)
            self._context.notices.tell(_("{playbook}: {status}").format(playbook=name, status=status))

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
        self._context.shown.show_live()
