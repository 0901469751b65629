"""What is doubtful in the document, as rows of one list, with fixes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStackedWidget, QTreeView, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.fixes.fix_offers import FixRow
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import in_column
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.theming import severity_ink
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _, numeral
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Severity

MESSAGE, LINE, CODE = range(3)
_HEADERS = (N_("Problem"), N_("Line"), N_("Code"))
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
Index = QModelIndex | QPersistentModelIndex
ORIGIN = "problems"
_ROWS_MEASURED = 60


def severity_word(severity: Severity) -> str:
    """What a person calls *severity*."""
    return {Severity.ERROR: _("Error"), Severity.WARNING: _("Warning"), Severity.INFO: _("Remark")}[severity]


class ProblemList(QAbstractTableModel):
    """The worst first, then in the order of the text."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: tuple[tuple[int, Diagnostic], ...] = ()

    def show_findings(self, snapshot: Snapshot) -> None:
        """Show the findings of *snapshot*; rows that are the same stay as they are."""
        lines = snapshot.lines
        found = sorted(snapshot.diagnostics, key=lambda each: (_ORDER[each.severity], each.span.start))
        rows = tuple((lines.line(each.span.start) + 1, each) for each in found)
        if len(rows) == len(self._rows):
            self._rows = rows
            self._tell_all()
        else:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def finding(self, row: int) -> Diagnostic | None:
        """The finding in *row*, if there is such a row."""
        return self._rows[row][1] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many findings there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Message, line, code."""
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The names of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return str(_HEADERS[section]) if is_title else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        line, finding = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (drawable_line(finding.message), numeral(line), finding.code)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{severity_word(finding.severity)}: {finding.message}")
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == MESSAGE:
            return drawable_line(f"{severity_word(finding.severity)}: {finding.message}")
        if role == Qt.ItemDataRole.DecorationRole and index.column() == MESSAGE:
            return icon(finding.severity.value, severity_ink(finding.severity.value))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == LINE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _tell_all(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(_HEADERS) - 1))


class ProblemsPanel(QStackedWidget):
    """A click goes to the place; the buttons below mend what is chosen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.model = ProblemList(self)
        self.list = QTreeView(self)
        self.fixes = FixRow(context, self)
        self._none = EmptyState("tick", _("No problems"), _("Warnings and errors appear here as you type."), self)
        self._page = self._filled_page()
        self.addWidget(self._none)
        self.addWidget(self._page)
        context.diagnosis.ready.connect(self._on_findings_ready)
        self.list.clicked.connect(self._on_activated)
        self.list.activated.connect(self._on_activated)
        self.list.selectionModel().currentRowChanged.connect(self._on_current_changed)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        context.diagnosis.ask()

    def help_topic(self) -> str:
        """The code of the chosen finding."""
        finding = self.model.finding(self.list.currentIndex().row())
        return finding.code if finding is not None else ""

    def _filled_page(self) -> QWidget:
        page = QWidget(self)
        self.list.setModel(self.model)
        self.filter = RowFilter(self.list, _("Filter the problems"), page)
        top = in_column(None, self.filter, margins=(8, 6, 8, 4))
        in_column(page, top, (self.list, 1), self.fixes, margins=0, spacing=0)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setAccessibleName(_("Problems"))
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setResizeContentsPrecision(_ROWS_MEASURED)
        header.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(LINE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(CODE, QHeaderView.ResizeMode.ResizeToContents)
        return page

    @Slot(object)
    def _on_findings_ready(self, snapshot: Snapshot) -> None:
        """Show the findings; what was chosen stays chosen where it is still there."""
        row = self.list.currentIndex().row()
        self.model.show_findings(snapshot)
        self.setCurrentWidget(self._page if self.model.rowCount() else self._none)
        if 0 <= row < self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(row, MESSAGE))
        self.fixes.show_fixes(self.model.finding(self.list.currentIndex().row()))

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if not state.is_open:
            self.setCurrentWidget(self._none)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        """Go to the place: to the step where there is one, and to the line in any case."""
        finding = self.model.finding(index.row())
        if finding is None:
            return
        snapshot = self._context.documents.snapshot
        step = snapshot.step_at(finding.span.start)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)
        self._context.selection.show_place(finding.span)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.fixes.show_fixes(self.model.finding(current.row()))
