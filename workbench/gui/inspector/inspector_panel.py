"""What is selected, in sections that fold; its words and its kind can be changed here."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.editing.change import DocumentChange
from workbench.editing.commands import ChangeKind, SetStepField, SetStepText
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import RunMarks
from workbench.gui.inspector.inspector_head import KindChoice, NewWords
from workbench.gui.inspector.inspector_page import InspectorPage
from workbench.gui.inspector.steplist_fields import NewValue
from workbench.gui.look.empty_state import EmptyState
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot

_LONG = 2_000
"""How many steps make a document in which counting lines and steps takes longer than a gesture may."""


class InspectorPanel(QStackedWidget):
    """Shows the one selected step; says how to select one, or that several are."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._none = EmptyState(
            "inspector", _("Nothing is selected"), _("Select a step to see what it means and to change it."), self
        )
        self._many = EmptyState(
            "inspector", _("Several steps are selected"), _("Move, wrap, copy or delete them together."), self
        )
        self.page = InspectorPage(context, self)
        for page in (self._none, self._many, self.page):
            self.addWidget(page)
        self._connect()
        self._show()

    def _connect(self) -> None:
        context = self._context
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_selected)
        context.selection.selection_changed.connect(self._on_selected)
        context.runs.marks_changed.connect(self._on_marks_changed)
        context.diagnosis.ready.connect(self._on_findings_ready)
        self.page.words.words_written.connect(self._on_words_written)
        self.page.fields.value_written.connect(self._on_value_written)
        self.page.head.kind_chosen.connect(self._on_kind_chosen)

    def _step(self) -> Step | None:
        selected = self._context.selection.selected
        return self._context.documents.snapshot.find(selected[0]) if len(selected) == 1 else None

    def _show(self) -> None:
        """Show what is selected now."""
        step = self._step()
        if step is None:
            many = len(self._context.selection.selected) > 1
            self.setCurrentWidget(self._many if many else self._none)
            return
        self.page.show_step(step)
        self.page.show_run(self._context.runs.marks.get(step.id))
        self.setCurrentWidget(self.page)

    def _show_place(self) -> None:
        """Numbers and lines; in a long document that has just changed, they come with its findings."""
        step, snapshot = self._step(), self._context.documents.snapshot
        if step is not None and (snapshot.is_diagnosed or len(snapshot.where) <= _LONG):
            self.page.show_place(step, snapshot)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Follow the document; numbers at once only where some may differ, findings when typing rests."""
        self._show()
        if change.added or change.removed:
            self._show_place()

    @Slot(object)
    def _on_selected(self, _cause: object) -> None:
        """Follow the selection."""
        self._show()
        self._show_place()
        self._show_findings()

    def _show_findings(self) -> None:
        """What is known to be doubtful in the step."""
        step, snapshot = self._step(), self._context.documents.snapshot
        if step is None or not snapshot.is_diagnosed:
            self.page.show_findings(())
            return
        span = snapshot.text_span(step.id)
        self.page.show_findings(
            tuple(each for each in snapshot.diagnostics if span.start <= each.span.start <= span.end)
        )

    @Slot(object)
    def _on_findings_ready(self, _snapshot: Snapshot) -> None:
        self._show_findings()
        self._show_place()

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        step = self._step()
        if step is not None:
            self.page.show_run(marks.get(step.id))

    @Slot(object)
    def _on_words_written(self, words: NewWords) -> None:
        """Change the step's words; where that is refused, the field shows the document's again."""
        if self._context.documents.snapshot.has(words.step):
            self._context.documents.execute(SetStepText(words.step, words.text), self._context.selection.selected)
        self._show()

    @Slot(object)
    def _on_value_written(self, new: NewValue) -> None:
        """Change a field of the step; where that is refused, the field shows the document's again."""
        if self._context.documents.snapshot.has(new.step):
            command = SetStepField(new.step, new.field, new.value)
            self._context.documents.execute(command, self._context.selection.selected)
        self._show()

    @Slot(object)
    def _on_kind_chosen(self, choice: KindChoice) -> None:
        self._context.documents.execute(ChangeKind(choice.step, choice.kind), self._context.selection.selected)
        self._show()
