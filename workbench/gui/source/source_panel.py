"""Keeps caret and selection together: the step that the caret is in is the one that is selected."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QObject, Slot
from PySide6.QtWidgets import QWidget

from workbench.editing.change import ChangeOrigin, DocumentChange
from workbench.gui.control.action_spec import ShortcutScope
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import numbers_in
from workbench.gui.control.explaining.help_controller import Told
from workbench.gui.control.running.run_marks import RunMarks
from workbench.gui.control.selection import Hover, Selection
from workbench.gui.look.layouts import in_column
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editing.assistance import SourceAssistance, ToldAt
from workbench.gui.source.editing.carets import CaretKeys, CaretPointer, SourceCarets
from workbench.gui.source.editing.folding import SourceFolds
from workbench.gui.source.editing.list_keys import ListKeys
from workbench.gui.source.editing.overlay import SourceOverlay
from workbench.gui.source.editing.source_keys import SourceKeys
from workbench.gui.source.editing.text_keys import SourceLines, StepTab, TypedPairs
from workbench.gui.source.editor import SourceEditor
from workbench.gui.source.gutter_signs import GitMarks, SourceFindings, StepSigns
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks, SourceBar, SourceFinds
from workbench.model.program import StepId
from workbench.model.showing.colours import language_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span

ORIGIN = "source"
_LEAST_LINE_PX = 8


class SelectionSync(QObject):
    """Follows the caret, and lets the caret follow the other panes."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, marks: LineMarks) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._marks = marks
        self._is_placing = False
        self._brought: tuple[StepId, int] | None = None
        selection = context.selection
        selection.selection_changed.connect(self._on_selection_changed)
        selection.reveal_requested.connect(self._on_reveal_requested)
        selection.place_requested.connect(self._on_place_requested)
        selection.text_requested.connect(self._on_text_requested)
        selection.show_requested.connect(self._on_show_requested)
        sync.typed.connect(self._on_typed)
        sync.changed.connect(self._on_document_changed)
        editor.caret_moved.connect(self._on_caret_moved)
        editor.view_changed.connect(self._on_view_changed)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Show for a moment what an edit from elsewhere touched; after undo here, the caret goes there."""
        if change.origin is not ChangeOrigin.TYPING:
            spans = touched_spans(change.change, lines_in_view(self._editor, self._sync))
            self._marks.flash([self._sync.stretch(span) for span in spans])
        if change.change.starts and self._editor.hasFocus() and change.origin.is_by_hand:
            last = len(change.change.starts) - 1
            self._place_caret(_touched(change.change, last).end)
        self._context.selection.set_caret(self._sync.selected_span)
        self._mark_selection()

    @Slot()
    def _on_caret_moved(self) -> None:
        """Select the step that the caret is in, or those that the selected text touches."""
        if self._sync.is_typing:
            return
        self._context.selection.set_caret(self._sync.selected_span)
        if self._is_placing:
            return
        span, snapshot = self._sync.selected_span, self._context.documents.snapshot
        at = snapshot.step_at(span.start)
        within = snapshot.steps_within(span) if len(span) else ()
        self._context.selection.select(tuple(dict.fromkeys((*((at,) if at else ()), *within))), ORIGIN)
        self._context.selection.tell_caret(self._sync.positions.line_at(span.start) + 1)
        self._mark_selection()
        self._marks.refresh()

    @Slot()
    def _on_typed(self) -> None:
        """Whoever types sees what becomes of it in the other panes."""
        self._on_caret_moved()
        self._context.selection.show(self._context.selection.selected, ORIGIN)

    @Slot(object)
    def _on_show_requested(self, selection: Selection) -> None:
        if selection.origin != ORIGIN and selection.steps:
            self._bring(selection.steps[0])

    def _bring(self, step: StepId) -> None:
        snapshot = self._context.documents.snapshot
        if snapshot.has(step) and self._sync.positions.text == snapshot.text:
            self._editor.show_whole(*self._sync.stretch(snapshot.text_span(step)))
            self._brought = step, self._editor.verticalScrollBar().value()

    @Slot()
    def _on_view_changed(self) -> None:
        """There is less room, or more: what was brought into view stays there, unless the person has looked away."""
        if self._brought is not None and self._brought[1] == self._editor.verticalScrollBar().value():
            self._bring(self._brought[0])

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
        self._editor.show_whole(*self._sync.stretch(span))
        self._place_caret(span.start)
        self._marks.flash([self._sync.stretch(span)])

    @Slot(object)
    def _on_text_requested(self, span: Span) -> None:
        """Select *span*, which may be longer than what there is room for."""
        if span.end <= len(self._sync.positions.text):
            self._editor.show_whole(*self._sync.stretch(span))
            self._place_caret(span.end, span.start)

    def _go_to(self, steps: tuple[StepId, ...]) -> None:
        """Put the caret on the first of *steps*, unless it is in there already."""
        snapshot = self._context.documents.snapshot
        if not steps or not snapshot.has(steps[0]) or self._sync.positions.text != snapshot.text:
            return
        self._bring(steps[0])
        if snapshot.step_at(self._sync.caret) != steps[0]:
            self._place_caret(snapshot.head_span(steps[0]).start)

    def put_caret(self, anchor: int, caret: int) -> None:
        """Select the text from *anchor* to *caret*, and no step by it."""
        last = len(self._sync.positions.text)
        self._place_caret(min(caret, last), min(anchor, last))
        self._context.selection.set_caret(self._sync.selected_span)

    def _place_caret(self, offset: int, anchor: int | None = None) -> None:
        """Move the caret, and select the text from *anchor* on, without selecting a step by it."""
        self._is_placing = True
        position = self._sync.positions.position
        try:
            self._editor.place_caret(position(offset), None if anchor is None else position(anchor))
        finally:
            self._is_placing = False

    def _mark_selection(self) -> None:
        snapshot = self._context.documents.snapshot
        found = [step for step in self._context.selection.selected if snapshot.has(step)]
        self._marks.select([self._sync.stretch(snapshot.text_span(step)) for step in found])


class HoverSync(QObject):
    """Tells which step the pointer is over, and tints the one that it is over in another pane."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, marks: LineMarks) -> None:
        super().__init__(editor)
        self._context = context
        self._sync = sync
        self._marks = marks
        self._hovered: StepId | None = None
        context.selection.hover_changed.connect(self._on_hover_changed)
        editor.pointer_moved.connect(self._on_pointer_moved)
        sync.typed.connect(self._mark_hover)
        sync.changed.connect(self._mark_hover)

    @Slot(object)
    def _on_pointer_moved(self, position: int | None) -> None:
        offset = None if position is None else self._sync.positions.offset(position)
        step = None if offset is None else self._context.documents.snapshot.step_at(offset)
        self._context.selection.hover(step, ORIGIN)

    @Slot(object)
    def _on_hover_changed(self, hover: Hover) -> None:
        self._hovered = None if hover.origin == ORIGIN else hover.step
        self._mark_hover()

    @Slot()
    def _mark_hover(self) -> None:
        """Tint what the pointer is over in another pane."""
        snapshot, step = self._context.documents.snapshot, self._hovered
        is_here = step is not None and snapshot.has(step)
        self._marks.hover([self._sync.stretch(snapshot.text_span(step))] if is_here and step is not None else [])


