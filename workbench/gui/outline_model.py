"""The tree behind the outline: rows are made when they are looked at, and patched by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.gui.icons import icon
from workbench.gui.outline_nodes import Key, Keyed, Value, children_of, has_children, look_of, path_of
from workbench.gui.theme import Theme
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class Node:
    """One row. *children* is None until somebody asks for them."""

    __slots__ = ("children", "key", "parent", "value")

    def __init__(self, key: Key, value: Value, parent: Node | None) -> None:
        self.key = key
        self.value = value
        self.parent = parent
        self.children: list[Node] | None = None

    def load(self) -> list[Node]:
        """The rows below this one."""
        if self.children is None:
            self.children = [Node(key, value, self) for key, value in children_of(self.value)]
        return self.children

    def row(self) -> int:
        """Where this row stands among its siblings."""
        siblings = self.parent.children if self.parent is not None else None
        return siblings.index(self) if siblings else 0


class OutlineModel(QAbstractItemModel):
    """Agents, playbooks, sections and steps of one document."""

    def __init__(self, snapshot: Snapshot, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._theme = theme
        self._root = Node((), snapshot.program, None)

    def show_theme(self, theme: Theme) -> None:
        """Take the colours of *theme*."""
        self._theme = theme

    def reset(self, snapshot: Snapshot) -> None:
        """Show another document."""
        self.beginResetModel()
        self._snapshot = snapshot
        self._root = Node((), snapshot.program, None)
        self.endResetModel()

    def patch(self, snapshot: Snapshot) -> None:
        """Show the next revision of the same document: only rows that differ come, go or change."""
        self._snapshot = snapshot
        self._sync(self._root, snapshot.program)

    def step_at(self, index: Index) -> StepId | None:
        """The step in the row at *index*, None for headings."""
        value = self.value_at(index)
        return value.id if isinstance(value, Step) else None

    def value_at(self, index: Index) -> Value:
        """What the row at *index* stands for."""
        return self._node(index).value

    def key_at(self, index: Index) -> Key:
        """The keys from the top down to the row at *index*."""
        keys: list[Any] = []
        node: Node | None = self._node(index)
        while node is not None and node.parent is not None:
            keys.append(node.key)
            node = node.parent
        return tuple(reversed(keys))

    def index_of(self, step_id: StepId) -> QModelIndex:
        """Where the step is shown; not valid where it is not."""
        if not self._snapshot.has(step_id):
            return QModelIndex()
        node = self._root
        for value in path_of(self._snapshot, step_id):
            node = next((child for child in node.load() if child.value is value), node)
        return QModelIndex() if not isinstance(node.value, Step) else self.createIndex(node.row(), 0, node)

    def _sync(self, node: Node, value: Value) -> None:
        """Make *node* stand for *value*, and what is loaded below it follow."""
        had_children = node.children is not None
        node.value = value
        if not had_children:
            return
        wanted = children_of(value)
        old = node.children or []
        first, last_old, last_new = _differing([child.key for child in old], [key for key, _value in wanted])
        kept = [*zip(old[:first], wanted[:first], strict=True), *zip(old[last_old:], wanted[last_new:], strict=True)]
        self._replace(node, slice(first, last_old), wanted[first:last_new])
        for child, (_key, fresh) in kept:
            if child.value is not fresh:
                self._sync(child, fresh)
        self._tell(node)

    def _replace(self, node: Node, rows: slice, wanted: Sequence[Keyed]) -> None:
        """Exchange *rows* below *node*."""
        index, children = self._index(node), node.children
        assert children is not None, "only loaded rows are exchanged"
        if rows.stop > rows.start:
            self.beginRemoveRows(index, rows.start, rows.stop - 1)
            del children[rows]
            self.endRemoveRows()
        if wanted:
            self.beginInsertRows(index, rows.start, rows.start + len(wanted) - 1)
            children[rows.start : rows.start] = [Node(key, value, node) for key, value in wanted]
            self.endInsertRows()

    def _tell(self, node: Node) -> None:
        """All words below *node* may differ: numbers count what stands before."""
        children = node.children
        if children:
            self.dataChanged.emit(
                self.createIndex(0, 0, children[0]), self.createIndex(len(children) - 1, 0, children[-1])
            )

    def _index(self, node: Node) -> QModelIndex:
        return QModelIndex() if node.parent is None else self.createIndex(node.row(), 0, node)

    def _node(self, index: Index) -> Node:
        if not index.isValid():
            return self._root
        node = index.internalPointer()
        return node if isinstance(node, Node) else self._root

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """The row *row* below *parent*."""
        children = self._node(parent).load()
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        """The row above *index*."""
        above = self._node(index).parent
        return QModelIndex() if above is None or above.parent is None else self.createIndex(above.row(), 0, above)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many rows are below *parent*."""
        return len(self._node(parent).load())

    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:
        """True when there are rows below *parent*, which need not be loaded for it."""
        node = self._node(parent)
        return bool(node.children) if node.children is not None else has_children(node.value)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """One column."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row's words, icon, colour or tool tip."""
        if role not in _ROLES:
            return None
        look = look_of(self._node(index).value, self._snapshot)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{look.number}  {look.text}" if look.number else look.text
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(look.icon, self._theme.muted if look.kind is None else self._theme.kind_color(look.kind))
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._theme.text if look.kind is not None else self._theme.muted)
        return look.tip or None


_ROLES = frozenset(
    {
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.DecorationRole,
        Qt.ItemDataRole.ForegroundRole,
        Qt.ItemDataRole.ToolTipRole,
    }
)


def _differing(old: Sequence[Key], new: Sequence[Key]) -> tuple[int, int, int]:
    """Where two rows of keys differ: ``[first, last_old)`` against ``[first, last_new)``."""
    limit = min(len(old), len(new))
    first = next((index for index in range(limit) if old[index] != new[index]), limit)
    tail = next((index for index in range(limit - first) if old[-1 - index] != new[-1 - index]), limit - first)
    return first, len(old) - tail, len(new) - tail
