"""Somebody who writes playbooks in the real window, by keys alone or by mouse alone."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.journeys.person import Person
from workbench.gui.assist.completion_list import CompletionList
from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.shell.main_window import MainWindow
from workbench.i18n import _
from workbench.syntax.diagnostics import Diagnostic

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
_KEYS = {"\t": Qt.Key.Key_Tab, "\n": Qt.Key.Key_Return}


class Author(Person):
    """What both pairs of hands do in the same way."""

    name = ""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        super().__init__(qtbot, window)
        theme = os.environ.get("JOURNEY_THEME")  # for whoever looks at the pictures
        if theme:
            self.context.actions.trigger(f"view.theme-{theme}")

    @property
    def text(self) -> str:
        """The document as it is now."""
        return self.context.documents.snapshot.text

    @property
    def findings(self) -> Sequence[Diagnostic]:
        """What is doubtful in the document."""
        return self.context.documents.snapshot.diagnostics

    @property
    def focus(self) -> QWidget:
        """What has the keys. A window manager gives them to a dialog that opens, and back when it has closed."""
        dialogs = [each for each in self.window.findChildren(QDialog) if each.isVisible()]
        front = dialogs[-1] if dialogs else self.window
        if QApplication.activeWindow() is not front:
            front.activateWindow()
            self.qtbot.waitUntil(lambda: QApplication.activeWindow() is front)
        found = QApplication.focusWidget()
        assert found is not None
        return found

    @abstractmethod
    def do(self, action_id: str) -> None:
        """Choose an action of the window."""

    def type(self, text: str) -> None:
        """Type *text* where the focus is; a tab and a line feed are the keys of these names."""
        for letter in text:
            if letter in _KEYS:
                QTest.keyClick(self.focus, _KEYS[letter])
            elif letter.isascii():
                QTest.keyClicks(self.focus, letter)
            else:  # Qt's test module knows the keys of plain letters only
                pressed = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, letter)
                QApplication.sendEvent(self.focus, pressed)

    def press(self, *keys: str) -> None:
        """Press *keys* one after the other, where the focus is at that time."""
        for key in keys:
            QTest.keySequence(self.focus, QKeySequence(key))

    def complete(self, label: str) -> None:
        """Take the completion *label* of the list that is open."""

        def is_there() -> bool:
            return any(label in each.labels for each in self.window.findChildren(CompletionList) if each.isVisible())

        self.qtbot.waitUntil(is_there)
        self.take(next(each for each in self.window.findChildren(CompletionList) if each.isVisible()), label)

    @abstractmethod
    def take(self, completions: CompletionList, label: str) -> None:
        """Take *label* of *completions*."""

    @abstractmethod
    def push(self, button: QAbstractButton) -> None:
        """Push *button*."""

    @abstractmethod
    def fill(self, field: QWidget, text: str) -> None:
        """Write *text* into *field*, in the place of what is there."""

    @abstractmethod
    def choose_in(self, box: QComboBox, value: str) -> None:
        """Choose the entry of *box* that stands for *value*."""

    @abstractmethod
    def select(self, first: str, last: str = "") -> None:
        """Select the step that begins with *first* in the flowchart, and all up to *last*."""

    def wait(self, text: str) -> None:
        """Wait until the document says *text*."""
        self.qtbot.waitUntil(lambda: text in self.text)

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Keep a picture where somebody wants to look at them."""
        folder = os.environ.get("JOURNEY_PICTURES")
        if folder:
            QTest.qWait(300)
            (widget or self.window).grab().save(f"{folder}/{self.name}-{name}.png")


class Keys(Author):
    """Presses keys, and nothing else."""

    name = "keys"

    def go_to(self, pane: QWidget) -> None:
        """Go from pane to pane until *pane* has the focus."""
        for _pane in range(20):
            if pane is self.focus or pane.isAncestorOf(self.focus):
                return
            self.do("view.next-pane")
        raise AssertionError(f"no key leads to {pane}")

    def reach(self, widget: QWidget) -> None:
        """Press Tab until *widget* has the focus."""
        for _press in range(60):
            if self.focus is widget:
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {widget} from {self.focus}")

    def take(self, completions: CompletionList, label: str) -> None:
        """With the arrows and Enter."""
        for _row in range(completions.labels.index(label)):
            self.press("Down")
        self.press("Return")

    def push(self, button: QAbstractButton) -> None:
        """With the space bar."""
        self.reach(button)
        self.press("Space")

    def fill(self, field: QWidget, text: str) -> None:
        """All that is there is selected first."""
        self.reach(field)
        self.press("Ctrl+A")
        self.type(text)

    def choose_in(self, box: QComboBox, value: str) -> None:
        """With the arrows."""
        self.reach(box)
        self.press("Home")
        for _entry in range(box.count()):
            if box.currentData() == value:
                return
            self.press("Down")
        raise AssertionError(f"{value} is not in {box.accessibleName()}")

    def select(self, first: str, last: str = "") -> None:
        """With the arrows, from the first step on."""
        self.go_to(self.window.centre.canvas)
        self.press("Home")
        for _press in range(60):
            if self.context.selection.selected == (self.step(first),):
                break
            self.press("Down")
        for _press in range(60):
            if not last or self.step(last) in self.context.selection.selected:
                return
            self.press("Shift+Down")
        raise AssertionError(f"no arrow leads to {first} and {last}")

    def do(self, action_id: str) -> None:
        """By its key where it has one, else by its name in the command palette."""
        action = self.context.actions.action(action_id)
        if not action.shortcut().isEmpty():
            QTest.keySequence(self.focus, action.shortcut())
            return
        self.press("Ctrl+Shift+P")
        name, found = action.text().replace("&", "").rstrip("…"), self.window.command_palette.list
        self.type(name)
        rows = [found.topLevelItem(row).text(0) for row in range(found.topLevelItemCount())]
        for _row in range(rows.index(name)):
            self.press("Down")
        self.press("Return")


