"""The document as a tree of agents, playbooks, sections and steps; what is open stays open.

What stands in the file of another program is a tree as well: to be read, and to find the place of a thing in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStackedWidget,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.editing.change import DocumentChange
from workbench.gui.control.action_spec import ShortcutScope
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import Selection, SelectionController
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.tag_button import TagButton
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.outline.outline_model import NUMBER, WORDS, Key, OutlineModel, has_children
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.model.program import PythonFunction, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.differences import part
from workbench.syntax.python_functions import line_of_function
from workbench.syntax.text import Span

if TYPE_CHECKING:
    from workbench.model.foreign.outline import OutlineEntry

_ROWS_MEASURED = 60
_INDENT_PX = 14
_NARROW_PX = 240
ORIGIN = "outline"
_MOST_OPEN = 1_000
_MOST_MOVED = 200
# Where rows come or go, Qt looks at all rows again: in a long document that takes longer than a gesture may.
_REST_MS = 200
_SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_MOST_OPEN_FOREIGN = 200
_ROLE = Qt.ItemDataRole.UserRole


class OutlineView(QTreeView):
    """Rows that come are opened, unless a person closed them before."""

    def __init__(self, model: OutlineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._closed: set[tuple[Key, ...]] = set()
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(_("Outline"))
        header = self.header()
        header.setStretchLastSection(False)
        header.setResizeContentsPrecision(_ROWS_MEASURED)
        header.setSectionResizeMode(WORDS, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(NUMBER, QHeaderView.ResizeMode.ResizeToContents)
        self.collapsed.connect(self._on_collapsed)
        self.expanded.connect(self._on_expanded)
        model.rowsInserted.connect(self._on_rows_inserted)
        self.take_theme()

    def take_theme(self) -> None:
        """In a narrow pane the words need all the room, and the number of the selected step stands in the inspector."""
        self.setIndentation(current_theme().px(_INDENT_PX))
        self.setColumnHidden(NUMBER, self.width() < current_theme().px(_NARROW_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.take_theme()

    def event(self, event: QEvent) -> bool:
        """Tab goes on from here; in the flowchart alone it inserts a step."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (event.key(), event.modifiers()) == (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
        ):
            event.accept()
            return True
        return super().event(event)

    def open_all(self) -> None:
        """Open every row of another document."""
        self._closed.clear()
        self.expandAll()

    def open_headings(self, parent: QModelIndex | None = None) -> None:
        """Open what is above the steps of another document: opening thousands of steps would take too long."""
        above = parent if parent is not None else QModelIndex()
        self._closed.clear()
        for place in range(self._model.rowCount(above)):
            index = self._model.index(place, WORDS, above)
            if self._model.row_at(index).step is not None:
                return
            self.expand(index)
            self.open_headings(index)

    def _open(self, index: QModelIndex) -> None:
        row = self._model.row_at(index)
        if has_children(row.value) and row.path() not in self._closed:
            self.expand(index)
            for place in range(self._model.rowCount(index)):
                self._open(self._model.index(place, WORDS, index))

    @Slot(QModelIndex, int, int)
    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for place in range(first, last + 1):
            self._open(self._model.index(place, WORDS, parent))

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        self._closed.add(self._model.row_at(index).path())

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        self._closed.discard(self._model.row_at(index).path())


