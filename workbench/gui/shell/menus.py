"""Menus, toolbar and command palette, made from the table of actions.

A palette finds any command, or anything to go to, by a few letters of its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QColor, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QMainWindow,
    QMenu,
    QToolBar,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.assist.fuzzy import match_score
from workbench.gui.control.action_spec import ActionSpec, Menu
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry, native
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.i18n import N_, _

_TITLES = {
    Menu.FILE: N_("&File"),
    Menu.EDIT: N_("&Edit"),
    Menu.STEP: N_("&Step"),
    Menu.VIEW: N_("&View"),
    Menu.GO: N_("&Go"),
    Menu.RUN: N_("&Run"),
    Menu.HELP: N_("&Help"),
}
_PANES_GROUP = 3
_VERSIONS_GROUP = 2
_WITH_WORDS = frozenset({"run.start", "run.start-another", "run.pause", "run.go-on", "run.step", "run.stop"})
_WIDTH_PX = 520
_ROWS = 10
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def build_menus(
    window: QMainWindow, actions: ActionRegistry, recent: QMenu, panes: Iterable[QAction]
) -> dict[Menu, QMenu]:
    """The menus of the bar. *recent* goes below *Open*; *panes* into the View menu."""
    menus: dict[Menu, QMenu] = {}
    for kind, title in _TITLES.items():
        menu = menus[kind] = window.menuBar().addMenu(str(title))
        for group, specs in groupby((spec for spec in ACTIONS if spec.menu is kind), _menu_group):
            if kind is Menu.VIEW and group > _PANES_GROUP and not menu.property("has-panes"):
                _add_panes(menu, panes)
            if not menu.isEmpty():
                menu.addSeparator()
            menu.addActions([actions.action(spec.id) for spec in specs])
            if kind is Menu.FILE and group == 1:
                menu.addMenu(recent)
            if kind is Menu.FILE and group == _VERSIONS_GROUP:
                menus[Menu.VERSIONS] = _submenu(menu, _("&Versions"), (actions, Menu.VERSIONS))
        if kind is Menu.EDIT:
            menu.addSeparator()
            menus[Menu.SOURCE] = _submenu(menu, _("&Source text"), (actions, Menu.SOURCE))
        if kind is Menu.STEP:
            menu.addSeparator()
            menus[Menu.OPERATIONS] = _submenu(menu, _("Operations"), (actions, Menu.OPERATIONS))
    return menus


def _submenu(menu: QMenu, title: str, content: tuple[ActionRegistry, Menu]) -> QMenu:
    """The actions of *content* as a menu in *menu*."""
    inner, (actions, kind) = menu.addMenu(title), content
    for _group, specs in groupby((spec for spec in ACTIONS if spec.menu is kind), _menu_group):
        if not inner.isEmpty():
            inner.addSeparator()
        inner.addActions([actions.action(spec.id) for spec in specs])
    return inner


def _menu_group(spec: ActionSpec) -> int:
    return spec.group


def _add_panes(menu: QMenu, panes: Iterable[QAction]) -> None:
    """One switch per pane, so that each can be brought back; in a menu of their own, since there are many."""
    menu.addSeparator()
    menu.addMenu(_("&Panes")).addActions(list(panes))
    menu.setProperty("has-panes", True)


def build_toolbar(window: QMainWindow, actions: ActionRegistry) -> QToolBar:
    """The filled toolbar; what steers a run has words beside its icons."""
    toolbar = QToolBar(_("Toolbar"), window)
    toolbar.setObjectName("toolbar")
    # one toolbar, always there: what cannot be lost needs no way to bring it back
    toolbar.setMovable(False)
    toolbar.toggleViewAction().setVisible(False)
    specs = sorted((spec for spec in ACTIONS if spec.toolbar), key=_toolbar_group)
    for group, members in groupby(specs, _toolbar_group):
        if group > 1:
            toolbar.addSeparator()
        for spec in members:
            toolbar.addAction(actions.action(spec.id))
            if spec.id in _WITH_WORDS:
                _with_words(toolbar, actions.action(spec.id))
    more = toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
    if isinstance(more, QToolButton):
        more.setAccessibleName(_("More"))
    window.addToolBar(Qt.ToolBarArea.TopToolBarArea, toolbar)
    return toolbar


def _toolbar_group(spec: ActionSpec) -> int:
    return spec.toolbar


def _with_words(toolbar: QToolBar, action: QAction) -> None:
    button = toolbar.widgetForAction(action)
    if isinstance(button, QToolButton):
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


@dataclass(frozen=True, slots=True)
class Match:
    """A command that fits what was typed."""

    spec: ActionSpec
    name: str
    score: int


def plain_name(spec: ActionSpec) -> str:
    """The action's text without the mark of its access key and without dots."""
    return str(spec.text).replace("&", "").rstrip("…")


