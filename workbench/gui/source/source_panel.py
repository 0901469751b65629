"""The source pane: the document's text, in step with everything else that shows it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Slot
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText, Refusal
from workbench.gui.context import WindowContext
from workbench.gui.diagnosis import Diagnosis
from workbench.gui.run_marks import RunMarks
from workbench.gui.selection import Hover, Selection
from workbench.gui.source.border import Border, shown
from workbench.gui.source.editor import MenuRequest, SourceEditor, Splice, Typed
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks
from workbench.gui.source.run_lines import running_step, statuses_by_line
from workbench.gui.source.source_menu import SourceMenu
from workbench.gui.source.splicing import breaks_a_line_end, edit_of, splices_of
from workbench.gui.source.touched import touched_spans
from workbench.gui.theme import Theme
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span

ORIGIN = "source"


class SourcePanel(QWidget):
    """Typing here edits the document; what changes elsewhere is spliced in, and nothing jumps."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._border = Border("")
        self._is_typing = False
        self._is_placing = False
        self._diagnostics: tuple[Diagnostic, ...] = ()
        self.editor = SourceEditor(self)
        self.marks = LineMarks(self.editor, context.theme.theme)
        self._highlighter = SourceHighlighter(self.editor.document(), context.theme.theme)
        self._diagnosis = Diagnosis(context, self)
        self._menu = SourceMenu(context, self.editor)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)
        self._connect()
        self.editor.show_theme(context.theme.theme)
        self._on_document_opened(context.documents.snapshot)

    def _connect(self) -> None:
        context, editor = self.context, self.editor
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        context.selection.selection_changed.connect(self._on_selection_changed)
        context.selection.reveal_requested.connect(self._on_reveal_requested)
        context.selection.place_requested.connect(self._on_place_requested)
        context.selection.hover_changed.connect(self._on_hover_changed)
        context.runs.marks_changed.connect(self._on_marks_changed)
        context.theme.theme_changed.connect(self._on_theme_changed)
        self._diagnosis.ready.connect(self._on_findings_ready)
        editor.typed.connect(self._on_typed)
        editor.caret_moved.connect(self._on_caret_moved)
        editor.pointer_moved.connect(self._on_pointer_moved)
        editor.menu_requested.connect(self._on_menu_requested)
        editor.copy_requested.connect(self._on_copy_requested)
        editor.tip_requested.connect(self._on_tip_requested)
        editor.view_changed.connect(self._on_view_changed)

    @property
    def caret(self) -> int:
        """Where the caret is, as an offset in the document."""
        return self._border.offset(self.editor.textCursor().position())

    def stretch(self, span: Span) -> tuple[int, int]:
        """*span* of the document, as positions in the widget."""
        return self._border.position(span.start), self._border.position(span.end)

    @Slot(object)
    def _on_typed(self, typed: Typed) -> None:
        """Make what was typed an edit of the document; where that is refused, the widget goes back."""
        edit = edit_of(self._border, typed)
        if edit is None:
            if not self._agrees_at(self._border.offset(typed.position)):
                self._resynchronise()
            return
        self._is_typing = True
        try:
            outcome = self.context.documents.execute(EditText((edit,)), self.context.selection.selected)
        finally:
            self._is_typing = False
        if isinstance(outcome, Refusal) or not self._agrees_at(edit.span.start):
            self._resynchronise()
        self._on_caret_moved()

    def _agrees_at(self, offset: int) -> bool:
        """False where a line end or a wide character was torn apart, which only the widget allows."""
        line = self._border.line_at(offset)
        block = self.editor.document().findBlockByNumber(line)
        is_alike = block.text() == shown(self._border.content(line))
        return is_alike and self.editor.blockCount() == self._border.line_count

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Patch what changed; what was typed here is in the widget already."""
        if self._is_typing:
            self._border.change(change.change, change.after.text)
            return
        is_odd = breaks_a_line_end(self._border.text, change.change)
        splices = splices_of(self._border, change.change)
        self._border.change(change.change, change.after.text)
        if is_odd:
            self._resynchronise()
        else:
            self.editor.splice(splices)
        spans = touched_spans(change.change)
        self.marks.flash(self.stretch(span) for span in spans)
        if spans and self.editor.hasFocus():
            self._place_caret(spans[-1].end)
        self._mark_selection()

    def _resynchronise(self) -> None:
        """Show the document's text in the widget, whatever the widget has; caret and view stay where they are."""
        position, value = self.editor.textCursor().position(), self.editor.verticalScrollBar().value()
        self.editor.splice((Splice(0, self.editor.document().characterCount() - 1, shown(self._border.text)),))
        self.editor.place_caret(position)
        self.editor.verticalScrollBar().setValue(value)

    @Slot(object)
    def _on_document_opened(self, snapshot: Snapshot) -> None:
        """Show another text from its beginning."""
        self._border = Border(snapshot.text)
        self._diagnostics = ()
        self.marks.forget()
        self.editor.gutter.show_problems({})
        self.editor.gutter.show_statuses({})
        self.editor.load(shown(snapshot.text))
        self.marks.refresh()

    @Slot()
    def _on_caret_moved(self) -> None:
        """Select the step that the caret is in, or those that the selected text touches."""
        if self._is_typing or self._is_placing:
            return
        cursor = self.editor.textCursor()
        span = Span(self._border.offset(cursor.selectionStart()), self._border.offset(cursor.selectionEnd()))
        snapshot = self.context.documents.snapshot
        within = snapshot.steps_within(span) if cursor.hasSelection() else ()
        at = snapshot.step_at(span.start)
        steps = tuple(dict.fromkeys((*((at,) if at is not None else ()), *within)))
        self.context.selection.select(steps, ORIGIN)
        self._mark_selection()
        self.marks.refresh()

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        if selection.origin != ORIGIN and not self._is_typing:
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
        self.editor.show_middle(self._border.position(span.start))
        self.marks.flash([self.stretch(span)])

    def _go_to(self, steps: tuple[StepId, ...]) -> None:
        """Put the caret on the first of *steps*, unless it is in there already."""
        snapshot = self.context.documents.snapshot
        if not steps or not snapshot.has(steps[0]) or self._border.text != snapshot.text:
            return
        head = snapshot.head_span(steps[0]).start
        if snapshot.step_at(self.caret) != steps[0]:
            self._place_caret(head)
        self.editor.show_middle(self._border.position(head))

    def _place_caret(self, offset: int) -> None:
        """Move the caret without selecting anything by it."""
        self._is_placing = True
        try:
            self.editor.place_caret(self._border.position(offset))
        finally:
            self._is_placing = False

    def _mark_selection(self) -> None:
        snapshot = self.context.documents.snapshot
        found = [step for step in self.context.selection.selected if snapshot.has(step)]
        self.marks.select([self.stretch(snapshot.text_span(step)) for step in found])

    @Slot(object)
    def _on_pointer_moved(self, position: int | None) -> None:
        step = None if position is None else self.context.documents.snapshot.step_at(self._border.offset(position))
        self.context.selection.hover(step, ORIGIN)

    @Slot(object)
    def _on_hover_changed(self, hover: Hover) -> None:
        """Tint what the pointer is over in another pane."""
        snapshot = self.context.documents.snapshot
        is_shown = hover.step is not None and hover.origin != ORIGIN and snapshot.has(hover.step)
        self.marks.hover([self.stretch(snapshot.text_span(hover.step))] if is_shown and hover.step else [])

    @Slot(object)
    def _on_marks_changed(self, marks: RunMarks) -> None:
        """Light the line that the run is at, and show in the gutter how far each step is."""
        snapshot = self.context.documents.snapshot
        at = running_step(marks, snapshot)
        self.marks.run([self.stretch(snapshot.text_span(at))] if at is not None else [])
        self.editor.gutter.show_statuses(statuses_by_line(marks, snapshot, self._border.line_at))

    @Slot(object)
    def _on_findings_ready(self, snapshot: Snapshot) -> None:
        self._diagnostics = snapshot.diagnostics
        by_line: dict[int, tuple[Diagnostic, ...]] = {}
        for each in self._diagnostics:
            line = self._border.line_at(each.span.start)
            by_line[line] = (*by_line.get(line, ()), each)
        self.editor.gutter.show_problems(by_line)
        self._underline()

    def _underline(self) -> None:
        """Underline the problems that can be seen."""
        blocks = [block for block, _rect in self.editor.visible_blocks()]
        if not blocks:
            return
        first = self._border.offset(blocks[0].position())
        last = self._border.offset(blocks[-1].position() + blocks[-1].length() - 1)
        seen = [each for each in self._diagnostics if each.span.start <= last and each.span.end >= first]
        self.marks.underline((self.stretch(_with_width(each.span)), each.severity) for each in seen)

    @Slot()
    def _on_view_changed(self) -> None:
        """Colour and underline what came into view."""
        last = self.editor.firstVisibleBlock().blockNumber() + self.editor.height() // 8
        self._highlighter.look_at(self.editor.firstVisibleBlock(), last)
        if self._diagnostics:
            self._underline()

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        cursor = self.editor.textCursor()
        span = Span(self._border.offset(cursor.selectionStart()), self._border.offset(cursor.selectionEnd()))
        data.setText(span.of(self._border.text).encode("utf-8", "replace").decode("utf-8"))

    @Slot(object)
    def _on_menu_requested(self, request: MenuRequest) -> None:
        self._menu.open(request.point, self._findings_at(self._border.offset(request.position)))

    @Slot(object)
    def _on_tip_requested(self, event: QHelpEvent) -> None:
        position = self.editor.position_at(event.pos())
        found = () if position is None else self._findings_at(self._border.offset(position))
        QToolTip.showText(event.globalPos(), "\n".join(each.message for each in found), self.editor)

    def _findings_at(self, offset: int) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self._diagnostics if each.span.start <= offset <= _with_width(each.span).end)

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self.editor.show_theme(theme)
        self.marks.show_theme(theme)
        self._highlighter.show_theme(theme)


def _with_width(span: Span) -> Span:
    """*span*, at least one character wide, so that there is something to see."""
    return span if len(span) else Span(span.start, span.start + 1)
