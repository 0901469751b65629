"""All that the inspector says about one step, in sections that fold."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import StepMark
from workbench.gui.inspector.fold_section import FoldSection
from workbench.gui.inspector.head import InspectorHead
from workbench.gui.inspector.listed_fields import ListedFields
from workbench.gui.inspector.meaning_words import Row, rows_of
from workbench.gui.inspector.parts import FindingsView, RowsView
from workbench.gui.inspector.rows import comment_rows, run_rows, source_rows
from workbench.gui.inspector.step_words import StepWords
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic


class InspectorPage(QScrollArea):
    """Sections without anything to show are hidden."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        page = QWidget(self)
        page.setProperty("role", "surface")
        self.head = InspectorHead(context, page)
        self.words = StepWords(page)
        self.meaning, self.comment, self.source, self.run = (RowsView(page) for _each in range(4))
        self.findings = FindingsView(context, page)
        self.fields = ListedFields(page)
        self._sections = self._fold_sections(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        for section in self._sections.values():
            column.addWidget(section)
        column.addStretch(1)
        self.setWidgetResizable(True)
        self.setWidget(page)

    def _fold_sections(self, page: QWidget) -> dict[str, FoldSection]:
        words = QWidget(page)
        column = QVBoxLayout(words)
        column.setContentsMargins(12, 2, 12, 8)
        column.addWidget(self.words)
        return {
            "words": FoldSection(_("Words"), words, page),
            "fields": FoldSection(_("Fields"), self.fields, page),
            "meaning": FoldSection(_("Read as"), self.meaning, page),
            "findings": FoldSection(_("Problems"), self.findings, page),
            "run": FoldSection(_("Last run"), self.run, page),
            "comment": FoldSection(_("Comment"), self.comment, page),
            "source": FoldSection(_("Source"), self.source, page),
        }

    def show_step(self, step: Step) -> None:
        """Show what *step* says and how it is read."""
        self.head.show_kind(step)
        self.words.show_words(step.id, step.text)
        self.meaning.show_rows(rows_of(step.meaning))
        self._show_rows("comment", self.comment, comment_rows(step))
        self._sections["fields"].setVisible(self.fields.show_step(step, self._context.documents.snapshot))

    def show_place(self, step: Step, snapshot: Snapshot) -> None:
        """Show the number and the lines of the step; in long documents they cost more than a keystroke may take."""
        self.head.show_number(step, snapshot)
        self.source.show_rows(source_rows(step, snapshot))

    def show_run(self, mark: StepMark | None) -> None:
        """Show how the step did in the last run."""
        self._show_rows("run", self.run, run_rows(mark))

    def show_findings(self, findings: tuple[Diagnostic, ...]) -> None:
        """Show what is doubtful in the step."""
        self.findings.show_findings(findings)
        self._sections["findings"].setVisible(bool(findings))

    def _show_rows(self, name: str, view: RowsView, rows: Iterable[Row]) -> None:
        shown = tuple(rows)
        view.show_rows(shown)
        self._sections[name].setVisible(bool(shown))
