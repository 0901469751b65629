"""The strip beside the text: line numbers, problems, and how far the run is."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF, QTextBlock
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from workbench.gui.look.icons import pixmap
from workbench.gui.look.marked_bar import MarkedBar
from workbench.gui.look.signs import LineSign, paint_sign
from workbench.gui.look.theming import Theme, current_theme
from workbench.gui.words.values import tip
from workbench.i18n import N_, _
from workbench.syntax.diagnostics import Diagnostic, Severity

_MARK_PX = 12
_PAD_PX = 6
_GAP_PX = 4
_CHANGE_PX = 4
_LEAST_DIGITS = 2
_ICONS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}
_ORDER = (Severity.ERROR, Severity.WARNING, Severity.INFO)


class LinedText(QPlainTextEdit):
    """A text that can stand beside a gutter. Its lines are wrapped. *drawers*: draw over it; *bar*: can have marks.

    The scroll bar stays: coming and going changes where lines break, and so, for a text that just fits, whether it is
    needed. Qt then shows and hides it without ever coming to rest.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawers: list[Callable[[QPainter], None]] = []
        self.bar = MarkedBar(Qt.Orientation.Vertical, self)
        self.bar.setAccessibleName(_("Position in the text"))
        self.setVerticalScrollBar(self.bar)
        # the marker of a step stands at the left, also where its words run from right to left
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Whoever draws over the text comes last."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        for draw in self.drawers:
            draw(painter)
        painter.end()

    def visible_blocks(self) -> Iterable[tuple[QTextBlock, QRect]]:
        """The lines that can be seen, and where in the viewport."""
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        height = self.viewport().height()
        while block.isValid() and top <= height:
            if block.isVisible():
                rect = self.blockBoundingRect(block)
                yield block, QRect(0, round(top), self.viewport().width(), round(rect.height()))
                top += rect.height()
            block = block.next()


StatusOf = Callable[[int], str | None]


def no_status(_line: int) -> str | None:
    """No run has reached any line."""
    return None


FoldOf = Callable[[int], bool | None]


def no_fold(_line: int) -> bool | None:
    """No line can be folded."""
    return None


SignOf = Callable[[int], LineSign | None]


def no_sign(_line: int) -> LineSign | None:
    """No line has a breakpoint."""
    return None


class LineChange(enum.Enum):
    """How a line differs from the last commit. DELETED: others stood before it."""

    ADDED = N_("New since the last commit; click to see what differs.")
    CHANGED = N_("Changed since the last commit; click to see what it was.")
    DELETED = N_("Lines that stood here in the last commit are gone; click to see them.")


ChangeOf = Callable[[int], LineChange | None]


def no_change(_line: int) -> LineChange | None:
    """No line differs from what it was."""
    return None


