"""The runs that a pattern came from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Theme, ThemeController
from workbench.gui.patterns.patterns_model import local_time
from workbench.gui.patterns.sequence_view import outcome_color
from workbench.gui.words.durations import duration_words
from workbench.i18n import _
from workbench.library.entries import Observation, Outcome

_SHOWN = 100
_RUN_ROLE = Qt.ItemDataRole.UserRole
_WORDS = {Outcome.SUCCESS: _("Worked"), Outcome.FAILURE: _("Failed"), Outcome.PARTIAL: _("Half done")}
_ICONS = {Outcome.SUCCESS: "done", Outcome.FAILURE: "failed", Outcome.PARTIAL: "warning"}


class RecordsList(QTreeWidget):
    """One row per record, newest first."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._records: tuple[Observation, ...] = ()
        self.setHeaderLabels([_("Result"), _("When"), _("Took"), _("Run")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(_("Runs it came from"))
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setMinimumHeight(96)
        theme.theme_changed.connect(self._on_theme_changed)

    def show_records(self, newest_first: tuple[Observation, ...]) -> None:
        """Show the newest of them."""
        self._records = newest_first[:_SHOWN]
        self._fill()

    def run_of(self, item: QTreeWidgetItem) -> str:
        """The id of the run in *item*, empty where nobody knows."""
        return str(item.data(0, _RUN_ROLE) or "")

    def _fill(self) -> None:
        self.clear()
        for record in self._records:
            lasted = "" if record.duration_ms is None else duration_words(record.duration_ms)
            words = (_WORDS[record.outcome], local_time(record.at), lasted, record.run)
            item = QTreeWidgetItem(self, list(words))
            item.setIcon(0, icon(_ICONS[record.outcome], outcome_color(record.outcome, self._theme.theme)))
            item.setData(0, _RUN_ROLE, record.run)
            for column in range(len(words)):
                item.setToolTip(column, record.reason or record.run)

    @Slot(object)
    def _on_theme_changed(self, _theme: Theme) -> None:
        self._fill()
