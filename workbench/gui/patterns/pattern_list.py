"""The list of patterns: as cards where it is narrow, as a table where it is wide."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QListView, QStackedLayout, QTableView, QWidget

from workbench.gui.patterns.pattern_painting import PatternDelegate
from workbench.gui.patterns.patterns_model import SORT_OF_COLUMN, Column, PatternsModel
from workbench.gui.theme import ThemeController
from workbench.i18n import _

_WIDTHS_PX = {Column.NAME: 220, Column.RECORD: 72, Column.TYPE: 96, Column.TOOLS: 240, Column.STATE: 88}


class PatternList(QWidget):
    """Two views of one model, with one selection."""

    chosen = Signal(object)  # PatternEntry | None
    sort_requested = Signal(object)  # Sort

    def __init__(self, model: PatternsModel, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.cards = QListView(self)
        self.cards.setItemDelegate(PatternDelegate(theme, self.cards))
        self.cards.setUniformItemSizes(True)
        self.table = QTableView(self)
        self._prepare_table()
        selection = QItemSelectionModel(model, self)
        for view in (self.cards, self.table):
            view.setModel(model)
            view.setSelectionModel(selection)
            view.setAccessibleName(_("Patterns"))
            view.setMouseTracking(True)
            view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
            view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for column, width_px in _WIDTHS_PX.items():
            self.table.setColumnWidth(column, theme.theme.px(width_px))
        selection.currentRowChanged.connect(self._on_current_changed)
        self._selection = selection
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.cards)
        self._stack.addWidget(self.table)

    def show_as_cards(self) -> None:
        """Two lines per pattern."""
        self._stack.setCurrentWidget(self.cards)

    def show_as_table(self) -> None:
        """One row per pattern, one column per fact."""
        self._stack.setCurrentWidget(self.table)

    def choose_row(self, row: int) -> None:
        """Choose *row*; a negative one chooses nothing."""
        flags = QItemSelectionModel.SelectionFlag
        if row < 0:
            self._selection.clear()
            return
        index = self._model.index(row, 0)
        self._selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        for view in (self.cards, self.table):
            view.scrollTo(index)

    def _prepare_table(self) -> None:
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        # with rows of one height the table need not ask every row for its own
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._on_header_clicked)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.chosen.emit(self._model.entry_at(current.row()) if current.isValid() else None)

    @Slot(int)
    def _on_header_clicked(self, section: int) -> None:
        sort = SORT_OF_COLUMN.get(Column(section))
        if sort is not None:
            self.sort_requested.emit(sort)
