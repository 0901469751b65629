"""The document as a tree of agents, playbooks, sections and steps."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStackedWidget, QTreeView, QWidget

from workbench.editing.change import DocumentChange
from workbench.gui.action_table import Scope
from workbench.gui.context import WindowContext
from workbench.gui.empty_state import EmptyState
from workbench.gui.outline_model import NUMBER, WORDS, OutlineModel
from workbench.gui.outline_nodes import Key, has_children
from workbench.gui.selection import Selection
from workbench.gui.theme import Theme
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

ORIGIN = "outline"
_ROWS_MEASURED = 60
_MOST_OPEN = 1_000
_SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class OutlinePanel(QStackedWidget):
    """Shares the selection with the other panes; what is open stays open while the document changes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._is_following = False
        self._closed: set[Key] = set()
        self.model = OutlineModel(context.documents.snapshot, context.theme.theme, self)
        self.tree = QTreeView(self)
        self._empty = EmptyState(
            "outline", _("Nothing to outline"), _("The playbooks and steps of the open file are listed here."), self
        )
        self.addWidget(self._empty)
        self.addWidget(self.tree)
        self._set_up_tree()
        self._connect()
        self._on_theme_changed(context.theme.theme)
        self._on_document_opened(context.documents.snapshot)

    def _set_up_tree(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setHeaderHidden(True)
        tree.setAllColumnsShowFocus(True)
        tree.header().setStretchLastSection(False)
        tree.header().setResizeContentsPrecision(_ROWS_MEASURED)
        tree.header().setSectionResizeMode(WORDS, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(NUMBER, QHeaderView.ResizeMode.ResizeToContents)
        tree.setUniformRowHeights(True)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setAccessibleName(_("Outline"))
        self.setFocusProxy(tree)
        self._context.actions.attach(tree, Scope.STEPS)

    def _connect(self) -> None:
        context = self._context
        self.tree.selectionModel().selectionChanged.connect(self._on_rows_selected)
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_activated)
        self.tree.collapsed.connect(self._on_collapsed)
        self.tree.expanded.connect(self._on_expanded)
        self.model.rowsInserted.connect(self._on_rows_inserted)
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        context.selection.selection_changed.connect(self._on_selection_changed)
        context.selection.reveal_requested.connect(self._on_selection_changed)
        context.theme.theme_changed.connect(self._on_theme_changed)

    @Slot(object)
    def _on_document_opened(self, snapshot: Snapshot) -> None:
        """Show another document, open down to its steps."""
        self._closed.clear()
        self.model.reset(snapshot)
        if len(snapshot.where) <= _MOST_OPEN:
            self.tree.expandAll()
        else:
            self._open_headings(QModelIndex())
        self._show_page()

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Patch the rows that differ."""
        self._is_following = True
        try:
            self.model.patch(change.after)
        finally:
            self._is_following = False
        self.tree.viewport().update()
        self._show_page()
        if change.added or change.removed:
            self._follow(self._context.selection.selected)

    def _show_page(self) -> None:
        self.setCurrentWidget(self.tree if self.model.rowCount() else self._empty)

    def _open_below(self, parent: QModelIndex) -> None:
        """Open the headings below *parent*, and steps that hold others, unless a person closed them."""
        for row in range(self.model.rowCount(parent)):
            self._open(self.model.index(row, 0, parent))

    def _open(self, index: QModelIndex) -> None:
        if has_children(self.model.value_at(index)) and self.model.key_at(index) not in self._closed:
            self.tree.expand(index)
            self._open_below(index)

    def _open_headings(self, parent: QModelIndex) -> None:
        """Open what is above the steps: opening thousands of steps would take too long."""
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            if self.model.step_at(index) is not None:
                return
            self.tree.expand(index)
            self._open_headings(index)

    @Slot(QModelIndex, int, int)
    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for row in range(first, last + 1):
            self._open(self.model.index(row, 0, parent))

    @Slot(QItemSelection, QItemSelection)
    def _on_rows_selected(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        """Select the chosen steps everywhere, in source order."""
        if self._is_following:
            return
        snapshot = self._context.documents.snapshot
        found = [self.model.step_at(index) for index in self.tree.selectionModel().selectedRows()]
        steps = [step for step in found if step is not None and snapshot.has(step)]
        steps.sort(key=lambda step: snapshot.head_span(step).start)
        self._context.selection.reveal(tuple(steps), ORIGIN)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        """Bring the row's place into view, also where it is selected already or is a heading."""
        step = self.model.step_at(index)
        if step is not None:
            self._context.selection.reveal(self._context.selection.selected, ORIGIN)
            return
        heading = getattr(self.model.value_at(index), "heading", None)
        snapshot = self._context.documents.snapshot
        if heading in snapshot.blocks:
            start = snapshot.block_starts[snapshot.blocks.index(heading)]
            self._context.selection.show_place(Span(start, start + len(heading.text.rstrip("\r\n"))))

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        if selection.origin != ORIGIN:
            self._follow(selection.steps)

    def _follow(self, steps: tuple[object, ...]) -> None:
        """Choose the rows of *steps* and show the first of them."""
        indices = [self.model.index_of(step) for step in self._context.selection.selected] if steps else []
        chosen = QItemSelection()
        for index in indices:
            if index.isValid():
                chosen.select(index, index)
        self._is_following = True
        try:
            model = self.tree.selectionModel()
            if indices and indices[0].isValid():
                model.setCurrentIndex(indices[0], QItemSelectionModel.SelectionFlag.NoUpdate)
                self.tree.scrollTo(indices[0])
            model.select(chosen, _SELECT)
        finally:
            self._is_following = False

    @Slot(QModelIndex)
    def _on_collapsed(self, index: QModelIndex) -> None:
        self._closed.add(self.model.key_at(index))

    @Slot(QModelIndex)
    def _on_expanded(self, index: QModelIndex) -> None:
        self._closed.discard(self.model.key_at(index))

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._empty.show_theme(theme)
        self.model.show_theme(theme)
        self.tree.viewport().update()
