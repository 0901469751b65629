"""The text widget of the source: it tells what was typed, shows what changed elsewhere, and decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QEvent, QMargins, QMimeData, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from workbench.gui.look.theming import current_theme
from workbench.gui.source.gutter import Gutter, LinedText
from workbench.i18n import _

DEFAULT_INDENT = "  "
TAB_COLUMNS = 4
_FEW_SPLICES = 8
_NEAR = 200
_UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
_FOLLOWS = Qt.KeyboardModifier.ControlModifier


class KeyTaker(Protocol):
    """Somebody who acts on keys of the editor before they mean what they always do."""

    def claims(self, event: QKeyEvent) -> bool:
        """Whether the key is for it here, whatever it means elsewhere in the window."""

    def takes(self, event: QKeyEvent) -> bool:
        """Act on the key; false where it means something else."""


@dataclass(frozen=True, slots=True)
class MenuRequest:
    """A context menu is wanted at *point* of the screen, for *position* in the text."""

    point: QPoint
    position: int


@dataclass(frozen=True, slots=True)
class Splice:
    """At *position*, *removed* units go and *added* comes: what was typed, or what is to be shown. In UTF-16 units."""

    position: int
    removed: int
    added: str


class SourceEditor(LinedText):
    """Text with a gutter. Its own undo is off: taking back is the document's."""

    typed = Signal(object)  # Splice, already in the widget
    caret_moved = Signal()
    menu_requested = Signal(object)  # MenuRequest
    pointer_moved = Signal(object)  # int | None: a position in the text, None outside
    view_changed = Signal()
    copy_requested = Signal(object)  # QMimeData: to be filled with the selected text as the document has it
    tip_requested = Signal(object)  # QHelpEvent
    link_requested = Signal(object)  # int: a position in the text that was clicked with Ctrl
    left = Signal()  # the focus is elsewhere
    restyled = Signal()  # what was drawn in colours of the theme is to be drawn anew

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_splicing = False
        self.tab_columns = TAB_COLUMNS
        self._pending: list[Splice] = []
        self.takers: list[KeyTaker] = []
        self.gutter = Gutter(self)
        self.gutter.room_changed.connect(self._make_room)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(_("Source"))
        self.setPlaceholderText(_("The text of the playbook. Type here, or drag steps onto the flowchart."))
        self.document().contentsChange.connect(self._on_contents_change)
        self.document().contentsChanged.connect(self._on_contents_changed)
        self.cursorPositionChanged.connect(self._on_cursor_position_changed)
        self.updateRequest.connect(self._on_update_request)
        self.blockCountChanged.connect(self._make_room)
        self._take_letters()

    def take_theme(self) -> None:
        """Marks and highlighting are part of the text: Qt would not paint them in other colours by itself."""
        self._take_letters()
        self.restyled.emit()

    def _take_letters(self) -> None:
        """Those of source, in the text size of the person."""
        self.setFont(current_theme().mono_font())
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * self.tab_columns)
        self._make_room()

    def set_tab_columns(self, columns: int) -> None:
        """Show tabs as wide as *columns* letters."""
        self.tab_columns = columns
        self._take_letters()

    def load(self, text: str) -> None:
        """Show another text from its beginning."""
        self.gutter.forget()
        self.is_splicing = True
        try:
            self.setPlainText(text)
        finally:
            self.is_splicing = False

    def splice(self, splices: Sequence[Splice]) -> None:
        """Make *splices* (sorted, disjoint, all against the text as it is); caret, selection and view stay."""
        top = QTextCursor(self.firstVisibleBlock())
        within = self.verticalScrollBar().value() - self.firstVisibleBlock().firstLineNumber()
        self.is_splicing = True
        try:
            _replace(self.document(), splices)
        finally:
            self.is_splicing = False
        self.verticalScrollBar().setValue(top.block().firstLineNumber() + max(within, 0))
        self.view_changed.emit()

    def place_caret(self, position: int, anchor: int | None = None) -> None:
        """Put the caret at *position*, select from *anchor* on, and scroll no further than needed."""
        cursor, last = self.textCursor(), self.document().characterCount() - 1
        cursor.setPosition(min(position if anchor is None else anchor, last))
        if anchor is not None:
            cursor.setPosition(min(position, last), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def show_whole(self, start: int, end: int) -> None:
        """Bring all rows of the lines from *start* to *end* into view; nothing moves where they are in view already.

        What was out of sight comes to the upper third. Of more than the viewport holds, the beginning is shown.
        """
        _bring_rows(self, self.document().findBlock(start), self.document().findBlock(max(start, end)))

    def position_at(self, point: QPoint) -> int | None:
        """The position under *point* of the viewport, None below the text."""
        cursor = self.cursorForPosition(point)
        bottom = self.cursorRect(cursor).bottom()
        return cursor.position() if point.y() <= bottom else None

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window: the widget has no history that anybody wants."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if any(event.matches(keys) for keys in _UNDO_KEYS):
                event.ignore()
                return False
            if any(taker.claims(event) for taker in self.takers):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Whoever takes keys comes first; every other key means what it always does."""
        if self.isReadOnly() or not any(taker.takes(event) for taker in self.takers):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus has left, unless only a menu is open over it."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Ask for a tool tip, and tell when the pointer leaves."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self.tip_requested.emit(event)
            return True
        if event.type() is QEvent.Type.Leave:
            self.pointer_moved.emit(None)
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """With Ctrl, a click follows the link that it is on."""
        super().mousePressEvent(event)
        is_wish = event.button() is Qt.MouseButton.LeftButton and event.modifiers() == _FOLLOWS
        position = self.position_at(event.position().toPoint()) if is_wish else None
        if position is not None:
            self.link_requested.emit(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what the pointer is over."""
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.pointer_moved.emit(self.position_at(event.position().toPoint()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu: what is in it depends on the document."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
            self.menu_requested.emit(MenuRequest(place, self.textCursor().position()))
        else:
            position = self.cursorForPosition(event.pos()).position()
            self.menu_requested.emit(MenuRequest(event.globalPos(), position))

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: the text as the document has it."""
        data = QMimeData()
        self.copy_requested.emit(data)
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text, but no files: those are for the window to open."""
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take plain text only, and show its end: what is pasted, dropped, or inserted with the middle button."""
        if source.hasText():
            self.textCursor().insertText(source.text())
            self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the gutter as tall as the text."""
        super().resizeEvent(event)
        area = self.contentsRect()
        self.gutter.setGeometry(QRect(area.left(), area.top(), self.gutter.sizeHint().width(), area.height()))
        if not self.is_splicing:  # the layout is not to be asked before it knows the new text
            self.view_changed.emit()

    def _make_room(self) -> None:
        _make_room(self, self.gutter)

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        if not self.is_splicing:
            self._pending.append(Splice(position, removed, text_at(self.document(), position, added)))

    @Slot()
    def _on_contents_changed(self) -> None:
        """Report what was typed, now that the layout knows it as well."""
        while self._pending:
            self.typed.emit(self._pending.pop(0))

    @Slot()
    def _on_cursor_position_changed(self) -> None:
        self.gutter.update()
        if not (self.is_splicing or self._pending):
            self.caret_moved.emit()

    @Slot(QRect, int)
    def _on_update_request(self, area: QRect, moved_px: int) -> None:
        """Scroll the gutter along with the text."""
        if moved_px and not self.is_splicing:
            self.gutter.scroll(0, moved_px)
            self.view_changed.emit()
        else:
            self.gutter.update(0, area.y(), self.gutter.width(), area.height())


def _make_room(editor: SourceEditor, gutter: Gutter) -> None:
    """Leave room for *gutter* beside the text of *editor*."""
    room = QMargins(gutter.sizeHint().width(), 0, 0, 0)
    if editor.viewportMargins() != room:  # setting the same ones lays everything out anew
        editor.setViewportMargins(room)
    gutter.update()


def _bring_rows(editor: QPlainTextEdit, first: QTextBlock, last: QTextBlock) -> None:
    """Scroll *editor* so that the rows from *first* to *last* are in view, as far as they fit."""
    row_px = editor.blockBoundingRect(first).height() / max(1, first.lineCount())
    editor.blockBoundingRect(last)  # a line that was never in view does not know its rows before it is measured
    room_px = editor.viewport().height() - editor.document().documentMargin()  # above the first line
    rows = max(1, int(room_px / max(1.0, row_px)))
    bar = editor.verticalScrollBar()
    top, bottom = first.firstLineNumber(), last.firstLineNumber() + last.lineCount() - 1
    lowest = min(top, bottom - rows + 1)  # the row that is first in view when the last one is just in view
    if not bar.value() <= top < bar.value() + rows:
        bar.setValue(max(0, top - rows // 3, lowest))
    elif bar.value() < lowest:
        bar.setValue(lowest)


def text_at(document: QTextDocument, position: int, length: int) -> str:
    """What stands at *position* of *document*, line ends as LF."""
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.setPosition(min(position + length, document.characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2029", "\n")


def _replace(document: QTextDocument, splices: Sequence[Splice]) -> None:
    """Make *splices*: many as one edit; of few those by themselves that lie apart, or all between is coloured anew."""
    cursor = QTextCursor(document)
    is_many = len(splices) > _FEW_SPLICES
    following: Splice | None = None
    for splice in reversed(splices):
        if following is None or not (is_many or following.position - splice.position < _NEAR):
            if following is not None:
                cursor.endEditBlock()
            cursor.beginEditBlock()
        cursor.setPosition(splice.position)
        cursor.setPosition(splice.position + splice.removed, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(splice.added)
        following = splice
    if following is not None:
        cursor.endEditBlock()
