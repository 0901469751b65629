"""The window in another language, and the choice of it."""

from __future__ import annotations

import gettext
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.editing.commands import AddPlaybook
from workbench.gui.app import begin_again
from workbench.gui.canvas.painting.box_painter import hidden_words
from workbench.gui.control.pane_table import PANES
from workbench.gui.files.welcome_page import WelcomePage
from workbench.gui.inspector.steplist_fields import StepListField
from workbench.gui.resume.resume_dialog import age_text
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.timeline.strips import tick_text
from workbench.gui.variables.variable_tree import VariableGroup, VariableTree
from workbench.gui.words.values import problem_words
from workbench.i18n import DOMAIN, catalogues, duration_text, use_language
from workbench.library.entries import worked


@pytest.fixture
def german() -> Iterator[None]:
    """A program that speaks German."""
    use_language("de")
    yield
    use_language("en")


@pytest.fixture
def german_window(german: None, open_window: Callable[[], MainWindow]) -> MainWindow:
    """A window that was opened in German."""
    return open_window()


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
    check_access_keys(german_window)


def test_access_keys_of_one_english_menu_differ(window: MainWindow) -> None:
    check_access_keys(window)


def check_access_keys(window: MainWindow) -> None:
    """No two entries of one menu have the same; submenus count as well."""
    for menu in window.menuBar().findChildren(QMenu):
        keys = [text[text.index("&") + 1].casefold() for action in menu.actions() if "&" in (text := action.text())]
        assert sorted(keys) == sorted(set(keys)), menu.title()


def test_a_language_is_chosen_in_the_view_menu(window: MainWindow) -> None:
    window.context.actions.action("view.language-de").trigger()
    assert window.context.settings.current.language == "de"
    assert window.context.actions.action("view.language-de").isChecked()
    assert not window.context.actions.action("view.language-system").isChecked()


@pytest.mark.parametrize(
    ("tell", "wanted"),
    [
        (lambda: problem_words(1, 1), "1 Fehler, 1 Warnung"),
        (lambda: problem_words(0, 1200), "1.200 Warnungen"),
        (lambda: problem_words(0, 0, 3), "3 Hinweise"),
        (lambda: hidden_words(1), "1 Schritt"),
        (lambda: hidden_words(2), "2 Schritte"),
        (lambda: age_text(61), "vor 1 Minute"),
        (lambda: age_text(7300), "vor 2 Stunden"),
        (lambda: duration_text(1.24e9), "1,2 s"),
        (lambda: worked(2, 1200), "in 2 von 1.200 Läufen gelungen"),
    ],
)
@pytest.mark.usefixtures("german")
def test_counts_and_durations_are_german(tell: Callable[[], str], wanted: str) -> None:
    assert tell() == wanted


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


@pytest.mark.usefixtures("german")
def test_the_ruler_of_the_timeline_is_german() -> None:
    half_s = 500_000_000
    assert [tick_text(3 * half_s, half_s), tick_text(123 * half_s, half_s)] == ["1,5 s", "1:01,5"]


LIST = "id: a\nname: A\nsteps:\n  - id: one\n    description: First\n    expected_tools: [read_file]\n"


def test_long_german_labels_leave_the_fields_of_a_step_their_room(german_window: MainWindow) -> None:
    context = german_window.context
    context.documents.open_text(LIST)
    context.selection.select((context.documents.snapshot.program.playbooks[0].steps[0].id,))
    fields = german_window.findChildren(StepListField)
    assert fields
    assert min(field.width() for field in fields) > german_window.panes.dock("inspector").width() // 3


def test_the_title_of_a_group_of_variables_takes_the_whole_row(qtbot: QtBot) -> None:
    tree = VariableTree()
    qtbot.addWidget(tree)
    tree.show_groups([VariableGroup("agent", "Variables of SomebodyWithALongName", {"n": 1})])
    top = tree.topLevelItem(0)
    assert top is not None
    assert top.isFirstColumnSpanned()


def offered(window: MainWindow) -> list[str]:
    """What the lines above the document say."""
    return [banner.notice.text for banner in window.banners.banners]


def test_another_language_is_offered_as_long_as_it_is_wanted(window: MainWindow) -> None:
    window.context.actions.trigger("view.language-de")
    assert offered(window)[0].startswith("To speak Deutsch,")
    window.context.actions.trigger("view.language-en")
    assert offered(window) == []


def test_a_restart_keeps_everything_that_is_open_with_all_that_is_unsaved(
    window: MainWindow, open_window: Windows, tmp_path: Path
) -> None:
    texts = {name: f"# {name}\n\n## Main\n\n### Steps\n\n- Tell user {name}\n" for name in ("one", "two")}
    files = [tmp_path / f"{name}.md" for name in (*texts, "three")]
    window.show_session(is_in_front=True)
    for file in files:
        file.write_text(texts.get(file.stem, "# Three\n"))
        window.files.open_path(file)
        if file.stem in texts:
            window.context.documents.execute(AddPlaybook("Other"))
    window.context.documents.open_text("# New\n")  # in the place of the third one
    window.context.documents.execute(AddPlaybook("Made"))
    window.context.tabs.show(window.context.tabs.tabs[0])
    edited = window.context.documents.snapshot.text
    window.context.actions.trigger("view.language-de")
    window.banners.banners[0].buttons[0].click()
    assert (window.isVisible(), window.session.is_restarting) == (False, True)
    assert files[0].read_text() == texts["one"]
    again = open_window.in_front()
    again.show_session(is_in_front=True)
    tabs, documents = again.context.tabs, again.context.documents
    assert sorted(tab.name for tab in tabs.dirty) == ["New playbook", "one.md", "two.md"]
    assert (documents.file_state.path, documents.snapshot.text, offered(again)) == (files[0], edited, [])
    documents.undo()
    assert documents.snapshot.text == texts["one"]
    tabs.show(next(tab for tab in tabs.tabs if tab.path is None))
    assert "## Made" in documents.snapshot.text


def test_a_restart_is_the_same_command_without_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execv", lambda program, command: begun.append((program, command)))
    begin_again(["python", "-X", "utf8", "-m", "workbench", "a.md"], ["a.md"])
    assert begun == [(sys.executable, [sys.executable, "-X", "utf8", "-m", "workbench"])]
