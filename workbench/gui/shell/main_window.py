"""The window: puts the parts together, and lets nobody lose anything when it closes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.banners.banner_stack import BannerStack
from workbench.gui.banners.document_banners import (
    DiskBanner,
    ElsewhereBanner,
    LeftOverBanner,
    RecoveryBanner,
    ReferencesBanner,
    UnkeptBanner,
)
from workbench.gui.banners.endings import Endings
from workbench.gui.banners.moment_line import MomentLine
from workbench.gui.canvas.canvas_panel import Zoom
from workbench.gui.control.action_needs import ActionNeeds, SelectionFollower
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause
from workbench.gui.control.run_follower import RunFollower
from workbench.gui.control.tabs.open_marks import OpenMarks
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.control.tabs.session import SESSION_NAME
from workbench.gui.control.time_actions import TimeActions
from workbench.gui.files.autosave import Autosave
from workbench.gui.files.file_actions import FileActions
from workbench.gui.files.recent_menu import RecentMenu
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import Ink
from workbench.gui.look.written_words import FieldsInUse
from workbench.gui.shell.announcer import Announcer, RunAlert
from workbench.gui.shell.debug_actions import DebugActions, StandInActions
from workbench.gui.shell.find_bar import FindBar
from workbench.gui.shell.go_actions import GoActions
from workbench.gui.shell.helping.help_actions import HelpActions
from workbench.gui.shell.menus import CommandPalette, build_menus, build_toolbar
from workbench.gui.shell.panes.centre import CentreView
from workbench.gui.shell.panes.dock_tabs import DockTabs
from workbench.gui.shell.panes.layout_memory import LayoutMemory
from workbench.gui.shell.panes.lent_room import LentRoom
from workbench.gui.shell.panes.pane_attention import PaneAttention
from workbench.gui.shell.panes.pane_keys import PaneCycle
from workbench.gui.shell.panes.panes import Panes, SidePanes
from workbench.gui.shell.recorded_runs import RecordActions, RunReports, RunRetention, SavedTestActions
from workbench.gui.shell.status_bar import StatusBar
from workbench.gui.shell.tabs.coming_and_going import Leaving, Session
from workbench.gui.shell.tabs.side_by_side import SideBySide, SideWindow
from workbench.gui.shell.tabs.tab_bar import TabBar
from workbench.gui.shell.tabs.tab_switcher import TabSwitcher
from workbench.gui.shell.version_actions import VersionActions
from workbench.gui.shell.window_actions import FixActions, RunActions, ViewActions
from workbench.gui.shell.windows import NewWindows
from workbench.gui.words.values import drawable_line
from workbench.i18n import _

FIRST_SIZE = QSize(1440, 900)


class MainWindow(SideWindow):
    """The open documents, one of which is shown, and all that belongs to it.

    *outer*: the window in which this one is the second side. *beside*: the session of the windows beside it.
    """

    def __init__(self, context: WindowContext, outer: MainWindow | None = None, beside: Session | None = None) -> None:
        super().__init__(outer, Qt.WindowType.Widget if outer is not None else Qt.WindowType.Window)
        self.context = context
        self._outer = outer
        self.setWindowIcon(icon("workbench", Ink.ACCENT))
        self.setAcceptDrops(True)
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize()))
        self._build_centre()
        self.panes: Panes = Panes(context, self) if outer is None else SidePanes(context, self, outer.panes)
        self.layout_memory = LayoutMemory(self, self.panes, self.centre, context.settings)
        self.lent_room = LentRoom(self.panes, self)
        self.files = FileActions(context, self)
        self.tab_bar.actions_of_tabs = self.tab_actions = TabActions(context, self.files, self)
        self.tab_switcher, self._fields = TabSwitcher(context, self.tab_actions, self), FieldsInUse(self)
        self.autosave, self.announcer = Autosave(context, self.centre, self), Announcer(context, self)
        self._fixes = FixActions(context, self.centre, self)
        self._handle_actions()
        self._follow_document()
        self._build_chrome()
        self._connect()
        self.session = beside or Session(context.places.windows_dir / SESSION_NAME)
        self.windows = NewWindows(context, self, partial(_restored, self.session))
        self.sides: SideBySide = SideBySide(self, partial(MainWindow, outer=self)) if outer is None else outer.sides
        self.leaving = Leaving(lambda: self.sides.all, self.close)
        to_other, alone = (_("Show beside"), partial(self.sides.move, side=self)), self.windows.move_to_new
        self.tab_bar.menu_more = (to_other, (_("Show in new window"), alone))
        self._on_file_state_changed(context.documents.file_state)
        context.actions.register("file.quit", (outer or self).session.quit)
        if outer is None:
            self.session.add(self)

    def _build_centre(self) -> None:
        """Banners and the find bar above the document."""
        middle = QWidget(self)
        column = in_column(middle, margins=0, spacing=0)
        self.banners = BannerStack(self.context.notices, middle)
        self.find_bar = FindBar(self.context, middle)
        self.centre = CentreView(self.context, middle)
        self.tab_bar = TabBar(self.context, middle)
        column.addWidget(self.tab_bar)
        column.addWidget(self.banners)
        self.moment_line = MomentLine(self.context, middle)
        column.addWidget(self.moment_line)
        column.addWidget(self.find_bar)
        column.addWidget(self.centre, 1)
        self.setCentralWidget(middle)

    def _handle_actions(self) -> None:
        """What menus and keys do that concerns no single pane; whoever does it is a child of the window and stays."""
        ViewActions(self.context, self.layout_memory, self)
        self.run_actions = RunActions(self.context, self)
        DebugActions(self.context, self, self.run_actions.options)
        self._tests = SavedTestActions(self.context, self)
        for make in (StandInActions, RecordActions, VersionActions, RunReports, TimeActions):
            make(self.context, self)
        HelpActions(self.context, self.panes, self)
        self.go = GoActions(self.context, self, self.centre.source.setFocus, self.panes)
        PaneCycle(self.context, self.centre, self.panes, self)
        ActionNeeds(self.context, self)

    def _follow_document(self) -> None:
        """What happens by itself when the document or its file changes."""
        Endings(self.context, self.banners)
        SelectionFollower(self.context, self)
        RunFollower(self.context, self)
        self.run_alert = RunAlert(self.context, self)
        RunRetention(self.context, self)
        self.open_marks = OpenMarks(self.context.tabs, self.context.places.windows_dir, self)
        ElsewhereBanner(self.context, self.open_marks, self.banners)
        DiskBanner(self.context, self.banners)
        ReferencesBanner(self.context, self.banners)
        LeftOverBanner(self.context, self.banners)
        UnkeptBanner(self.context, self.banners)
        RecoveryBanner(self.context, self.banners)

    def _build_chrome(self) -> None:
        recent: QMenu = RecentMenu(self.context, self)
        build_menus(self, self.context.actions, recent, self.panes.toggle_actions())
        self.menus = [menu for action in self.menuBar().actions() if isinstance(menu := action.menu(), QMenu)]
        self.toolbar = build_toolbar(self, self.context.actions)
        self.status = StatusBar(self.context, self)
        self.setStatusBar(self.status)
        PaneAttention(self.context, self.panes, self.status, self.files)
        if self._outer is None:
            DockTabs(self.panes, self)
        self.command_palette = CommandPalette(self.context.actions, self)

    def _connect(self) -> None:
        context = self.context
        context.actions.register("edit.undo", context.documents.undo)
        context.actions.register("edit.redo", context.documents.redo)
        self.find_bar.register(context.actions)
        context.actions.register("edit.palette", self.command_palette.open)
        context.actions.register("help.welcome", self.centre.show_welcome)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        self.open_marks.wanted.connect(self._on_wanted)
        context.documents.refused.connect(context.notices.refuse)
        context.settings.failed.connect(self._on_settings_failed)
        self.status.actual_size_requested.connect(context.actions.action("view.actual-size").trigger)
        self.tab_bar.wanted.connect(self.tab_actions.show)
        self.tab_bar.welcome_left.connect(self.centre.show_document)
        context.documents.views.add("banners", self.banners)
        self.find_bar.left.connect(self._on_find_left)
        self.centre.canvas.zoom_changed.connect(self._on_zoom_changed)
        self.status.show_zoom(self.centre.canvas.view.zoom)

    def showEvent(self, event: QShowEvent) -> None:
        """What stands behind other panes can wait until the window has been painted."""
        super().showEvent(event)
        self.panes.fill_soon()

    def restore(self) -> None:
        """Put everything where it was the last time."""
        self.layout_memory.restore()

    def show_session(self, *, is_in_front: bool) -> None:
        """Have a tab for each file that was open when the program ended; *is_in_front*: show one of them."""
        self.session.restore(is_in_front=is_in_front)

    def changeEvent(self, event: QEvent) -> None:
        """Look at the file again whenever the window comes to the front: a watch can miss a change."""
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.context.documents.watch.look()
            self.context.tabs.unshown.look()
            self.context.project.look()
            self.context.settings.look()
        super().changeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        local = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if local:
            event.acceptProposedAction()
            for path in local:
                self.files.open_path(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes first, then about runs that go on: they can be resumed at the next start."""
        if self._outer is not None or not self.leaving.is_free():
            event.ignore()
            if self._outer is not None:
                self._outer.close()
            return
        self.session.leave(self)
        self.lent_room.give_back()
        self.sides.bring_forward(self)
        try:
            self.layout_memory.save()
        except WorkbenchError as error:
            self.context.notices.report(error, Cause.SETTINGS)
        for side in self.sides.all:
            side.leave()
        self.context.project.leave()
        event.accept()

    @Slot(object)
    def _on_wanted(self, tab: Tab) -> None:
        self.sides.come_forward(self, tab)

    def leave(self) -> None:
        """Give up what is unsaved, and end what goes on: the person has decided."""
        self._fixes.give_up()
        self._tests.give_up()
        self.context.runs.leave()
        self.context.leave_search()
        self.open_marks.leave()
        self.context.documents.watch.watch(None)
        self.context.tabs.unshown.leave()
        self.context.documents.document.close()

    @Slot(object)
    def _on_settings_failed(self, error: WorkbenchError) -> None:
        self.context.notices.report(error, Cause.SETTINGS)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        name = drawable_line(state.path.name).replace("[*]", "[*][*]") if state.path is not None else _("New playbook")
        self.title = f"{name}[*] – {_('Playbook Workbench')}" if state.is_open else _("Playbook Workbench")
        self.setWindowTitle(self.title)
        self.setWindowModified(state.is_open and state.is_dirty)
        self.setWindowFilePath("" if state.path is None else str(state.path))

    @Slot(object)
    def _on_zoom_changed(self, zoom: Zoom) -> None:
        self.status.show_zoom(zoom.scale)

    @Slot()
    def _on_find_left(self) -> None:
        self.centre.canvas.setFocus()


def _restored(session: Session, context: WindowContext) -> MainWindow:
    """A window like the last one, beside those of *session*."""
    window = MainWindow(context, beside=session)
    window.restore()
    return window
