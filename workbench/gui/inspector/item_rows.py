"""A list of texts, each in a row of its own, with an empty row at the end for another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QPlainTextEdit, QWidget

from workbench.gui.look.layouts import in_column
from workbench.gui.look.written_words import follow_words
from workbench.gui.words.widget_text import rewritten, shown

_MOST_LINES = 6
_POPUP = Qt.FocusReason.PopupFocusReason


class NameRow(QLineEdit):
    """A name, which can be completed."""

    def __init__(self, names: QStringListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.before = ""
        completer = QCompleter(names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        follow_words(self)

    @property
    def item(self) -> str:
        """What stands in it, in the characters of the document."""
        return rewritten(self.before, self.text())

    def show_item(self, item: str) -> None:
        """Show *item*."""
        if item != self.item:
            self.setText(shown(item))
            self.setCursorPosition(0)
        self.before = item


class SentenceRow(QPlainTextEdit):
    """A sentence, as high as it is long up to a few lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.before = ""
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        follow_words(self)
        self.textChanged.connect(self._fit)
        self._fit()

    @property
    def item(self) -> str:
        """What stands in it, in the characters of the document."""
        return rewritten(self.before, self.document().toRawText())

    def show_item(self, item: str) -> None:
        """Show *item*."""
        if item != self.item:
            self.setPlainText(shown(item))
        self.before = item

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrower pane the words take more lines."""
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        layout, block = self.document().documentLayout(), self.document().begin()
        line_px, words_px = self.fontMetrics().lineSpacing(), 0.0
        most_px = line_px * _MOST_LINES
        while block.isValid() and words_px <= most_px:
            words_px += layout.blockBoundingRect(block).height()
            block = block.next()
        needs_bar = words_px > most_px
        bar = Qt.ScrollBarPolicy.ScrollBarAsNeeded if needs_bar else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(bar)
        frame_px = 2 * self.frameWidth() + 2 * round(self.document().documentMargin())
        self.setFixedHeight(round(min(max(words_px, line_px), most_px)) + frame_px)


Row: TypeAlias = NameRow | SentenceRow


class ItemRows(QWidget):
    """Edits the items themselves: whatever stands in one, and whatever is done to it, the others stay what they are.

    An emptied row is taken out. Enter goes on to the next row, Shift+Enter begins a line in a sentence.
    """

    edited = Signal()
    finished = Signal()  # somebody is done with a row
    cancelled = Signal()

    def __init__(self, hint: str, *, has_names: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._has_names = has_names
        self._hint = hint
        self.names = QStringListModel(self)
        self._column = in_column(self, margins=0, spacing=2)
        self.rows: list[Row] = []
        self.show_items(())

    @property
    def spare(self) -> Row:
        """The row for another item."""
        return self.rows[-1]

    @property
    def items(self) -> tuple[str, ...]:
        """What stands in all rows but the spare one."""
        return tuple(row.item for row in self.rows[:-1] if row.item.strip() or row.item == row.before)

    @property
    def is_changed(self) -> bool:
        """True while any row holds something else than it was given."""
        return any(row.item != row.before for row in self.rows)

    def show_items(self, items: Sequence[str]) -> None:
        """Show exactly *items*; emptied rows are the first to go, so that who is in another one stays there."""
        emptied = [row for row in self.rows[:-1] if not row.item.strip()]
        surplus = max(0, len(self.rows) - len(items) - 1)
        for row in list(dict.fromkeys([*emptied, *self.rows[-2::-1]]))[:surplus]:
            self._remove(row)
        while len(self.rows) <= len(items):
            self._add()
        for row, item in zip(self.rows, [*items, ""], strict=True):
            row.show_item(item)
            row.setPlaceholderText("" if row is not self.spare else self._hint)

    def _add(self) -> None:
        row = NameRow(self.names, self) if self._has_names else SentenceRow(self)
        row.setAccessibleName(self.accessibleName())
        row.setToolTip(self.toolTip())
        row.textChanged.connect(self.edited)
        row.installEventFilter(self)
        self._column.addWidget(row)
        self.rows.append(row)

    def _remove(self, row: Row) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.removeEventFilter(self)
        row.hide()
        row.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, leaving a row is being done with it, Esc takes back."""
        if isinstance(watched, Row) and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._press(watched, event) or super().eventFilter(watched, event)
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() is not _POPUP:
            self.finished.emit()
        return super().eventFilter(watched, event)

    def _press(self, row: Row, event: QKeyEvent) -> bool:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape and self.is_changed:
            self.cancelled.emit()
        elif is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.finished.emit()
        elif is_enter and isinstance(row, SentenceRow) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            row.insertPlainText("\n")
        elif is_enter:
            self._go_on(row)
        else:
            return False
        return True

    def _go_on(self, row: Row) -> None:
        at = self.rows.index(row)
        following = self.rows[at + 1] if row is not self.spare else None
        self.finished.emit()
        (following if following in self.rows else self.spare).setFocus()
