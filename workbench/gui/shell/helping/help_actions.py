"""Handles the Help menu and F1: the guide is shown in its pane, and beside a dialog in a window of its own.

What the pointer would be told can be asked for by a key as well, wherever the keys are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget
from shiboken6 import isValid

from workbench.gui.control.context import WindowContext
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.panes import Panes
from workbench.i18n import _

if TYPE_CHECKING:  # no start needs them
    from workbench.gui.assist.told_tip import ToldTip
    from workbench.gui.shell.helping.shown_help import HelpDialog
    from workbench.help.topics import Topic

_PANE = "help"
_KNOWN = "is-explained"
_READABLE_PX, _MOST = 420, 0.4


class HelpActions(QObject):
    """The dialogs are made when they are first wanted, and the guide is read then."""

    def __init__(self, context: WindowContext, panes: Panes, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._panes = panes
        self._window = window
        self._dialogs: dict[str, QDialog] = {}
        self._before: QWidget | None = None
        self._is_heard = False
        self._tip: ToldTip | None = None
        help_ = context.help
        handlers: dict[str, Callable[[], object]] = {
            "help.here": self.explain_here,
            "help.tell": self.tell_here,
            "help.contents": partial(help_.explain, "contents"),
            "help.cheat-sheet": partial(help_.explain, "cheat-sheet"),
            "help.whats-new": partial(help_.explain, "whats-new"),
            "help.shortcuts": partial(self._open, "ShortcutsDialog"),
            "help.about": partial(self._open, "AboutDialog"),
            "help.report": partial(self._open, "ProblemReportDialog"),
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        help_.asked.connect(self._on_asked)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    @Slot()
    def explain_here(self) -> None:
        """Explain what has the keys."""
        from workbench.gui.shell.helping.shown_help import topic_here  # noqa: PLC0415 - no start needs it

        self._context.help.show(topic_here(self._context, QApplication.focusWidget()))

    @Slot()
    def tell_here(self) -> None:
        """Tell what the pointer would be told where the keys are."""
        from workbench.gui.assist.told_tip import ToldTip, told_of  # noqa: PLC0415 - as above

        focus, tip = QApplication.focusWidget(), self._tip
        if focus is None or isinstance(focus, ToldTip):
            return
        told = told_of(focus)
        if told is None or not told.words:
            self._context.notices.tell(_("Nothing is told here. Select a step, or put the caret on a word."))
            return
        if tip is None or not isValid(tip) or tip.owner is not focus:
            if tip is not None and isValid(tip):
                tip.deleteLater()
            tip = self._tip = ToldTip(focus)
        tip.tell(told)
        self._context.notices.speak("tip", told.words)

    @Slot(object)
    def _on_asked(self, topic: Topic) -> None:
        """Beside a dialog that holds the keys, the pane could not be reached."""
        from workbench.gui.help.help_panel import HelpPanel  # noqa: PLC0415 - as above
        from workbench.gui.shell.helping.shown_help import HelpDialog  # noqa: PLC0415 - as above

        modal = QApplication.activeModalWidget()
        if modal is not None:
            self._show_beside(HelpDialog(self._context, modal), topic)
            return
        focus, panel = QApplication.focusWidget(), self._panes.panel(_PANE)
        assert isinstance(panel, HelpPanel)
        if focus is not None and not panel.isAncestorOf(focus):
            self._before = focus
        if not self._is_heard:
            panel.left.connect(self._on_left)
            self._is_heard = True
        panel.show_topic(topic)
        _make_readable(self._panes)
        panel.view.setFocus()

    def _show_beside(self, dialog: HelpDialog, topic: Topic) -> None:
        dialog.finished.connect(dialog.deleteLater)
        dialog.panel.show_topic(topic)
        dialog.show()
        dialog.panel.view.setFocus()

    @Slot()
    def _on_left(self) -> None:
        """The keys go back to where they were when something was explained."""
        if self._before is not None and isValid(self._before) and self._before.isVisible():
            self._before.setFocus()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        """The keys of the window do not work in a dialog: each gets those for help when it is first seen."""
        dialog = now.window() if now is not None else None
        if not isinstance(dialog, QDialog) or dialog.property(_KNOWN):
            return
        dialog.setProperty(_KNOWN, True)
        for name, act in (("help.here", self.explain_here), ("help.tell", self.tell_here)):
            for keys in self._context.actions.action(name).shortcuts():
                QShortcut(keys, dialog).activated.connect(act)

    def _open(self, name: str) -> None:
        from workbench.gui.shell.helping import shown_help  # noqa: PLC0415 - as above

        if name not in self._dialogs:
            self._dialogs[name] = getattr(shown_help, name)(self._context, self._window)
        self._dialogs[name].open()


def _make_readable(panes: Panes) -> None:
    """Bring the pane forward, and beside the document make it wide enough for running text."""
    panes.bring_forward(_PANE)
    dock = panes.dock(_PANE)
    window = dock.parentWidget()
    assert isinstance(window, QMainWindow)
    wanted = min(current_theme().px(_READABLE_PX), round(window.width() * _MOST))
    is_beside = window.dockWidgetArea(dock) is not Qt.DockWidgetArea.BottomDockWidgetArea
    if not dock.isFloating() and is_beside and dock.width() < wanted:
        window.resizeDocks([dock], [wanted], Qt.Orientation.Horizontal)
