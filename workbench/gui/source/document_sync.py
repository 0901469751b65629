"""Between the widget and the document: what was typed as an edit, and what changed elsewhere as splices."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText, Refusal
from workbench.gui.control.context import WindowContext
from workbench.gui.source.editor import SourceEditor, Splice
from workbench.gui.source.position_map import PositionMap, units
from workbench.gui.words.widget_text import shown
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import Side, TextChange, TextEdit
from workbench.syntax.differences import common_ends
from workbench.syntax.text import Span

_REST_MS = 200
_SLICE_LINES = 200
_SLICE_PAUSE_MS = 20
_WRITING = frozenset({QEvent.Type.KeyPress, QEvent.Type.InputMethod, QEvent.Type.Drop})
"""What may write something into the widget."""


def edit_of(positions: PositionMap, typed: Splice) -> TextEdit | None:
    """The edit of the document that *typed* stands for; None where nothing changed.

    Only what really differs is taken over: the widget may report more than was typed, and
    its stand-ins must not get into the text.
    """
    old = Span(positions.offset(typed.position), positions.offset(typed.position + typed.removed))
    before, after = shown(old.of(positions.text)), typed.added
    head, tail = common_ends(before, after)
    start = positions.offset(typed.position + units(before[:head]))
    end = positions.offset(typed.position + units(before[: len(before) - tail]))
    inserted = after[head : len(after) - tail]
    if start == end and not inserted:
        return None
    return TextEdit(Span(start, end), with_line_ends(positions, start, inserted))


def with_line_ends(positions: PositionMap, at: int, text: str) -> str:
    """*text* with the line ends that the document has around *at*."""
    if "\n" not in text:
        return text
    return text.replace("\n", positions.line_end(positions.line_at(at)))


def splices_of(positions: PositionMap, change: TextChange) -> tuple[Splice, ...]:
    """What to do in the widget for *change* of the text that *positions* knows."""
    return tuple(_splice(positions, edit) for edit in change.edits if len(edit.span) or edit.insert)


class WaitingNumbers(QObject):
    """The numbers before items on lines out of sight, which the widget takes over when nobody waits for it.

    A step that goes far gives thousands of lines another number. It has as many digits, so nothing stands elsewhere for
    it: what is in view is written at once, all of it before something is typed, and the rest in slices.
    """

    def __init__(self, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._editor = editor
        self._sync = sync
        self._waiting = Span(0, 0)
        self._slices = QTimer(self, singleShot=True)
        self._slices.timeout.connect(self._write_slice)
        editor.view_changed.connect(self._write_visible)

    def forget(self) -> None:
        """The widget has all of the text."""
        self._waiting = Span(0, 0)
        self._slices.stop()
        for widget in (self._editor, self._editor.viewport()):
            widget.removeEventFilter(self)

    def follow(self, change: DocumentChange) -> None:
        """Take up the numbers that *change* has given lines, and know where the others are that wait."""
        starts, ends = [], []
        if len(self._waiting):
            starts.append(change.change.map_position(self._waiting.start, Side.BEFORE))
            ends.append(change.change.map_position(self._waiting.end))
        for window in change.numbered:
            starts.append(change.after.block_starts[window.new.start])
            ends.append(change.after.block_starts[window.new.stop])
        if starts:
            self._waiting = Span(min(starts), max(ends))
            self._slices.start(_REST_MS)
            for widget in (self._editor, self._editor.viewport()):
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys and whatever else may write something meet the text as it is."""
        if event.type() in _WRITING:
            self.write_all()
        return super().eventFilter(watched, event)

    def write_all(self) -> None:
        """Have the whole text in the widget."""
        self._write(self._waiting)
        self.forget()

    @Slot()
    def _write_visible(self) -> None:
        if len(self._waiting) and not self._editor.is_splicing:
            blocks = [block for block, _rect in self._editor.visible_blocks()]
            if blocks:
                first, last = (self._sync.positions.line_span(block.blockNumber()) for block in (blocks[0], blocks[-1]))
                self._write(Span(max(self._waiting.start, first.start), min(self._waiting.end, last.end)))

    @Slot()
    def _write_slice(self) -> None:
        positions, start = self._sync.positions, self._waiting.start
        stop = positions.line_at(start) + _SLICE_LINES
        end = positions.line_span(stop).start if stop < positions.line_count else self._waiting.end
        self._write(Span(start, min(end, self._waiting.end)))
        if end < self._waiting.end:
            self._waiting = Span(end, self._waiting.end)
            self._slices.start(_SLICE_PAUSE_MS)
        else:
            self.forget()

    def _write(self, span: Span) -> None:
        """Have the lines of *span*, if any, as the document has them."""
        if span.end <= span.start:
            return
        positions, splices = self._sync.positions, []
        first, last = positions.line_at(span.start), positions.line_at(span.end - 1)
        block = self._editor.document().findBlockByNumber(first)
        for line in range(first, last + 1):
            now, wanted = block.text(), shown(positions.content(line))
            if now != wanted:
                head, tail = common_ends(now, wanted)
                at, added = block.position() + units(now[:head]), wanted[head : len(wanted) - tail]
                splices.append(Splice(at, units(now[head : len(now) - tail]), added))
            block = block.next()
        if splices:
            self._editor.splice(splices)


