"""The tree behind the outline: rows are made when they are looked at, and patched by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Ink, current_theme
from workbench.gui.outline.outline_rows import (
    Key,
    Row,
    Value,
    differing,
    has_children,
    is_numbered,
    look_of,
    path_of,
    values_under,
)
from workbench.gui.words.drawable import tip
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
WORDS, NUMBER = range(2)


class OutlineModel(QAbstractItemModel):
    """Agents, playbooks, sections and steps of one document."""

    def __init__(self, snapshot: Snapshot, parent: QObject) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._root = Row((), snapshot.program, None)
        # Qt keeps bare pointers to rows: those that go stay alive until the change after the one they went with
        self._gone: list[Row] = []

    def reset(self, snapshot: Snapshot) -> None:
        """Show another document."""
        self.beginResetModel()
        self._gone = [self._root]
        self._snapshot = snapshot
        self._root = Row((), snapshot.program, None)
        self.endResetModel()

    def patch(self, snapshot: Snapshot) -> None:
        """Show the next revision of the same document: only rows that differ come, go or change."""
        self._snapshot = snapshot
        self._gone = []
        self._sync(self._root, snapshot.program)

    def row_at(self, index: Index) -> Row:
        """The row at *index*; what all others stand under where that is not valid."""
        row = index.internalPointer() if index.isValid() else None
        return row if isinstance(row, Row) else self._root

    def index_of(self, step_id: StepId) -> QModelIndex:
        """Where the step is shown; not valid where it is not."""
        if not self._snapshot.has(step_id):
            return QModelIndex()
        node = self._root
        for value in path_of(self._snapshot, step_id):
            children = node.load()
            if value in node.values:
                node = children[node.values.index(value)]
        return QModelIndex() if not isinstance(node.value, Step) else self.createIndex(node.place(), 0, node)

    def _sync(self, row: Row, value: Value) -> None:
        """Make *row* stand for *value*, and what is loaded below it follow."""
        row.value = value
        if row.children is None:
            return
        wanted = values_under(value)
        first, last_old, last_new = differing(row.values, wanted)
        fresh = row.keyed(wanted)[first:last_new] if not _are_steps(wanted) else row.keyed(wanted[first:last_new])
        old = row.children[first:last_old]
        kept, stop_old, stop_new = differing([child.key for child in old], [key for key, _value in fresh])
        same = [*zip(old[:kept], fresh[:kept], strict=True), *zip(old[stop_old:], fresh[stop_new:], strict=True)]
        self._replace(row, slice(first + kept, first + stop_old), fresh[kept:stop_new])
        row.values = wanted
        for child, (_key, new) in same:
            if child.value is not new:
                if is_numbered(child.value) is not is_numbered(new):
                    row.renumber()
                self._sync(child, new)
                changed = self._index(child)  # that numbers differ is not told: a view draws what it asks for
                self.dataChanged.emit(changed, changed)

    def _replace(self, row: Row, places: slice, wanted: Sequence[tuple[Key, Value]]) -> None:
        """Exchange the rows at *places* below *row*."""
        index = self._index(row)
        if places.stop > places.start:
            self.beginRemoveRows(index, places.start, places.stop - 1)
            self._gone += row.load()[places]
            row.exchange(places, [])
            self.endRemoveRows()
        if wanted:
            self.beginInsertRows(index, places.start, places.start + len(wanted) - 1)
            row.exchange(slice(places.start, places.start), wanted)
            self.endInsertRows()

    def _index(self, node: Row) -> QModelIndex:
        return QModelIndex() if node.parent is None else self.createIndex(node.place(), 0, node)

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """The row *row* below *parent*."""
        children = self.row_at(parent).load()
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """The row above *index*; only the first column holds rows."""
        above = self.row_at(index).parent
        return QModelIndex() if above is None or above.parent is None else self.createIndex(above.place(), 0, above)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many rows are below *parent*."""
        if parent.isValid() and parent.column() != WORDS:
            return 0
        return len(self.row_at(parent).load())

    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:
        """True when there are rows below *parent*, which need not be loaded for it."""
        node = self.row_at(parent)
        if parent.isValid() and parent.column() != WORDS:
            return False
        return bool(node.children) if node.children is not None else has_children(node.value)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """Words and number."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row's words, icon, colour or tool tip."""
        if role not in _ROLES:
            return None
        if index.column() == NUMBER:
            return _number(self.row_at(index), role)
        look = look_of(self.row_at(index).value)
        if role == Qt.ItemDataRole.DisplayRole:
            return look.text
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(look.icon, look.kind or Ink.MUTED)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(current_theme().color(Ink.MUTED if look.kind is None else Ink.TEXT))
        return tip(look.tip) or None


_ROLES = frozenset(
    {
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.ForegroundRole,
        Qt.ItemDataRole.ToolTipRole,
    }
)


def _are_steps(values: Sequence[Value]) -> bool:
    """True for rows whose keys do not depend on their siblings."""
    return bool(values) and isinstance(values[0], Step)


def _number(row: Row, role: int) -> Any:
    """The second column: small and muted."""
    if role == Qt.ItemDataRole.DisplayRole:
        return row.number()
    return QColor(current_theme().muted) if role == Qt.ItemDataRole.ForegroundRole else None