def lines_in_view(editor: SourceEditor, sync: DocumentSync) -> Span:
    """The text on the lines that are in view; all of it where that is not known yet."""
    lines = [block.blockNumber() for block, _rect in editor.visible_blocks()]
    if not lines or lines[-1] >= sync.positions.line_count:
        return Span(0, len(sync.positions.text))
    return Span(sync.positions.line_span(lines[0]).start, sync.positions.line_span(lines[-1]).end)


def touched_spans(change: TextChange, seen: Span) -> tuple[Span, ...]:
    """Where each edit that reaches into *seen*, of the new text, left something; empty where it only took away."""
    places = range(len(change.starts))
    first = bisect_left(places, seen.start, key=lambda at: change.new_span(at).start)
    stop = bisect_right(places, seen.end, key=lambda at: change.new_span(at).start)
    spans = (_touched(change, at) for at in places[max(0, first - 1) : stop])
    return tuple([span for span in spans if span.end >= seen.start])


def _touched(change: TextChange, at: int) -> Span:
    span, insert = change.new_span(at), change.inserts[at]
    return Span(span.start, span.end - len(insert) + len(insert.rstrip("\r\n")))


@dataclass(frozen=True, slots=True)
class CodeEditing:
    """The parts of one editor. *takers*: those that only take keys, in their order."""

    assistance: SourceAssistance
    carets: SourceCarets
    overlay: SourceOverlay
    lines: SourceLines
    folds: SourceFolds
    takers: tuple[object, ...]


def code_editing(context: WindowContext, editor: SourceEditor, sync: DocumentSync, told_at: ToldAt) -> CodeEditing:
    """The parts for *editor*; *told_at*: what is told of a position besides what is known of its word."""
    assistance, carets = SourceAssistance(context, editor, sync, told_at), SourceCarets(context, editor, sync)
    pointer, keys = CaretPointer(carets, editor, sync.offset), CaretKeys(context, editor, sync, carets)
    assistance.at_all_carets = keys.write_at_all
    return CodeEditing(
        assistance=assistance,
        carets=carets,
        takers=(
            pointer,
            keys,
            SourceKeys(context.actions, editor),
            TypedPairs(editor, sync),
            StepTab(context, editor, sync),
            ListKeys(editor),
        ),
        overlay=SourceOverlay(context, editor, sync),
        lines=SourceLines(context, sync),
        folds=SourceFolds(context, editor, sync),
    )