def matches(query: str, specs: tuple[ActionSpec, ...]) -> tuple[Match, ...]:
    """The commands that fit *query*, best first; in the order of the table where nothing was typed."""
    found = [
        Match(spec, plain_name(spec), score)
        for spec in specs
        if (score := match_score(query, f"{plain_name(spec)} {spec.tooltip}")) is not None
    ]
    return tuple(sorted(found, key=_by_score)) if query else tuple(found)


def _by_score(match: Match) -> int:
    return -match.score


class PaletteOffer(Protocol):
    """What a palette offers."""

    def items(self, query: str) -> Iterable[QTreeWidgetItem]:
        """What *query* finds, best first."""

    def choose(self, item: QTreeWidgetItem) -> None:
        """Do what *item* stands for."""


class Palette(QFrame):
    """A field and a list over the window; Enter does, Esc leaves."""

    def __init__(self, parent: QWidget, words: str, nothing: str, offer: PaletteOffer) -> None:
        super().__init__(parent)
        self.setObjectName("command-palette")
        self._window = parent
        self._offer = offer
        self._came_from: QWidget | None = None
        self.field = QLineEdit(self, placeholderText=words)
        self.field.setAccessibleName(words)
        self.list = QTreeWidget(self)
        read_as_written(self.list)
        self.list.setAccessibleName(words)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._nothing = Label(nothing, self)
        self._lay_out()
        self.field.installEventFilter(self)
        self.field.textEdited.connect(self._on_text_edited)
        self.field.returnPressed.connect(self._on_return_pressed)
        self.list.itemClicked.connect(self._on_item_clicked)
        self.hide()

    def _lay_out(self) -> None:
        in_column(self, self.field, self.list, self._nothing, margins=8)

    def open(self, query: str = "") -> None:
        """Show the palette with all that *query* finds."""
        self._came_from = self.window().focusWidget()
        self.field.setText(query)
        self._fill(query)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus()

    def leave(self) -> None:
        """Hide, and give the focus back."""
        self.hide()
        if self._came_from is not None:
            self._came_from.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows in the field move in the list; Esc, or a click elsewhere, closes."""
        if event.type() is QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in _LIST_KEYS:
                self.list.event(event)
                return True
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """In the middle at the top, as wide as the words need."""
        width = min(current_theme().px(_WIDTH_PX), self._window.width() - 32)
        first = self.list.topLevelItem(0)
        row_height = self.list.visualItemRect(first).height() if first is not None else 0
        self.list.setFixedHeight(_ROWS * row_height + 2 * self.list.frameWidth())
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((self._window.width() - width) // 2, 48)

    def _fill(self, query: str) -> None:
        self.list.clear()
        found = list(self._offer.items(query))
        self.list.addTopLevelItems(found)
        if found:
            self.list.setCurrentItem(found[0])
        self.list.setVisible(bool(found))
        self._nothing.setVisible(not found)

    @Slot(str)
    def _on_text_edited(self, text: str) -> None:
        self._fill(text)

    @Slot()
    def _on_return_pressed(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self._on_item_clicked(item)

    @Slot(object)
    def _on_item_clicked(self, item: QTreeWidgetItem) -> None:
        """Close first: the command may need the focus where it was."""
        self.leave()
        self._offer.choose(item)


class CommandPalette(Palette):
    """Every command that can be done now."""

    def __init__(self, actions: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent, _("Type a command"), _("No matching command"), _Commands(actions))


class _Commands:
    """The commands that can be done now."""

    def __init__(self, actions: ActionRegistry) -> None:
        self._actions = actions

    def items(self, query: str) -> Iterable[QTreeWidgetItem]:
        """Those that fit."""
        return (_item(each, self._actions.keys(each.spec.id)) for each in matches(query, self._actions.available()))

    def choose(self, item: QTreeWidgetItem) -> None:
        """Do the command."""
        self._actions.action(str(item.data(0, Qt.ItemDataRole.UserRole))).trigger()


def _item(match: Match, keys: tuple[str, ...]) -> QTreeWidgetItem:
    item = QTreeWidgetItem([match.name, native(keys[0]) if keys else ""])
    item.setToolTip(0, str(match.spec.tooltip))
    item.setData(0, Qt.ItemDataRole.UserRole, match.spec.id)
    # a blank picture keeps the words of all rows in one line
    item.setIcon(0, icon(match.spec.icon or "blank", Ink.MUTED))
    item.setForeground(1, QColor(current_theme().muted))
    return item
