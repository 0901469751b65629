"""Signs beside the lines of the source: problems with their fixes, breakpoints, and what differs from the last commit.

What is doubtful is underlined in the text as well, and has its fixes in the menu of the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.breakpoints import can_stop_at
from workbench.gui.fixes.fix_offers import add_fixes, open_fixes
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.operations import offers_on
from workbench.gui.look.icons import icon
from workbench.gui.look.signs import LineSign
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import MenuRequest, SourceEditor
from workbench.gui.source.gutter import LineChange
from workbench.gui.source.line_marks import LineMarks
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.comparing.lines import line_change
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, split_lines

_REST_MS = 80


class SourceFindings(QObject):
    """Shows the findings of the text as it was when typing last rested."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, marks: LineMarks) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._marks = marks
        self._findings: tuple[Diagnostic, ...] = ()
        self._starts: list[int] = []
        self._menu = SourceMenu(context, editor)
        context.diagnosis.ready.connect(self._on_ready)
        sync.opened.connect(self._on_opened)
        editor.view_changed.connect(self._on_view_changed)
        editor.menu_requested.connect(self._on_menu_requested)
        editor.gutter.fixes_requested.connect(self._on_fixes_requested)

    def offer_fixes(self) -> QMenu | FixPreview | None:
        """Offer the fixes of the line that the caret is on, at the caret."""
        place = self._editor.viewport().mapToGlobal(self._editor.cursorRect().bottomLeft())
        return self._offer(self._editor.textCursor().blockNumber(), place)

    def _offer(self, line: int, place: QPoint) -> QMenu | FixPreview | None:
        span = self._sync.positions.line_span(line)
        found = [each for each in self._findings if span.start <= each.span.start < max(span.end, span.start + 1)]
        step = self._context.documents.snapshot.step_at(span.start)
        return open_fixes(self._context, found, self._editor, place, offers_on((step,) if step else (), line + 1))

    @Slot(object)
    def _on_fixes_requested(self, line: int) -> None:
        """Offer the fixes of *line* beside its bulb."""
        block = self._editor.document().findBlockByNumber(line)
        low = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset()).bottom()
        self._offer(line, self._editor.viewport().mapToGlobal(QPoint(0, round(low))))

    @Slot(object)
    def _on_opened(self, _snapshot: Snapshot) -> None:
        self._findings, self._starts = (), []
        self._editor.gutter.show_problems({})

    @Slot(object)
    def _on_ready(self, snapshot: Snapshot) -> None:
        self._findings = tuple(sorted(snapshot.diagnostics, key=lambda each: each.span.start))
        self._starts = [each.span.start for each in self._findings]
        by_line: dict[int, tuple[Diagnostic, ...]] = {}
        for each in self._findings:
            line = self._sync.positions.line_at(each.span.start)
            by_line[line] = (*by_line.get(line, ()), each)
        self._editor.gutter.show_problems(by_line)
        self._on_view_changed()

    @Slot()
    def _on_view_changed(self) -> None:
        """Underline the problems that can be seen."""
        blocks = [block for block, _rect in self._editor.visible_blocks()] if self._findings else []
        if not blocks:
            self._marks.underline(())
            return
        first = self._sync.positions.offset(blocks[0].position())
        last = self._sync.positions.offset(blocks[-1].position() + blocks[-1].length() - 1)
        seen = self._findings[bisect_left(self._starts, first) : bisect_right(self._starts, last)]
        self._marks.underline((self._sync.stretch(_with_width(each.span)), each.severity) for each in seen)

    @Slot(object)
    def _on_menu_requested(self, request: MenuRequest) -> None:
        self._menu.open(request.point, self._findings_at(request.position))

    def told_at(self, position: int) -> tuple[str, ...]:
        """What is doubtful at *position* of the widget."""
        return tuple(each.message for each in self._findings_at(position))

    def _findings_at(self, position: int) -> tuple[Diagnostic, ...]:
        offset = self._sync.positions.offset(position)
        return tuple(each for each in self._findings if each.span.start <= offset <= _with_width(each.span).end)


class SourceMenu(QObject):
    """The context menu of one editor: what any text field offers, and fixes for what is doubtful there."""

    def __init__(self, context: WindowContext, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor

    def open(self, point: QPoint, findings: Sequence[Diagnostic]) -> None:
        """Show the menu at *point*, with the fixes of *findings* first."""
        menu = self.build(findings)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)

    def build(self, findings: Sequence[Diagnostic]) -> QMenu:
        """The menu."""
        menu = QMenu(self._editor)
        add_fixes(menu, self._context, findings)
        menu.addSeparator()
        menu.addAction(self._context.actions.action("edit.undo"))
        menu.addAction(self._context.actions.action("edit.redo"))
        menu.addSeparator()
        has_selection = self._editor.textCursor().hasSelection()
        self._add(menu, "cut", _("Cut"), self._editor.cut, is_enabled=has_selection)
        self._add(menu, "copy", _("Copy"), self._editor.copy, is_enabled=has_selection)
        self._add(menu, "paste", _("Paste"), self._editor.paste, is_enabled=self._editor.canPaste())
        menu.addSeparator()
        self._add(menu, "", _("Select all"), self._editor.selectAll, is_enabled=True)
        return menu

    def _add(self, menu: QMenu, name: str, text: str, chosen: object, *, is_enabled: bool) -> None:
        action = QAction(text, menu)
        if name:
            action.setIcon(icon(name))
        action.setEnabled(is_enabled)
        action.triggered.connect(chosen)
        menu.addAction(action)


def _with_width(span: Span) -> Span:
    """*span*, at least one character wide, so that there is something to see."""
    return span if len(span) else Span(span.start, span.start + 1)


class StepSigns(QObject):
    """Asks for the breakpoint of each line while it is painted, so that it stays with its step."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._gutter = editor.gutter
        self._sync = sync
        self._gutter.sign_of = self._sign_of
        self._gutter.number_clicked.connect(self._on_number_clicked)
        context.breakpoints.changed.connect(self._on_changed)

    def _step_of(self, line: int) -> StepId | None:
        """The step that begins on the 0-based *line*."""
        return self._sync.step_beginning_on(line, self._context.documents.snapshot)

    def _sign_of(self, line: int) -> LineSign | None:
        breakpoints = self._context.breakpoints
        step = self._step_of(line) if breakpoints.stops else None
        return breakpoints.sign(step) if step is not None else None

    @Slot(object)
    def _on_number_clicked(self, line: int) -> None:
        step, breakpoints = self._step_of(line), self._context.breakpoints
        if step is not None and can_stop_at(self._context.documents.snapshot, step):
            breakpoints.toggle(step)
        else:
            self._context.notices.tell(_("No step begins on this line, so no run can stop here."))

    @Slot(object)
    def _on_changed(self, _steps: object) -> None:
        self._gutter.update()


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
