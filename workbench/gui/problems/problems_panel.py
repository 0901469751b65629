"""What is doubtful in the document, in one list, with fixes."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStackedWidget, QTreeView, QVBoxLayout, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.fixes.fix_row import FixRow
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.problems.problem_list import CODE, LINE, MESSAGE, ProblemList
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

ORIGIN = "problems"
_ROWS_MEASURED = 60


class ProblemsPanel(QStackedWidget):
    """A click goes to the place; the buttons below mend what is chosen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.model = ProblemList(self)
        self.list = QTreeView(self)
        self.fixes = FixRow(context, self)
        self._none = EmptyState(
            "tick", _("No problems"), _("What is doubtful in the playbook is listed here while you write."), self
        )
        self._page = self._filled_page()
        self.addWidget(self._none)
        self.addWidget(self._page)
        context.diagnosis.ready.connect(self._on_findings_ready)
        self.list.clicked.connect(self._on_activated)
        self.list.activated.connect(self._on_activated)
        self.list.selectionModel().currentRowChanged.connect(self._on_current_changed)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        context.diagnosis.ask()

    def _filled_page(self) -> QWidget:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(self.fixes)
        self.list.setModel(self.model)
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
