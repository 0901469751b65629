"""The list that Ctrl+Tab goes through: the open files, the last one shown first, for as long as Ctrl is held."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QListWidget, QListWidgetItem, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line
from workbench.i18n import _

_WIDTH_PX = 420
_MOST_ROWS = 12


class TabSwitcher(QFrame):
    """Hidden until it is asked for; what is chosen in it is shown when Ctrl is let go of."""

    def __init__(self, context: WindowContext, actions: TabActions, parent: QWidget) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert application is not None, "there is a window"
        self.setObjectName("command-palette")
        self._tabs = context.tabs
        self._actions = actions
        self._application = application
        self._offered: list[Tab] = []
        self.list = QListWidget(self)
        read_as_written(self.list)
        self.list.setAccessibleName(_("Open files"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        in_column(self, self.list, margins=8)
        self.list.itemClicked.connect(self._on_clicked)
        context.actions.register("tab.recent", partial(self.go, 1))
        context.actions.register("tab.recent-back", partial(self.go, -1))
        self.hide()

    def go(self, by: int) -> None:
        """Choose the next one (-1: the one before); where no Ctrl is held, show it at once."""
        if not self.isVisible():
            self._offer()
        if self._offered:
            self.list.setCurrentRow((self.list.currentRow() + by) % len(self._offered))
        if not QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            self.choose()

    def _offer(self) -> None:
        self._offered = list(self._tabs.used)
        self.list.clear()
        for tab in self._offered:
            folder = f"   {tab.path.parent}" if tab.path is not None else ""
            QListWidgetItem(drawable_line(f"{'● ' if tab.state.is_dirty else ''}{tab.name}{folder}"), self.list)
        if not self._offered:
            return
        self.list.setCurrentRow(0)
        rows = min(len(self._offered), _MOST_ROWS)
        self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 2 * self.list.frameWidth())
        window = self.window()
        self.setFixedWidth(min(current_theme().px(_WIDTH_PX), window.width() - 32))
        self.adjustSize()
        self.move((window.width() - self.width()) // 2, max(0, (window.height() - self.height()) // 3))
        self.show()
        self.raise_()
        self._application.installEventFilter(self)

    def choose(self) -> None:
        """Show what is chosen, and hide."""
        place = self.list.currentRow()
        is_open = self.isVisible()
        self.leave()
        if is_open and 0 <= place < len(self._offered) and self._offered[place] in self._tabs.tabs:
            self._actions.show(self._offered[place])

    def leave(self) -> None:
        """Hide, and show nothing else."""
        self._application.removeEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Letting go of Ctrl chooses, Esc and another window leave."""
        if event.type() is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Control:
                self.choose()
        elif event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        elif event.type() is QEvent.Type.WindowDeactivate:
            self.leave()
        return super().eventFilter(watched, event)

    @Slot(object)
    def _on_clicked(self, _item: object) -> None:
        self.choose()
