"""The rows of assembly in a text widget: patched where they differ, coloured where somebody looks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMenu, QStackedWidget, QWidget

from workbench.disk.files import home_folder
from workbench.disk.outputs import write_file
from workbench.editing.commands import Refusal
from workbench.gui.assembly.compiling import MOST_ROWS, AssemblyCompiler, CompiledRows, Patch, RowsPatch, WordsPatch
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import Selection
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.source.editor import MenuRequest, SourceEditor, Splice, text_at
from workbench.gui.source.highlighter import SourceHighlighter
from workbench.gui.source.line_marks import LineMarks
from workbench.i18n import _
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText, Span

_LEAST_LINE_PX = 8
ORIGIN = "assembly"
_REST_MS = 100
_ENDING = ".pbasm"


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
        at = self.editor.document().findBlockByNumber(row).position()
        self.editor.show_whole(at, at)

    @Slot()
    def _on_view_changed(self) -> None:
        first = self.editor.firstVisibleBlock()
        self._highlighter.look_at(first, self.editor.height() // _LEAST_LINE_PX)

    @Slot(object)
    def _on_copy_requested(self, data: QMimeData) -> None:
        cursor = self.editor.textCursor()
        length = cursor.selectionEnd() - cursor.selectionStart()
        data.setText(text_at(self.editor.document(), cursor.selectionStart(), length))


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


class AssemblyPanel(QStackedWidget):
    """Read-only; compiled anew when typing rests, and only while somebody can see it."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.compiled: CompiledRows | None = None
        self._is_in_front = not isinstance(parent, QDockWidget)
        self._none = EmptyState(
            "assembly",
            _("No assembly yet"),
            _("What a playbook compiles to is shown here, line by line."),
            self,
        )
        self._other = EmptyState(
            "assembly", _("No assembly for this file"), _("Only markdown playbooks compile to assembly."), self
        )
        self.view = RowsView(self)
        self.following = Following(context, self.view)
        self.saving = AssemblySaving(context, self)
        for page in (self._none, self._other, self.view.editor):
            self.addWidget(page)
        self.setFocusProxy(self.view.editor)
        self._compiler = AssemblyCompiler(self)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._connect()
        self._on_document_opened(context.documents.snapshot)

    def _connect(self) -> None:
        context = self._context
        context.documents.change_followed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        self._rest.timeout.connect(self._on_rested)
        self._compiler.compiled.connect(self._on_compiled)
        self.view.completed.connect(self.following.take)
        self.view.editor.menu_requested.connect(self._on_menu_requested)

        parent = self.parent()
        if isinstance(parent, QDockWidget):  # behind another tab a pane counts as visible, and no event tells
            parent.visibilityChanged.connect(self._on_visibility_changed)

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        self._is_in_front = is_in_front
        self._on_rested()

    def showEvent(self, event: QShowEvent) -> None:
        """Compile what changed while nobody looked."""
        super().showEvent(event)
        self._on_rested()

    @Slot(object)
    def _on_document_changed(self, _change: object) -> None:
        self._rest.start()

    @Slot(object)
    def _on_document_opened(self, _snapshot: Snapshot) -> None:
        """Show another text from its beginning."""
        self.compiled = None
        self.following.start_over()
        self._compiler.start_over()
        self.view.clear()
        self._on_rested()

    @Slot()
    def _on_rested(self) -> None:
        """Compile the text as it is now, unless its assembly is shown or nobody looks."""
        snapshot = self._context.documents.snapshot
        if not snapshot.program.playbooks and not snapshot.program.foreign:
            self.setCurrentWidget(self._none)
        elif not has_assembly(snapshot):
            self.setCurrentWidget(self._other)
        elif (
            self._is_in_front and self.isVisible() and (self.compiled is None or self.compiled.snapshot is not snapshot)
        ):
            self._compiler.compile(snapshot)
        else:
            self.setCurrentWidget(self.view.editor)

    @Slot(object)
    def _on_compiled(self, compiled: CompiledRows) -> None:
        self.compiled = compiled
        self.view.show_rows(compiled)
        self.setCurrentWidget(self.view.editor)

    @Slot(object)
    def _on_menu_requested(self, request: MenuRequest) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(request.point)

    def menu(self) -> QMenu:
        """Copy, select all, save."""
        editor = self.view.editor
        menu = QMenu(editor)
        copy = menu.addAction(_("Copy"))
        copy.triggered.connect(editor.copy)
        copy.setEnabled(editor.textCursor().hasSelection())
        menu.addAction(_("Select all")).triggered.connect(editor.selectAll)
        menu.addSeparator()
        menu.addAction(self._context.actions.action("file.save-assembly"))
        return menu


def has_assembly(snapshot: Snapshot) -> bool:
    """True for playbooks; step lists and foreign files do not compile."""
    program = snapshot.program
    return bool(program.playbooks) and not program.foreign and not program.format.is_steplist


class AssemblySaving(QObject):
    """Handles *Save assembly as…*."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._parent = parent
        context.actions.register("file.save-assembly", self.ask)

    def ask(self) -> None:
        """Ask for a name and write the assembly there; raises CannotSave."""
        if not has_assembly(self._context.documents.snapshot):
            self._context.notices.refuse(Refusal("no-assembly", _("This file has no playbook to compile.")))
            return
        path = ask_assembly_file(self._parent, self._suggestion())
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the assembly to *path*; raises CannotSave."""
        text = compile_assembly(self._context.documents.snapshot).text
        write_file(path, SourceText(text).encode())
        self._context.notices.tell(_("Saved the assembly as “{name}”.").format(name=path.name))

    def _suggestion(self) -> Path:
        current = self._context.documents.document.path
        return current.with_suffix(_ENDING) if current is not None else home_folder() / f"{_('playbook')}{_ENDING}"


def ask_assembly_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The file to write, or None; ``.pbasm`` where no ending was typed."""
    name, _filter = QFileDialog.getSaveFileName(
        parent, _("Export assembly"), str(suggestion), _("Playbook assembly (*.pbasm);;All files (*)")
    )
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}{_ENDING}")