class Gutter(QWidget):
    """Lines are 0-based. *problems*: findings by line; *status_of*: the run status of a line, asked while painting.
    *change_of*: how a line differs from the last commit, asked while painting as well.

    *fixable_lines*: those with a bulb, because something on them can be fixed. *sign_of*: the breakpoint of a line,
    asked while painting as well.
    """

    fixes_requested = Signal(object)  # int: the line whose bulb was clicked
    fold_clicked = Signal(object)  # int: the line whose sign for folding was clicked
    number_clicked = Signal(object)  # int: the line whose number was clicked
    room_changed = Signal()
    change_clicked = Signal(object)  # int: the line whose bar at the edge was clicked

    def __init__(self, editor: LinedText) -> None:
        super().__init__(editor)
        self._editor = editor
        self._problems: Mapping[int, tuple[Diagnostic, ...]] = {}
        self._has_room = False
        self.fixable_lines: frozenset[int] = frozenset()
        self.status_of: StatusOf = no_status
        self.sign_of: SignOf = no_sign
        self.fold_of: FoldOf = no_fold
        self.change_of: ChangeOf = no_change

    def forget(self) -> None:
        """Another text is shown, in which nothing was found yet."""
        self._has_room, self._problems, self.fixable_lines = False, {}, frozenset()
        self.room_changed.emit()

    def show_problems(self, problems: Mapping[int, tuple[Diagnostic, ...]]) -> None:
        """Mark the lines of *problems*; the first ones make room, which stays as long as the text is shown."""
        self._problems = problems
        if problems and not self._has_room:
            self._has_room = True
            self.room_changed.emit()
        self.fixable_lines = frozenset(line for line, found in problems.items() if any(each.fixes for each in found))
        self.update()

    @property
    def problem_lines(self) -> frozenset[int]:
        """The lines that are marked."""
        return frozenset(self._problems)

    def sizeHint(self) -> QSize:
        """Wide enough for the largest number and the marks."""
        digits = max(_LEAST_DIGITS, len(str(self._editor.blockCount())))
        return QSize(self._numbers_from + self.fontMetrics().horizontalAdvance("9") * digits + _PAD_PX + _GAP_PX, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines beside what can be seen; the one with the caret stands out."""
        theme = current_theme()
        current = self._editor.textCursor().blockNumber()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.surface))
        painter.setFont(self.font())
        height = self.fontMetrics().height()
        for block, rect in self._editor.visible_blocks():
            if rect.bottom() < event.rect().top() or rect.top() > event.rect().bottom():
                continue
            number = block.blockNumber()
            place = QRect(0, rect.top(), self.width() - _PAD_PX, height)
            sign = self.sign_of(number)
            if sign is not None:
                paint_sign(painter, theme, QPointF(place.right() - height * 0.36, place.center().y() + 0.5), sign)
            else:
                painter.setPen(QColor(theme.text if number == current else theme.muted))
                painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))
            self._paint_marks(painter, theme, number, QRect(0, rect.top(), self.width(), height))
            change = self.change_of(number)
            if change is not None:
                right = self.width() - 1
                _paint_change(painter, theme, change, QRectF(right - _CHANGE_PX, rect.top(), _CHANGE_PX, rect.height()))
        painter.setPen(QColor(theme.border))
        painter.drawLine(self.width() - 1, event.rect().top(), self.width() - 1, event.rect().bottom())
        painter.end()

    def _paint_marks(self, painter: QPainter, theme: Theme, line: int, place: QRect) -> None:
        """The status of the run as a bar at the edge, the worst problem as its icon."""
        status = self.status_of(line)
        if status is not None:
            painter.fillRect(QRectF(0, place.top() + 1, 3, place.height() - 2), QColor(theme.status_color(status)))
        is_folded = self.fold_of(line)
        if is_folded is not None:
            side = theme.px(_MARK_PX)
            name = "chevron-right" if is_folded else "chevron-down"
            sign = pixmap(name, theme.text if is_folded else theme.muted, side, self.devicePixelRatioF())
            painter.drawPixmap(self._folds_from, place.top() + (place.height() - side) // 2, sign)
        found = self._problems.get(line)
        if found:
            severity = min((each.severity for each in found), key=_ORDER.index)
            side = theme.px(_MARK_PX)
            picture = pixmap(_ICONS[severity], theme.severity_color(severity.value), side, self.devicePixelRatioF())
            top = place.top() + (place.height() - side) // 2
            painter.drawPixmap(_GAP_PX, top, picture)
            if line in self.fixable_lines:
                bulb = pixmap("bulb", theme.accent, side, self.devicePixelRatioF())
                painter.drawPixmap(2 * _GAP_PX + side, top, bulb)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the fixes of the line, where its bulb is clicked, or for its breakpoint, where its number is."""
        line = self._line_at(event.position().toPoint().y())
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and event.position().x() >= self._changes_from and self.change_of(line) is not None:
            self.change_clicked.emit(line)
        elif is_left and line >= 0 and event.position().x() >= self._numbers_from:
            self.number_clicked.emit(line)
        elif is_left and line >= 0 and event.position().x() >= self._folds_from and self.fold_of(line) is not None:
            self.fold_clicked.emit(line)
        elif is_left and line in self.fixable_lines:
            self.fixes_requested.emit(line)
        else:
            super().mousePressEvent(event)

    @property
    def _changes_from(self) -> int:
        """Where the bars for what differs from the last commit can be clicked."""
        return self.width() - 2 * _PAD_PX

    @property
    def _folds_from(self) -> int:
        """Where the column of the signs for folding begins."""
        return _GAP_PX + (2 * (current_theme().px(_MARK_PX) + _GAP_PX) if self._has_room else 0)

    @property
    def _numbers_from(self) -> int:
        """Where the column of the numbers begins."""
        return self._folds_from + current_theme().px(_MARK_PX)

    def _line_at(self, y: int) -> int:
        """The line at the height *y*, -1 below the text."""
        blocks = self._editor.visible_blocks()
        return next((block.blockNumber() for block, rect in blocks if rect.top() <= y <= rect.bottom()), -1)

    def event(self, event: QEvent) -> bool:
        """Tell what the problem of a line is."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line, is_change = self._line_at(event.pos().y()), event.pos().x() >= self._changes_from
            told = self.told_of(line, is_change=is_change)
            if not told and event.pos().x() >= self._numbers_from:
                told = [_("Click the number of a step to stop runs before it.")]
            text = "\n".join(told)
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)

    def told_of(self, line: int, *, is_change: bool = True) -> list[str]:
        """What is doubtful on *line*, its breakpoint, and with *is_change* how it differs from the last commit."""
        told = [each.message for each in self._problems.get(line, ())]
        sign = self.sign_of(line)
        told += [] if sign is None else [_("Breakpoint: {words}").format(words=sign.words)]
        change = self.change_of(line) if is_change else None
        return told if change is None else [*told, str(change.value)]


def _paint_change(painter: QPainter, theme: Theme, change: LineChange, area: QRectF) -> None:
    """A full bar beside what is new, a striped one beside what changed, a wedge above which something is gone."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    if change is LineChange.DELETED:
        painter.setBrush(QColor(theme.failed))
        top, wide = area.top(), 2 * area.width()
        corners = (QPointF(area.right() - wide, top - wide / 2), QPointF(area.right(), top))
        painter.drawPolygon(QPolygonF([corners[0], corners[1], QPointF(corners[0].x(), top + wide / 2)]))
    elif change is LineChange.ADDED:
        painter.fillRect(area, QColor(theme.done))
    else:
        painter.fillRect(area, QBrush(QColor(theme.accent), Qt.BrushStyle.Dense3Pattern))
        painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), QColor(theme.accent))
    painter.restore()
