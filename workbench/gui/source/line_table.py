"""Two texts side by side, line by line: what differs is tinted and marked, and each line has a number and a sign."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from workbench.gui.control.versions.compared import Compared, LinePair, Stretches, differing
from workbench.gui.look.inline_look import utf16_length
from workbench.gui.look.theming import Theme, current_theme
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, numeral

Index = QModelIndex | QPersistentModelIndex
_BEFORE, _NOW = range(2)
_LINE_TINT = 0.10
_WORD_TINT = 0.28
_PADDING_PX = 3
_LONGEST_LINE = 2_000
_SIGNS = ("−", "+")


class LineModel(QAbstractTableModel):
    """The lines of two versions, before and now; a row for each pair."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._compared: Compared | None = None
        self.names = (_("Before"), _("Now"))

    def show_compared(self, compared: Compared | None) -> None:
        """Show the lines of *compared*."""
        self.beginResetModel()
        self._compared = compared
        self.endResetModel()

    def pair(self, row: int) -> LinePair:
        """The pair in *row*."""
        assert self._compared is not None
        return self._compared.pairs[row]

    def line(self, row: int, column: int) -> str | None:
        """The line of one version in *row*, without its end; None where that has none."""
        assert self._compared is not None
        at = self.pair(row)[column]
        return None if at < 0 else self._compared.lines[column][at].rstrip("\r\n")[:_LONGEST_LINE]

    def marks(self, row: int, column: int) -> Stretches:
        """What of the line the other version does not have; nothing where all of it is new or gone."""
        was, now = self.line(row, _BEFORE), self.line(row, _NOW)
        if self.pair(row).change < 0 or was is None or now is None or was == now:
            return ()
        found = differing(drawable_line(was), drawable_line(now))[column]
        shown = drawable_line(was if column == _BEFORE else now)
        return () if found == ((0, len(shown)),) else found

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        """How many pairs there are."""
        return 0 if parent.isValid() or self._compared is None else len(self._compared.pairs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        """Before and now."""
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The line; and for those who hear it, its number and what became of it."""
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return None
        line = self.line(index.row(), index.column())
        if line is None:
            return _("no line here") if role == Qt.ItemDataRole.AccessibleTextRole else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return drawable_line(line)
        number = numeral(self.pair(index.row())[index.column()] + 1)
        words = _("line {n}") if self.pair(index.row()).change < 0 else _("line {n}, differs")
        return f"{words.format(n=number)}: {drawable_line(line)}"

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the versions are called."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return drawable_line(self.names[section]) if is_title else None


class LineDelegate(QStyledItemDelegate):
    """Paints a line with its number and its sign, wrapped where it is long."""

    def __init__(self, model: LineModel, parent: QTableView) -> None:
        super().__init__(parent)
        self._model = model
        self.chosen = -1

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line of one version."""
        theme, area = current_theme(), QRectF(option.rect)
        row, column = index.row(), index.column()
        line, change = self._model.line(row, column), self._model.pair(row).change
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(area, QColor(theme.surface))
        if line is None:
            painter.fillRect(area, _hatched(theme))
        elif change >= 0:
            painter.fillRect(area, _tint(theme, column, _LINE_TINT))
        if change >= 0 and change == self.chosen:
            painter.fillRect(QRectF(area.x(), area.y(), 3, area.height()), QColor(theme.accent))
        if line is not None:
            number = numeral(self._model.pair(row)[column] + 1)
            sign = _SIGNS[column] if change >= 0 else ""
            _paint_line(painter, area, (number, sign), self._laid_out(row, column, area))
        painter.restore()

    def height(self, row: int, widths: tuple[int, int]) -> int:
        """How high *row* must be, where its columns have *widths*."""
        lines = 1
        for column, width in enumerate(widths):
            if self._model.line(row, column):
                lines = max(lines, self._laid_out(row, column, QRectF(0, 0, width, 0)).lineCount())
        return round(lines * _line_px(current_theme())) + 2 * _PADDING_PX

    def _laid_out(self, row: int, column: int, area: QRectF) -> QTextLayout:
        theme = current_theme()
        text = drawable_line(self._model.line(row, column) or "")
        laid = QTextLayout(text, theme.mono_font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        laid.setTextOption(option)
        laid.setFormats([_format(text, part, column, theme) for part in self._model.marks(row, column)])
        laid.beginLayout()
        width = max(20.0, area.width() - _text_x(theme) - _PADDING_PX)
        while (line := laid.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, (laid.lineCount() - 1) * _line_px(theme)))
        laid.endLayout()
        return laid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line; the view makes rows higher that need it."""
        del option, index
        return QSize(0, round(_line_px(current_theme())) + 2 * _PADDING_PX)


def _line_px(theme: Theme) -> float:
    return QFontMetricsF(theme.mono_font()).lineSpacing()


def _text_x(theme: Theme) -> float:
    """Where the words begin: right of six digits and a sign."""
    return QFontMetricsF(theme.mono_font()).horizontalAdvance("0") * 8 + 2 * _PADDING_PX


def _paint_line(painter: QPainter, area: QRectF, head: tuple[str, str], laid: QTextLayout) -> None:
    theme = current_theme()
    painter.setFont(theme.mono_font())
    cell = QFontMetricsF(theme.mono_font()).horizontalAdvance("0")
    top, high = area.y() + _PADDING_PX, _line_px(theme)
    painter.setPen(QColor(theme.muted))
    painter.drawText(QRectF(area.x() + _PADDING_PX, top, 6 * cell, high), Qt.AlignmentFlag.AlignRight, head[0])
    painter.setPen(QColor(theme.text))
    painter.drawText(QRectF(area.x() + 6.5 * cell, top, 1.5 * cell, high), Qt.AlignmentFlag.AlignCenter, head[1])
    laid.draw(painter, QPointF(area.x() + _text_x(theme), top))


def _tint(theme: Theme, column: int, share: float) -> QColor:
    tint = QColor(theme.failed if column == _BEFORE else theme.done)
    tint.setAlphaF(share)
    return tint


def _hatched(theme: Theme) -> QColor:
    """The ground where a version has no line."""
    return QColor(theme.hover)


def _format(text: str, part: tuple[int, int], column: int, theme: Theme) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setBackground(_tint(theme, column, _WORD_TINT))
    if column == _BEFORE:
        look.setFontStrikeOut(True)
    else:
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    mark = QTextLayout.FormatRange()
    mark.start, mark.length, mark.format = utf16_length(text[: part[0]]), utf16_length(text[part[0] : part[1]]), look
    return mark


class LineTable(QTableView):
    """The lines of two versions. Rows get their height when they come into view, so a long text costs what is seen."""

    change_chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines = LineModel(self)
        self._delegate = LineDelegate(self.lines, self)
        self.setModel(self.lines)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(_("Text before and now"))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.take_theme()
        self.verticalScrollBar().valueChanged.connect(self._fit_rows)

    def take_theme(self) -> None:
        """Rows are as high as a line of the text size of the person."""
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(round(_line_px(current_theme())) + 2 * _PADDING_PX)
        self._fit_rows()

    def show_compared(self, compared: Compared | None) -> None:
        """Show the lines of *compared*; what a person looks at stays where it is."""
        at = self.verticalScrollBar().value()
        self._delegate.chosen = -1
        self.lines.show_compared(compared)
        self.verticalScrollBar().setValue(at)
        self._fit_rows()

    def choose(self, change: int, row: int) -> None:
        """Mark the lines of *change*, and show *row*, the first of them."""
        self._delegate.chosen = change
        self.viewport().update()
        index = self.lines.index(row, _NOW)
        self.scrollTo(index, QTableView.ScrollHint.PositionAtCenter)
        current = self.currentIndex()
        if not current.isValid() or self.lines.pair(current.row()).change != change:
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._fit_rows()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Choose the change that the line belongs to."""
        super().currentChanged(current, previous)
        if current.isValid():
            change = self.lines.pair(current.row()).change
            if change >= 0 and change != self._delegate.chosen:
                self.change_chosen.emit(change)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines are wrapped elsewhere."""
        super().resizeEvent(event)
        self._fit_rows()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the lines that are chosen, of the version that the current one is of."""
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        column = max(0, self.currentIndex().column())
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        lines = [line for row in rows if (line := self.lines.line(row, column)) is not None]
        QGuiApplication.clipboard().setText("\n".join(lines).encode("utf-8", "replace").decode("utf-8"))

    @Slot()
    def _fit_rows(self) -> None:
        """Let each row that is in view be as high as its words need."""
        row, bottom, top = self.rowAt(0), self.viewport().height(), 0
        widths = self.columnWidth(_BEFORE), self.columnWidth(_NOW)
        while 0 <= row < self.lines.rowCount() and top < bottom:
            height = self._delegate.height(row, widths)
            if height != self.rowHeight(row):
                self.setRowHeight(row, height)
            row, top = row + 1, top + height
