"""Keys: every action can have others, two never meet unseen, and everything that names them follows."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.__main__ import main
from workbench.disk.places import places
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.keys.keymap import (
    SCHEMES,
    can_meet,
    key_problems,
    keymap,
    meeting,
    taken_over,
    why_not,
    with_keys,
)
from workbench.gui.control.notices import Notice
from workbench.gui.preferences.keys_page import KeysPage
from workbench.gui.preferences.preferences_dialog import PreferencesDialog
from workbench.gui.shell.helping.shown_help import ShortcutsDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.settings import KEY_SCHEMES, Settings, change_settings

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
SPECS = {spec.id: spec for spec in ACTIONS}


@pytest.mark.parametrize("scheme", KEY_SCHEMES)
def test_no_scheme_has_keys_that_meet_or_cannot_be_pressed(scheme: str) -> None:
    known = keymap(Settings(key_scheme=scheme))
    assert set(SCHEMES[scheme]) <= set(SPECS)
    met = [(one.id, keys) for one in ACTIONS for keys in known[one.id] if list(meeting(known, one.id, keys))]
    assert met == []
    assert [(each, keys) for each, own in known.items() for keys in own if not QKeySequence(keys).toString()] == []
    assert [(each, keys) for each, own in known.items() for keys in own if why_not(SPECS[each], keys)] == []


def test_keys_that_were_changed_stay_through_another_scheme_and_those_of_it_are_not_kept() -> None:
    settings = with_keys(Settings(), "file.save", ("Ctrl+Alt+S",))
    assert settings.keys == {"file.save": ("Ctrl+Alt+S",)}
    assert keymap(replace(settings, key_scheme="vscode"))["file.save"] == ("Ctrl+Alt+S",)
    assert with_keys(settings, "file.save", SPECS["file.save"].shortcuts).keys == {}


BY_HAND = {"file.new": ("Ctrl+S", "N"), "file.save-as": ("Ctrl+Alt+Y",), "go.nowhere": ("F9",)}


def test_keys_that_were_written_by_hand_and_cannot_work_are_told() -> None:
    assert key_problems(replace(Settings(), keys=BY_HAND)) == (
        "“N” for “New”: This key is needed for writing. Hold Ctrl or Alt as well, or use a function key.",
        "Keys that would do several things do none of them (Ctrl+S): New, Save.",
        "There is no action “go.nowhere”, so its keys are not used.",
    )
    assert key_problems(with_keys(Settings(), "file.save", ("Ctrl+Alt+Y",))) == ()


def test_keys_of_the_settings_file_that_meet_are_shown_at_the_start_and_in_the_dialog(
    window: MainWindow, open_window: Windows
) -> None:
    file = window.context.places.settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"keys": {"file.new": ["Ctrl+S"]}}))
    told: list[Notice] = []
    window.context.notices.noticed.connect(told.append)
    window.context.settings.look()
    problem = key_problems(window.context.settings.current)[0]
    assert [each.text for each in told] == [f"1 problem with your keys: see Preferences › Keys. {problem}"]
    window.context.actions.trigger("edit.preferences")
    shown = window.findChild(PreferencesDialog)
    assert isinstance(shown, PreferencesDialog)
    assert "New, Save" in shown.problems.text()
    rows = [shown.keys.table.topLevelItem(at) for at in range(shown.keys.table.topLevelItemCount())]
    assert [row.text(1) for row in rows if row.text(0) == "Save"] == ["Ctrl+S – also: New"]
    again = open_window.in_front()
    again.context.notices.noticed.connect(told.append)
    again.show_session(is_in_front=True)
    assert told == [told[0]] * 2


def test_taking_over_leaves_no_two_that_meet() -> None:
    settings = taken_over(Settings(), "file.new", "Ctrl+S")
    known = keymap(settings)
    assert (known["file.new"], known["file.save"]) == (("Ctrl+N", "Ctrl+S"), ())
    chord = taken_over(settings, "file.close", "Ctrl+N, Ctrl+W")  # whoever presses Ctrl+N would wait for more
    assert keymap(chord)["file.new"] == ("Ctrl+S",)
    known = keymap(chord)
    both = [
        pair for pair in combinations(ACTIONS, 2) if can_meet(*pair) and set(known[pair[0].id]) & set(known[pair[1].id])
    ]
    assert both == []


def test_what_is_needed_for_writing_is_refused_where_somebody_writes() -> None:
    assert why_not(SPECS["file.save"], "A")
    assert why_not(SPECS["file.save"], "Shift+A")
    assert why_not(SPECS["source.join"], "Ctrl+K, Ctrl+J")
    assert [why_not(SPECS[each], keys) for each, keys in (("step.edit", "E"), ("file.save", "F4"))] == ["", ""]


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> KeysPage:
    """The keys of a window with a small playbook, in front."""
    window.context.documents.open_text("# A\n\n## Main\n\n- Ask user for $name\n")
    window.context.actions.action("edit.keys").trigger()
    dialog = window.findChild(PreferencesDialog)
    assert isinstance(dialog, PreferencesDialog)
    qtbot.waitActive(dialog)
    return dialog.keys


def press(page: KeysPage, qtbot: QtBot, action: str, *keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    """Choose *action* and press *keys* for it, all by the keyboard."""
    page.table.setCurrentItem(page._items[action])
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is page.recorder
    for key, modifiers in keys:
        qtbot.keyClick(page.recorder, key, modifiers)
    qtbot.keyClick(page.recorder, Qt.Key.Key_Return)


def test_keys_are_recorded_and_count_at_once_everywhere(page: KeysPage, window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    context.actions.action("help.shortcuts").trigger()
    listed = window.findChild(ShortcutsDialog)
    assert isinstance(listed, ShortcutsDialog)
    listed.close()
    press(page, qtbot, "view.fit", (Qt.Key.Key_Tab, CONTROL | ALT))
    assert context.settings.current.keys["view.fit"] == ("Ctrl+0", "Ctrl+Alt+Tab")
    press(page, qtbot, "file.quit", (Qt.Key.Key_K, CONTROL), (Qt.Key.Key_Q, CONTROL))
    action = context.actions.action("file.quit")
    assert [each.toString() for each in action.shortcuts()] == ["Ctrl+Q", "Ctrl+K, Ctrl+Q"]
    assert any("Ctrl+K" in item.text(1) for item in listed.table.findItems("Quit", Qt.MatchFlag.MatchExactly))
    page.remove_button.click()
    assert action.toolTip() == "Close all windows"
    page.reset_button.click()
    assert action.toolTip() == "Close all windows (Ctrl+Q)"
    assert "file.quit" not in context.settings.current.keys


def test_keys_that_do_something_else_are_refused_or_taken_over(
    page: KeysPage, window: MainWindow, qtbot: QtBot
) -> None:
    context = window.context
    press(page, qtbot, "file.new", (Qt.Key.Key_S, CONTROL))
    assert "(Ctrl+S) do already: Save." in page.problem.text()
    assert context.settings.current.keys == {}
    page.take_button.click()
    assert context.actions.keys("file.new") == ("Ctrl+N", "Ctrl+S")
    assert context.actions.keys("file.save") == ()
    press(page, qtbot, "file.new", (Qt.Key.Key_X, SHIFT))
    assert "needed for writing" in page.problem.text()
    qtbot.keyClick(page.recorder, Qt.Key.Key_Escape)
    assert page.recorder.isHidden()
    assert QApplication.focusWidget() is page.table


def test_actions_are_found_by_words_and_by_keys(page: KeysPage) -> None:
    assert page.show_found("palette ctrl+shift+p") == 1
    assert page.chosen is SPECS["edit.palette"]
    assert page.show_found("nothing has these") == 0
    assert page.show_found("") == len(ACTIONS)


def test_the_keys_of_the_source_follow(page: KeysPage, window: MainWindow, qtbot: QtBot) -> None:
    context, editor = window.context, window.centre.source.editor
    context.settings.change(lambda settings: with_keys(settings, "source.line-down", ("Ctrl+Alt+Shift+J",)))
    window.activateWindow()
    editor.setFocus()
    qtbot.keyClick(editor, Qt.Key.Key_Down, ALT)
    assert context.documents.snapshot.text.startswith("# A")
    qtbot.keyClick(editor, Qt.Key.Key_J, CONTROL | ALT | SHIFT)
    assert context.documents.snapshot.text.startswith("\n# A")


def test_the_terminal_lists_the_keys_that_are_set(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert home
    change_settings(places(), lambda settings: with_keys(settings, "file.save", ("Ctrl+Alt+Y",)))
    assert main(["help", "keys"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Save", "Ctrl+Alt+Y", "everywhere"] in lines
    assert ["Find", "Ctrl+F", "everywhere"] in lines
    assert main(["help", "loops"]) == 0
    assert "Ctrl+Alt+Y" not in capsys.readouterr().out
