"""What can be done with the tabs of open files: showing, moving, saving and closing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.files.file_actions import FileActions
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, ngettext, numeral

OfTab = Callable[[Tab], object]


class TabActions(QObject):
    """Handles the actions on tabs: those of the shown one by the table, those of any other by its menu."""

    def __init__(self, context: WindowContext, files: FileActions, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._tabs = context.tabs
        self._files = files
        context.actions.register("file.save-all", self.save_all)
        context.actions.register("file.reopen", self.reopen)
        of_tab: dict[str, OfTab] = {
            "file.close": self.close,
            "file.close-others": self.close_others,
            "file.close-saved": self.close_saved,
            "file.copy-path": self.copy_path,
            "file.reveal": self.reveal,
            "tab.next": partial(self._show_beside, 1),
            "tab.previous": partial(self._show_beside, -1),
            "tab.move-left": partial(self._move, -1),
            "tab.move-right": partial(self._move, 1),
        }
        for action_id, do in of_tab.items():
            context.actions.register(action_id, partial(self._with_shown, do))

    def _with_shown(self, do: OfTab) -> None:
        if self._tabs.shown is not None:
            do(self._tabs.shown)

    @Slot(object)
    def show(self, tab: Tab) -> None:
        """Show *tab*; tells in the window where its file cannot be read."""
        try:
            self._tabs.show(tab)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OPENING)
            self._tabs.changed.emit()

    @Slot(object)
    def close(self, tab: Tab) -> None:
        """Close *tab*."""
        self._close((tab,))

    def close_others(self, tab: Tab) -> None:
        """Close all but *tab*."""
        self._close([each for each in self._tabs.tabs if each is not tab])

    def close_saved(self, _tab: Tab) -> None:
        """Close all without unsaved changes."""
        self._context.documents.fields.settle()
        self._close([each for each in self._tabs.tabs if not each.state.is_dirty])

    def _close(self, tabs: Sequence[Tab]) -> None:
        """Close *tabs*, once the person has decided about each that has unsaved changes."""
        self._files.guard.leave(partial(self._close_now, tuple(tabs)), tabs)

    def _close_now(self, tabs: Sequence[Tab]) -> None:
        shown = self._tabs.shown
        # the shown one last, so that none is shown only to be closed
        for tab in sorted(tabs, key=lambda each: each is shown):
            self._tabs.close(tab)

    def save_all(self) -> bool:
        """True once every open document is on disk; one that has no name is shown, and a name is asked for."""
        self._context.documents.fields.settle()
        before, dirty = self._tabs.shown, self._tabs.dirty
        for tab in dirty:
            self._tabs.show(tab)
            if not self._files.save():
                return False
        if before is not None:
            self._tabs.show(before)
        words = ngettext("Saved {count} file", "Saved {count} files", len(dirty))
        self._context.notices.tell(words.format(count=numeral(len(dirty))))
        return True

    def reopen(self) -> None:
        """Open the file again that was closed last."""
        try:
            if not self._tabs.reopen():
                self._context.notices.tell(_("No file was closed since the window was opened."))
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.OPENING)

    def copy_path(self, tab: Tab) -> None:
        """Put the path of *tab* on the clipboard."""
        if tab.path is None:
            self._context.notices.tell(_("This document has no file yet. Save it first."))
            return
        # bytes of a name that are no characters have no place on the clipboard
        QGuiApplication.clipboard().setText(str(tab.path).encode("utf-8", "replace").decode("utf-8"))
        self._context.notices.tell(_("Copied {path}").format(path=drawable_line(str(tab.path))))

    def reveal(self, tab: Tab) -> None:
        """Open the folder of *tab* in the file manager of the system."""
        if tab.path is None:
            self._context.notices.tell(_("This document has no file yet. Save it first."))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(tab.path.parent))):
            words = _("The system has no program that shows the folder {path}.")
            self._context.notices.tell(words.format(path=drawable_line(str(tab.path.parent))))

    def _show_beside(self, by: int, tab: Tab) -> None:
        """Show the tab beside *tab*; behind the last one stands the first."""
        tabs = self._tabs.tabs
        self.show(tabs[(tabs.index(tab) + by) % len(tabs)])

    def _move(self, by: int, tab: Tab) -> None:
        """Move *tab* one place on; at the end it stays."""
        start = self._tabs.tabs.index(tab)
        if 0 <= start + by < len(self._tabs.tabs):
            self._tabs.move(start, start + by)
