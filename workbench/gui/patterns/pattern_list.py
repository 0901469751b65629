"""The list of patterns: as cards where it is narrow, as a table where it is wide."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QTableView, QWidget

from workbench.gui.look.theme import current_theme, is_theme_change
from workbench.gui.patterns.pattern_painting import PatternDelegate
from workbench.gui.patterns.patterns_model import SORT_OF_COLUMN, Column, PatternsModel
from workbench.i18n import _

_WIDTHS_PX = {Column.NAME: 220, Column.RECORD: 72, Column.TYPE: 96, Column.TOOLS: 240, Column.STATE: 88}
_ROW_PX = 28


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
        self._fit_rows()

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
        self._fit_rows()

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

    def customEvent(self, event: QEvent) -> None:
        """Larger letters need more room."""
        if is_theme_change(event):
            self._fit_rows()

    def _fit_rows(self) -> None:
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
