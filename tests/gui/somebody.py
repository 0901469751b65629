"""Somebody who does in a real window whatever comes to mind: clicks, drags, types, pastes, opens, saves, runs.

After each thing the source pane shows the document, ids are unique, and nothing has risen to the last border; what is
saved is the document's bytes, and undo leads back to what the document began with.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from unittest.mock import patch

from PySide6.QtCore import QEvent, QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QDesktopServices, QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from tests.conftest import PATIENCE_S
from tests.core import editing_cases, steplist_cases
from tests.core.chains import KEYS, PASTED, check_ids
from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.widget_text import shown
from workbench.model.snapshot import Snapshot

LARGEST = 12_000
FILES = [path for path in (*editing_cases.FILES, *steplist_cases.FILES[::4]) if path.stat().st_size < LARGEST]
PRESSED = [
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End),
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Tab, Qt.Key.Key_F2),
    *(Qt.Key.Key_Slash, Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Menu, Qt.Key.Key_A, Qt.Key.Key_1),
]
HELD = [
    *[Qt.KeyboardModifier.NoModifier] * 4,
    *(Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier),
]
NEVER = {"file.quit"}
"""Actions after which there is nothing left to do."""
_LEFT = Qt.MouseButton.LeftButton
_MENU_MS = 300
_Kind = TypeVar("_Kind", bound=QWidget)


class Somebody:
    """Does things in *window* as *seed* chooses, with files in *folder*.

    *failures*: what went wrong, each with what was done last.
    """

    def __init__(self, window: MainWindow, folder: Path, seed: int) -> None:
        self.window = window
        self.failures: list[str] = []
        self.done = 0
        self._documents = window.context.documents
        self._folder = folder
        self._chance = random.Random(seed)
        self._last: list[str] = []
        self._begun = ""
        # a button that shows its menu does not come back before that is closed
        self._closing = QTimer(window, singleShot=True, interval=_MENU_MS)
        self._closing.timeout.connect(_close_popup)
        self._documents.document_opened.connect(self._on_opened)
        self._ways: list[tuple[Callable[[], None], int]] = [
            *((self._type, 8), (self._act, 10), (self._click_canvas, 5), (self._press_canvas, 6), (self._drag, 4)),
            *((self._select, 3), (self._click_anything, 5), (self._write_anywhere, 5), (self._paste, 3)),
            *((self._back_and_forth, 3), (self._open, 2), (self._save, 2), (self._change_on_disk, 1)),
            *((self._undo_all, 1), (self._resize, 1), (self._run, 1), (self._open_menu, 1)),
        ]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Hears of exceptions, and chooses files itself, until it is over."""
        path = self._folder / "chosen"
        names = {
            "getOpenFileName": lambda *_args: (str(self._a_file()), ""),
            "getSaveFileName": lambda *_args: (f"{path}-{self._chance.randrange(5)}.md", ""),
            "getExistingDirectory": lambda *_args: str(self._folder),
        }
        chosen = {name: staticmethod(choose) for name, choose in names.items()}
        with patch.multiple(QFileDialog, **chosen), patch.object(QDesktopServices, "openUrl", return_value=True):
            before, sys.excepthook = sys.excepthook, self._take
            try:
                self._open()
                yield
                self._try(self._undo_all)
            finally:
                self._leave_dialogs()
                sys.excepthook = before

    def do_something(self) -> None:
        """One thing, and a look at what came of it."""
        ways, weights = zip(*self._ways, strict=True)
        self.done += 1
        self._try(self._chance.choices(ways, weights)[0])

    def _try(self, way: Callable[[], None]) -> None:
        self._note(way.__name__.strip("_"))
        try:
            self._closing.start()
            way()
            self._closing.stop()
            _let_happen()
            self._answer_dialogs()
            self._check()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            self._take(type(error), error, error.__traceback__)

    def _note(self, words: str) -> None:
        self._last = [*self._last[-11:], words]

    def _take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        story = "".join(traceback.format_exception(kind, error, trace)[-4:])
        self.failures.append(f"after {self.done} things ({', '.join(self._last)}):\n{story}")

    def _check(self) -> None:
        snapshot = self._documents.snapshot
        check_ids(snapshot)
        if self._documents.file_state.is_open:
            raw = self.window.centre.source.editor.document().toRawText().replace("\u2029", "\n")
            assert raw == shown(snapshot.text), "the source pane shows something else than the document"

    def _on_opened(self, snapshot: Snapshot) -> None:
        self._begun = snapshot.text
        for entry in reversed(self._documents.document._history.entries):
            self._begun = entry.change.apply(self._begun)

    # -- documents

    def _a_file(self) -> Path:
        original = self._chance.choice(FILES)
        copy = self._folder / original.name
        if not copy.exists():
            copy.write_bytes(original.read_bytes())
        return copy

    def _open(self) -> None:
        self.window.files.open_path(self._a_file())

    def _save(self) -> None:
        path = self._documents.file_state.path
        if path is None:
            return
        self.window.files.save()
        self._answer_dialogs()
        document = self._documents.document
        if not document.is_dirty and document.path == path and document.check_disk() is DiskState.SAME:
            assert path.read_bytes() == self._documents.snapshot.source.encode(), "the file holds something else"

    def _change_on_disk(self) -> None:
        path = self._documents.file_state.path
        if path is not None and path.exists():
            data = path.read_bytes()
            at = self._chance.randrange(len(data) + 1)
            path.write_bytes(data[:at] + self._chance.choice([b"\n- theirs\n", b"x", b""]) + data[at:])
            QTest.qWait(50)

    def _back_and_forth(self) -> None:
        for name in self._chance.choices(["edit.undo", "edit.undo", "edit.redo"], k=self._chance.randint(1, 8)):
            self._trigger(name)

    def _undo_all(self) -> None:
        self._leave_dialogs()
        if not self._documents.file_state.is_open:
            return
        while self._documents.document.can_undo:
            self._documents.undo()
        assert self._documents.snapshot.text == self._begun, "undo does not lead to the beginning"
        for _time in range(self._chance.randint(0, 40)):
            self._documents.redo()

    # -- the source

    def _type(self) -> None:
        editor = self.window.centre.source.editor
        editor.setFocus()
        cursor = editor.textCursor()
        if self._chance.random() < 0.7:
            cursor.setPosition(self._chance.randrange(editor.document().characterCount()))
            editor.setTextCursor(cursor)
        for _key in range(self._chance.randint(1, 10)):
            self._key_into(editor)

    def _key_into(self, widget: QWidget) -> None:
        if self._chance.random() < 0.2:
            QTest.keyClick(widget, self._chance.choice(PRESSED[:11]), self._chance.choice(HELD))
            return
        for letter in self._chance.choice(KEYS):
            if letter in "\r\n":
                QTest.keyClick(widget, Qt.Key.Key_Return)
            elif letter == "\t":
                QTest.keyClick(widget, Qt.Key.Key_Tab)
            else:
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    QApplication.sendEvent(widget, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter))

    def _paste(self) -> None:
        text = self._documents.snapshot.text
        at = self._chance.randrange(len(text) + 1)
        is_list = self._documents.snapshot.program.format.is_steplist
        pasted = [*PASTED[is_list], text[at : at + 200], "```\ncode\n```\n", "one\ntwo"]
        QGuiApplication.clipboard().setText(self._chance.choice(pasted))
        if self._chance.random() < 0.5:
            self._trigger("edit.paste")
        else:
            self.window.centre.source.editor.paste()

    # -- the flowchart

    def _click_canvas(self) -> None:
        view = self.window.centre.canvas.view
        point = self._point_in(view.viewport())
        if self._chance.random() < 0.2:
            QTest.mouseDClick(view.viewport(), _LEFT, Qt.KeyboardModifier.NoModifier, point)
        else:
            QTest.mouseClick(view.viewport(), _LEFT, self._chance.choice(HELD), point)

    def _press_canvas(self) -> None:
        view = self.window.centre.canvas.view
        view.setFocus()
        for _key in range(self._chance.randint(1, 4)):
            widget = QApplication.focusWidget() or view
            QTest.keyClick(widget, self._chance.choice(PRESSED), self._chance.choice(HELD))

    def _drag(self) -> None:
        view = self.window.centre.canvas.view
        boxes = list(view.shown.boxes.values())
        start = self._point_in(view.viewport())
        if boxes and self._chance.random() < 0.8:
            place = self.window.centre.canvas.state.layout.place_of(self._chance.choice(boxes).step)
            start = view.mapFromScene(place.x + 60, place.y + 20) if place is not None else start
        end = self._point_in(view.viewport())
        QTest.mousePress(view.viewport(), _LEFT, Qt.KeyboardModifier.NoModifier, start)
        for part in (0.1, 0.5, 1.0):
            QTest.mouseMove(view.viewport(), start + (end - start) * part)
        if self._chance.random() < 0.1:
            QTest.keyClick(view, Qt.Key.Key_Escape)
        QTest.mouseRelease(view.viewport(), _LEFT, Qt.KeyboardModifier.NoModifier, end)

    def _select(self) -> None:
        snapshot = self._documents.snapshot
        steps = [step.id for root in snapshot.roots if root is not None for step in root.walk()]
        if steps:
            chosen = self._chance.choices(steps, k=self._chance.choice([1, 1, 1, 2]))
            self.window.context.selection.select(tuple(dict.fromkeys(chosen)))

    # -- anything else

    def _act(self) -> None:
        self._trigger(self._chance.choice(ACTIONS).id)

    def _trigger(self, name: str) -> None:
        action = self.window.context.actions.action(name)
        if name not in NEVER and action.isEnabled():
            self._note(name)
            action.trigger()

    def _run(self) -> None:
        self._trigger("run.start")
        for _time in range(3):
            QTest.qWait(20)
            self._answer_dialogs()

    def _resize(self) -> None:
        self.window.resize(self._chance.randint(500, 1700), self._chance.randint(400, 1000))

    def _click_anything(self) -> None:
        widget = self._any(QWidget)
        if widget is not None:
            self._note(type(widget).__name__)
            QTest.mouseClick(widget, _LEFT, Qt.KeyboardModifier.NoModifier, self._point_in(widget))

    def _write_anywhere(self) -> None:
        fields = [*self._visible(QLineEdit), *self._visible(QPlainTextEdit)]
        field = self._chance.choice(fields) if fields else None
        if field is not None and not field.isReadOnly():
            self._note(type(field).__name__)
            field.setFocus()
            for _key in range(self._chance.randint(1, 6)):
                if field.isVisible():
                    self._key_into(field)

    def _open_menu(self) -> None:
        target = self.window.centre.canvas.view.viewport()
        point = self._point_in(target)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, target.mapToGlobal(point))
        QApplication.sendEvent(target, asked)

    def _any(self, kind: type[_Kind]) -> _Kind | None:
        found = self._visible(kind)
        return self._chance.choice(found) if found else None

    def _visible(self, kind: type[_Kind]) -> list[_Kind]:
        return [each for each in self.window.findChildren(kind) if each.isVisible() and each.isEnabled()]

    def _point_in(self, widget: QWidget) -> QPoint:
        return QPoint(self._chance.randrange(max(1, widget.width())), self._chance.randrange(max(1, widget.height())))

    # -- what asks

    def _answer_dialogs(self) -> None:
        for _time in range(6):
            popup = QApplication.activePopupWidget()
            dialog = self._dialog()
            if popup is not None:
                self._answer_popup(popup)
            elif dialog is not None:
                self._answer(dialog)
            else:
                return
            _let_happen()
        self._leave_dialogs()

    def _dialog(self) -> QDialog | None:
        shown_now = (each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible())
        return next(shown_now, None)

    def _answer(self, dialog: QDialog) -> None:
        buttons = [each for each in dialog.findChildren(QAbstractButton) if each.isVisible() and each.isEnabled()]
        fields = [each for each in dialog.findChildren(QLineEdit) if each.isVisible() and each.isEnabled()]
        if fields and self._chance.random() < 0.4:
            self._key_into(self._chance.choice(fields))
        elif buttons and self._chance.random() < 0.8:
            button = self._chance.choice(buttons)
            self._note(f"{type(dialog).__name__}: {button.text()}")
            button.click()
        else:
            dialog.reject()

    def _answer_popup(self, popup: QWidget) -> None:
        actions = [action for action in popup.actions() if _can_be_chosen(action)] if isinstance(popup, QMenu) else []
        chosen = self._chance.choice(actions) if actions and self._chance.random() < 0.6 else None
        popup.close()
        if chosen is not None:
            self._note(f"menu: {chosen.text()}")
            chosen.trigger()

    def _leave_dialogs(self) -> None:
        for _time in range(20):
            popup, dialog = QApplication.activePopupWidget(), self._dialog()
            if popup is not None:
                popup.close()
            if dialog is not None:
                dialog.reject()
            _let_happen()
            if popup is None and dialog is None:
                return


def _let_happen() -> None:
    """What was set off happens; a window in which one thing sets off another for ever is found out."""
    started = time.monotonic()
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, PATIENCE_S * 1000)
    assert time.monotonic() - started < PATIENCE_S, "the window has no rest"


def _close_popup() -> None:
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()


def _can_be_chosen(action: QAction) -> bool:
    return action.isEnabled() and not action.isSeparator() and action.menu() is None and action.text() != "&Quit"
