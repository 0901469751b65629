"""The plan as rows of a table: one step each, expected against actual."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Ink, current_theme, status_ink
from workbench.gui.plan.watch import PlanWatch
from workbench.gui.plan.words import STATUS_ICONS, PlanWords
from workbench.i18n import _
from workbench.model.loader.steplist import PlaybookStep

STEP, STATUS, TOOLS, CALLS, SUCCESSES, VALIDATION, LIMIT, VIOLATIONS = range(8)
_HEADERS = (
    *(_("Step"), _("Status"), _("Expected tools"), _("Calls"), _("Succeeded")),
    *(_("Validation"), _("Time limit"), _("Violations")),
)
_HEADER_HINTS = (
    *(_("What the step says"), _("Where it stands"), _("The tools that belong to it; ticked: it was really used")),
    *(_("Calls that were made, of those it may take"), _("Calls that succeeded, of those it needs")),
    *(_("Whether results and evidence are as the step asks"), _("How long it may take"), _("What was not kept")),
)
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class PlanModel(QAbstractTableModel):
    """Reads the plan when a cell is looked at."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watch: PlanWatch | None = None
        self._words: PlanWords | None = None

    def show_plan(self, watch: PlanWatch | None) -> None:
        """Show another plan, or none."""
        self.beginResetModel()
        self._watch = watch
        self._words = PlanWords(watch) if watch is not None else None
        self.endResetModel()

    def catch_up(self) -> None:
        """The plan has moved on; only rows in view are read again."""
        if self._watch is not None and self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(_HEADERS) - 1))

    def step(self, row: int) -> PlaybookStep | None:
        """The step in *row*, if there is such a row."""
        steps = self._watch.plan.playbook.steps if self._watch is not None else ()
        return steps[row] if 0 <= row < len(steps) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many steps there are."""
        is_below = parent is not None and parent.isValid()
        return 0 if is_below or self._watch is None else len(self._watch.plan.playbook.steps)

    def columnCount(self, parent: Index | None = None) -> int:
        """Step, status, expected tools, calls, successes, validation, time limit, violations."""
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """The names of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return {Role.DisplayRole: _HEADERS[section], Role.ToolTipRole: _HEADER_HINTS[section]}.get(Role(role))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """One cell."""
        step, words = self.step(index.row()), self._words
        if step is None or words is None:
            return None
        if role == Role.DisplayRole:
            return words.cells(step)[index.column()]
        if role == Role.ToolTipRole:
            return words.tooltip(step)
        if role == Role.DecorationRole:
            return self._picture(step, words, index.column())
        if role == Role.ForegroundRole:
            return self._color(step, words, index.column())
        return None

    def _color(self, step: PlaybookStep, words: PlanWords, column: int) -> Any:
        """What was not kept stands out."""
        is_wrong = (column == VIOLATIONS and words.violation_count(step)) or (column == LIMIT and words.is_late(step))
        return QColor(current_theme().blocked) if is_wrong else None

    def _picture(self, step: PlaybookStep, words: PlanWords, column: int) -> Any:
        if column == VIOLATIONS and words.violation_count(step):
            return icon("shield", Ink.BLOCKED)
        picture = STATUS_ICONS.get(words.status(step)) if column == STATUS else None
        return icon(picture[0], status_ink(picture[1])) if picture is not None else None
