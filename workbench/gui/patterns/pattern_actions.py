"""What can be done with the chosen pattern: promote, insert, name, decide, delete."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox, QWidget

from workbench.editing.commands import InsertLines, Refusal
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.patterns.insertion import place_for_steps
from workbench.gui.patterns.merge_action import MergeAction
from workbench.gui.patterns.pattern_detail import PatternDetail, PatternDetails
from workbench.gui.patterns.pattern_exchange import PatternExchange
from workbench.gui.patterns.promotion_dialog import PromotionDialog
from workbench.gui.patterns.threshold_action import ThresholdAction
from workbench.i18n import _
from workbench.library import curation
from workbench.library.entries import PatternEntry, PromotionState
from workbench.library.skills.playbook_text import steps_text

_DECIDED = frozenset({PromotionState.ACCEPTED, PromotionState.REJECTED, PromotionState.SUPERSEDED})


class PatternActions(QObject):
    """The buttons and the menu of the detail pane. ``changed`` comes after the store was written to."""

    changed = Signal()

    def __init__(
        self, context: WindowContext, exchange: PatternExchange, detail: PatternDetail, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._store = exchange.store
        self._detail = detail
        self._window = parent
        self.dialog: PromotionDialog | None = None
        self.confirmation: QMessageBox | None = None
        self.menu = QMenu(detail)
        self.insert = self._add(_("Insert steps into the playbook"), self._on_insert)
        self.rename = self._add(_("Rename…"), self._on_rename)
        self.merge = MergeAction(context, exchange.store, detail, parent)
        self.merge.merged.connect(self.changed)
        self.menu.addAction(self.merge)
        self.menu.addSeparator()
        self.reject = self._add(_("Stop offering it"), self._on_reject)
        self.undo = self._add(_("Offer it again"), self._on_undo)
        self.threshold = ThresholdAction(context, parent)
        self.menu.addAction(self.threshold)
        self.menu.addSeparator()
        for action in exchange.actions:
            self.menu.addAction(action)
        self.menu.addSeparator()
        self.delete = self._add(_("Delete…"), self._on_delete)
        self.menu.aboutToShow.connect(self._on_menu_about_to_show)
        detail.more.setMenu(self.menu)
        detail.promote_requested.connect(self._on_promote_requested)

    def _add(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        self.menu.addAction(action)
        return action

    @property
    def _details(self) -> PatternDetails:
        assert self._detail.details is not None
        return self._detail.details

    @property
    def _entry(self) -> PatternEntry:
        return self._details.entry

    @Slot()
    def _on_promote_requested(self) -> None:
        details = self._details
        self.dialog = PromotionDialog(self._context, self._store, details, self._window)
        self.dialog.promoted.connect(self._on_promoted)
        self.dialog.open()

    @Slot(object)
    def _on_promoted(self, path: Path) -> None:
        self._context.notices.tell(_("Wrote “{path}”.").format(path=path))
        self.changed.emit()

    @Slot()
    def _on_insert(self) -> None:
        """Put the steps into the open playbook, as one change that one undo takes back."""
        place = place_for_steps(self._context)
        if place is None:
            return
        source = steps_text(self._entry, self._details.variants)
        outcome = self._context.documents.execute(InsertLines(place, source))
        if not isinstance(outcome, Refusal):
            self._context.notices.tell(_("Inserted {count} steps.").format(count=len(source.splitlines())))

    @Slot()
    def _on_rename(self) -> None:
        name, is_given = QInputDialog.getText(
            self._window, _("Rename pattern"), _("Name (empty: the recorded description)"), text=self._entry.title
        )
        if is_given:
            self.rename_to(name)

    def rename_to(self, name: str) -> None:
        """Give the chosen pattern the name *name*."""
        try:
            curation.rename(self._store, self._entry.pattern_id, name.strip())
        except WorkbenchError as error:
            self._context.notices.report(error)
        self.changed.emit()

    @Slot()
    def _on_reject(self) -> None:
        try:
            curation.reject(self._store, self._entry.pattern_id)
        except WorkbenchError as error:
            self._context.notices.report(error)
        self.changed.emit()

    @Slot()
    def _on_undo(self) -> None:
        try:
            curation.undo_promotion(self._store, self._entry.pattern_id)
        except WorkbenchError as error:
            self._context.notices.report(error)
        self.changed.emit()

    @Slot()
    def _on_delete(self) -> None:
        """Ask first: a deleted record is nowhere else."""
        question = _("Delete “{name}” with all its records? This cannot be undone.").format(name=self._entry.title)
        self.confirmation = QMessageBox(
            QMessageBox.Icon.Question,
            _("Delete pattern"),
            question,
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        self.confirmation.addButton(_("Delete"), QMessageBox.ButtonRole.AcceptRole)
        self.confirmation.accepted.connect(self._on_delete_confirmed)
        self.confirmation.open()

    @Slot()
    def _on_delete_confirmed(self) -> None:
        try:
            curation.delete(self._store, (self._entry.pattern_id,))
        except WorkbenchError as error:
            self._context.notices.report(error)
        self.changed.emit()

    @Slot()
    def _on_menu_about_to_show(self) -> None:
        """Offer only what can be done."""
        is_decided = self._entry.state in _DECIDED
        self.reject.setEnabled(not is_decided)
        self.undo.setEnabled(is_decided)
        self.insert.setEnabled(place_for_steps(self._context) is not None)
