"""What can be done with the chosen pattern: promote, insert, name, decide, delete."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox, QWidget

from workbench.editing.commands import InsertLines, Place, Refusal
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.control.selection import place_for_new
from workbench.gui.patterns.pattern_detail import PatternDetail, PatternDetails
from workbench.gui.patterns.pattern_exchange import PatternExchange
from workbench.gui.patterns.promotion_dialog import PromotionDialog
from workbench.gui.words.values import drawable, tip
from workbench.i18n import _, ngettext
from workbench.library import curation
from workbench.library.entries import PatternEntry, PromotionState, sequence_text
from workbench.library.listing import PatternQuery, Sort
from workbench.library.rows import UnknownPattern
from workbench.library.skills.playbook_text import steps_text
from workbench.library.store import PatternStore
from workbench.settings import Settings

_HIGHEST_THRESHOLD = 1000
_MOST_OFFERED = 500
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
        self.insert = self._add(_("Insert as steps"), self._on_insert)
        self.rename = self._add(_("Rename…"), self._on_rename)
        self.merge = MergeAction(context, exchange.store, detail, parent)
        self.merge.merged.connect(self.changed)
        self.menu.addAction(self.merge)
        self.menu.addSeparator()
        self.reject = self._add(_("Stop suggesting"), self._on_reject)
        self.undo = self._add(_("Suggest again"), self._on_undo)
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

    def _place(self) -> Place | None:
        return place_for_new(self._context.documents.snapshot, self._context.selection.selected)

    @Slot()
    def _on_promote_requested(self) -> None:
        details = self._details
        self.dialog = PromotionDialog(self._context, self._store, details, self._window)
        self.dialog.promoted.connect(self._on_promoted)
        self.dialog.open()

    @Slot(object)
    def _on_promoted(self, path: Path) -> None:
        self._context.notices.tell(_("Saved “{path}”.").format(path=path))
        self.changed.emit()

    @Slot()
    def _on_insert(self) -> None:
        """Put the steps into the open playbook, as one change that one undo takes back."""
        place = self._place()
        if place is None:
            return
        source = steps_text(self._entry, self._details.variants)
        outcome = self._context.documents.execute(InsertLines(place, source))
        if not isinstance(outcome, Refusal):
            count = len(source.splitlines())
            self._context.notices.tell(ngettext("Inserted {count} step.", "Inserted {count} steps.", count))

    @Slot()
    def _on_rename(self) -> None:
        name, is_given = QInputDialog.getText(
            self._window,
            _("Rename pattern"),
            _("Name (leave empty to use the recorded description)"),
            text=self._entry.title,
        )
        if is_given:
            self.rename_to(name)

    def rename_to(self, name: str) -> None:
        """Give the chosen pattern the name *name*."""
        try:
            curation.rename(self._store, self._entry.pattern_id, name.strip())
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.PATTERNS)
        self.changed.emit()

    @Slot()
    def _on_reject(self) -> None:
        try:
            curation.reject(self._store, self._entry.pattern_id)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.PATTERNS)
        self.changed.emit()

    @Slot()
    def _on_undo(self) -> None:
        try:
            curation.undo_promotion(self._store, self._entry.pattern_id)
            self._context.notices.tell(_("It can be promoted again. Files already written stay."))
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.PATTERNS)
        self.changed.emit()

    @Slot()
    def _on_delete(self) -> None:
        """Ask first: a deleted record is nowhere else."""
        question = _("Delete “{name}” and all its records? This cannot be undone.").format(name=self._entry.title)
        self.confirmation = QMessageBox(
            QMessageBox.Icon.Question,
            _("Delete pattern"),
            drawable(question),
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        self.confirmation.setTextFormat(Qt.TextFormat.PlainText)
        self.confirmation.addButton(_("Delete"), QMessageBox.ButtonRole.AcceptRole)
        self.confirmation.accepted.connect(self._on_delete_confirmed)
        self.confirmation.open()

    @Slot()
    def _on_delete_confirmed(self) -> None:
        try:
            curation.delete(self._store, (self._entry.pattern_id,))
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.PATTERNS)
        self.changed.emit()

    @Slot()
    def _on_menu_about_to_show(self) -> None:
        """Offer only what can be done."""
        is_decided = self._entry.state in _DECIDED
        self.reject.setEnabled(not is_decided)
        self.undo.setEnabled(is_decided)
        self.insert.setEnabled(self._place() is not None)


class MergeAction(QAction):
    """Offers the patterns of the same type; the one that is chosen there goes, its records stay."""

    merged = Signal()

    def __init__(self, context: WindowContext, store: PatternStore, detail: PatternDetail, parent: QWidget) -> None:
        super().__init__(_("Merge another pattern…"), parent)
        self._notices = context.notices
        self._store = store
        self._detail = detail
        self._window = parent
        self.triggered.connect(self._on_triggered)

    def others(self, entry: PatternEntry) -> dict[str, str]:
        """The patterns that can be merged into *entry*: ids by the words they are offered in. Raises StoreFailed."""
        query = PatternQuery(task_type=entry.task_type, sort=Sort.SUCCESSES)
        found = (each for each in self._store.patterns(query, _MOST_OFFERED) if each.pattern_id != entry.pattern_id)
        return {
            f"{each.title}: {sequence_text(each.tool_sequence)} [{each.pattern_id}]": each.pattern_id for each in found
        }

    def merge(self, kept: PatternEntry, other_id: str) -> None:
        """Add the records of *other_id* to *kept*."""
        try:
            curation.merge(self._store, kept.pattern_id, other_id)
        except WorkbenchError as error:
            self._notices.report(error, Cause.PATTERNS)
        except UnknownPattern:
            self._notices.tell(_("This pattern no longer exists; it was deleted or merged."))
        self.merged.emit()

    @Slot()
    def _on_triggered(self) -> None:
        details = self._detail.details
        if details is None:
            return
        try:
            others = self.others(details.entry)
        except WorkbenchError as error:
            self._notices.report(error, Cause.PATTERNS)
            return
        if not others:
            self._notices.tell(
                _("There is no other pattern of the type “{type}”.").format(type=details.entry.task_type)
            )
            return
        question = _("Its records move to “{name}”, then it is deleted").format(name=details.entry.title)
        words, is_given = QInputDialog.getItem(self._window, self.text(), tip(question), list(others), 0, False)
        if is_given:
            self.merge(details.entry, others[words])


class ThresholdAction(QAction):
    """Asks for the number, and keeps it with the settings of the project that is open."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(_("Promotion threshold…"), parent)
        self._context = context
        self._window = parent
        self.triggered.connect(self._on_triggered)

    def set_threshold(self, count: int) -> None:
        """Let patterns of the project be promoted after *count* successes."""
        try:
            self._context.settings.change(partial(Settings.with_promotion_threshold, threshold=count))
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.SETTINGS)

    @Slot()
    def _on_triggered(self) -> None:
        before = self._context.settings.current.promotion_threshold
        question = _("Successful runs needed before a pattern can be promoted")
        count, is_given = QInputDialog.getInt(self._window, self.text(), question, before, 1, _HIGHEST_THRESHOLD)
        if is_given:
            self.set_threshold(count)
