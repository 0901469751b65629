"""Keeps caret and selection together: the step that the caret is in is the one that is selected."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import DocumentChange
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import Hover, Selection
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.gui.source.line_marks import LineMarks
from workbench.model.program import StepId
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span

ORIGIN = "source"


class SelectionSync(QObject):
    """Follows the caret, and lets the caret follow the other panes."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, marks: LineMarks) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._marks = marks
        self._is_placing = False
        selection = context.selection
        selection.selection_changed.connect(self._on_selection_changed)
        selection.reveal_requested.connect(self._on_reveal_requested)
        selection.place_requested.connect(self._on_place_requested)
        selection.hover_changed.connect(self._on_hover_changed)
        sync.typed.connect(self._on_caret_moved)
        sync.changed.connect(self._on_document_changed)
        editor.caret_moved.connect(self._on_caret_moved)
        editor.pointer_moved.connect(self._on_pointer_moved)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Show for a moment what an edit from elsewhere touched; after undo here, the caret goes there."""
        spans = touched_spans(change.change)
        self._marks.flash(self._sync.stretch(span) for span in spans)
        if spans and self._editor.hasFocus() and change.origin.is_by_hand:
            self._place_caret(spans[-1].end)
        self._mark_selection()

    @Slot()
    def _on_caret_moved(self) -> None:
        """Select the step that the caret is in, or those that the selected text touches."""
        if self._sync.is_typing or self._is_placing:
            return
        span, snapshot = self._sync.selected_span, self._context.documents.snapshot
        at = snapshot.step_at(span.start)
        within = snapshot.steps_within(span) if len(span) else ()
        self._context.selection.select(tuple(dict.fromkeys((*((at,) if at else ()), *within))), ORIGIN)
        self._context.selection.tell_caret(self._sync.positions.line_at(span.start) + 1)
        self._mark_selection()
        self._marks.refresh()

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        if selection.origin != ORIGIN and not self._sync.is_typing:
            self._go_to(selection.steps)
        self._mark_selection()

    @Slot(object)
    def _on_reveal_requested(self, selection: Selection) -> None:
        if selection.origin != ORIGIN:
            self._go_to(selection.steps)

    @Slot(object)
    def _on_place_requested(self, span: Span) -> None:
        """Put the caret at the beginning of *span*, which may belong to no step."""
        self._place_caret(span.start)
        self._editor.show_middle(self._sync.positions.position(span.start))
        self._marks.flash([self._sync.stretch(span)])

    def _go_to(self, steps: tuple[StepId, ...]) -> None:
        """Put the caret on the first of *steps*, unless it is in there already."""
        snapshot = self._context.documents.snapshot
        if not steps or not snapshot.has(steps[0]) or self._sync.positions.text != snapshot.text:
            return
        head = snapshot.head_span(steps[0]).start
        if snapshot.step_at(self._sync.caret) != steps[0]:
            self._place_caret(head)
        self._editor.show_middle(self._sync.positions.position(head))

    def _place_caret(self, offset: int) -> None:
        """Move the caret without selecting anything by it."""
        self._is_placing = True
        try:
            self._editor.place_caret(self._sync.positions.position(offset))
        finally:
            self._is_placing = False

    def _mark_selection(self) -> None:
        snapshot = self._context.documents.snapshot
        found = [step for step in self._context.selection.selected if snapshot.has(step)]
        self._marks.select([self._sync.stretch(snapshot.text_span(step)) for step in found])

    @Slot(object)
    def _on_pointer_moved(self, position: int | None) -> None:
        offset = None if position is None else self._sync.positions.offset(position)
        step = None if offset is None else self._context.documents.snapshot.step_at(offset)
        self._context.selection.hover(step, ORIGIN)

    @Slot(object)
    def _on_hover_changed(self, hover: Hover) -> None:
        """Tint what the pointer is over in another pane."""
        snapshot = self._context.documents.snapshot
        if hover.step is None or hover.origin == ORIGIN or not snapshot.has(hover.step):
            self._marks.hover([])
        else:
            self._marks.hover([self._sync.stretch(snapshot.text_span(hover.step))])


def touched_spans(change: TextChange) -> tuple[Span, ...]:
    """Where each edit left something, in the new text; an empty span where it only took away."""
    pairs = zip(change.new_spans, change.edits, strict=True)
    return tuple(Span(span.start, span.start + len(edit.insert.rstrip("\r\n"))) for span, edit in pairs)
