"""The findings as rows of a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import severity_ink
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Severity

MESSAGE, LINE, CODE = range(3)
_HEADERS = (_("Problem"), _("Line"), _("Code"))
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
Index = QModelIndex | QPersistentModelIndex


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
        return _HEADERS[section] if is_title else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        line, finding = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (finding.message, f"{line:,}", finding.code)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{severity_word(finding.severity)}: {finding.message}"
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == MESSAGE:
            return f"{severity_word(finding.severity)}: {finding.message}"
        if role == Qt.ItemDataRole.DecorationRole and index.column() == MESSAGE:
            return icon(finding.severity.value, severity_ink(finding.severity.value))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == LINE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _tell_all(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(_HEADERS) - 1))
