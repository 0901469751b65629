"""Two sides in one window: each has documents, controllers and panels of its own, and one of them is in front.

The second side is a window in the window. Menus, keys, toolbar, status bar and panes are those of the side that has had
the focus last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QSplitter, QStackedWidget, QStatusBar, QToolBar, QWidget

from workbench.gui.banners.banner_stack import BannerStack
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.pane_table import PANES
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.files.file_actions import FileActions
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.centre import CentreView
from workbench.gui.shell.panes.pane_keys import go_by_tab
from workbench.gui.shell.panes.panes import Panes
from workbench.gui.shell.status_bar import StatusBar
from workbench.gui.shell.tabs.tab_bar import TabBar
from workbench.gui.shell.window_actions import RunActions
from workbench.gui.shell.windows import move_tab


class SideWindow(QMainWindow):
    """What a window is as one of two sides. *toolbar*, *menus*, *title*: its own, wherever they are."""

    context: WindowContext
    panes: Panes
    centre: CentreView
    tab_bar: TabBar
    tab_actions: TabActions
    files: FileActions
    run_actions: RunActions
    banners: BannerStack
    status: StatusBar
    toolbar: QToolBar
    title: str
    menus: Sequence[QMenu]

    def __init__(self, parent: QWidget | None, flags: Qt.WindowType) -> None:
        super().__init__(parent, flags)
        self.take_theme()

    def take_theme(self) -> None:
        """Panes slide to their places, unless less motion is wanted."""
        self.setAnimated(current_theme().moves)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - Qt's signature
        """Tab goes through what can be seen."""
        return go_by_tab(self.window(), is_forward=forward)

    def leave(self) -> None:
        """Give up what is unsaved, and end what goes on: the person has decided."""
        raise NotImplementedError


class SideBySide(QObject):
    """The sides of *window*. *other*: the second one, None while there is only one. *make*: makes it.

    *splitter*: what parts them, once there were two. *changed*: another one, or other tabs on the second one.
    """

    changed = Signal()

    def __init__(self, window: SideWindow, make: Callable[[WindowContext], SideWindow]) -> None:
        super().__init__(window)
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there is a window"
        self._application = application
        self._window = window
        self._make = make
        self.other: SideWindow | None = None
        self.front: SideWindow = window
        self.splitter: QSplitter | None = None
        self._bars: QStackedWidget | None = None
        self._over = QTimer(self, interval=0, singleShot=True)
        self._over.timeout.connect(self._end)
        window.context.documents.file_state_changed.connect(self.show_title)
        window.context.actions.register("tab.beside", self.show_beside)
        window.context.actions.register("tab.other-side", self.go_to_other)

    def show_beside(self) -> None:
        """Show the file in front on the other side, which is made where there is none."""
        shown = self.front.context.tabs.shown
        if shown is not None:
            self.move(shown, self.front)

    def move(self, tab: Tab, side: SideWindow) -> None:
        """Show *tab* of *side* on the other side, with all that can be undone. Raises CannotRead."""
        other = self._window if side is self.other else (self.other or self.begin())
        try:
            move_tab(tab, side.context.tabs, other.context.tabs)
        finally:
            self._over.start()
        self.bring_forward(other)
        other.centre.canvas.setFocus()

    def go_to_other(self) -> None:
        """Give the focus to the side that does not have it; without one, say so."""
        if self.other is None:
            self.show_beside()
            return
        self.give_focus(0 if self.front is self.other else 1)

    def give_focus(self, place: int) -> None:
        """Bring the side at *place* of *all* to the front, and give it the focus."""
        side = self.all[place]
        self.bring_forward(side)
        (side.centre.canvas if side.context.tabs.shown is not None else side.centre.welcome).setFocus()

    def begin(self) -> SideWindow:
        """The second side, which is made and empty: it is shown until its last tab goes."""
        window, frame = self._window, self._window
        owner = QObject(frame)
        context = window_context(window.context.places, owner, window.context)
        context.documents.rooms = window.context.documents.rooms
        if self.splitter is None:
            middle = frame.takeCentralWidget()
            assert middle is not None, "a window has a middle"
            self.splitter = QSplitter(Qt.Orientation.Horizontal, frame, childrenCollapsible=False)
            self.splitter.addWidget(middle)
            middle.show()
            frame.setCentralWidget(self.splitter)
            self.splitter.show()
        other = self.other = self._make(context)
        context.actions.register("tab.beside", self.show_beside)
        context.actions.register("tab.other-side", self.go_to_other)
        self.splitter.addWidget(other)
        self.splitter.setSizes([1, 1])
        other.show()
        self._join(other, frame)
        owner.setParent(other)
        context.tabs.changed.connect(self._on_other_changed)
        context.documents.file_state_changed.connect(self.show_title)
        return other

    def _join(self, other: SideWindow, frame: QMainWindow) -> None:
        """Put the bars of *other* beside those of the window; those of one side can be seen."""
        inner = other
        inner.menuBar().hide()
        inner.removeToolBar(other.toolbar)
        other.toolbar.setObjectName("toolbar-beside")
        for menu in other.menus:
            frame.menuBar().addAction(menu.menuAction())
        frame.addToolBar(Qt.ToolBarArea.TopToolBarArea, other.toolbar)
        bar = QStatusBar(frame, sizeGripEnabled=False)
        self._bars = QStackedWidget(bar)
        self._bars.addWidget(self._window.status)
        self._bars.addWidget(other.status)
        bar.addWidget(self._bars, 1)
        frame.setStatusBar(bar)
        self._application.focusChanged.connect(self._on_focus_changed)

    def bring_forward(self, side: SideWindow) -> None:
        """Let menus, keys and panes mean the documents of *side*."""
        if side is self.front or self.other is None or self._bars is None:
            return
        self.front = side
        for each in (self._window, self.other):
            is_front = each is side
            each.context.actions.rest(is_resting=not is_front)
            for menu in each.menus:
                menu.menuAction().setVisible(is_front)
            each.toolbar.setVisible(is_front)
            each.tab_bar.show_front(is_front=is_front)
        self._bars.setCurrentWidget(side.status)
        for spec in PANES:
            lender = side.panes.dock(spec.id) if side is self.other else None
            self._window.panes.dock(spec.id).show_of(lender)
        self.show_title()

    @Slot()
    def show_title(self) -> None:
        """Let the window be called like the file in front."""
        if self.other is not None:
            # while a document is being opened, its title comes a little later
            is_dirty = self.front.context.documents.file_state.is_dirty and "[*]" in self.front.title
            self._window.setWindowTitle(self.front.title)
            self._window.setWindowModified(is_dirty)

    @property
    def all(self) -> list[SideWindow]:
        """One or two."""
        return [self._window] if self.other is None else [self._window, self.other]

    def come_forward(self, side: SideWindow, tab: Tab) -> None:
        """Show *tab* of *side* in front of all windows, as another window or program wants it."""
        side.tab_actions.show(tab)
        self.bring_forward(side)
        self._window.raise_()
        self._window.activateWindow()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        middle = self._window.tab_bar.parentWidget()
        if now is None or self.other is None or middle is None:
            return
        if self.other.isAncestorOf(now):
            self.bring_forward(self.other)
        elif middle.isAncestorOf(now):
            self.bring_forward(self._window)

    @Slot()
    def _on_other_changed(self) -> None:
        """The second side goes with its last tab."""
        self.changed.emit()
        if self.other is not None and not self.other.context.tabs.tabs:
            self._over.start()

    @Slot()
    def _end(self) -> None:
        other, frame = self.other, self._window
        if other is None or other.context.tabs.tabs:
            return
        self.bring_forward(self._window)
        self._application.focusChanged.disconnect(self._on_focus_changed)
        for menu in other.menus:
            frame.menuBar().removeAction(menu.menuAction())
        frame.removeToolBar(other.toolbar)
        # what was lent to the window would outlive the side, and what it shows
        other.toolbar.setParent(other)
        for spec in PANES:
            other.panes.dock(spec.id).take_back()
        frame.setStatusBar(self._window.status)
        self._window.status.show()
        self.other = self._bars = None
        other.leave()
        other.deleteLater()
        self.changed.emit()
        self._window.centre.canvas.setFocus()
