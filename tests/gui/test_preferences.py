"""The preferences: what is chosen counts at once, can be taken back, and is the same as in menus and file."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QSpinBox
from pytestqt.qtbot import QtBot

from workbench.engine.permissions import said_for, say
from workbench.gui.look.label import Label
from workbench.gui.look.theming import current_theme
from workbench.gui.preferences.preferences_dialog import PreferencesDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.preferences import Group
from workbench.settings import Settings
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> PreferencesDialog:
    """The preferences of a window with a small playbook, opened with their keys."""
    window.context.documents.open_text("# A\n\n## Main\n\n- Ask user for $name\n")
    with qtbot.waitActive(window):
        window.activateWindow()
    qtbot.keyClick(window.centre.canvas, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    found = window.findChild(PreferencesDialog)
    assert isinstance(found, PreferencesDialog)
    qtbot.waitActive(found)
    return found


def field(dialog: PreferencesDialog, key: str) -> QComboBox | QCheckBox | QSpinBox:
    """Where the value of *key* is given."""
    widget = dialog.rows[key].field.widget
    assert isinstance(widget, QComboBox | QCheckBox | QSpinBox)
    return widget


def test_a_choice_counts_at_once_is_marked_and_can_be_reset(
    dialog: PreferencesDialog, window: MainWindow, qtbot: QtBot
) -> None:
    themes, row = field(dialog, "theme"), dialog.rows["theme"]
    assert isinstance(themes, QComboBox)
    themes.setFocus()
    qtbot.keyClick(themes, Qt.Key.Key_End)
    assert window.context.settings.current.theme == "contrast"
    assert current_theme().window == "#000000"
    assert window.context.actions.action("view.theme-contrast").isChecked()
    assert (row.mark.text(), row.property("changed")) == ("changed", True)
    row.reset_button.setFocus()
    qtbot.keyClick(row.reset_button, Qt.Key.Key_Space)
    assert window.context.settings.current.theme == "system"
    assert (row.mark.text(), row.reset_button.isEnabled()) == ("", False)


def test_menus_and_dialog_show_the_same(dialog: PreferencesDialog, window: MainWindow) -> None:
    context, editor = window.context, window.centre.source.editor
    wraps = field(dialog, "wraps_source")
    assert isinstance(wraps, QCheckBox)
    context.actions.action("source.wrap").trigger()
    assert not wraps.isChecked()
    wraps.click()
    assert context.actions.action("source.wrap").isChecked()
    size = field(dialog, "text_scale")
    assert isinstance(size, QSpinBox)
    context.actions.action("view.text-larger").trigger()
    assert size.value() == 110
    size.setValue(150)
    assert current_theme().scale == 1.5
    width = editor.tabStopDistance()
    tabs = field(dialog, "tab_width")
    assert isinstance(tabs, QSpinBox)
    tabs.setValue(8)
    assert editor.tabStopDistance() == 2 * width
    field(dialog, "is_following").click()  # type: ignore[union-attr]
    assert not context.actions.action("run.follow").isChecked()


def test_the_search_finds_a_row_and_the_keys_lead_to_it(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    dialog.groups.setCurrentRow(1)
    assert dialog.count.text() == "7 settings"
    qtbot.keyClicks(dialog.field, "tab columns")
    assert [key for key, row in dialog.rows.items() if not row.isHidden()] == []
    assert not dialog.nothing.isHidden()
    dialog.field.clear()
    qtbot.keyClicks(dialog.field, "tab width")
    assert [key for key, row in dialog.rows.items() if not row.isHidden()] == ["tab_width"]
    qtbot.keyClick(dialog.field, Qt.Key.Key_Tab)
    while QApplication.focusWidget() is not field(dialog, "tab_width"):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    assert dialog.rows["tab_width"].mark.text() == "changed"


def test_what_is_written_by_hand_counts_and_what_is_wrong_is_told(
    dialog: PreferencesDialog, window: MainWindow, qtbot: QtBot
) -> None:
    context = window.context
    opened: list[object] = []
    context.documents.open_requested.disconnect(window.files.open_path)
    context.documents.open_requested.connect(opened.append)
    dialog.file_button.click()
    path = context.places.settings_file
    assert opened == [path]
    path.write_text(json.dumps({"theme": "dark", "tab_width": 0, "later": 1}), encoding="utf-8")
    dialog.present()
    assert current_theme().is_dark
    assert "“tab_width”" in dialog.problems.text()
    dialog.rows["tab_width"].reset_button.click()
    assert dialog.problems.text() == ""
    assert json.loads(path.read_text("utf-8")) == {"theme": "dark", "later": 1}


def test_trust_is_taken_back_folder_by_folder(window: MainWindow) -> None:
    context = window.context
    context.settings.change(lambda settings: settings.with_trusted_folder(context.places.data_dir))
    context.settings.change(lambda settings: settings.with_trusted_folder(context.places.state_dir))
    context.actions.action("edit.preferences").trigger()
    row = next(iter(window.findChildren(PreferencesDialog))).rows["trusted_folders"]
    row.field.remove(str(context.places.data_dir))  # type: ignore[attr-defined]
    assert context.settings.current.trusted_folders == {str(context.places.state_dir)}


def test_permissions_of_single_tools_are_found_changed_and_taken_back(
    dialog: PreferencesDialog, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "deploy.md"
    file.write_text("# Deploy\n\n## Main\n\n- Say it\n", "utf-8")
    (tmp_path / "workbench.toml").write_text('[tools]\nask = ["shell"]\n', "utf-8")
    window.context.documents.open(file)
    page, store = dialog.permissions, window.context.places.permissions_file
    dialog.present("permissions")
    assert page.isVisible()
    qtbot.keyClicks(page.tool, "shell=git status")
    page.asking.setCurrentIndex(page.asking.findData("never"))
    qtbot.keyClick(page.tool, Qt.Key.Key_Return)
    assert said_for(store, file).rules == (Rule("shell", Asking.NEVER, "git status"),)
    dialog.field.setText("git")
    assert (page.isVisible(), dialog.count.text()) == (True, "1 setting")
    (row,) = page.table.findItems("shell=git status", Qt.MatchFlag.MatchExactly)
    told = ["shell=git status", "not asked", "deploy.md", "permissions.json"]
    assert [row.text(column) for column in range(4)] == told
    assert row.toolTip(1) == "The project is stricter: asked each time."
    dialog.field.setText("")
    dialog.groups.setCurrentRow(1 + list(Group).index(Group.TRUST))
    page.table.setCurrentItem(page.table.topLevelItem(1))
    assert "workbench.toml" in page.told.text() and not page.remove_button.isEnabled()
    page.table.setCurrentItem(row)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Delete)
    assert said_for(store, file).rules == ()
    say(store, file, Rule("clock", Asking.ONCE))
    window.context.settings.permissions_changed.emit()  # as the tools pane does
    assert page.table.rules[0].name == "clock"


def test_what_was_said_of_files_is_taken_back_one_by_one(window: MainWindow, tmp_path: Path) -> None:
    context = window.context
    for name, kind in (("a.md", "procedure"), ("b.md", "program")):
        context.settings.change(partial(Settings.with_kind, file=tmp_path / name, kind=kind))
    context.actions.action("edit.preferences").trigger()
    (dialog,) = window.findChildren(PreferencesDialog)
    row = dialog.rows["kinds"]
    assert f"{tmp_path / 'a.md'}: procedure" in [each.text() for each in row.field.widget.findChildren(Label)]
    row.field.remove(str(tmp_path / "a.md"))  # type: ignore[attr-defined]
    assert dict(context.settings.current.kinds) == {str(tmp_path / "b.md"): "program"}
    context.places.permissions_file.parent.mkdir(parents=True, exist_ok=True)
    context.places.permissions_file.write_text("{", "utf-8")
    dialog.permissions.refresh()
    assert "cannot be read" in dialog.permissions.problem.text()
