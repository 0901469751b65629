"""Several carets: what is typed, taken away or pasted happens at all of them, as one edit and one undo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QTextBlock,
    QTextCursor,
)

from workbench.editing.commands import EditText, Refusal
from workbench.editing.typing.carets import (
    Caret,
    Carets,
    Written,
    beside,
    in_column,
    in_order,
    next_occurrence,
    replaced,
    taken_back,
    taken_forward,
    written,
)
from workbench.gui.control.context import WindowContext
from workbench.gui.look.theming import current_theme
from workbench.gui.source.document_sync import DocumentSync, with_line_ends
from workbench.gui.source.editing.overlay import x_of
from workbench.gui.source.editor import DEFAULT_INDENT, SourceEditor
from workbench.i18n import _
from workbench.syntax.change import TextEdit

_TINT = 70
_ALT = Qt.KeyboardModifier.AltModifier
_COLUMN = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
_STOPS = ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
_MOVES = {
    QKeySequence.StandardKey.MoveToPreviousChar: QTextCursor.MoveOperation.Left,
    QKeySequence.StandardKey.MoveToNextChar: QTextCursor.MoveOperation.Right,
    QKeySequence.StandardKey.MoveToPreviousLine: QTextCursor.MoveOperation.Up,
    QKeySequence.StandardKey.MoveToNextLine: QTextCursor.MoveOperation.Down,
    QKeySequence.StandardKey.MoveToPreviousWord: QTextCursor.MoveOperation.PreviousWord,
    QKeySequence.StandardKey.MoveToNextWord: QTextCursor.MoveOperation.NextWord,
    QKeySequence.StandardKey.MoveToStartOfLine: QTextCursor.MoveOperation.StartOfLine,
    QKeySequence.StandardKey.MoveToEndOfLine: QTextCursor.MoveOperation.EndOfLine,
}
_SELECTS = {
    QKeySequence.StandardKey.SelectPreviousChar: QTextCursor.MoveOperation.Left,
    QKeySequence.StandardKey.SelectNextChar: QTextCursor.MoveOperation.Right,
    QKeySequence.StandardKey.SelectPreviousLine: QTextCursor.MoveOperation.Up,
    QKeySequence.StandardKey.SelectNextLine: QTextCursor.MoveOperation.Down,
    QKeySequence.StandardKey.SelectPreviousWord: QTextCursor.MoveOperation.PreviousWord,
    QKeySequence.StandardKey.SelectNextWord: QTextCursor.MoveOperation.NextWord,
    QKeySequence.StandardKey.SelectStartOfLine: QTextCursor.MoveOperation.StartOfLine,
    QKeySequence.StandardKey.SelectEndOfLine: QTextCursor.MoveOperation.EndOfLine,
}


class SourceCarets(QObject):
    """The carets besides the one of the widget, which is the latest of them. Esc gives the others up."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self.others: list[QTextCursor] = []
        editor.drawers.append(self._draw)
        sync.opened.connect(self.give_up)
        context.actions.register("source.next-occurrence", self.add_next)
        context.actions.register("source.caret-above", self.add_above)
        context.actions.register("source.caret-below", self.add_below)

    @property
    def all(self) -> Carets:
        """All carets in the order of the text, as offsets in the document."""
        cursors = [*self.others, self._editor.textCursor()]
        return in_order(_caret_of(cursor, self._sync) for cursor in cursors)

    @property
    def latest(self) -> Caret:
        """The caret of the widget."""
        return _caret_of(self._editor.textCursor(), self._sync)

    @Slot()
    def give_up(self, _why: object = None) -> None:
        """Only the caret of the widget is left."""
        if self.others:
            self.others = []
            self.redraw()

    def add_next(self) -> None:
        """Select the word of the caret, and then where the same stands next as well."""
        latest = self.latest
        found = next_occurrence(self._sync.positions.text, self.all, latest)
        if found is not None:
            self._add(found, keeps=len(latest.span) > 0)

    def add_above(self) -> None:
        """One more caret in the line above the uppermost."""
        self._add_beside(self.all[0], -1)

    def add_below(self) -> None:
        """One more caret in the line below the lowest."""
        self._add_beside(self.all[-1], 1)

    def _add_beside(self, caret: Caret, step: int) -> None:
        found = beside(self._sync.positions.text, caret, step)
        if found is not None:
            self._add(found, keeps=True)

    def _add(self, caret: Caret, *, keeps: bool) -> None:
        """Make *caret* that of the widget; *keeps*: the one before stays."""
        if keeps:
            self.others.append(QTextCursor(self._editor.textCursor()))
        self._place(caret)

    def become(self, carets: Carets) -> None:
        """Have exactly *carets*; the last is that of the widget."""
        *others, last = carets
        self.others = [self._cursor_at(each) for each in others]
        self._place(last)

    def become_column(self, anchor: int, head: int) -> None:
        """Select the column between *anchor* and *head*."""
        carets = in_column(self._sync.positions.text, anchor, head)
        self.become(carets)

    def _cursor_at(self, caret: Caret) -> QTextCursor:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._sync.positions.position(caret.anchor))
        cursor.setPosition(self._sync.positions.position(caret.head), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _place(self, caret: Caret) -> None:
        positions = self._sync.positions
        self._editor.place_caret(positions.position(caret.head), positions.position(caret.anchor))
        self.redraw()

    def redraw(self) -> None:
        """They have moved, or are more or less."""
        self._context.selection.tell_carets(len(self.others) + 1)
        self._editor.viewport().update()

    def _draw(self, painter: QPainter) -> None:
        for cursor in self.others:
            draw_caret(self._editor, cursor, painter)


def _caret_of(cursor: QTextCursor, sync: DocumentSync) -> Caret:
    """*cursor* in offsets of the document."""
    return Caret(sync.positions.offset(cursor.anchor()), sync.positions.offset(cursor.position()))


class CaretKeys(QObject):
    """The keys that do something at every caret, where there are several."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, carets: SourceCarets) -> None:
        super().__init__(editor)
        self._context = context
        self._sync = sync
        self._carets = carets
        self._is_writing = False
        editor.takers.append(self)
        sync.changed.connect(self._on_changed)

    def write_at_all(self, change: TextEdit, blank: str) -> bool:
        """Make *change*, which the caret of the widget is in, around all carets, and select *blank* in what is written.

        False where there is only one.
        """
        if not self._carets.others:
            return False
        head = self._carets.latest.head
        made = replaced(self._sync.positions.text, self._carets.all, head, change)
        at = change.insert.find(blank) - len(change.insert)
        if blank:
            chosen = tuple(Caret(each.head + at, each.head + at + len(blank)) for each in made.carets)
            made = Written(made.edits, chosen)
        self._write(made, "")
        return True

    def claims(self, event: QKeyEvent) -> bool:
        """Esc, while there are others to give up."""
        return bool(self._carets.others) and event.key() == Qt.Key.Key_Escape

    def takes(self, event: QKeyEvent) -> bool:
        """Act at every caret, where there are several."""
        if not self._carets.others:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._carets.give_up()
            return True
        made = self._written(event)
        if made is not None:
            labels = ((QKeySequence.StandardKey.Cut, _("Cut")), (QKeySequence.StandardKey.Paste, _("Paste")))
            self._write(made, next((label for key, label in labels if event.matches(key)), ""))
            return True
        self._move(event)
        return self._copies(event)

    def _written(self, event: QKeyEvent) -> Written | None:
        """What the key writes or takes away; None where it does neither."""
        carets, text = self._carets.all, self._sync.positions.text
        if event.matches(QKeySequence.StandardKey.Cut):
            self._copy()
            return written(carets, [""])
        if event.matches(QKeySequence.StandardKey.Paste):
            pasted = QGuiApplication.clipboard().text()
            lines = pasted.splitlines()
            return self._typed(carets, lines if len(lines) == len(carets) else [pasted])
        if event.key() == Qt.Key.Key_Backspace:
            return taken_back(text, carets)
        if event.key() == Qt.Key.Key_Delete:
            return taken_forward(text, carets)
        typed = _KEYS.get(Qt.Key(event.key()), event.text())
        is_typing = bool(typed) and (typed.isprintable() or event.key() in _KEYS) and not event.modifiers() & _STOPS
        return self._typed(carets, [typed]) if is_typing else None

    def _typed(self, carets: Carets, words: list[str]) -> Written:
        return written(carets, [with_line_ends(self._sync.positions, carets[0].head, each) for each in words])

    def _write(self, made: Written, label: str) -> None:
        """Make *made* the document's, and stand behind what was written. Without a *label* it is typing."""
        self._is_writing = True
        try:
            edited = EditText(made.edits, label)
            outcome = self._context.documents.execute(edited, self._context.selection.selected) if made.edits else None
        finally:
            self._is_writing = False
        if not isinstance(outcome, Refusal):
            self._carets.become(made.carets)
            self._sync.typed.emit()

    def _move(self, event: QKeyEvent) -> None:
        """Move the others as the widget moves its own caret."""
        for table, mode in ((_MOVES, QTextCursor.MoveMode.MoveAnchor), (_SELECTS, QTextCursor.MoveMode.KeepAnchor)):
            for key, move in table.items():
                if event.matches(key):
                    for cursor in self._carets.others:
                        cursor.movePosition(move, mode)
                    self._carets.redraw()

    def _copies(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return True
        return False

    def _copy(self) -> None:
        """Put what all carets select on the clipboard, a line for each."""
        text = self._sync.positions.text
        words = "\n".join(caret.span.of(text) for caret in self._carets.all)
        QGuiApplication.clipboard().setText(words.encode("utf-8", "replace").decode("utf-8"))

    @Slot(object)
    def _on_changed(self, _change: object) -> None:
        """What was changed elsewhere, or taken back, has one place."""
        if not self._is_writing:
            self._carets.give_up()


_KEYS = {Qt.Key.Key_Return: "\n", Qt.Key.Key_Enter: "\n", Qt.Key.Key_Tab: DEFAULT_INDENT}
"""What keys write that have no text of their own, or another."""


class CaretPointer(QObject):
    """Alt+click adds a caret, Alt+Shift+drag selects a column; any other click leaves one caret."""

    def __init__(self, carets: SourceCarets, editor: SourceEditor, offset_of: Callable[[int], int]) -> None:
        super().__init__(editor)
        self._carets = carets
        self._editor = editor
        self._offset_of = offset_of
        self._anchor: int | None = None
        editor.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the clicks and drags that are about carets."""
        if isinstance(event, QMouseEvent):
            if event.type() is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton:
                return self._press(event)
            if event.type() is QEvent.Type.MouseMove and self._anchor is not None:
                self._select_to(event)
                return True
            if event.type() is QEvent.Type.MouseButtonRelease and self._anchor is not None:
                self._anchor = None
                return True
        return super().eventFilter(watched, event)

    def _press(self, event: QMouseEvent) -> bool:
        place = self._editor.cursorForPosition(event.position().toPoint())
        if event.modifiers() == _ALT:
            here = Caret(self._offset_of(place.position()), self._offset_of(place.position()))
            left = tuple(each for each in self._carets.all if each != here)
            self._carets.become((*left, here) if len(left) == len(self._carets.all) else left or (here,))
            return True
        if event.modifiers() == _COLUMN:
            self._anchor = self._editor.textCursor().position()
            self._select_to(event)
            return True
        self._carets.give_up()
        return False

    def _select_to(self, event: QMouseEvent) -> None:
        """Select the column from where the drag began to the pointer."""
        assert self._anchor is not None, "a drag has begun"
        head = self._editor.cursorForPosition(event.position().toPoint()).position()
        self._carets.become_column(self._offset_of(self._anchor), self._offset_of(head))


def draw_caret(editor: SourceEditor, cursor: QTextCursor, painter: QPainter) -> None:
    """Draw *cursor* of *editor*, and a tint over what it selects, as far as it can be seen."""
    theme = current_theme()
    tint = QColor(theme.accent)
    tint.setAlpha(_TINT)
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    for block, _rect in editor.visible_blocks():
        if block.position() <= end and block.position() + block.length() > start:
            for rect in _rects(editor, block, start, end):
                painter.fillRect(rect, tint)
        if block == cursor.block():
            place = _rects(editor, block, cursor.position(), cursor.position(), least=2.0)
            for rect in place:
                painter.fillRect(rect, QColor(theme.accent))


def _rects(editor: SourceEditor, block: QTextBlock, start: int, end: int, least: float = 0.0) -> list[QRectF]:
    """Where the text from *start* to *end* stands in the rows of *block*; at least *least* wide."""
    origin = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).topLeft()
    found: list[QRectF] = []
    for row in range(block.layout().lineCount()):
        line = block.layout().lineAt(row)
        first, last = block.position() + line.textStart(), block.position() + line.textStart() + line.textLength()
        if start <= last and end >= first and (least or min(end, last) > max(start, first)):
            left, right = (x_of(line.cursorToX(max(first, min(at, last)) - block.position())) for at in (start, end))
            place = QPointF(left, line.y())
            found.append(QRectF(origin + place, QSizeF(max(right - left, least), line.height())))
    return found[:1] if least else found
