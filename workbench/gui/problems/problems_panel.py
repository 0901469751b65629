"""What is doubtful in the document, or in all files of the project, as rows of one list, with fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTreeView,
    QWidget,
)

from workbench.disk.files import read_file
from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause
from workbench.gui.fixes.fix_offers import FixRow
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.theming import severity_ink
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _, numeral
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import LineIndex, SourceText, Span

MESSAGE, LINE, CODE, FILE = range(4)
_HEADERS = (N_("Problem"), N_("Line"), N_("Code"), N_("File"))
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
Index = QModelIndex | QPersistentModelIndex
ORIGIN = "problems"
_ROWS_MEASURED = 60
_MOST_SHOWN = 2_000


class Row(NamedTuple):
    """One finding. *line*, *column*: from 1. *path*: of a file of the project. *finding*: where it is the open file."""

    severity: Severity
    line: int
    column: int
    code: str
    message: str
    path: str = ""
    finding: Diagnostic | None = None


def severity_word(severity: Severity) -> str:
    """What a person calls *severity*."""
    return {Severity.ERROR: _("Error"), Severity.WARNING: _("Warning"), Severity.INFO: _("Remark")}[severity]


def rows_of(snapshot: Snapshot, path: str = "") -> list[Row]:
    """The findings of *snapshot*, the file *path* of the project."""
    places = ((each, snapshot.lines.position(each.span.start)) for each in snapshot.diagnostics)
    return [Row(each.severity, at[0] + 1, at[1] + 1, each.code, each.message, path, each) for each, at in places]


def _order(row: Row) -> tuple[int, str, int, int]:
    return (_ORDER[row.severity], row.path, row.line, row.column)


class ProblemList(QAbstractTableModel):
    """The worst first, then in the order of the files and of the text."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()

    def show_rows(self, found: Iterable[Row]) -> None:
        """Show the worst of what was *found*; rows that are the same stay as they are."""
        rows = tuple(nsmallest(_MOST_SHOWN, found, key=_order))
        if len(rows) == len(self._rows):
            self._rows = rows
            self._tell_all()
        else:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def row_at(self, row: int) -> Row | None:
        """What stands in *row*, if there is such a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def finding(self, row: int) -> Diagnostic | None:
        """The finding of the open file in *row*, if there is one."""
        found = self.row_at(row)
        return found.finding if found is not None else None

    def place_of(self, wanted: Row) -> int:
        """Where the same finding stands now; -1 where it is gone."""
        return next((at for at, each in enumerate(self._rows) if each[:6] == wanted[:6]), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many findings there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Message, line, code, file."""
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The names of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return str(_HEADERS[section]) if is_title else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        finding = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            words = (finding.message, numeral(finding.line), finding.code, finding.path)
            return ordered(drawable_line(words[index.column()]))
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
    """Of the open file, or of the whole project: a click goes to the place; the buttons below mend what is chosen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.model = ProblemList(self)
        self.list = QTreeView(self)
        self.fixes = FixRow(context, self)
        self._was_whole = False
        self._none = EmptyState("tick", "", "", self)
        self.other = QPushButton(self._none)
        self._none.add_button(self.other)
        self._page = self._filled_page()
        self.addWidget(self._none)
        self.addWidget(self._page)
        self._connect()
        self._show_extent()
        context.diagnosis.ask()

    def _connect(self) -> None:
        self._context.diagnosis.ready.connect(self._refresh)
        self._context.project.folder_changed.connect(self._show_extent)
        self.list.clicked.connect(self._on_activated)
        self.list.activated.connect(self._on_activated)
        self.list.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self._context.documents.file_state_changed.connect(self._on_file_state_changed)
        self.whole.toggled.connect(self._on_whole_toggled)
        self.other.clicked.connect(self.whole.toggle)

    def help_topic(self) -> str:
        """The code of the chosen finding."""
        finding = self.model.row_at(self.list.currentIndex().row())
        return finding.code if finding is not None else ""

    def _filled_page(self) -> QWidget:
        page = QWidget(self)
        self.list.setModel(self.model)
        self.filter = RowFilter(self.list, _("Filter the problems"), page)
        self.whole = QCheckBox(_("Whole project"), page)
        top = in_row(None, (self.filter, 1), self.whole, margins=(8, 6, 8, 4))
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
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        header.moveSection(FILE, LINE)
        return page

    @Slot()
    def _show_extent(self) -> None:
        """Say what is looked at. Where no folder is open, there is no project."""
        is_project = bool(self._context.settings.current.project_folder)
        self.whole.setVisible(is_project)
        self.other.setVisible(is_project)
        is_whole = self._is_whole
        self.list.setColumnHidden(FILE, not is_whole)
        self.other.setText(_("Only those of this file") if is_whole else _("Those of the whole project"))
        here = _("Warnings and errors appear here as you type.")
        words = _("All files of the open folder are checked, and again when they change.") if is_whole else here
        self._none.tell("tick", _("No problems"), words)
        self._refresh()

    @property
    def _is_whole(self) -> bool:
        return self.whole.isChecked() and bool(self._context.settings.current.project_folder)

    @Slot(bool)
    def _on_whole_toggled(self, _is_whole: bool) -> None:  # noqa: FBT001 - the signal says it so
        """Files are checked once somebody has asked for them; from then on, what is found comes in by itself."""
        if not self._was_whole:
            self._was_whole = True
            self._context.project.begin()
            self._context.checks.changed.connect(self._refresh)
        self._show_extent()

    @Slot()
    def _refresh(self) -> None:
        """Show what there is; what was chosen stays chosen where it is still there."""
        chosen = self.model.row_at(self.list.currentIndex().row())
        self.model.show_rows(self._rows())
        self.setCurrentWidget(self._page if self.model.rowCount() else self._none)
        place = self.model.place_of(chosen) if chosen is not None else -1
        if place >= 0:
            self.list.setCurrentIndex(self.model.index(place, MESSAGE))
        self.fixes.show_fixes(self.model.finding(self.list.currentIndex().row()))

    def _rows(self) -> Iterator[Row]:
        documents, index = self._context.documents, self._context.project.index
        path = documents.file_state.path
        is_whole = self._is_whole
        here = index.path_of(path) if path is not None and is_whole else ""
        if documents.file_state.is_open and (here or not is_whole):
            yield from rows_of(documents.snapshot, here)
        for each, checked in self._context.checks.found.items() if is_whole else ():
            if each != here:
                yield from (Row(*found, path=each) for found in checked.found)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if not state.is_open:
            self._refresh()

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        """Go to the place: to the step where there is one, and to the line in any case."""
        row = self.model.row_at(index.row())
        if row is None:
            return
        if row.finding is None:
            self._go_to_file(row)
            return
        snapshot, span = self._context.documents.snapshot, row.finding.span
        step = snapshot.step_at(span.start)
        if step is not None:
            self._context.selection.reveal((step,), ORIGIN)
        self._context.selection.show_place(span)

    def _go_to_file(self, row: Row) -> None:
        place = self._context.project.index.root / row.path
        try:
            lines = LineIndex.of(SourceText.decode(read_file(place)).text)
        except CannotRead as error:
            self._context.notices.report(error, Cause.OPENING)
            return
        at = lines.offset(row.line - 1, row.column - 1)
        self._context.trail.go_to(Span(at, at), place)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.fixes.show_fixes(self.model.finding(current.row()))
