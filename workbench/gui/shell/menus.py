"""Menus and toolbar, made from the table of actions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QToolButton

from workbench.gui.control.action_spec import ActionSpec, Menu
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry
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
    """One switch per pane, so that each can be brought back."""
    menu.addSeparator()
    menu.addActions(list(panes))
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
    window.addToolBar(Qt.ToolBarArea.TopToolBarArea, toolbar)
    return toolbar


def _toolbar_group(spec: ActionSpec) -> int:
    return spec.toolbar


def _with_words(toolbar: QToolBar, action: QAction) -> None:
    button = toolbar.widgetForAction(action)
    if isinstance(button, QToolButton):
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