class SourceLinks(QObject):
    """Follows the link that was clicked."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._sync = sync
        editor.link_requested.connect(self._on_link_requested)

    @Slot(object)
    def _on_link_requested(self, position: int) -> None:
        link = self._context.links.link_at(self._sync.positions.offset(position))
        if link is not None:
            self._context.links.open(link)


class SourcePanel(QWidget):
    """Typing here edits the document; what changes elsewhere is spliced in, and nothing jumps."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.editor = SourceEditor(self)
        self.marks = LineMarks(self.editor)
        self.sync = DocumentSync(context, self.editor)
        self._selection = SelectionSync(context, self.editor, self.sync, self.marks)
        self._hover = HoverSync(context, self.editor, self.sync, self.marks)
        self.findings = SourceFindings(context, self.editor, self.sync, self.marks)
        self.editing = code_editing(context, self.editor, self.sync, self.findings.told_at)
        self._links = SourceLinks(context, self.editor, self.sync)
        self.git = GitMarks(context, self.editor)
        self._signs = StepSigns(context, self.editor, self.sync)
        self._finds = SourceFinds(context.find, self.editor, self.sync, self.marks)
        self._bar_marks = SourceBar(context, self.editor, self.sync)
        self._highlighter = SourceHighlighter(self.editor.document())
        in_column(self, self.editor, margins=0)
        self.setFocusProxy(self.editor)
        context.actions.attach(self, ShortcutScope.DOCUMENT)
        self.editor.restyled.connect(self._highlighter.recolour)
        self.sync.opening.connect(self._on_opening)
        self.sync.opened.connect(self._on_opened)
        self.editor.view_changed.connect(self._on_view_changed)
        self.editor.copy_requested.connect(self._on_copy_requested)
        context.documents.change_shown.connect(self._on_document_changed)
        context.shown.marks_changed.connect(self._on_marks_changed)
        self.editor.gutter.status_of = self._status_of
        context.documents.views.add("source", self)
        self.sync.open(context.documents.snapshot)

    def told_here(self) -> Told:
        """What the pointer would be told at the caret."""
        return self.editing.assistance.tips.told_here()

    def put_away(self) -> dict[str, list[int]]:
        """The caret, with the text that is selected, the line at the top, and which lines are folded."""
        cursor, folds = self.editor.textCursor(), self.editing.folds.folded_lines
        caret = [self.sync.offset(cursor.anchor()), self.sync.offset(cursor.position())]
        return {"caret": caret, "top": [self.editor.firstVisibleBlock().blockNumber()], "folded": [*folds]}

    def bring_back(self, view: object) -> None:
        """Put the caret there again; what is selected in the flowchart stays as it is."""
        for line in {*numbers_in(view, "folded")} ^ {*self.editing.folds.folded_lines}:
            self.editing.folds.toggle(line)
        caret = numbers_in(view, "caret", 2)
        if caret:
            self._selection.put_caret(caret[0], caret[1])
        for line in numbers_in(view, "top", 1):
            block = self.editor.document().findBlockByNumber(min(line, self.editor.blockCount() - 1))
            self.editor.verticalScrollBar().setValue(block.firstLineNumber())

    @Slot(object)
    def _on_opening(self, snapshot: Snapshot) -> None:
        """Know the language first: a long text is coloured once, while it is loaded."""
        self._highlighter.expect_language(language_of(snapshot))
        self._highlighter.expect_lines(self.sync.positions.line_count)

    @Slot(object)
    def _on_opened(self, _snapshot: Snapshot) -> None:
        """Nothing is marked in another text."""
        self._highlighter.loaded()
        self.marks.forget()

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Typing can turn a text into another kind of file; what the run is at stays lit on its line."""
        self._highlighter.show_language(language_of(change.after))
        self._light_place()

    @Slot(object)
    def _on_marks_changed(self, _marks: RunMarks) -> None:
        self._light_place()
        self.editor.gutter.update()

    def _light_place(self) -> None:
        """Light the lines of the step that the run is at."""
        snapshot, at = self.context.documents.snapshot, self.context.shown.place
        is_here = at is not None and snapshot.has(at)
        self.marks.run([self.sync.stretch(snapshot.text_span(at))] if is_here and at is not None else [])

    def _status_of(self, line: int) -> str | None:
        """How far the step is that begins on the 0-based *line*; asked anew, so that it stays with the step."""
        step = self.sync.step_beginning_on(line, self.context.documents.snapshot)
        mark = self.context.shown.marks.get(step) if step is not None else None
        return None if mark is None else mark.status.value

    @Slot()
    def _on_view_changed(self) -> None:
        """Colour what came into view."""
        first = self.editor.firstVisibleBlock()
        self._highlighter.look_at(first, self.editor.height() // _LEAST_LINE_PX)

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        """Copy what the document has; bytes that are not characters have no place on the clipboard."""
        text = self.sync.selected_span.of(self.sync.positions.text)
        data.setText(text.encode("utf-8", "replace").decode("utf-8"))
