"""The window in another language, and the choice of it."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QMenu, QPushButton

from workbench.gui.control.pane_table import PANES
from workbench.gui.files.welcome_page import WelcomePage
from workbench.gui.shell.main_window import MainWindow
from workbench.i18n import DOMAIN, catalogues, use_language


@pytest.fixture
def german_window(open_window: Callable[[], MainWindow]) -> Iterator[MainWindow]:
    """A window that was opened in German."""
    use_language("de")
    yield open_window()
    use_language("en")


def in_english(texts: list[str]) -> list[str]:
    """Those of *texts* that have a German translation, which is another text."""
    german = gettext.translation(DOMAIN, catalogues(), ["de"])
    return [text for text in texts if text and german.gettext(text) != text]


def test_the_menus_are_german(german_window: MainWindow) -> None:
    menus = german_window.menuBar().findChildren(QMenu)
    texts = [menu.title() for menu in menus] + [action.text() for menu in menus for action in menu.actions()]
    assert "&Datei" in texts
    assert in_english(texts) == []


def test_the_tooltips_of_all_actions_are_german(german_window: MainWindow) -> None:
    actions = [action for menu in german_window.menuBar().findChildren(QMenu) for action in menu.actions()]
    assert in_english([action.toolTip().partition(" (")[0] for action in actions]) == []


def test_the_welcome_page_is_german(german_window: MainWindow) -> None:
    page = german_window.findChild(WelcomePage)
    assert page is not None
    texts = [widget.text() for kind in (QLabel, QPushButton) for widget in page.findChildren(kind)]
    assert "Beispiele zum Ausführen" in texts
    assert in_english(texts) == []


def test_access_keys_of_one_german_menu_differ(german_window: MainWindow) -> None:
    for menu in german_window.menuBar().findChildren(QMenu):
        keys = [text[text.index("&") + 1].casefold() for action in menu.actions() if "&" in (text := action.text())]
        assert sorted(keys) == sorted(set(keys)), menu.title()


def test_a_language_is_chosen_in_the_view_menu(window: MainWindow) -> None:
    window.context.actions.action("view.language-de").trigger()
    assert window.context.settings.current.language == "de"
    assert window.context.actions.action("view.language-de").isChecked()
    assert not window.context.actions.action("view.language-system").isChecked()


def test_the_titles_of_all_columns_are_german(german_window: MainWindow) -> None:
    for pane in PANES:
        german_window.context.actions.action(f"pane.{pane.id}").trigger()
    headers = german_window.findChildren(QHeaderView)
    models = [header.model() for header in headers if header.model() is not None and header.count()]
    across = Qt.Orientation.Horizontal
    titles = [
        model.headerData(column, across) for model in models for column in range(model.columnCount(QModelIndex()))
    ]
    shown = [title for title in titles if title is not None]
    assert all(isinstance(title, str | int) for title in shown)
    assert "Ereignis" in shown
    assert in_english([title for title in shown if isinstance(title, str)]) == []
