"""What is drawn behind and under the text: current line, selection, run, flashes, problems."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QTextEdit

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MARK_OF_STATUS
from workbench.gui.control.search.find_controller import FindController
from workbench.gui.look.marked_bar import MARK_OF_SEVERITY, MarkKeeper, count_words
from workbench.gui.look.theming import current_theme
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.gui.words.values import drawable_line
from workbench.i18n import numeral
from workbench.model.showing.marks_along import Cluster, Mark, MarkKind
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import Span

_FLASH_MS = 700
_MOST_LINES = 400
_MOST_COLUMNS = 400
_TINT = 0.16
_FAINT = 0.08
_FOUND = 0.35
_MOST_FOUND = 1_000
_MOST_TOLD = 3
_LONGEST = 60

Stretch = tuple[int, int]
"""From one position of the widget to another."""


class LineMarks(QObject):
    """Keeps the marks of one editor; every kind can be replaced by itself."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._selected: tuple[Stretch, ...] = ()
        self._hovered: tuple[Stretch, ...] = ()
        self._running: tuple[Stretch, ...] = ()
        self._flashed: tuple[QTextCursor, ...] = ()
        self._found: tuple[Stretch, ...] = ()
        self._problems: tuple[tuple[QTextCursor, Severity], ...] = ()
        self._fade = QTimer(self, interval=_FLASH_MS, singleShot=True)
        self._fade.timeout.connect(self._on_faded)
        editor.restyled.connect(self.refresh)

    def select(self, stretches: Sequence[Stretch]) -> None:
        """Tint the lines of the selected steps."""
        if tuple(stretches) != self._selected:
            self._selected = tuple(stretches)
            self.refresh()

    def hover(self, stretches: Sequence[Stretch]) -> None:
        """Tint the lines of the step under the pointer."""
        if tuple(stretches) != self._hovered:
            self._hovered = tuple(stretches)
            self.refresh()

    def run(self, stretches: Sequence[Stretch]) -> None:
        """Light the lines that the run is at."""
        if tuple(stretches) != self._running:
            self._running = tuple(stretches)
            self.refresh()

    def flash(self, stretches: Iterable[Stretch]) -> None:
        """Show for a moment what an edit from elsewhere touched, as far as it can be seen."""
        seen = [block.position() for block, _rect in self._editor.visible_blocks()]
        top, bottom = (seen[0], seen[-1]) if seen else (0, 0)
        near = [stretch for stretch in stretches if stretch[1] >= top and stretch[0] <= bottom + _MOST_COLUMNS]
        # Qt moves every cursor along at every edit: thousands of them would make an edit of thousands of lines slow
        self._flashed = tuple(self._cursor(*stretch) for stretch in near)
        self._fade.start()
        self.refresh()

    @property
    def flashed_lines(self) -> tuple[int, ...]:
        """The lines that flash now."""
        return tuple(_line_of(cursor) for cursor in self._flashed)

    @property
    def running_lines(self) -> tuple[int, ...]:
        """The lines that are lit because the run is there."""
        return tuple(_line_of(self._cursor(*stretch)) for stretch in self._running)

    def underline(self, problems: Iterable[tuple[Stretch, Severity]]) -> None:
        """Draw a wavy line under each problem."""
        self._problems = tuple((self._cursor(*stretch), severity) for stretch, severity in problems)
        self.refresh()

    def find(self, stretches: Sequence[Stretch]) -> None:
        """Tint each of *stretches*: what was found, and can be seen."""
        if tuple(stretches) != self._found:
            self._found = tuple(stretches)
            self.refresh()

    def forget(self) -> None:
        """Another text: nothing is marked."""
        self._selected = self._hovered = self._running = self._found = ()
        self._flashed = ()
        self._problems = ()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Draw all marks anew."""
        theme = current_theme()
        marks = self._lines(self._hovered, QColor(theme.hover))
        marks += self._lines(self._selected, QColor(theme.selection))
        marks += self._lines(self._running, _tinted(theme.accent))
        marks += [mark for cursor in self._flashed for mark in self._block_marks(cursor, _tinted(theme.waiting))]
        marks.append(_line_mark(QTextCursor(self._editor.textCursor().block()), _tinted(theme.muted, _FAINT)))
        marks += [_found_mark(self._cursor(*each), theme.blocked) for each in self._found]
        marks += [_squiggle(cursor, theme.severity_color(each.value)) for cursor, each in self._problems]
        self._editor.setExtraSelections(marks)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        last = self._editor.document().characterCount() - 1
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _lines(self, stretches: Sequence[Stretch], color: QColor) -> list[QTextEdit.ExtraSelection]:
        found: list[QTextEdit.ExtraSelection] = []
        for stretch in stretches:
            found += self._block_marks(self._cursor(*stretch), color)
        return found

    def _block_marks(self, stretch: QTextCursor, color: QColor) -> list[QTextEdit.ExtraSelection]:
        """One mark for each line of *stretch*, so that wrapped lines are filled as well."""
        document = self._editor.document()
        block, end = document.findBlock(stretch.selectionStart()), stretch.selectionEnd()
        found: list[QTextEdit.ExtraSelection] = []
        while block.isValid() and len(found) < _MOST_LINES and (block.position() < end or not found):
            found.append(_line_mark(QTextCursor(block), color))
            block = block.next()
        return found

    @Slot()
    def _on_faded(self) -> None:
        self._flashed = ()
        self.refresh()


def _line_of(cursor: QTextCursor) -> int:
    """The 0-based line on which *cursor* begins."""
    return cursor.document().findBlock(cursor.selectionStart()).blockNumber()


def _line_mark(cursor: QTextCursor, color: QColor) -> QTextEdit.ExtraSelection:
    """A mark behind the whole line of *cursor*."""
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    form = QTextCharFormat()
    form.setBackground(color)
    form.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 - Qt's own form
    mark.format = form
    return mark


def _found_mark(cursor: QTextCursor, color: str) -> QTextEdit.ExtraSelection:
    """A mark behind the words of *cursor*, underlined: the ground alone can hardly be told from that of the line."""
    mark = _background_mark(cursor, _tinted(color, _FOUND))
    form = mark.format
    form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    form.setUnderlineColor(QColor(color))
    mark.format = form
    return mark


def _background_mark(cursor: QTextCursor, color: QColor) -> QTextEdit.ExtraSelection:
    """A mark behind the words of *cursor*."""
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    form = QTextCharFormat()
    form.setBackground(color)
    mark.format = form
    return mark


def _squiggle(cursor: QTextCursor, color: str) -> QTextEdit.ExtraSelection:
    """A wavy line under *cursor*."""
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    form = QTextCharFormat()
    form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    form.setUnderlineColor(QColor(color))
    mark.format = form
    return mark


def _tinted(color: str, strength: float = _TINT) -> QColor:
    tint = QColor(color)
    tint.setAlphaF(strength)
    return tint


class SourceFinds(QObject):
    """Marks what was found, as far as it can be seen."""

    def __init__(self, find: FindController, editor: SourceEditor, sync: DocumentSync, marks: LineMarks) -> None:
        super().__init__(editor)
        self._find = find
        self._editor = editor
        self._sync = sync
        self._marks = marks
        for signal in (find.changed, sync.typed, sync.changed, editor.view_changed):
            signal.connect(self._on_changed)

    @Slot()
    def _on_changed(self) -> None:
        find, positions = self._find, self._sync.positions
        matches = find.found.matches if find.snapshot.text == positions.text else ()
        blocks = [block for block, _rect in self._editor.visible_blocks()] if matches else []
        if not blocks:
            self._marks.find(())
            return
        top, low = positions.offset(blocks[0].position()), positions.offset(blocks[-1].position() + blocks[-1].length())
        first = bisect_left(matches, top, key=lambda match: match.span.end)
        last = bisect_left(matches, low, key=lambda match: match.span.start)
        seen = matches[first : min(last, first + _MOST_FOUND)]
        self._marks.find([self._sync.stretch(match.span) for match in seen if len(match.span)])


class SourceBar(QObject):
    """Marks on the scroll bar of the source what is selected, doubtful or found, where runs stop, and where one is."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._keeper = MarkKeeper((editor.bar,), self._placed)
        editor.bar.tell = self.words_of
        editor.bar.mark_chosen.connect(self._on_mark_chosen)
        signals = (context.selection.selection_changed, context.breakpoints.changed, context.diagnosis.ready)
        for signal in (*signals, context.shown.marks_changed, context.find.changed, sync.changed, sync.opened):
            signal.connect(self._on_changed)

    @Slot(object)
    def _on_changed(self, _cause: object = None) -> None:
        self._keeper.later()

    def _placed(self) -> Iterator[tuple[Mark, ...] | None]:
        """All marks, by the lines that the text is broken into."""
        positions, document = self._sync.positions, self._editor.document()
        count = max(1, document.lineCount())
        if positions.text != self._context.documents.snapshot.text:
            return
        for kind, offset in self._found():
            line = document.findBlockByNumber(positions.line_at(offset)).firstLineNumber()
            yield (Mark(kind, (line + 0.5) / count, offset),)

    def _found(self) -> Iterator[tuple[MarkKind, int]]:
        """What is marked, and where it begins in the text."""
        context, snapshot = self._context, self._context.documents.snapshot
        steps = [(MarkKind.SELECTED, step) for step in context.selection.selected]
        steps += [(MarkKind.BREAKPOINT, step) for step in context.breakpoints.signs]
        marks = tuple(context.shown.marks.items())
        steps += [(MARK_OF_STATUS[mark.status], step) for step, mark in marks if mark.status in MARK_OF_STATUS]
        yield from ((kind, snapshot.head_span(step).start) for kind, step in steps if snapshot.has(step))
        if snapshot.is_diagnosed:
            yield from ((MARK_OF_SEVERITY[each.severity], each.span.start) for each in snapshot.diagnostics)
        if context.find.snapshot is snapshot:
            yield from ((MarkKind.MATCH, match.span.start) for match in context.find.found.matches)

    def words_of(self, cluster: Cluster) -> str:
        """What *cluster* stands for: how many there are, and the first of them with their lines."""
        lines = [self._line(cluster.kind, offset) for offset in _offsets(cluster)[:_MOST_TOLD]]
        more = ["…"] if cluster.size > len(lines) else []
        return "\n    ".join([count_words(cluster.kind, cluster.size), *lines, *more])

    def _line(self, kind: MarkKind, offset: int) -> str:
        snapshot, positions = self._context.documents.snapshot, self._sync.positions
        line = positions.line_at(min(offset, len(positions.text)))
        severities = {MARK_OF_SEVERITY[each]: each for each in Severity}
        found = snapshot.diagnostics if kind in severities else ()
        messages = (each.message for each in found if each.span.start == offset and each.severity is severities[kind])
        words = drawable_line(next(messages, positions.content(line).strip()))
        return f"{numeral(line + 1)}  {words if len(words) <= _LONGEST else words[:_LONGEST] + '…'}"

    @Slot(object)
    def _on_mark_chosen(self, cluster: Cluster) -> None:
        """Go to the first of *cluster*; whoever is at one of them already goes to the next."""
        offsets = [offset for offset in _offsets(cluster) if offset <= len(self._sync.positions.text)]
        if offsets:
            at = next((index for index, offset in enumerate(offsets) if offset == self._sync.caret), -1)
            offset = offsets[(at + 1) % len(offsets)]
            self._context.selection.show_place(Span(offset, offset))


def _offsets(cluster: Cluster) -> list[int]:
    return [offset for offset in dict.fromkeys(cluster.targets) if isinstance(offset, int)]
