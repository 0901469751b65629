"""The rows of assembly in a text widget: patched where they differ, coloured where somebody looks."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from workbench.gui.assembly.compiling import MOST_ROWS, CompiledRows, Patch, RowsPatch, WordsPatch
from workbench.gui.source.editor import SourceEditor, Splice, text_at
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks
from workbench.i18n import _

_LEAST_LINE_PX = 8


class RowsView(QObject):
    """Shows compiled rows in an editor that takes no text."""

    completed = Signal(object)  # CompiledRows: all of them are in the widget

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.editor = SourceEditor(parent)
        self.marks = LineMarks(self.editor)
        self._compiled: CompiledRows | None = None
        self._patches: list[Patch] = []
        self._count = 0
        self._slices = QTimer(self, interval=0, singleShot=True)
        self._slices.timeout.connect(self._on_slice)
        # every row is coloured when it comes into view: a long text is to be there at once
        self._highlighter = SourceHighlighter(self.editor.document(), lazy_from=0)
        self.editor.restyled.connect(self._highlighter.recolour)
        self.editor.setReadOnly(True)
        self.editor.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.editor.setAccessibleName(_("Assembly"))
        self.editor.setPlaceholderText("")
        self.editor.view_changed.connect(self._on_view_changed)
        self.editor.copy_requested.connect(self._on_copy_requested)

    def clear(self) -> None:
        """Show nothing."""
        self._patches, self._compiled = [], None
        self.marks.forget()
        self.editor.load("")

    def show_rows(self, compiled: CompiledRows) -> None:
        """Replace the rows that differ, a few at a time; the others, and what one looks at, stay."""
        self.finish()  # the patches were made for the text that those before lead to
        before, self._compiled = self._compiled, compiled
        self._patches = list(compiled.patches)
        if before is not None:
            self._count = len(before.rows)
            self._on_slice()
            return
        first = compiled.rows[:MOST_ROWS]
        self._count = len(first)
        self.editor.load("\n".join(first))
        self._slices.start()

    def finish(self) -> None:
        """Make all patches that are due."""
        while self._patches:
            self._patch()

    @Slot()
    def _on_slice(self) -> None:
        if self._patches:
            self._patch()
        if self._patches:
            self._slices.start()
        elif self._compiled is not None:
            self._on_view_changed()
            self.completed.emit(self._compiled)

    def _patch(self) -> None:
        """Make the next patches from below: places above them stay what they are."""
        taken: list[Patch] = []
        work = 0
        while self._patches and work < MOST_ROWS:
            patch = self._patches.pop()
            work += len(patch.new) + 1 if isinstance(patch, RowsPatch) else 1
            taken.append(patch)
        self.editor.splice([self._splice(patch) for patch in reversed(taken)])

    def _splice(self, patch: Patch) -> Splice:
        """*patch* as an edit of the widget's text; its last row has no line end."""
        document = self.editor.document()
        if isinstance(patch, WordsPatch):
            return Splice(document.findBlockByNumber(patch.row).position() + patch.start, patch.removed, patch.added)
        old = patch.old
        if old.stop < self._count:
            start, end = (document.findBlockByNumber(row).position() for row in (old.start, old.stop))
            return Splice(start, end - start, "".join([f"{row}\n" for row in patch.new]))
        last = document.findBlockByNumber(self._count - 1)
        end = last.position() + last.length() - 1
        if old.start == 0:
            return Splice(0, end, "\n".join(patch.new))
        start = document.findBlockByNumber(old.start).position() - 1 if old.start < self._count else end
        return Splice(start, end - start, "".join([f"\n{row}" for row in patch.new]))

    def mark(self, rows: range) -> None:
        """Tint *rows*."""
        document = self.editor.document()
        blocks = [document.findBlockByNumber(row) for row in rows]
        self.marks.select([(block.position(), block.position() + block.length() - 1) for block in blocks])

    def bring_into_view(self, row: int) -> None:
        """Scroll to *row* where it is out of sight."""
        self.editor.show_middle(self.editor.document().findBlockByNumber(row).position())

    @Slot()
    def _on_view_changed(self) -> None:
        first = self.editor.firstVisibleBlock()
        self._highlighter.look_at(first, first.blockNumber() + self.editor.height() // _LEAST_LINE_PX)

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        cursor = self.editor.textCursor()
        length = cursor.selectionEnd() - cursor.selectionStart()
        data.setText(text_at(self.editor.document(), cursor.selectionStart(), length))
