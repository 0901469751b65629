"""Each time that a step was carried out in the run that is shown, and each round of a loop: choosing one goes there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.i18n import N_, _, duration_text, numeral
from workbench.model.program import StepId
from workbench.vocabulary import Status

if TYPE_CHECKING:
    from workbench.gui.control.running.executions import Execution, Executions

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
ROUND, OUTCOME, TOOK, BEGUN = range(4)
_TITLES = (N_("Round"), N_("Outcome"), N_("Took"), N_("Begun"))
_WIDTHS_PX = (56, 70, 60)
_MOST_ROWS = 8
ROW_PX = 22


class ExecutionModel(QAbstractTableModel):
    """The executions of one step; rows are made when they are looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executions: Executions | None = None
        self._address = ""
        self._count = 0

    def show_step(self, executions: Executions | None, address: str) -> None:
        """Show those of the step at *address*, or what has been added since."""
        count = executions.count(address) if executions is not None else 0
        if executions is self._executions and address == self._address and count >= self._count:
            self._grow(count)
            return
        self.beginResetModel()
        self._executions, self._address, self._count = executions, address, count
        self.endResetModel()

    def _grow(self, count: int) -> None:
        if self._count:  # the last one may have ended
            self.dataChanged.emit(self.index(self._count - 1, 0), self.index(self._count - 1, BEGUN))
        if count > self._count:
            self.beginInsertRows(_NO_INDEX, self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def execution(self, row: int) -> Execution | None:
        """What stands in *row*."""
        is_there = self._executions is not None and 0 <= row < self._count
        return self._executions.at(self._address, row) if self._executions is not None and is_there else None

    def row_at(self, seq: int) -> int:
        """The last one that had begun when the event *seq* happened, -1 for none."""
        return self._executions.row_at(self._address, seq) if self._executions is not None else -1

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """How many there are."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        """Round, how it went, how long, when."""
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The titles of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return str(_TITLES[section]) if is_title else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        execution = self.execution(index.row())
        if execution is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(execution, index.row() + 1)[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and execution.status is MarkStatus.FAILED:
            return QColor(current_theme().color(Ink.FAILED))
        return None


def cells(execution: Execution, number: int) -> tuple[str, str, str, str]:
    """What is said of *execution*, the one with the *number* among those of its step."""
    begun = datetime.fromtimestamp(execution.begun_ns / 1e9, UTC).astimezone()
    is_over = execution.status is not MarkStatus.RUNNING
    rounds = execution.rounds or ("–" if number == 1 else numeral(number))
    if execution.is_round:
        rounds = f"↻ {rounds}"
    took = duration_text(max(0, execution.ended_ns - execution.begun_ns)) if is_over else ""
    when = begun.strftime("%H:%M:%S.") + f"{begun.microsecond // 1000:03d}"
    return rounds, str(Status[execution.status.name]), took, when


class ExecutionsView(QWidget):
    """The executions of one step. *table*: None until there is a first one to show, for a start has none."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.table: ExecutionTable | None = None

    def show_step(self, step: StepId) -> bool:
        """Show those of *step*; whether there are any."""
        if self.table is None:
            shown = self._context.shown
            address = shown.steps.address_of(step)
            if shown.executions is None or not shown.executions.count(address):
                return False
            self.table = ExecutionTable(self._context, self)
            in_column(self, self.table, margins=0)
        return self.table.show_step(step)


class ExecutionTable(QTableView):
    """As high as its rows, up to eight of them. A click or Enter shows the run as it was when that one was over."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        read_as_written(self)
        self._shown = context.shown
        self._model = ExecutionModel(self)
        self.setModel(self._model)
        self.setProperty("role", "secondary")
        self.setAccessibleName(_("Executions of the step"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        self.take_theme()

    def show_step(self, step: StepId) -> bool:
        """Show those of *step*; whether there are any."""
        self._model.show_step(self._shown.executions, self._shown.steps.address_of(step))
        moments = self._shown.moments
        row = self._model.row_at(moments.count if moments.seq is None else moments.seq)
        if moments.seq is None:
            self.clearSelection()
        elif row >= 0:
            self.selectRow(row)
        if row >= 0:
            self.scrollTo(self._model.index(row, 0))
        self._fit()
        return self._model.rowCount() > 0

    def take_theme(self) -> None:
        """Larger letters need more room."""
        theme = current_theme()
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW_PX))
        for column, width_px in enumerate(_WIDTHS_PX):
            self.setColumnWidth(column, theme.px(width_px))
        self._fit()

    def _fit(self) -> None:
        rows_px = self.verticalHeader().defaultSectionSize() * min(_MOST_ROWS, self._model.rowCount())
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows_px + 4)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        execution = self._model.execution(index.row())
        if execution is not None:
            self._shown.moments.go_to(execution.seq)
