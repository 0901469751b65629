"""The source pane: the document's text, in step with everything else that shows it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.editing.change import DocumentChange
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks
from workbench.gui.source.selection_sync import SelectionSync
from workbench.gui.source.source_findings import SourceFindings
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

_LEAST_LINE_PX = 8
_AT_WORK = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.BLOCKED})


class SourcePanel(QWidget):
    """Typing here edits the document; what changes elsewhere is spliced in, and nothing jumps."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.editor = SourceEditor(self)
        self.marks = LineMarks(self.editor)
        self.sync = DocumentSync(context, self.editor)
        self._selection = SelectionSync(context, self.editor, self.sync, self.marks)
        self.findings = SourceFindings(context, self.editor, self.sync, self.marks)
        self._highlighter = SourceHighlighter(self.editor.document())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)
        self.editor.restyled.connect(self._highlighter.recolour)
        self.sync.opening.connect(self._on_opening)
        self.sync.opened.connect(self._on_opened)
        self.editor.view_changed.connect(self._on_view_changed)
        self.editor.copy_requested.connect(self._on_copy_requested)
        context.documents.document_changed.connect(self._on_document_changed)
        context.runs.marks_changed.connect(self._on_marks_changed)
        self.sync.open(context.documents.snapshot)

    @Slot(object)
    def _on_opening(self, snapshot: Snapshot) -> None:
        """Know the language first: a long text is coloured once, while it is loaded."""
        self._highlighter.expect_language(_language_of(snapshot))

    @Slot(object)
    def _on_opened(self, _snapshot: Snapshot) -> None:
        """Nothing is marked in another text."""
        self.editor.gutter.show_statuses({})
        self.marks.forget()

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Typing can turn a text into another kind of file."""
        self._highlighter.show_language(_language_of(change.after))

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        """Light the line that the run is at, and show in the gutter how far each step is."""
        snapshot = self.context.documents.snapshot
        at = running_step(marks, snapshot)
        self.marks.run([self.sync.stretch(snapshot.text_span(at))] if at is not None else [])
        self.editor.gutter.show_statuses(statuses_by_line(marks, snapshot, self.sync.positions.line_at))

    @Slot()
    def _on_view_changed(self) -> None:
        """Colour what came into view."""
        first = self.editor.firstVisibleBlock()
        self._highlighter.look_at(first, first.blockNumber() + self.editor.height() // _LEAST_LINE_PX)

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        """Copy what the document has; bytes that are not characters have no place on the clipboard."""
        text = self.sync.selected_span.of(self.sync.positions.text)
        data.setText(text.encode("utf-8", "replace").decode("utf-8"))


def _language_of(snapshot: Snapshot) -> str:
    """What the text of *snapshot* is coloured as."""
    form = snapshot.program.format
    if not form.is_steplist:
        return "playbook"
    return "json" if form.is_json else "yaml"


def running_step(marks: RunMarks, snapshot: Snapshot) -> StepId | None:
    """The innermost step at work: the one that was entered last."""
    at_work = {step: mark.started_ns for step, mark in marks.items() if mark.status in _AT_WORK and snapshot.has(step)}
    return max(at_work, key=lambda step: at_work[step]) if at_work else None


def statuses_by_line(marks: RunMarks, snapshot: Snapshot, line_at: Callable[[int], int]) -> dict[int, str]:
    """The status word of each 0-based line on which a step that the run has reached begins."""
    return {
        line_at(snapshot.head_span(step).start): mark.status.value for step, mark in marks.items() if snapshot.has(step)
    }
