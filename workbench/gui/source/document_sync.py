"""Holds the widget to the document: what is typed becomes edits, what changes elsewhere becomes splices."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText, Refusal
from workbench.gui.control.context import WindowContext
from workbench.gui.source.editor import SourceEditor, Splice
from workbench.gui.source.position_map import PositionMap, shown
from workbench.gui.source.splicing import breaks_a_line_end, edit_of, splices_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span


class DocumentSync(QObject):
    """Knows where everything of the document is in the widget. *is_typing*: while an edit from here is made."""

    typed = Signal()  # an edit from here is in the document
    changed = Signal(object)  # DocumentChange from elsewhere, already in the widget
    opening = Signal(object)  # Snapshot: its text is about to be loaded
    opened = Signal(object)  # Snapshot: another text is in the widget

    def __init__(self, context: WindowContext, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self.positions = PositionMap("")
        self.is_typing = False
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self.open)
        editor.typed.connect(self._on_typed)

    @property
    def caret(self) -> int:
        """Where the caret is, as an offset in the document."""
        return self.positions.offset(self._editor.textCursor().position())

    @property
    def selected_span(self) -> Span:
        """The selected text; empty where the caret is, if there is none."""
        cursor = self._editor.textCursor()
        return Span(self.positions.offset(cursor.selectionStart()), self.positions.offset(cursor.selectionEnd()))

    def stretch(self, span: Span) -> tuple[int, int]:
        """*span* of the document, as positions in the widget."""
        return self.positions.position(span.start), self.positions.position(span.end)

    @Slot(object)
    def open(self, snapshot: Snapshot) -> None:
        """Show another text from its beginning."""
        self.positions = PositionMap(snapshot.text)
        self.opening.emit(snapshot)
        self._editor.load(shown(snapshot.text))
        self.opened.emit(snapshot)
        self._editor.view_changed.emit()

    @Slot(object)
    def _on_typed(self, typed: Splice) -> None:
        """Make what was typed an edit of the document; where that is refused, the widget goes back."""
        edit = edit_of(self.positions, typed)
        start = self.positions.offset(typed.position) if edit is None else edit.span.start
        outcome = None if edit is None else self._execute(EditText((edit,)))
        if isinstance(outcome, Refusal) or not self._agrees_at(start):
            self._resynchronise()
        if edit is not None:
            self.typed.emit()

    def _execute(self, command: EditText) -> DocumentChange | Refusal:
        self.is_typing = True
        try:
            return self._context.documents.execute(command, self._context.selection.selected)
        finally:
            self.is_typing = False

    def _agrees_at(self, offset: int) -> bool:
        """False where a line end or a wide character was torn apart, which only the widget allows."""
        line = self.positions.line_at(offset)
        block = self._editor.document().findBlockByNumber(line)
        is_alike = block.text() == shown(self.positions.content(line))
        return is_alike and self._editor.blockCount() == self.positions.line_count

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Patch what changed; what was typed here is in the widget already."""
        if self.is_typing:
            self.positions.change(change.change, change.after.text)
            return
        is_odd = breaks_a_line_end(self.positions.text, change.change)
        splices = splices_of(self.positions, change.change)
        self.positions.change(change.change, change.after.text)
        if is_odd:
            self._resynchronise()
        else:
            self._editor.splice(splices)
        self.changed.emit(change)

    def _resynchronise(self) -> None:
        """Show the document's text in the widget, whatever the widget has; caret and view stay where they are."""
        position, value = self._editor.textCursor().position(), self._editor.verticalScrollBar().value()
        self._editor.splice((Splice(0, self._editor.document().characterCount() - 1, shown(self.positions.text)),))
        self._editor.place_caret(position)
        self._editor.verticalScrollBar().setValue(value)
