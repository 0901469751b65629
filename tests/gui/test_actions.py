"""The table of actions, and the registry that brings it to life."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.errors import CannotSave
from workbench.gui.control.action_spec import Need, ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import ActionRegistry, tooltip_of
from workbench.gui.control.keys.keymap import can_meet
from workbench.gui.control.notices import Notices
from workbench.gui.shell.menus import CommandPalette, matches
from workbench.resources import resource_path


class _Pressed(QObject):
    """Counts presses."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def press(self) -> None:
        self.count += 1

    def fail(self) -> None:
        raise CannotSave("The disk is full.")


@pytest.fixture
def notices(qapp: QApplication) -> Notices:
    return Notices(qapp)


@pytest.fixture
def registry(qapp: QApplication, notices: Notices) -> ActionRegistry:
    return ActionRegistry(notices, qapp)


def test_every_id_is_used_once() -> None:
    assert [key for key, count in Counter(spec.id for spec in ACTIONS).items() if count > 1] == []


def test_a_key_never_does_two_things() -> None:
    keyed = [(QKeySequence(key).toString(), spec) for spec in ACTIONS for key in spec.shortcuts]
    pairs = [(key, one, other) for (key, one), (again, other) in combinations(keyed, 2) if key == again]
    assert [(key, one.id, other.id) for key, one, other in pairs if can_meet(one, other)] == []
    assert all(key for key, _spec in keyed)


def test_every_action_says_what_it_does() -> None:
    assert [spec.id for spec in ACTIONS if not spec.tooltip or str(spec.tooltip).endswith((".", "!"))] == []


def test_every_icon_of_the_table_exists() -> None:
    assert all(resource_path(f"icons/{spec.icon}.svg") for spec in ACTIONS if spec.icon)


def test_access_keys_of_one_menu_differ() -> None:
    letters = Counter(
        (spec.menu, text[text.index("&") + 1].casefold()) for spec in ACTIONS if "&" in (text := str(spec.text))
    )
    assert [key for key, count in letters.items() if count > 1] == []


def test_an_action_without_a_handler_cannot_be_chosen(registry: ActionRegistry) -> None:
    assert not registry.action("file.new").isEnabled()


def test_an_action_is_enabled_only_while_its_needs_hold(registry: ActionRegistry) -> None:
    pressed = _Pressed()
    registry.register("edit.undo", pressed.press)
    assert not registry.action("edit.undo").isEnabled()
    registry.set_met(frozenset({Need.DOCUMENT, Need.UNDO}))
    registry.action("edit.undo").trigger()
    registry.set_met(frozenset())
    registry.action("edit.undo").trigger()
    assert pressed.count == 1


def test_an_unknown_action_is_a_mistake_of_ours(registry: ActionRegistry) -> None:
    with pytest.raises(KeyError):
        registry.register("file.nonsense", _Pressed().press)


def test_a_failing_world_is_told(registry: ActionRegistry, notices: Notices) -> None:
    spy = QSignalSpy(notices.noticed)
    registry.register("file.new", _Pressed().fail)
    registry.action("file.new").trigger()
    assert spy.at(0)[0].text == "The disk is full."


def test_tooltips_name_the_key() -> None:
    save = next(spec for spec in ACTIONS if spec.id == "file.save")
    assert tooltip_of(save, save.shortcuts) == "Save playbook (Ctrl+S)"


def test_keys_of_steps_work_only_where_they_are_attached(registry: ActionRegistry, qtbot: QtBot) -> None:
    window, pane, other = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(window)
    for each in (pane, other):
        each.setParent(window)
        each.setFocusPolicy(each.focusPolicy().StrongFocus)
    pressed = _Pressed()
    registry.register("step.delete", pressed.press)
    registry.attach(pane, ShortcutScope.STEPS)
    registry.set_met(frozenset({Need.DOCUMENT, Need.STEP}))
    with qtbot.waitActive(window):
        window.show()
    for focused in (other, pane):
        focused.setFocus()
        qtbot.keyClick(focused, Qt.Key.Key_Delete)
    assert pressed.count == 1


def test_the_palette_finds_a_command_by_a_few_letters(registry: ActionRegistry) -> None:
    assert matches("zmin", ACTIONS)[0].spec.id == "view.zoom-in"
    assert matches("qqqq", ACTIONS) == ()


def test_the_palette_does_what_was_chosen(registry: ActionRegistry, qtbot: QtBot, qapp: QApplication) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    palette = CommandPalette(registry, window)
    pressed = _Pressed()
    registry.register("view.reset-layout", pressed.press)
    window.show()
    palette.open()
    qtbot.keyClicks(palette.field, "reset")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert pressed.count == 1
    assert not palette.isVisible()
