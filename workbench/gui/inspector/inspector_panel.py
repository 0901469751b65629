"""All that the inspector says about one step, in sections that fold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from workbench.editing.change import DocumentChange
from workbench.editing.commands import ChangeKind, Refusal, SetStepField, SetStepText
from workbench.engine.judging.choosing import who_judges
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_judges import judge_words, judges_of
from workbench.gui.control.running.run_marks import RunMarks, StepMark
from workbench.gui.inspector.executions_view import ExecutionsView
from workbench.gui.inspector.findings_view import FindingsView
from workbench.gui.inspector.inspector_head import InspectorHead, KindChoice, NewWords, StepWords
from workbench.gui.inspector.name_chips import NamesView
from workbench.gui.inspector.step_contents import StepContents
from workbench.gui.inspector.step_rows import BY_JUDGEMENT, Row, comment_rows, rows_in, run_rows, source_rows
from workbench.gui.inspector.steplist_fields import NewValue, StepListFields
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import PaneForm, in_column
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic

if TYPE_CHECKING:
    from workbench.gui.inspector.front_matter_page import FrontMatterPage

_LONG = 2_000
"""How many steps make a document in which counting lines and steps takes longer than a gesture may."""


class FoldSection(QWidget):
    """A heading that a click or Space folds, and *content* below it."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.button = QToolButton(self)
        self.button.setText(title)
        self.button.setCheckable(True)
        self.button.setChecked(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setProperty("role", "section")
        self.button.toggled.connect(self._on_toggled)
        in_column(self, self.button, content, margins=0, spacing=0)
        self._show_sign()

    def _show_sign(self) -> None:
        name = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(icon(name, Ink.MUTED))

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:  # noqa: FBT001 - the form of Qt's signal
        self._content.setVisible(is_open)
        self._show_sign()


class RowsView(QWidget):
    """Labels and values, one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = PaneForm(self)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows

    def show_rows(self, rows: Iterable[Row]) -> None:
        """Show exactly *rows*."""
        wanted = tuple(rows)
        if wanted == self._rows:
            return
        self._rows = wanted
        while self._form.rowCount():
            self._form.removeRow(0)
        for label, value in wanted:
            self._form.add(label, _value(value, self), "secondary")


def _value(text: str, parent: QWidget) -> Label:
    label = Label(drawable(text), parent, wraps=True, role="mono" if _is_code(text) else "")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _is_code(text: str) -> bool:
    """True for values that are written in the language of the steps."""
    return any(sign in text for sign in "$=()[]{}\"'<>") or text.replace(".", "").isdigit()


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
        self.names = NamesView(page)
        self.findings = FindingsView(context, page)
        self.fields = StepListFields(page)
        self.contents = StepContents(context.notices.tell, page)
        self.executions = ExecutionsView(context, page)
        self._sections = self._fold_sections(page)
        in_column(page, self.head, *self._sections.values(), 1, margins=0, spacing=0)
        self.setWidgetResizable(True)
        self.setWidget(page)

    def _fold_sections(self, page: QWidget) -> dict[str, FoldSection]:
        words = QWidget(page)
        in_column(words, self.words, margins=(12, 2, 12, 8))
        return {
            "words": FoldSection(_("Text"), words, page),
            "contents": FoldSection(_("Contents"), self.contents, page),
            "fields": FoldSection(_("Fields"), self.fields, page),
            "meaning": FoldSection(_("Interpreted as"), self.meaning, page),
            "names": FoldSection(_("Variables"), self.names, page),
            "findings": FoldSection(_("Problems"), self.findings, page),
            "run": FoldSection(_("In the run"), self.run, page),
            "executions": FoldSection(_("Each time it ran"), self.executions, page),
            "comment": FoldSection(_("Comment"), self.comment, page),
            "source": FoldSection(_("Source"), self.source, page),
        }

    def show_step(self, step: Step) -> None:
        """Show what *step* says and how it is read."""
        self.head.show_kind(step)
        self.words.show_words(step.id, step.text)
        self.meaning.show_rows(with_judge(rows_in(self._context.documents.snapshot, step), step, self._context))
        self._show_rows("comment", self.comment, comment_rows(step))
        self._sections["contents"].setVisible(self.contents.show_step(step))
        self._sections["fields"].setVisible(self.fields.show_step(step, self._context.documents.snapshot))

    def show_names(self, step: Step, snapshot: Snapshot) -> None:
        """Show what the step reads and writes; like numbers, it takes a look at the whole document."""
        from workbench.model.step_names import names_of  # noqa: PLC0415 - loaded with the first step

        self._sections["names"].setVisible(self.names.show_names(step, names_of(snapshot, step), snapshot))

    def show_place(self, step: Step, snapshot: Snapshot) -> None:
        """Show the number and the lines of the step; in long documents they cost more than a keystroke may take."""
        self.head.show_number(step, snapshot)
        self.source.show_rows(source_rows(step, snapshot))

    def show_run(self, step: StepId, mark: StepMark | None) -> None:
        """Show how *step* did in the run, and each time that it was carried out."""
        self._show_rows("run", self.run, run_rows(mark))
        self._sections["executions"].setVisible(self.executions.show_step(step))

    def show_findings(self, findings: tuple[Diagnostic, ...]) -> None:
        """Show what is doubtful in the step."""
        self.findings.show_findings(findings)
        self._sections["findings"].setVisible(bool(findings))

    def _show_rows(self, name: str, view: RowsView, rows: Iterable[Row]) -> None:
        shown = tuple(rows)
        view.show_rows(shown)
        self._sections[name].setVisible(bool(shown))


class InspectorPanel(QStackedWidget):
    """Shows the one selected step, or what a skill says of itself; says how to select one, or that several are."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._none = EmptyState(
            "inspector", _("Nothing is selected"), _("Select a step to see what it means and to change it."), self
        )
        self._many = EmptyState(
            "inspector", _("Several steps are selected"), _("Move, wrap, copy or delete them together."), self
        )
        self.front: FrontMatterPage | None = None
        self.page = InspectorPage(context, self)
        for page in (self._none, self._many, self.page):
            self.addWidget(page)
        self._connect()
        self._show()

    def _connect(self) -> None:
        context = self._context
        context.documents.change_followed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_selected)
        context.selection.selection_changed.connect(self._on_selected)
        context.shown.marks_changed.connect(self._on_marks_changed)
        context.settings.settings_changed.connect(self._on_selected)
        context.diagnosis.ready.connect(self._on_findings_ready)
        self.page.words.words_written.connect(self._on_words_written)
        self.page.names.words_wanted.connect(self._on_words_written)
        self.page.names.setter_wanted.connect(self._on_setter_wanted)
        self.page.words.textChanged.connect(context.documents.fields.changed)
        self.page.fields.edited.connect(context.documents.fields.changed)
        context.documents.fields.add(self.page.words)
        context.documents.fields.add(self.page.fields)
        self.page.fields.value_written.connect(self._on_value_written)
        self.page.head.kind_chosen.connect(self._on_kind_chosen)

    def _step(self) -> Step | None:
        selected = self._context.selection.selected
        return self._context.documents.snapshot.find(selected[0]) if len(selected) == 1 else None

    def _show(self) -> None:
        """Show what is selected now."""
        if self.front is not None:
            self.front.follow()
        elif self._context.documents.snapshot.program.kind is FileKind.SKILL:
            self.front = _front_page(self._context, self)
        step = self._step()
        if step is None:
            many = len(self._context.selection.selected) > 1
            front = self.front if self.front is not None and self.front.has_form else None
            self.setCurrentWidget(self._many if many else front or self._none)
            return
        self.page.show_step(step)
        self.page.show_run(step.id, self._context.shown.marks.get(step.id))
        self._show_names()
        self.setCurrentWidget(self.page)

    def _show_names(self) -> None:
        step, snapshot = self._step(), self._context.documents.snapshot
        if step is not None and (snapshot.is_diagnosed or len(snapshot.where) <= _LONG):
            self.page.show_names(step, snapshot)

    def _show_place(self) -> None:
        """Numbers and lines; in a long document that has just changed, they come with its findings."""
        step, snapshot = self._step(), self._context.documents.snapshot
        if step is not None and (snapshot.is_diagnosed or len(snapshot.where) <= _LONG):
            self.page.show_place(step, snapshot)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Follow the document; numbers at once only where some may differ, findings when typing rests."""
        for field in (self.page.words, self.page.fields):
            if field.step in change.removed and field.is_being_written:
                self._context.documents.fields.left_over.emit(field.written)
                field.take_back()
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
        self._show_names()

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        step = self._step()
        if step is not None:
            self.page.show_run(step.id, marks.get(step.id))

    @Slot(object)
    def _on_words_written(self, words: NewWords) -> None:
        """Change the step's words; where that is refused, they stay in the field."""
        documents = self._context.documents
        outcome = documents.execute(SetStepText(words.step, words.text), self._context.selection.selected)
        self._show()
        if not isinstance(outcome, Refusal):
            self.page.words.take_back()

    @Slot(object)
    def _on_value_written(self, new: NewValue) -> None:
        """Change a field of the step; where that is refused, what was entered stays."""
        command = SetStepField(new.step, new.field, new.value)
        outcome = self._context.documents.execute(command, self._context.selection.selected)
        self._show()
        if not isinstance(outcome, Refusal):
            self.page.fields.fields[new.field].take_back()

    @Slot(object)
    def _on_setter_wanted(self, step: StepId) -> None:
        """Go to the step that sets a variable."""
        self._context.selection.select((step,), "inspector")
        self._context.selection.reveal((step,), "inspector")

    @Slot(object)
    def _on_kind_chosen(self, choice: KindChoice) -> None:
        self._context.documents.execute(ChangeKind(choice.step, choice.kind), self._context.selection.selected)
        self._show()


def _front_page(context: WindowContext, panel: QStackedWidget) -> FrontMatterPage:
    """The form of the front matter, which comes with the first skill."""
    from workbench.gui.inspector.front_matter_page import FrontMatterPage  # noqa: PLC0415 - few files need it

    page = FrontMatterPage(context, panel)
    panel.addWidget(page)
    return page


def with_judge(rows: tuple[Row, ...], step: Step, context: WindowContext) -> tuple[Row, ...]:
    """*rows* about *step*, in which the one that says who decides it says who that is."""
    judges = judges_of(context.settings.current, context.documents.file_state.path)
    kind = who_judges(context.documents.snapshot, step, judges)
    if kind is None:
        return rows
    label, words = str(BY_JUDGEMENT[0]), judge_words(kind, judges)
    return tuple((name, words if name == label else value) for name, value in rows)
