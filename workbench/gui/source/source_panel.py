"""The source pane: the document's text, in step with everything else that shows it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.editing.change import DocumentChange
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import RunMarks
from workbench.gui.source.document_link import DocumentLink
from workbench.gui.source.editor import SourceEditor
from workbench.gui.source.findings_link import FindingsLink
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks
from workbench.gui.source.run_lines import running_step, statuses_by_line
from workbench.gui.source.selection_link import SelectionLink
from workbench.model.snapshot import Snapshot

_LEAST_LINE_PX = 8


class SourcePanel(QWidget):
    """Typing here edits the document; what changes elsewhere is spliced in, and nothing jumps."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.editor = SourceEditor(self)
        self.marks = LineMarks(self.editor)
        self.link = DocumentLink(context, self.editor)
        self._selection = SelectionLink(context, self.editor, self.link, self.marks)
        self.findings = FindingsLink(context, self.editor, self.link, self.marks)
        self._highlighter = SourceHighlighter(self.editor.document())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)
        self.editor.restyled.connect(self._highlighter.recolour)
        self.link.opening.connect(self._on_opening)
        self.link.opened.connect(self._on_opened)
        self.editor.view_changed.connect(self._on_view_changed)
        self.editor.copy_requested.connect(self._on_copy_requested)
        context.documents.document_changed.connect(self._on_document_changed)
        context.runs.marks_changed.connect(self._on_marks_changed)
        self.link.open(context.documents.snapshot)

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
        self.marks.run([self.link.stretch(snapshot.text_span(at))] if at is not None else [])
        self.editor.gutter.show_statuses(statuses_by_line(marks, snapshot, self.link.border.line_at))

    @Slot()
    def _on_view_changed(self) -> None:
        """Colour what came into view."""
        first = self.editor.firstVisibleBlock()
        self._highlighter.look_at(first, first.blockNumber() + self.editor.height() // _LEAST_LINE_PX)

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        """Copy what the document has; bytes that are not characters have no place on the clipboard."""
        text = self.link.selected_span.of(self.link.border.text)
        data.setText(text.encode("utf-8", "replace").decode("utf-8"))


def _language_of(snapshot: Snapshot) -> str:
    """What the text of *snapshot* is coloured as."""
    form = snapshot.program.format
    if not form.is_steplist:
        return "playbook"
    return "json" if form.is_json else "yaml"
