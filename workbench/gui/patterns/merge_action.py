"""Adds the records of another pattern to the chosen one."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.patterns.pattern_detail import PatternDetail
from workbench.i18n import _
from workbench.library import curation
from workbench.library.entries import PatternEntry, sequence_text
from workbench.library.history import UnknownPattern
from workbench.library.listing import PatternQuery, Sort
from workbench.library.store import PatternStore

_OFFERED = 500


class MergeAction(QAction):
    """Offers the patterns of the same type; the one that is chosen there goes, its records stay."""

    merged = Signal()

    def __init__(self, context: WindowContext, store: PatternStore, detail: PatternDetail, parent: QWidget) -> None:
        super().__init__(_("Merge another into it…"), parent)
        self._notices = context.notices
        self._store = store
        self._detail = detail
        self._window = parent
        self.triggered.connect(self._on_triggered)

    def others(self, entry: PatternEntry) -> dict[str, str]:
        """The patterns that can be merged into *entry*: ids by the words they are offered in. Raises StoreFailed."""
        query = PatternQuery(task_type=entry.task_type, sort=Sort.SUCCESSES)
        found = (each for each in self._store.patterns(query, _OFFERED) if each.pattern_id != entry.pattern_id)
        return {
            f"{each.title}: {sequence_text(each.tool_sequence)} [{each.pattern_id}]": each.pattern_id for each in found
        }

    def merge(self, kept: PatternEntry, other_id: str) -> None:
        """Add the records of *other_id* to *kept*."""
        try:
            curation.merge(self._store, kept.pattern_id, other_id)
        except WorkbenchError as error:
            self._notices.report(error)
        except UnknownPattern:
            self._notices.tell(_("It is gone already: somebody deleted or merged it."))
        self.merged.emit()

    @Slot()
    def _on_triggered(self) -> None:
        details = self._detail.details
        if details is None:
            return
        try:
            others = self.others(details.entry)
        except WorkbenchError as error:
            self._notices.report(error)
            return
        if not others:
            self._notices.tell(
                _("There is no other pattern of the type “{type}”.").format(type=details.entry.task_type)
            )
            return
        question = _("Its records are added to “{name}”, and it goes").format(name=details.entry.title)
        words, is_given = QInputDialog.getItem(self._window, self.text(), question, list(others), 0, False)
        if is_given:
            self.merge(details.entry, others[words])