def _splice(positions: PositionMap, edit: TextEdit) -> Splice:
    start, end = positions.position(edit.span.start), positions.position(edit.span.end)
    return Splice(start, end - start, shown(edit.insert))


def breaks_a_line_end(text: str, change: TextChange) -> bool:
    """True when an edit begins or ends between CR and LF, where the widget has no position.

    "a\\r\\nb" is three units there. Taking out the "\\r" changes nothing that it shows, and putting "x" between both
    makes two line ends out of one: neither can be told as a splice of the place alone.
    """
    if "\r" not in text and not any("\r" in insert for insert in change.inserts):
        return False
    return any(
        text[offset - 1 : offset + 1] == "\r\n" or _meets_half(text, edit)
        for edit in change.edits
        for offset in (edit.span.start, edit.span.end)
        if offset > 0 or edit.insert
    )


def _meets_half(text: str, edit: TextEdit) -> bool:
    """True when the edit makes a CR and a LF neighbours that were none, or leaves one of them alone."""
    left = text[edit.span.start - 1 : edit.span.start] if edit.span.start else ""
    right = text[edit.span.end : edit.span.end + 1]
    first = edit.insert[:1] or right
    last = edit.insert[-1:] or left
    return (left == "\r" and first == "\n") or (last == "\r" and right == "\n")


def _as_it_is(span: Span) -> Span:
    return span


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
        self.numbers = WaitingNumbers(editor, self)
        self.is_typing = False
        self.widen: Callable[[Span], Span] = _as_it_is
        context.documents.change_shown.connect(self._on_document_changed)
        context.documents.document_opened.connect(self.open)
        editor.typed.connect(self._on_typed)

    @property
    def caret(self) -> int:
        """Where the caret is, as an offset in the document."""
        return self.positions.offset(self._editor.textCursor().position())

    @property
    def widened_span(self) -> Span:
        """The selected text with what is folded below it."""
        return self.widen(self.selected_span)

    @property
    def selected_span(self) -> Span:
        """The selected text; empty where the caret is, if there is none."""
        cursor = self._editor.textCursor()
        return Span(self.positions.offset(cursor.selectionStart()), self.positions.offset(cursor.selectionEnd()))

    def offset(self, position: int) -> int:
        """The offset in the document of *position* in the widget."""
        return self.positions.offset(position)

    def stretch(self, span: Span) -> tuple[int, int]:
        """*span* of the document, as positions in the widget."""
        return self.positions.position(span.start), self.positions.position(span.end)

    @Slot(object)
    def step_beginning_on(self, line: int, snapshot: Snapshot) -> StepId | None:
        """The step whose words begin on the 0-based *line*."""
        content = self.positions.content(line)
        step = snapshot.step_at(self.positions.line_span(line).start + len(content) - len(content.lstrip()))
        if step is None or self.positions.line_at(snapshot.head_span(step).start) != line:
            return None
        return step

    def open(self, snapshot: Snapshot) -> None:
        """Show another text from its beginning."""
        self.positions = PositionMap(snapshot.text)
        self.opening.emit(snapshot)
        self.numbers.forget()
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

    def rewrite(self, command: EditText, selected: Span) -> None:
        """Do *command*, which is no typing, and select *selected* of the text as it is then."""
        if not isinstance(self._context.documents.execute(command, self._context.selection.selected), Refusal):
            self._editor.place_caret(*reversed(self.stretch(selected)))

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
            self.numbers.follow(change)
            return
        edits = change.besides_numbers
        is_odd = breaks_a_line_end(self.positions.text, edits)
        splices = splices_of(self.positions, edits)
        self.positions.change(edits, change.after.text)
        self.numbers.follow(change)
        if is_odd:
            self._resynchronise()
        else:
            self._editor.splice(splices)
        self.changed.emit(change)

    def _resynchronise(self) -> None:
        """Show the document's text in the widget, whatever the widget has; caret and view stay where they are."""
        self.numbers.forget()
        position, value = self._editor.textCursor().position(), self._editor.verticalScrollBar().value()
        self._editor.splice((Splice(0, self._editor.document().characterCount() - 1, shown(self.positions.text)),))
        self._editor.place_caret(position)
        self._editor.verticalScrollBar().setValue(value)
