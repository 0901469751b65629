"""What is selected, in sections that fold; its words and its kind can be changed here."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from workbench.editing.change import DocumentChange
from workbench.editing.commands import ChangeKind, SetStepText
from workbench.gui.context import WindowContext
from workbench.gui.diagnosis import Diagnosis
from workbench.gui.empty_state import EmptyState
from workbench.gui.fold_section import FoldSection
from workbench.gui.inspector_head import InspectorHead, KindChoice
from workbench.gui.inspector_parts import FindingsView, RowsView
from workbench.gui.inspector_rows import comment_rows, run_rows, source_rows
from workbench.gui.meaning_words import rows_of
from workbench.gui.run_marks import RunMarks
from workbench.gui.step_words import NewWords, StepWords
from workbench.gui.theme import Theme
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot


class InspectorPanel(QStackedWidget):
    """Shows the one selected step; says how to select one, or how many are."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.head = InspectorHead(context, self)
        self.words = StepWords(self)
        self.meaning, self.comment, self.source, self.run = (RowsView(self) for _each in range(4))
        self.findings = FindingsView(context, self)
        self._sections = self._fold_sections()
        self._none = EmptyState(
            "inspector", _("Nothing is selected"), _("Select a step to see what it means and to change it."), self
        )
        self._many = EmptyState(
            "inspector", _("Several steps are selected"), _("Move, wrap, copy or delete them together."), self
        )
        self._page = self._scrolled_page()
        for page in (self._none, self._many, self._page):
            self.addWidget(page)
        self._diagnosis = Diagnosis(context, self)
        self._connect()
        self._on_theme_changed(context.theme.theme)
        self._show()

    def _fold_sections(self) -> dict[str, FoldSection]:
        words = QWidget(self)
        column = QVBoxLayout(words)
        column.setContentsMargins(12, 2, 12, 8)
        column.addWidget(self.words)
        return {
            "words": FoldSection(_("Words"), words, self),
            "meaning": FoldSection(_("Read as"), self.meaning, self),
            "findings": FoldSection(_("Problems"), self.findings, self),
            "run": FoldSection(_("Last run"), self.run, self),
            "comment": FoldSection(_("Comment"), self.comment, self),
            "source": FoldSection(_("Source"), self.source, self),
        }

    def _scrolled_page(self) -> QScrollArea:
        page = QWidget(self)
        page.setProperty("role", "surface")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        for section in self._sections.values():
            column.addWidget(section)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(page)
        return area

    def _connect(self) -> None:
        context = self._context
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_selected)
        context.selection.selection_changed.connect(self._on_selected)
        context.runs.marks_changed.connect(self._on_marks_changed)
        context.theme.theme_changed.connect(self._on_theme_changed)
        self._diagnosis.ready.connect(self._on_findings_ready)
        self.words.words_written.connect(self._on_words_written)
        self.head.kind_chosen.connect(self._on_kind_chosen)

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
        self.head.show_kind(step)
        self.words.show_words(step.id, step.text)
        self.meaning.show_rows(rows_of(step.meaning), self._context.theme.theme)
        self._show_rows("comment", self.comment, comment_rows(step))
        self._show_run(step)
        self.setCurrentWidget(self._page)

    def _show_place(self) -> None:
        """Show the number and the lines of the step; in long documents they cost more than a keystroke may take."""
        step = self._step()
        if step is not None:
            snapshot = self._context.documents.snapshot
            self.head.show_number(step, snapshot)
            self.source.show_rows(source_rows(step, snapshot), self._context.theme.theme)

    def _show_rows(self, name: str, view: RowsView, rows: tuple[tuple[str, str], ...]) -> None:
        """Show *rows*, or hide their section where there are none."""
        view.show_rows(rows, self._context.theme.theme)
        self._sections[name].setVisible(bool(rows))

    def _show_run(self, step: Step) -> None:
        self._show_rows("run", self.run, run_rows(self._context.runs.marks.get(step.id)))

    def _show_findings(self, snapshot: Snapshot) -> None:
        step = self._step()
        if step is None or not snapshot.has(step.id):
            return
        span = snapshot.text_span(step.id)
        found = [each for each in snapshot.diagnostics if span.start <= each.span.start <= span.end]
        self.findings.show_findings(found, self._context.theme.theme)
        self._sections["findings"].setVisible(bool(found))

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
        self._sections["findings"].hide()
        self._diagnosis.ask()

    @Slot(object)
    def _on_findings_ready(self, snapshot: Snapshot) -> None:
        self._show_findings(snapshot)
        self._show_place()

    @Slot(object)
    def _on_marks_changed(self, _marks: RunMarks) -> None:
        step = self._step()
        if step is not None:
            self._show_run(step)

    @Slot(object)
    def _on_words_written(self, words: NewWords) -> None:
        """Change the step's words; where that is refused, the field shows the document's again."""
        if self._context.documents.snapshot.has(words.step):
            self._context.documents.execute(SetStepText(words.step, words.text), self._context.selection.selected)
        self._show()

    @Slot(object)
    def _on_kind_chosen(self, choice: KindChoice) -> None:
        self._context.documents.execute(ChangeKind(choice.step, choice.kind), self._context.selection.selected)
        self._show()

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._none.show_theme(theme)
        self._many.show_theme(theme)
        self.head.show_theme(theme)
        self.words.setFont(theme.body_font())
        for section in self._sections.values():
            section.show_theme(theme)