class Mouse(Author):
    """Clicks, drags, and types only words."""

    name = "mouse"

    def do(self, action_id: str) -> None:
        """In the menu bar."""
        self.choose(self.context.actions.action(action_id))

    def choose(self, action: QAction) -> None:
        """Click through the menus that lead to *action*."""
        bar = self.window.menuBar()
        for top in bar.actions():
            way = _way_to(action, top)
            if way:
                with self.qtbot.waitSignal(action.triggered):
                    self.click(bar, bar.actionGeometry(top).center())
                    for step in way:
                        self.qtbot.waitUntil(lambda step=step: _shown_menu(step) is not None)
                        menu = _shown_menu(step)
                        assert menu is not None
                        self.click(menu, menu.actionGeometry(step).center())
                return
        raise AssertionError(f"{action.text()} is in no menu")

    def take(self, completions: CompletionList, label: str) -> None:
        """With a click."""
        row = completions.list.item(completions.labels.index(label))
        self.click(completions.list.viewport(), completions.list.visualItemRect(row).center())

    def push(self, button: QAbstractButton) -> None:
        """With a click."""
        self.click(button)

    def fill(self, field: QWidget, text: str) -> None:
        """Two clicks and one more select the line."""
        at = field.rect().center()
        for click in (QTest.mouseDClick, QTest.mouseClick):
            click(field, LEFT, NONE, at)
        self.type(text)

    def choose_in(self, box: QComboBox, value: str) -> None:
        """In the list that a click opens."""
        self.click(box)
        entries = box.view()
        self.qtbot.waitUntil(entries.isVisible)
        place = box.model().index(box.findData(value), 0)
        self.click(entries.viewport(), entries.visualRect(place).center())
        assert box.currentData() == value

    def select(self, first: str, last: str = "") -> None:
        """With a click, and another one with Shift."""
        viewport = self.window.centre.canvas.view.viewport()
        for words, held in ((first, NONE), (last, SHIFT)):
            if words:
                self.context.selection.show((self.step(words),))
                QTest.mouseClick(viewport, LEFT, held, self.point(words, 60, 20))

    def type_behind(self, words: str, text: str) -> None:
        """Click behind *words* in the source, and type."""
        editor = self.window.centre.source.editor
        found = editor.document().find(words)
        found.setPosition(found.selectionEnd())
        self.click(editor.viewport(), editor.cursorRect(found).center())
        self.type(text)

    def put(self, kind: str, words: str) -> None:
        """Double-click on *kind* in the palette, and write *words* in the place of what it holds ready."""
        panel = self.window.panes.panel("palette")
        assert isinstance(panel, PalettePanel)
        (item,) = panel.list.findItems(_(kind), Qt.MatchFlag.MatchExactly)
        panel.list.scrollToItem(item)
        at = panel.list.visualItemRect(item).center()
        for click in (QTest.mouseClick, QTest.mouseDClick, QTest.mouseRelease):
            click(panel.list.viewport(), LEFT, NONE, at)
        self.type(words)

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Move to *widget* and click: a menu does nothing for a pointer that has hardly moved since it came up."""
        place = at or widget.rect().center()
        for step in range(8):
            QTest.mouseMove(widget, place - QPoint(8 - step, 0))
        QTest.mouseClick(widget, LEFT, NONE, at or widget.rect().center())


def _shown_menu(action: QAction) -> QMenu | None:
    """The open menu that *action* stands in."""
    return next((each for each in action.associatedObjects() if isinstance(each, QMenu) and each.isVisible()), None)


def _way_to(action: QAction, top: QAction) -> list[QAction]:
    """The entries to click on below *top*."""
    menu = top.menu()
    if not isinstance(menu, QMenu):
        return []
    for each in menu.actions():
        if each is action:
            return [each]
        below = _way_to(action, each)
        if below:
            return [each, *below]
    return []