class OutlinePanel(QStackedWidget):
    """Shares the selection with the other panes; what is open stays open while the document changes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._is_following = False
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self.model = OutlineModel(context.documents.snapshot, self)
        self.tree = OutlineView(self.model, self)
        self._empty = EmptyState(
            "outline", _("No outline"), _("The playbooks and steps of the open file are listed here."), self
        )
        self.foreign: ForeignOutline | None = None
        self.page = QWidget(self)
        self.filter = RowFilter(self.tree, _("Filter the outline"), self.page)
        self.tags = TagButton(self._tag_counts, self.page)
        self.tags.chosen.connect(self._on_tag_chosen)
        self.filter.textEdited.connect(self._on_filter_edited)
        top = in_row(None, (self.filter, 1), self.tags, margins=(8, 6, 8, 4), spacing=4)
        in_column(self.page, top, (self.tree, 1), margins=0, spacing=0)
        for page in (self._empty, self.page):
            self.addWidget(page)
        self.setFocusProxy(self.tree)
        context.actions.attach(self.tree, ShortcutScope.STEPS)
        context.actions.attach(self.tree, ShortcutScope.DOCUMENT)
        self._connect()
        self._on_document_opened(context.documents.snapshot)

    def _connect(self) -> None:
        context = self._context
        self.tree.selectionModel().selectionChanged.connect(self._on_rows_selected)
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_activated)
        context.documents.change_followed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        context.selection.selection_changed.connect(self._on_selection_changed)
        context.selection.reveal_requested.connect(self._on_selection_changed)

    def _tag_counts(self) -> Mapping[str, int]:
        return self.model.tags.counts

    @Slot(str)
    def _on_tag_chosen(self, tag: str) -> None:
        """Filter by *tag*, beside the other words; the field says which it is."""
        self.tags.setText("#")
        others = [word for word in self.filter.text().split() if not word.startswith("#")]
        self.filter.setText(" ".join((*others, *([f"#{tag}"] if tag else []))))

    @Slot()
    def _on_filter_edited(self) -> None:
        """What was chosen from the list and is not written any more does not count."""
        if f"#{self.tags.tag}" not in self.filter.text().split():
            self.tags.show_tag("")

    @Slot(object)
    def _on_document_opened(self, snapshot: Snapshot) -> None:
        """Show another document, open down to its steps."""
        self._rest.stop()
        if self.foreign is not None:
            self.foreign.forget()
        self.model.reset(snapshot)
        if len(snapshot.where) <= _MOST_OPEN:
            self.tree.open_all()
        else:
            self.tree.open_headings()
        self._show_page()

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Patch the rows that differ; in a long document, rows come and go when its changes rest."""
        if self._rest.isActive() or (len(change.after.where) > _MOST_MOVED and _moves_rows(change)):
            self._rest.start()
        else:
            self._patch(change.after)
            if change.added or change.removed:
                self._follow(self._context.selection.selected)

    @Slot()
    def _on_rested(self) -> None:
        selected = self._context.selection.selected
        if selected:
            self._is_following = True
            self.tree.selectionModel().clear()  # where the current row goes, the tree lays out all for the next
        self._patch(self._context.documents.snapshot)
        self._follow(selected)

    def _patch(self, snapshot: Snapshot) -> None:
        self._is_following = True
        try:
            self.model.patch(snapshot)
        finally:
            self._is_following = False
        self.tree.viewport().update()
        self._show_page()

    def _show_page(self) -> None:
        snapshot = self._context.documents.snapshot
        if snapshot.program.foreign:
            rows = self._foreign_rows(snapshot.text)
            self.setCurrentWidget(rows if rows.model().rowCount() else self._empty)
        else:
            self.setCurrentWidget(self.page if self.model.rowCount() else self._empty)

    def _foreign_rows(self, text: str) -> ForeignOutline:
        if self.foreign is None:
            self.foreign = ForeignOutline(self._context.selection, self)
            self.addWidget(self.foreign)
        self.foreign.show_text(text)
        return self.foreign

    @Slot(QItemSelection, QItemSelection)
    def _on_rows_selected(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        """Select the chosen steps everywhere, in source order."""
        if self._is_following:
            return
        snapshot = self._context.documents.snapshot
        found = [self.model.row_at(index).step for index in self.tree.selectionModel().selectedRows()]
        steps = [step.id for step in found if step is not None and snapshot.has(step.id)]
        steps.sort(key=lambda step: snapshot.head_span(step).start)
        self._context.selection.reveal(tuple(steps), ORIGIN)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        """Bring the row's place into view, also where it is selected already or is a heading."""
        row = self.model.row_at(index)
        if row.step is not None:
            self._context.selection.reveal(self._context.selection.selected, ORIGIN)
            return
        heading = getattr(row.value, "heading", None)
        snapshot = self._context.documents.snapshot
        if isinstance(row.value, PythonFunction):
            self._context.selection.show_place(line_of_function(snapshot.text, row.value.name))
        if heading is not None and heading in snapshot.blocks:
            start = snapshot.block_starts[snapshot.blocks.index(heading)]
            self._context.selection.show_place(Span(start, start + len(heading.text.rstrip("\r\n"))))

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        if selection.origin != ORIGIN:
            self._follow(selection.steps)

    def _follow(self, steps: tuple[StepId, ...]) -> None:
        """Choose the rows of *steps* and show the first of them."""
        indices = [index for index in map(self.model.index_of, steps) if index.isValid()]
        chosen = QItemSelection()
        for index in indices:
            chosen.select(index, index)
        selection = self.tree.selectionModel()
        self._is_following = True
        try:
            if indices:
                selection.setCurrentIndex(indices[0], QItemSelectionModel.SelectionFlag.NoUpdate)
                self.tree.scrollTo(indices[0])
            selection.select(chosen, _SELECT)
        finally:
            self._is_following = False


def _moves_rows(change: DocumentChange) -> bool:
    """True where steps came, went or changed places."""
    before, after = change.before.block_ids, change.after.block_ids
    return any(before[part(window.old)] != after[part(window.new)] for window in change.after.windows)


class ForeignOutline(QTreeWidget):
    """Keys and named things; a click shows where one stands. Read again when typing rests."""

    def __init__(self, selection: SelectionController, parent: QWidget) -> None:
        super().__init__(parent)
        read_as_written(self)
        self._selection = selection
        self._text = ""
        self._shown: tuple[OutlineEntry, ...] = ()
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Outline"))
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_activated)

    def show_text(self, text: str) -> None:
        """Show what stands in *text*; where something is shown already, in a moment."""
        if text == self._text:
            return
        is_first = not self._text
        self._text = text
        if is_first:
            self._on_rested()
        else:
            self._rest.start()

    def forget(self) -> None:
        """Show nothing: another document comes."""
        self._rest.stop()
        self._text, self._shown = "", ()
        self.clear()

    @Slot()
    def _on_rested(self) -> None:
        from workbench.model.foreign.outline import outline_of  # noqa: PLC0415 - no playbook needs it

        entries = outline_of(self._text)
        if entries == self._shown:
            return
        self._shown = entries
        self.clear()
        self.addTopLevelItems(list(map(_item, entries)))
        if sum(1 for _entry in _walk(entries)) <= _MOST_OPEN_FOREIGN:
            self.expandAll()

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        """Show the place in the text, which may have grown shorter since."""
        span: Span = item.data(0, _ROLE)
        if span.end <= len(self._text):
            self._selection.show_place(span)


def _walk(entries: Iterable[OutlineEntry]) -> Iterable[OutlineEntry]:
    for entry in entries:
        yield entry
        yield from _walk(entry.children)


def _item(entry: OutlineEntry) -> QTreeWidgetItem:
    item = QTreeWidgetItem([drawable_line(entry.text)])
    item.setToolTip(0, tip(entry.text))
    item.setData(0, _ROLE, entry.span)
    item.addChildren(list(map(_item, entry.children)))
    return item
