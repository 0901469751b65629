"""Folding in the source: lines are hidden, never changed. What is folded is kept by file, and found again there."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QRect, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextDocumentLayout

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.look.theming import current_theme
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.i18n import ngettext
from workbench.model.showing.folds import Kept, fold_at, foldable_lines, found_again
from workbench.syntax.text import Span

log = logging.getLogger(__name__)
_MOST_FILES = 200
_MOST_FOLDS = 2_000
Lines = tuple[int, int]
"""From one line to another, both 0-based and hidden."""


class SourceFolds(QObject):
    """Knows the lines that are folded by cursors, so that they stay with their words through every edit."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._folded: list[QTextCursor] = []
        self._hidden = HiddenLines(editor)
        self.folded_lines: tuple[int, ...] = ()
        self._store = FoldStore(context.places.state_dir / "folds.json")
        editor.gutter.fold_of = self._fold_of
        editor.gutter.fold_clicked.connect(self.toggle)
        editor.drawers.append(self._draw)
        editor.caret_moved.connect(self._show_caret)
        sync.typed.connect(self._refresh)
        sync.changed.connect(self._refresh)
        sync.opened.connect(self._on_opened)
        sync.widen = self._widened
        context.actions.register("source.fold", self.fold_here)
        context.actions.register("source.unfold", self.unfold_here)
        context.actions.register("source.fold-all", self.fold_all)
        context.actions.register("source.unfold-all", self.unfold_all)

    @Slot(object)
    def toggle(self, line: int) -> None:
        """Fold *line*, or unfold it."""
        if line in self.folded_lines:
            self._become([each for each in self.folded_lines if each != line])
        elif self._hides(line) is not None:
            self._become([*self.folded_lines, line])

    def fold_here(self) -> None:
        """Fold the innermost fold around the caret that is open."""
        for line in range(self._editor.textCursor().blockNumber(), -1, -1):
            hides = self._hides(line) if line not in self.folded_lines else None
            if hides is not None and hides[1] >= self._editor.textCursor().blockNumber():
                self._become([*self.folded_lines, line])
                return

    def unfold_here(self) -> None:
        """Unfold the line that the caret is on."""
        line = self._editor.textCursor().blockNumber()
        self._become([each for each in self.folded_lines if each != line])

    def fold_all(self) -> None:
        """Fold every step and section, but not what holds the whole text together."""
        snapshot, positions = self._context.documents.snapshot, self._sync.positions
        lines = [positions.line_at(start) for start in foldable_lines(snapshot)]
        self._become([line for line in lines if not positions.content(line).startswith("# ")][:_MOST_FOLDS])

    def unfold_all(self) -> None:
        """Show everything."""
        self._become([])

    def _become(self, lines: Sequence[int]) -> None:
        """Have exactly *lines* folded, and keep that."""
        self._folded = [QTextCursor(self._editor.document().findBlockByNumber(line)) for line in sorted(set(lines))]
        self._refresh_all()
        leave_hidden(self._editor)
        path = self._context.documents.file_state.path
        if path is not None:
            self._store.keep(path, [(line, self._sync.positions.content(line)) for line in self.folded_lines])

    def _hides(self, line: int) -> Lines | None:
        """The lines that folding *line* hides."""
        positions = self._sync.positions
        if positions.text != self._context.documents.snapshot.text or line >= positions.line_count:
            return None
        found = fold_at(self._context.documents.snapshot, positions.line_span(line).start)
        return None if found is None else (positions.line_at(found.start), positions.line_at(found.end - 1))

    def _fold_of(self, line: int) -> bool | None:
        """Whether *line* is folded; None where it cannot be."""
        return None if self._hides(line) is None else line in self.folded_lines

    def _widened(self, span: Span) -> Span:
        """*span* with all that is hidden below its lines: whoever moves a folded line moves what is in it."""
        positions = self._sync.positions
        line = positions.line_at(span.end)
        hides = self._hides(line) if line in self.folded_lines else None
        if hides is None:
            return span
        return Span(span.start, positions.line_span(hides[1]).start + len(positions.content(hides[1])))

    @Slot()
    def _refresh(self, _change: object = None) -> None:
        """After an edit. One within a line is none of the other lines' business: a letter must not cost all folds."""
        is_same = self._editor.blockCount() == self._hidden.count
        if self._folded and not (is_same and self._editor.textCursor().blockNumber() not in self.folded_lines):
            self._refresh_all()
        self._hidden.count = self._editor.blockCount()

    def _refresh_all(self) -> None:
        """Hide what the folded lines hide now; a line that holds nothing any more is not folded."""
        folded: dict[int, QTextCursor] = {}
        hidden: list[Lines] = []
        for cursor in self._folded:
            line = cursor.block().blockNumber()
            hides = self._hides(line)
            if hides is not None:
                folded[line] = cursor
                hidden.append(hides)
        self._folded, self.folded_lines = list(folded.values()), tuple(sorted(folded))
        self._hidden.become(merged(hidden))

    @Slot()
    def _show_caret(self) -> None:
        """What the caret comes to is unfolded."""
        if not self._folded or self._editor.textCursor().block().isVisible():
            return
        line = self._editor.textCursor().blockNumber()
        pairs = [(each, self._hides(each)) for each in self.folded_lines]
        self._become([each for each, hides in pairs if hides is None or not hides[0] <= line <= hides[1]])

    @Slot(object)
    def _on_opened(self, _snapshot: object) -> None:
        """What was folded when this file was open last is folded again."""
        self._folded, self.folded_lines = [], ()
        self._hidden.forget()
        path = self._context.documents.document.path
        kept = self._store.of(path) if path is not None else ()
        if kept:
            positions = self._sync.positions
            lines = [positions.content(line) for line in range(positions.line_count)]
            document = self._editor.document()
            self._folded = [QTextCursor(document.findBlockByNumber(line)) for line in found_again(kept, lines)]
            self._refresh_all()

    def _draw(self, painter: QPainter) -> None:
        """Behind a folded line, how many lines are hidden."""
        if not self._folded:
            return
        for block, rect in self._editor.visible_blocks():
            hides = self._hides(block.blockNumber()) if block.blockNumber() in self.folded_lines else None
            if hides is not None:
                line = block.layout().lineAt(block.layout().lineCount() - 1)
                left = round(self._editor.contentOffset().x() + line.naturalTextRect().right())
                _chip(painter, QRect(left, rect.top() + round(line.y()), 0, round(line.height()) - 1), hides)


