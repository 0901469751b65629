"""What is doubtful in the text, underlined and beside its lines, with fixes; and the menu of the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_offers import add_fixes, open_fixes
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.gui.fixes.operations import offers_on
from workbench.gui.look.icons import icon
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import MenuRequest, SourceEditor
from workbench.gui.source.line_marks import LineMarks
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span


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
