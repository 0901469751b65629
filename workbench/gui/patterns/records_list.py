"""The runs that a pattern came from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.patterns.patterns_model import local_time
from workbench.gui.patterns.sequence_view import outcome_ink
from workbench.gui.words.drawable import drawable_line, tip
from workbench.gui.words.durations import duration_words
from workbench.i18n import N_, _
from workbench.library.entries import Observation, Outcome

_SHOWN = 100
_RUN_ROLE = Qt.ItemDataRole.UserRole
_WORDS = {Outcome.SUCCESS: N_("Succeeded"), Outcome.FAILURE: N_("Failed"), Outcome.PARTIAL: N_("Partial")}
_ICONS = {Outcome.SUCCESS: "done", Outcome.FAILURE: "failed", Outcome.PARTIAL: "warning"}


class RecordsList(QTreeWidget):
    """One row per record, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderLabels([_("Result"), _("When"), _("Duration"), _("Run")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(_("Source runs"))
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setMinimumHeight(96)

    def show_records(self, newest_first: tuple[Observation, ...]) -> None:
        """Show the newest of them."""
        self.clear()
        for record in newest_first[:_SHOWN]:
            self._add(record)

    def run_of(self, item: QTreeWidgetItem) -> str:
        """The id of the run in *item*, empty where nobody knows."""
        return str(item.data(0, _RUN_ROLE) or "")

    def _add(self, record: Observation) -> None:
        lasted = "" if record.duration_ms is None else duration_words(record.duration_ms)
        words = (str(_WORDS[record.outcome]), local_time(record.at), lasted, drawable_line(record.run))
        item = QTreeWidgetItem(self, list(words))
        item.setIcon(0, icon(_ICONS[record.outcome], outcome_ink(record.outcome)))
        item.setData(0, _RUN_ROLE, record.run)
        for column in range(len(words)):
            item.setToolTip(column, tip(record.reason or record.run))
