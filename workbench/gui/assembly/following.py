"""Keeps the assembly and the other panes at the same step."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.assembly.compiling import CompiledRows
from workbench.gui.assembly.rows_view import RowsView
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import Selection
from workbench.syntax.text import Span

ORIGIN = "assembly"


class Following(QObject):
    """Marks the rows of what is selected, or of the line that the caret of the source is on; a click leads back."""

    def __init__(self, context: WindowContext, view: RowsView) -> None:
        super().__init__(view)
        self._context = context
        self._view = view
        self._compiled: CompiledRows | None = None
        self._caret_line = 1
        context.selection.selection_changed.connect(self._on_selection_changed)
        context.selection.caret_moved.connect(self._on_source_caret_moved)
        view.editor.caret_moved.connect(self._on_caret_moved)

    def start_over(self) -> None:
        """Another text, not yet compiled."""
        self._compiled = None
        self._caret_line = 1

    def take(self, compiled: CompiledRows) -> None:
        """*compiled* is shown now; what is looked at stays where it is."""
        is_first = self._compiled is None
        self._compiled = compiled
        if is_first:
            self._follow()
        else:
            self._view.mark(self.rows)

    @property
    def rows(self) -> range:
        """The rows of what is chosen."""
        if self._compiled is None:
            return range(0)
        snapshot, steps = self._context.documents.snapshot, self._context.selection.selected
        line = snapshot.line(steps[0]) if steps and snapshot.has(steps[0]) else self._caret_line
        return self._compiled.rows_for(line)

    def _follow(self) -> None:
        """Mark the rows of what is chosen, and bring them into view."""
        rows = self.rows
        self._view.mark(rows)
        if rows:
            self._view.bring_into_view(rows[0])

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        if selection.origin == ORIGIN:
            self._view.mark(self.rows)
        else:
            self._follow()

    @Slot(object)
    def _on_source_caret_moved(self, line: int) -> None:
        if line != self._caret_line:
            self._caret_line = line
            self._follow()

    @Slot()
    def _on_caret_moved(self) -> None:
        """Select the step that the row under the caret comes from, or show its line of the source."""
        compiled, row = self._compiled, self._view.editor.textCursor().blockNumber()
        if compiled is None or row >= len(compiled.origins):
            return
        origin, snapshot = compiled.origins[row], self._context.documents.snapshot
        step = compiled.snapshot.at_address(origin.step) if origin.step else None
        if step is not None and snapshot.has(step.id):
            self._caret_line = origin.source_line
            self._context.selection.reveal((step.id,), ORIGIN)
        elif compiled.snapshot is snapshot:
            self._caret_line = origin.source_line
            self._context.selection.select((), ORIGIN)
            start = snapshot.lines.offset(origin.source_line - 1)
            self._context.selection.show_place(Span(start, start))
            self._view.mark(self.rows)
