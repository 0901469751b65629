"""Completing names while words are written: variables of the file, playbooks, Python functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

_VARIABLE = re.compile(r"\$[^\W\d]\w*")
_BEGUN = re.compile(r"\$\w*$|\b[^\W\d]\w+$")
_WIDTH_PX = 220
_ROWS = 8
_OFFSET = QPoint(0, 6)
_SMALLEST_PX = 13
_INSET_PX = 4.0


def names_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Every name that a step of *snapshot* may use, sorted: ``$total``, ``CheckOrder``."""
    program = snapshot.program
    called = [playbook.name for playbook in program.playbooks] + [function.name for function in program.functions]
    return tuple(sorted({*_VARIABLE.findall(snapshot.text), *called}, key=str.casefold))


def begun_name(before_cursor: str) -> str:
    """The name that is being written at the end of *before_cursor*, empty where none is."""
    found = _BEGUN.search(before_cursor)
    return found.group() if found is not None else ""


class WordCompletion(QListWidget):
    """A list below the cursor of a field, inside the same window: Enter and Tab take a name, Esc closes it."""

    def __init__(self, field: QPlainTextEdit, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self._canvas = parent
        self._names: tuple[str, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH_PX)
        self.setAccessibleName(_("Names"))
        self.itemClicked.connect(self._on_item_clicked)
        self.hide()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Offer *names* from now on."""
        self._names = names
        self.hide()

    def offer(self) -> None:
        """Open the list where a name has been begun, close it where not."""
        begun = begun_name(self._before_cursor())
        fitting = [name for name in self._names if name.casefold().startswith(begun.casefold()) and name != begun]
        self.clear()
        if not begun or not fitting:
            self.hide()
            return
        self.addItems(fitting[:_ROWS])
        self.setCurrentRow(0)
        self.setFixedHeight(self.count() * self.sizeHintForRow(0) + 4)
        self.move(self._field.mapTo(self._canvas, self._field.cursorRect().bottomLeft()) + _OFFSET)
        self.show()
        self.raise_()

    def takes(self, key: int) -> bool:
        """Act on *key* while the list is open; false where it belongs to the field."""
        if self.isHidden():
            return False
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            self._insert(self.currentItem().text())
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + step) % self.count())
        elif key == Qt.Key.Key_Escape:
            self.hide()
        else:
            return False
        return True

    def _before_cursor(self) -> str:
        cursor = self._field.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText()

    @Slot(QListWidgetItem)
    def _on_item_clicked(self, item: QListWidgetItem) -> None:
        self._insert(item.text())

    def _insert(self, name: str) -> None:
        """Put *name* where its beginning stands."""
        cursor = self._field.textCursor()
        begun = begun_name(self._before_cursor())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(begun))
        cursor.insertText(name)
        self._field.setTextCursor(cursor)
        self.hide()


@dataclass(frozen=True, slots=True)
class TextEntered:
    """The words that a person wrote over a box: a step, or the title of a playbook."""

    box: ShownBox
    text: str


class InlineEditor(QPlainTextEdit):
    """The field over a block. Enter and leaving the field take the words; Esc leaves them as they were."""

    text_entered = Signal(object)  # TextEntered

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._box: ShownBox | None = None
        self._before = ""
        self.completion = WordCompletion(self, view.viewport())
        self.setObjectName("inline-editor")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Text of the step"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.hide()

    def edit(self, box: ShownBox, text: str, chosen: str = "") -> None:
        """Open over *box* with *text*; *chosen* is the part that typing replaces (all where empty)."""
        self._box = box
        self._before = text
        self.setPlainText(shown(text))
        self._dress(box)
        self._choose(shown(text), chosen)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def box(self) -> ShownBox | None:
        """What it is open over."""
        return self._box

    @property
    def written(self) -> str:
        """What stands in it, in the characters of the document."""
        return rewritten(self._before, self.document().toRawText())

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not taken."""
        return self._box is not None and bool(self.written.strip()) and self.written != self._before

    def take_back(self) -> None:
        """Close without taking the words."""
        if self._box is not None:
            self._box = None
            self.completion.hide()
            self.hide()
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def take(self) -> None:
        """Close and take the words, if they changed and something is left of them."""
        box, text, is_changed = self._box, self.written, self.is_being_written
        self.take_back()
        if box is not None and is_changed:
            self.text_entered.emit(TextEntered(box, text))

    apply = take

    def _dress(self, box: ShownBox) -> None:
        """Cover the words of the block, with letters as large as theirs."""
        theme, zoom = self._view.theme, self._view.zoom
        self.setFont(sized(theme.body_font(), max(_SMALLEST_PX, round(13 * zoom))))
        rect = area_of(box.rect).adjusted(-_INSET_PX, -_INSET_PX, _INSET_PX, _INSET_PX)
        area = self._view.mapFromScene(rect).boundingRect()
        least = QSize(260, 3 * self.fontMetrics().lineSpacing() + 16)
        self.setGeometry(area.x(), area.y(), max(area.width(), least.width()), max(area.height(), least.height()))

    def _choose(self, text: str, chosen: str) -> None:
        cursor = self.textCursor()
        start = text.find(chosen) if chosen else 0
        length = len(chosen) if chosen and start >= 0 else len(text)
        cursor.setPosition(max(0, start))
        cursor.setPosition(max(0, start) + length, QTextCursor.MoveMode.KeepAnchor)
        if not chosen:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes, Esc leaves; everything else is typing."""
        if self.completion.takes(event.key()):
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_back()
        else:
            super().keyPressEvent(event)
            if (event.text().isprintable() and event.text()) or event.key() == Qt.Key.Key_Backspace:
                self.completion.offer()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - Qt's signature
        """Tab takes a name from the open list; else it leaves the field."""
        return self.completion.takes(Qt.Key.Key_Tab) or super().focusNextPrevChild(forward)

    def event(self, event: QEvent) -> bool:
        """Keys belong to the field while it is open: no shortcut of the window takes them but Save."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(not event.matches(QKeySequence.StandardKey.Save))
            return True
        return super().event(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted becomes part of one line."""
        self.insertPlainText(" ".join(line.strip() for line in source.text().splitlines()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Taking the focus elsewhere takes the words."""
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self.take()
