"""The tabs above the document: one for each open file, with marks for what is unsaved, changed outside or running."""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDropEvent,
    QFont,
    QIcon,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QStyle, QStyleOptionTab, QStylePainter, QTabBar, QToolButton, QWidget

from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.window_runs import Phase, WindowRun
from workbench.gui.control.step_mime import TAKES_STEPS, words_in
from workbench.gui.control.tabs.open_tabs import Tab
from workbench.gui.files.tab_actions import OfTab, TabActions
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink, current_theme, set_role
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import N_, _

_WIDEST_PX = 260
_HOVER_MS = 400
Entry = tuple[str, OfTab]
"""Words of a menu, and what is done."""
_UNSAVED = "●"
_DISK_WORDS = {
    DiskState.CHANGED: N_("changed by another program"),
    DiskState.MISSING: N_("no longer on disk"),
    DiskState.UNREADABLE: N_("cannot be read at the moment"),
}


class TabRuns:
    """Which runs that go on belong to a tab: those of its file, and those that were begun with its document."""

    def __init__(self, context: WindowContext) -> None:
        self._context = context
        self._begun: dict[str, Tab] = {}

    def add(self, run: WindowRun) -> None:
        """*run* is taken up now; what has no file yet is known by the tab that is shown."""
        shown = self._context.tabs.shown
        if shown is not None and not run.view.origin.path and run.is_of_document:
            self._begun[str(run.id)] = shown

    def phase_of(self, tab: Tab) -> Phase | None:
        """What the run is about that needs the person most; None where none goes on."""
        path = str(tab.path) if tab.path is not None else None
        going = self._context.runs.going
        phases = (run.phase for run in going if run.view.origin.path == path or self._begun.get(str(run.id)) is tab)
        return min(phases, default=None)


