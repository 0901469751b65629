"""All that the inspector says about one step, in sections that fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFormLayout, QFrame, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import StepMark
from workbench.gui.fixes.fix_row import FixRow
from workbench.gui.inspector.inspector_head import InspectorHead, StepWords
from workbench.gui.inspector.step_rows import Row, comment_rows, rows_of, run_rows, source_rows
from workbench.gui.inspector.steplist_fields import StepListFields
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.theming import SMALL_ICON_PX, Ink, severity_ink
from workbench.gui.words.values import drawable
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic


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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addWidget(content)
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
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 2, 12, 8)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
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
            self._form.addRow(_muted(label, self), _value(value, self))


def _muted(text: str, parent: QWidget) -> Label:
    label = Label(text, parent)
    label.setProperty("role", "secondary")
    return label


def _value(text: str, parent: QWidget) -> Label:
    label = Label(drawable(text), parent)
    label.setWordWrap(True)
    label.setProperty("role", "mono" if _is_code(text) else "")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _is_code(text: str) -> bool:
    """True for values that are written in the language of the steps."""
    return any(sign in text for sign in "$=()[]{}\"'<>") or text.replace(".", "").isdigit()


class FindingsView(QWidget):
    """Findings with their fixes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 2, 12, 8)
        self._column.setSpacing(2)
        self._cards: list[QWidget] = []
        self._shown: tuple[int, tuple[Diagnostic, ...]] = (-1, ())

    @property
    def count(self) -> int:
        """How many findings are shown."""
        return len(self._cards)

    def show_findings(self, findings: Sequence[Diagnostic]) -> None:
        """Show exactly *findings*."""
        wanted = (self._context.documents.snapshot.revision, tuple(findings))
        if wanted == self._shown:
            return
        self._shown = wanted
        for card in self._cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = [self._card(finding) for finding in findings]
        for card in self._cards:
            self._column.addWidget(card)

    def _card(self, finding: Diagnostic) -> QWidget:
        card = QFrame(self)
        column = QVBoxLayout(card)
        column.setContentsMargins(0, 2, 0, 2)
        row = QFormLayout()
        sign = finding.severity.value
        picture = Picture(icon(sign, severity_ink(sign)), card, SMALL_ICON_PX)
        message = Label(finding.message, card)
        message.setWordWrap(True)
        row.addRow(picture, message)
        column.addLayout(row)
        fixes = FixRow(self._context, card)
        fixes.show_fixes(finding)
        column.addWidget(fixes)
        return card


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
        self.fields = StepListFields(page)
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
            "words": FoldSection(_("Text"), words, page),
            "fields": FoldSection(_("Fields"), self.fields, page),
            "meaning": FoldSection(_("Interpreted as"), self.meaning, page),
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
