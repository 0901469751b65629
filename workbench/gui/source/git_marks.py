"""Marks beside the lines that differ from the last commit, and what stood there before."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Slot

from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.source.editor import SourceEditor
from workbench.gui.source.gutter import LineChange
from workbench.i18n import _
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.comparing.lines import line_change
from workbench.syntax.diagnostics import Fix
from workbench.syntax.text import Span, split_lines

_REST_MS = 80


@dataclass(frozen=True, slots=True)
class LineDifference:
    """Lines from *first* up to *last* of the text, from 0, that are others than in the last commit.

    *back*: the edit that makes them what they were.
    """

    first: int
    last: int
    back: TextEdit

    @property
    def kind(self) -> LineChange:
        """What the gutter shows."""
        if self.first == self.last:
            return LineChange.DELETED
        return LineChange.CHANGED if self.back.insert else LineChange.ADDED


def differences_from(base: str, text: str) -> tuple[str, tuple[LineDifference, ...]]:
    """*text*, and how its lines differ from *base*, in their order."""
    change: TextChange = line_change(base, text)
    starts = [0]
    for line in split_lines(text):
        starts.append(starts[-1] + len(line))
    found = []
    for edit, new in zip(change.edits, change.new_spans, strict=True):
        first, last = (bisect_right(starts, at) - 1 for at in (new.start, new.end))
        found.append(LineDifference(first, last, TextEdit(Span(new.start, new.end), edit.span.of(base))))
    return text, tuple(found)


class GitMarks(QObject):
    """Keeps the marks of one editor in step with its text and with git."""

    def __init__(self, context: WindowContext, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._text = ""
        self.differences: tuple[LineDifference, ...] = ()
        self._kinds: dict[int, LineChange] = {}
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_compared)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._compare)
        editor.gutter.change_of = self._kind_of
        editor.gutter.change_clicked.connect(self.show_change)
        context.git.base_changed.connect(self._compare)
        context.documents.document_changed.connect(self._rest.start)
        context.actions.register("version.line", self.show_here)

    def _kind_of(self, line: int) -> LineChange | None:
        return self._kinds.get(line)

    @Slot()
    def _compare(self) -> None:
        base, text = self._context.git.base, self._context.documents.snapshot.text
        if base is None or base == text:
            self._work.forget()
            self._show(text, ())
        else:
            self._work.ask(partial(differences_from, base, text))

    @Slot(object)
    def _on_compared(self, found: tuple[str, tuple[LineDifference, ...]]) -> None:
        if self._context.git.base is not None:
            self._show(*found)

    def _show(self, text: str, differences: tuple[LineDifference, ...]) -> None:
        self._text, self.differences = text, differences
        kinds: dict[int, LineChange] = {}
        for each in differences:
            kinds.update(dict.fromkeys(range(each.first, max(each.last, each.first + 1)), each.kind))
        if kinds != self._kinds:
            self._kinds = kinds
            self._editor.gutter.update()

    def show_here(self) -> FixPreview | None:
        """Show what stood where the caret is, or say that nothing differs there."""
        return self.show_change(self._editor.textCursor().blockNumber())

    @Slot(object)
    def show_change(self, line: int) -> FixPreview | None:
        """Show what stood at *line* in the last commit, to be taken back."""
        wanted = [each for each in self.differences if each.first <= line < max(each.last, each.first + 1)]
        if not wanted or self._text != self._context.documents.snapshot.text:
            self._context.notices.tell(_("This line is what it was in the last commit."))
            return None
        block = self._editor.document().findBlockByNumber(line)
        top = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset()).bottom()
        point = self._editor.viewport().mapToGlobal(QPoint(0, round(top)))
        fix = Fix(_("Take back what differs from the last commit"), (wanted[0].back,), is_safe=False)
        return preview_fix(self._context, fix, self._editor, point)
