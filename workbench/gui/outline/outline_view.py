"""The tree widget of the outline: what is open stays open."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTreeView, QWidget

from workbench.gui.look.theme import current_theme, is_theme_change
from workbench.gui.outline.outline_model import NUMBER, WORDS, OutlineModel
from workbench.gui.outline.outline_rows import Key, has_children
from workbench.i18n import _

_ROWS_MEASURED = 60
_INDENT_PX = 14
_NARROW_PX = 240


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
        self._take_sizes()

    def customEvent(self, event: QEvent) -> None:
        """Larger letters need more room."""
        if is_theme_change(event):
            self._take_sizes()

    def _take_sizes(self) -> None:
        """In a narrow pane the words need all the room, and the number of the selected step stands in the inspector."""
        self.setIndentation(current_theme().px(_INDENT_PX))
        self.setColumnHidden(NUMBER, self.width() < current_theme().px(_NARROW_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._take_sizes()

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
