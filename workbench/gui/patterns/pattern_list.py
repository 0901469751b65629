"""The list of patterns: as cards where it is narrow, as a table where it is wide; each with a bar of its record."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.gui.look.frames import draw_row_ground
from workbench.gui.look.icons import pixmap
from workbench.gui.look.theming import GRID_PX, Theme, current_theme
from workbench.gui.patterns.patterns_model import (
    ENTRY_ROLE,
    GROUP_ROLE,
    SORT_OF_COLUMN,
    STATE_WORDS,
    Column,
    PatternsModel,
    record_text,
)
from workbench.gui.patterns.sequence_view import outcome_ink
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.library.entries import Outcome, PatternEntry, PromotionState, sequence_text

_ICON_PX = 16
_MOST_DOTS = 8
_DOT_PITCH_PX = 5
_STATE_COLORS = {
    PromotionState.ACCEPTED: "done",
    PromotionState.PROPOSED: "waiting",
    PromotionState.REJECTED: "failed",
}
_WIDTHS_PX = {Column.NAME: 220, Column.RECORD: 72, Column.TYPE: 96, Column.TOOLS: 240, Column.STATE: 88}
_ROW_PX = 28


def record_color(entry: PatternEntry, theme: Theme) -> str:
    """Green for what mostly works, amber for what often does not, red for what mostly fails."""
    rate = entry.success_rate
    if rate is None:
        return theme.muted
    if rate >= 0.8:
        return theme.done
    return theme.blocked if rate >= 0.5 else theme.failed


class PatternDelegate(QStyledItemDelegate):
    """Paints a pattern as a card of two lines."""

    def height_px(self) -> int:
        """The height of every card: two lines and their margins."""
        theme = current_theme()
        first = QFontMetrics(theme.body_font()).height()
        second = QFontMetrics(theme.secondary_font()).height()
        return first + second + 2 * GRID_PX + 2

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as all cards."""
        return QSize(200, self.height_px())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the card."""
        entry = index.data(ENTRY_ROLE)
        if not isinstance(entry, PatternEntry):
            return
        theme = current_theme()
        painter.save()
        card = option.rect
        if group := index.data(GROUP_ROLE):
            band = QRect(card.left(), card.top(), card.width(), self.band_px())
            self._band(painter, band, str(group), theme)
            card = card.adjusted(0, band.height(), 0, 0)
        draw_row_ground(painter, card, option.state, theme)
        area = QRectF(card).adjusted(GRID_PX, GRID_PX, -GRID_PX, -GRID_PX)
        icon = pixmap(_icon_of(entry), record_color(entry, theme), _ICON_PX, option.widget.devicePixelRatioF())
        painter.drawPixmap(area.topLeft().toPoint(), icon)
        area.setLeft(area.left() + _ICON_PX + GRID_PX)
        bottom = self._first_line(painter, area, entry, theme)
        area.setTop(bottom)
        self._second_line(painter, area, entry, theme)
        painter.restore()

    def band_px(self) -> int:
        """The height of the line above a group."""
        return QFontMetrics(current_theme().secondary_font()).height() + GRID_PX

    def _band(self, painter: QPainter, band: QRect, words: str, theme: Theme) -> None:
        painter.fillRect(band, QColor(theme.window))
        painter.setFont(theme.secondary_font())
        painter.setPen(QColor(theme.muted))
        room = band.adjusted(GRID_PX, 0, -GRID_PX, 0)
        shown = painter.fontMetrics().elidedText(_flat(words), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _first_line(self, painter: QPainter, area: QRectF, entry: PatternEntry, theme: Theme) -> float:
        """The name, and at the right the record and how the last runs ended; gives where the next line begins."""
        painter.setFont(theme.body_font())
        metrics = painter.fontMetrics()
        record = record_text(entry)
        width = metrics.horizontalAdvance(record)
        line = QRectF(area.left(), area.top(), area.width(), metrics.height())
        painter.setPen(QColor(record_color(entry, theme)))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, record)
        line.setRight(line.right() - width - GRID_PX)
        room = line.adjusted(0, 0, -self._dots(painter, line, entry, theme), 0)
        painter.setPen(QColor(theme.text))
        title = metrics.elidedText(_flat(entry.title), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        return line.bottom()

    def _dots(self, painter: QPainter, line: QRectF, entry: PatternEntry, theme: Theme) -> float:
        """One dot per run at the right end of *line*, failures lower; gives how wide they are with their margin."""
        shown = entry.recent[-_MOST_DOTS:]
        if len(shown) < 2:
            return 0
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        left = line.right() - len(shown) * _DOT_PITCH_PX
        for number, outcome in enumerate(shown):
            painter.setBrush(QColor(theme.color(outcome_ink(outcome))))
            y = line.center().y() + (-2 if outcome is Outcome.SUCCESS else 2)
            painter.drawEllipse(QPointF(left + (number + 0.5) * _DOT_PITCH_PX, y), 1.5, 1.5)
        painter.restore()
        return len(shown) * _DOT_PITCH_PX + GRID_PX

    def _second_line(self, painter: QPainter, area: QRectF, entry: PatternEntry, theme: Theme) -> None:
        """The tools, and at the right what was decided, or while nothing was, the task type."""
        painter.setFont(theme.secondary_font())
        metrics = painter.fontMetrics()
        line = QRectF(area.left(), area.top(), area.width(), metrics.height())
        word = _flat(entry.task_type) if entry.state is PromotionState.NONE else str(STATE_WORDS[entry.state])
        word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, int(line.width() / 3))
        painter.setPen(QColor(theme.status_color(_STATE_COLORS.get(entry.state, ""))))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, word)
        line.setRight(line.right() - metrics.horizontalAdvance(word) - GRID_PX)
        painter.setPen(QColor(theme.muted))
        tools = metrics.elidedText(
            _flat(sequence_text(entry.tool_sequence)), Qt.TextElideMode.ElideRight, int(line.width())
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tools)


def _icon_of(entry: PatternEntry) -> str:
    return "skill" if entry.state is PromotionState.ACCEPTED else "pattern"


def _flat(text: str) -> str:
    return drawable_line(" ".join(text.split())[:400])


class PatternList(QTableView):
    """One table for both: with rows of one height it never asks for more rows than it shows, at any length."""

    chosen = Signal(object)  # PatternEntry | None
    sort_requested = Signal(object)  # Sort

    def __init__(self, model: PatternsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._patterns = model
        self._cards = PatternDelegate(self)
        self._cells = QStyledItemDelegate(self)
        self._is_table = False
        self._tall: tuple[int, ...] = ()
        self.setModel(model)
        self.setAccessibleName(_("Patterns"))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self._prepare_headers()
        # after the view itself has heard of it
        model.modelReset.connect(self._make_room_for_groups)
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.show_as_cards()

    @property
    def is_table(self) -> bool:
        """Whether there is a column per fact."""
        return self._is_table

    def show_as_cards(self) -> None:
        """Two lines per pattern."""
        self._is_table = False
        self.setItemDelegate(self._cards)
        for column in Column:
            self.setColumnHidden(column, column is not Column.NAME)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        self.take_theme()

    def show_as_table(self) -> None:
        """One row per pattern, one column per fact."""
        self._is_table = True
        self.setItemDelegate(self._cells)
        self.horizontalHeader().setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Interactive)
        for column in Column:
            self.setColumnHidden(column, False)
        for column, width_px in _WIDTHS_PX.items():
            self.setColumnWidth(column, current_theme().px(width_px))
        self.horizontalHeader().show()
        self.take_theme()

    def choose_row(self, row: int) -> None:
        """Choose *row*; a negative one chooses nothing."""
        if row < 0:
            self.selectionModel().clear()
            return
        index = self._patterns.index(row, Column.NAME)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def _prepare_headers(self) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(1)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setStretchLastSection(True)
        columns.setHighlightSections(False)
        columns.setSectionsClickable(True)
        columns.sectionClicked.connect(self._on_header_clicked)

    def take_theme(self) -> None:
        """Larger letters need more room."""
        height_px = current_theme().px(_ROW_PX) if self._is_table else self._cards.height_px()
        self.verticalHeader().setDefaultSectionSize(height_px)
        self._make_room_for_groups()

    @Slot()
    def _make_room_for_groups(self) -> None:
        """A card that begins a group has a line above it; the header keeps the heights of the rows before."""
        rows = self.verticalHeader()
        for row in self._tall:
            if row < rows.count():
                rows.resizeSection(row, rows.defaultSectionSize())
        self._tall = () if self._is_table else tuple(self._patterns.groups)
        for row in self._tall:
            rows.resizeSection(row, self._cards.height_px() + self._cards.band_px())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.chosen.emit(self._patterns.entry_at(current.row()) if current.isValid() else None)

    @Slot(int)
    def _on_header_clicked(self, section: int) -> None:
        sort = SORT_OF_COLUMN.get(Column(section))
        if sort is not None:
            self.sort_requested.emit(sort)