def _chip(painter: QPainter, place: QRect, hides: Lines) -> None:
    """How many lines are hidden, at the right of *place*."""
    theme, words = current_theme(), ngettext("{count} line", "{count} lines", hides[1] - hides[0] + 1)
    painter.setFont(theme.secondary_font())
    air = painter.fontMetrics().height()
    chip = place.translated(air, 0)
    chip.setWidth(painter.fontMetrics().horizontalAdvance(words) + air)
    painter.setPen(QColor(theme.border))
    painter.setBrush(QColor(theme.window))
    painter.drawRoundedRect(chip, 4, 4)
    painter.setPen(QColor(theme.muted))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def leave_hidden(editor: SourceEditor) -> None:
    """A caret in what has just been hidden goes to the line that hides it."""
    block = editor.textCursor().block()
    while block.isValid() and not block.isVisible():
        block = block.previous()
    if block.isValid() and block != editor.textCursor().block():
        editor.place_caret(block.position() + block.length() - 1)


class HiddenLines:
    """Shows and hides the blocks of one editor. *count*: how many there were when that was last looked at."""

    def __init__(self, editor: SourceEditor) -> None:
        self._editor = editor
        self._lines: tuple[Lines, ...] = ()
        self.count = editor.blockCount()

    def forget(self) -> None:
        """Another text: nothing is hidden."""
        self._lines, self.count = (), self._editor.blockCount()

    def become(self, wanted: tuple[Lines, ...]) -> None:
        """Hide exactly *wanted*, which is sorted and does not overlap."""
        if not wanted and not self._lines:
            return
        grown = max(0, self._editor.blockCount() - self.count)
        known = (*wanted, *self._lines)
        start, end = min(first for first, _last in known), max(last for _first, last in known) + grown
        self._lines, self.count = wanted, self._editor.blockCount()
        self._show(start, end, wanted)
        layout = self._editor.document().documentLayout()
        assert isinstance(layout, QPlainTextDocumentLayout), "it is the layout of a plain text"
        layout.requestUpdate()
        layout.documentSizeChanged.emit(layout.documentSize())
        self._editor.gutter.update()
        self._editor.view_changed.emit()

    def _show(self, start: int, end: int, hidden: tuple[Lines, ...]) -> None:
        """Show the blocks from *start* to *end*, but not those that are *hidden*."""
        block = self._editor.document().findBlockByNumber(start)
        left = list(reversed(hidden))
        while block.isValid() and block.blockNumber() <= end:
            number = block.blockNumber()
            if left and number > left[-1][1]:
                left.pop()
            _show(block, is_shown=not left or number < left[-1][0])
            block = block.next()


def _show(block: QTextBlock, *, is_shown: bool) -> None:
    if block.isVisible() != is_shown:
        block.setVisible(is_shown)
        block.setLineCount(max(1, block.layout().lineCount()) if is_shown else 0)


def merged(hidden: Sequence[Lines]) -> tuple[Lines, ...]:
    """*hidden* without overlaps, in order."""
    found: list[Lines] = []
    for first, last in sorted(hidden):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


class FoldStore:
    """The folded lines of files, in one file. They are a comfort: what cannot be read or written is left."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, file: Path) -> tuple[Kept, ...]:
        """The folded lines of *file*."""
        found = self._all().get(str(file), [])
        pairs = [each for each in found if isinstance(each, list) and len(each) == 2] if isinstance(found, list) else []
        return tuple((each[0], each[1]) for each in pairs if isinstance(each[0], int) and isinstance(each[1], str))

    def keep(self, file: Path, folded: Sequence[Kept]) -> None:
        """Keep *folded* for *file*; files that were not touched for long are forgotten."""
        others = {name: lines for name, lines in self._all().items() if name != str(file)}
        kept = {**others, **({str(file): [list(each) for each in folded]} if folded else {})}
        recent = dict(list(kept.items())[-_MOST_FILES:])
        try:
            make_private_folder(self._path.parent)
            replace_private_file(self._path, json.dumps(recent, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        except OSError as error:
            log.info("Could not keep folded lines: %s", error)

    def _all(self) -> dict[str, object]:
        try:
            found = json.loads(read_file(self._path)) if is_there(self._path) else {}
        except (CannotRead, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
