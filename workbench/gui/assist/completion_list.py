"""The list of completions below the caret of a field; the field keeps the focus, and hands it keys."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.assist.values import Completion, CompletionKind, Completions
from workbench.gui.look.icons import pixmap
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import GRID_PX, current_theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.kinds import icon_of
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.syntax.text import Span

_WIDTH_PX, _ROWS, _ICON_PX, _PAD_PX = 420, 8, 14, 4
_ROLE = Qt.ItemDataRole.UserRole
_ICONS = {
    CompletionKind.VARIABLE: "variables",
    CompletionKind.PLAYBOOK: "playbook",
    CompletionKind.FUNCTION: "python",
    CompletionKind.TOOL: "tool",
    CompletionKind.KEY: "settings",
    CompletionKind.VALUE: "tick",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A completion that a person took, to stand in the place of *span*."""

    completion: Completion
    span: Span


class CompletionRow(QStyledItemDelegate):
    """Paints a completion: what it is, its name, and at the right what is to be said of it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as a line with some air."""
        return QSize(100, QFontMetrics(current_theme().body_font()).height() + 2 * _PAD_PX)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the row."""
        each, theme = index.data(_ROLE), current_theme()
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.selection))
        side = theme.px(_ICON_PX)
        area = option.rect.adjusted(GRID_PX, 0, -GRID_PX, 0)
        top = area.top() + (area.height() - side) // 2
        name, color = icon_name(each), theme.kind_color(each.step) if each.kind is CompletionKind.STEP else theme.muted
        painter.drawPixmap(area.left(), top, pixmap(name, color, side, option.widget.devicePixelRatioF()))
        self._words(painter, area.adjusted(side + GRID_PX, 0, 0, 0), each)
        painter.restore()

    def _words(self, painter: QPainter, area: QRect, each: Completion) -> None:
        """The name first; what is left of the room is for the detail."""
        theme, middle = current_theme(), Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.body_font())
        painter.setPen(QColor(theme.text))
        metrics = painter.fontMetrics()
        label = metrics.elidedText(drawable_line(each.label), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | middle, ordered(label))
        room = area.adjusted(metrics.horizontalAdvance(label) + 2 * GRID_PX, 0, 0, 0)
        painter.setFont(theme.secondary_font())
        painter.setPen(QColor(theme.muted))
        detail = painter.fontMetrics().elidedText(
            drawable_line(each.detail), Qt.TextElideMode.ElideRight, max(0, room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, ordered(detail))


def icon_name(each: Completion) -> str:
    """The icon of a completion."""
    return icon_of(each.step) if each.kind is CompletionKind.STEP else _ICONS[each.kind]


class CompletionList(QFrame):
    """Enter and Tab take a row, Esc closes, arrows choose. It floats over the window of its field."""

    chosen = Signal(object)  # Chosen

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field
        self._span = Span(0, 0)
        self.list = QListWidget(self)
        self.list.setItemDelegate(CompletionRow(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(_("Suggestions"))
        self.words = Label(parent=self, role="secondary", wraps=True)
        self.list.itemClicked.connect(self._take)
        self.list.currentItemChanged.connect(self._on_current_changed)
        self._column = in_column(self, self.list, self.words, margins=_PAD_PX, spacing=_PAD_PX)
        self.setObjectName("completion-list")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def offer(self, found: Completions, caret: QRect) -> None:
        """Show *found* beside *caret*, a place on the screen; nothing where there is none."""
        if not found.items:
            self.hide()
            return
        self._span = found.span
        self.list.clear()
        for each in found.items:
            row = QListWidgetItem(drawable_line(each.label), self.list)
            row.setData(_ROLE, each)
            row.setData(Qt.ItemDataRole.AccessibleTextRole, drawable_line(f"{each.label}, {each.detail}"))
        self.list.setCurrentRow(0)
        self.setParent(self._field.window())
        self._place(caret)
        self.show()
        self.raise_()

    @property
    def labels(self) -> tuple[str, ...]:
        """What is listed."""
        return tuple(self.list.item(row).text() for row in range(self.list.count()))

    def takes(self, key: int) -> bool:
        """Act on *key* while the list is open; false where it belongs to the field."""
        if self.isHidden():
            return False
        count, row = self.list.count(), self.list.currentRow()
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            self._take(self.list.currentItem())
        elif key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}:
            self.list.setCurrentRow(min(max(row + moves[Qt.Key(key)], 0), count - 1))
        elif key in moves:
            self.list.setCurrentRow((row + moves[Qt.Key(key)]) % count)
        elif key == Qt.Key.Key_Escape:
            self.hide()
        else:
            return False
        return True

    def _place(self, caret: QRect) -> None:
        """Below the caret, or above where there is no room, and inside of the window."""
        theme, window = current_theme(), self._field.window()
        rows = max(1, min(_ROWS, self.list.count()))
        self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 2 * self.list.frameWidth())
        width = min(theme.px(_WIDTH_PX), window.width() - 2 * GRID_PX)
        self.words.setFixedWidth(width - 2 * _PAD_PX)
        self.setFixedSize(width, self._column.totalHeightForWidth(width))
        at = window.mapFromGlobal(caret.bottomLeft()) + QPoint(0, 2)
        if at.y() + self.height() > window.height():
            at.setY(max(0, window.mapFromGlobal(caret.topLeft()).y() - self.height() - 2))
        self.move(max(GRID_PX, min(at.x(), window.width() - width - GRID_PX)), at.y())

    @Slot(QListWidgetItem)
    def _take(self, row: QListWidgetItem | None) -> None:
        self.hide()
        if row is not None:
            self.chosen.emit(Chosen(row.data(_ROLE), self._span))

    @Slot(QListWidgetItem)
    def _on_current_changed(self, row: QListWidgetItem | None) -> None:
        """More about the row, where there is more; the list stays where it is and grows downwards."""
        each = row.data(_ROLE) if row is not None else None
        words = "" if each is None else each.words
        self.words.setText(words)
        self.words.setVisible(bool(words))
        if self.isVisible():
            self.setFixedHeight(self._column.totalHeightForWidth(self.width()))