class TabBar(QTabBar):
    """Shows the tabs in their order; what is only looked at stands in italics."""

    wanted = Signal(object)  # Tab: it is to be shown
    welcome_left = Signal()  # the tab of the document was clicked, which may be hidden by the welcome page

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._tabs = context.tabs
        self._runs = TabRuns(context)
        self.actions_of_tabs: TabActions | None = None
        self.menu_more: tuple[Entry, ...] = ()
        self.setAccessibleName(_("Open files"))
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setTabsClosable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVisible(False)
        self.setAcceptDrops(True)
        self.setProperty(TAKES_STEPS, True)
        _name_scroll_buttons(self)
        TabHover(self)
        self.currentChanged.connect(self._on_current_changed)
        self.tabBarClicked.connect(self._on_clicked)
        self.tabBarDoubleClicked.connect(self._on_double_clicked)
        self.tabCloseRequested.connect(self._on_close_requested)
        self.tabMoved.connect(self._tabs.move)
        self._tabs.changed.connect(self.refresh)
        context.runs.run_began.connect(self._on_run_began)
        context.runs.phase_changed.connect(self._on_run_changed)
        context.runs.run_ended.connect(self._on_run_changed)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the tabs are now."""
        tabs = self._tabs.tabs
        with QSignalBlocker(self):
            while self.count() > len(tabs):
                self.removeTab(self.count() - 1)
            while self.count() < len(tabs):
                self.addTab("")
            names = Counter(tab.name for tab in tabs)
            for place, tab in enumerate(tabs):
                self._show(place, tab, is_alone=names[tab.name] == 1)
            if self._tabs.shown is not None:
                self.setCurrentIndex(tabs.index(self._tabs.shown))
        self.setVisible(bool(tabs))
        self.update()

    def _show(self, place: int, tab: Tab, *, is_alone: bool) -> None:
        name = tab.name if is_alone or tab.path is None else f"{tab.name} – {tab.path.parent.name}"
        words = f"{_UNSAVED} {menu_text(name)}" if tab.state.is_dirty else menu_text(name)
        if self.tabText(place) != words:
            self.setTabText(place, words)
        told = list(_told(tab, self._runs.phase_of(tab)))
        self.setTabToolTip(place, tip("\n".join([str(tab.path) if tab.path is not None else name, *told])))
        self.setAccessibleTabName(place, drawable_line(", ".join([name, *told])))
        self.setTabIcon(place, _sign(tab, self._runs.phase_of(tab)))
        for side in QTabBar.ButtonPosition:
            button = self.tabButton(place, side)
            if button is not None:
                button.setAccessibleName(_("Close {name}").format(name=drawable_line(name)))

    def tab_at(self, at: QPoint) -> Tab | None:
        """The tab at a point of the bar."""
        place = self.tabAt(at)
        return self._tabs.tabs[place] if 0 <= place < len(self._tabs.tabs) else None

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as the words are, up to a limit."""
        size = super().tabSizeHint(index)
        return QSize(min(size.width(), current_theme().px(_WIDEST_PX)), size.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Rather scroll than leave nothing of the names."""
        return self.tabSizeHint(index)

    def show_front(self, *, is_front: bool) -> None:
        """Say whether keys and menus mean the documents here, or those of the other side."""
        set_role(self, "" if is_front else "back")

    def paintEvent(self, event: QPaintEvent) -> None:
        """As Qt does it, but in italics where a file is only looked at. Qt alone draws while a tab is dragged."""
        if not any(tab.is_preview for tab in self._tabs.tabs) or QApplication.mouseButtons():
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        for place in (*(each for each in range(self.count()) if each != self.currentIndex()), self.currentIndex()):
            option = QStyleOptionTab()
            if 0 <= place < len(self._tabs.tabs):
                self.initStyleOption(option, place)
                self._paint_tab(painter, option, self._tabs.tabs[place])

    def _paint_tab(self, painter: QStylePainter, option: QStyleOptionTab, tab: Tab) -> None:
        if not tab.is_preview or not self.tabIcon(self._tabs.tabs.index(tab)).isNull():
            painter.drawControl(QStyle.ControlElement.CE_TabBarTab, option)
            return
        painter.drawControl(QStyle.ControlElement.CE_TabBarTabShape, option)
        theme, font = current_theme(), QFont(self.font())
        font.setItalic(True)
        painter.setFont(font)
        painter.setPen(QColor(theme.text if tab is self._tabs.shown else theme.muted))
        words = self.style().subElementRect(QStyle.SubElement.SE_TabBarTabText, option, self)
        place = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextHideMnemonic
        painter.drawText(words, place, option.text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes."""
        tab = self.tab_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and tab is not None and self.actions_of_tabs is not None:
            self.actions_of_tabs.close(tab)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the tab at the pointer, or with the shown one from the keyboard."""
        is_by_keys = event.reason() is QContextMenuEvent.Reason.Keyboard
        tab = self._tabs.shown if is_by_keys else self.tab_at(event.pos())
        if tab is not None and self.actions_of_tabs is not None:
            menu = menu_of(tab, self.actions_of_tabs, self.menu_more, self)
            menu.popup(event.globalPos())

    @Slot(int)
    def _on_current_changed(self, place: int) -> None:
        if 0 <= place < len(self._tabs.tabs):
            self.wanted.emit(self._tabs.tabs[place])

    @Slot(int)
    def _on_clicked(self, place: int) -> None:
        if place >= 0:
            self.welcome_left.emit()

    @Slot(int)
    def _on_double_clicked(self, place: int) -> None:
        if 0 <= place < len(self._tabs.tabs):
            self._tabs.keep(self._tabs.tabs[place])

    @Slot(int)
    def _on_close_requested(self, place: int) -> None:
        if self.actions_of_tabs is not None:
            self.actions_of_tabs.close(self._tabs.tabs[place])

    @Slot(object)
    def _on_run_began(self, run: WindowRun) -> None:
        self._runs.add(run)
        self.refresh()

    @Slot(object)
    def _on_run_changed(self, _run: object) -> None:
        self.refresh()


class TabHover(QObject):
    """Steps that are dragged to a tab and rest there bring its document forward; files are for the window."""

    def __init__(self, bar: TabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._over: Tab | None = None
        self._rest = QTimer(self, interval=_HOVER_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        bar.setAcceptDrops(True)
        bar.setProperty(TAKES_STEPS, True)
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A tab itself takes no steps: they belong between others."""
        if event.type() is QEvent.Type.DragLeave:
            self._wait_for(None)
        if not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        is_drop = event.type() is QEvent.Type.Drop
        self._wait_for(None if is_drop else self._bar.tab_at(event.position().toPoint()))
        event.setDropAction(Qt.DropAction.CopyAction)
        event.setAccepted(not is_drop and words_in(event.mimeData()) is not None)
        return True

    def _wait_for(self, tab: Tab | None) -> None:
        """A tab that the pointer only passes stays where it is."""
        if tab is not self._over:
            self._over = tab
            self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        if self._over is not None:
            self._bar.wanted.emit(self._over)


def _name_scroll_buttons(bar: QTabBar) -> None:
    for button in bar.findChildren(QToolButton):
        is_left = button.arrowType() is Qt.ArrowType.LeftArrow
        button.setAccessibleName(_("Tabs to the left") if is_left else _("Tabs to the right"))


def menu_of(tab: Tab, actions: TabActions, more: tuple[Entry, ...], parent: QWidget) -> QMenu:
    """What can be done with *tab*, and *more* of it; the menu is gone once it was left."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    groups: tuple[tuple[Entry, ...], ...] = (
        (
            (_("Close"), actions.close),
            (_("Close others"), actions.close_others),
            (_("Close saved files"), actions.close_saved),
        ),
        more,
        ((_("Copy path"), actions.copy_path), (_("Show in folder"), actions.reveal)),
    )
    for group in groups:
        menu.addSeparator()
        for words, do in group:
            menu.addAction(words).triggered.connect(partial(_do, do, tab))
    return menu


def _do(do: OfTab, tab: Tab, _is_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - the signal has it
    do(tab)


def _told(tab: Tab, phase: Phase | None) -> list[str]:
    """What is to be known of *tab* besides its name."""
    told = [_("unsaved changes")] if tab.state.is_dirty else []
    told += [str(_DISK_WORDS[tab.state.disk])] if tab.state.disk in _DISK_WORDS else []
    if phase is not None:
        told.append(_("a run waits for you") if phase.is_for_person else _("a run goes on"))
    return told


def _sign(tab: Tab, phase: Phase | None) -> QIcon:
    if phase is not None:
        return icon("person", Ink.PEOPLE) if phase.is_for_person else icon("running", Ink.ACCENT)
    return icon("warning", Ink.WAITING) if tab.state.disk in _DISK_WORDS else QIcon()
