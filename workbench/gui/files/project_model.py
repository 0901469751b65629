"""The tree behind the project pane: folders and files, each with its kind and title; patched as more is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.file_kinds import FILE_KINDS
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import ngettext, numeral
from workbench.project.index import FileEntry
from workbench.project.rows import FileRow

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
NAME, TITLE = range(2)


class Node:
    """A row with its place in the tree."""

    __slots__ = ("above", "nodes", "row")

    def __init__(self, row: FileRow, above: Node | None) -> None:
        self.row = row
        self.above = above
        self.nodes = [Node(each, self) for each in row.rows]


class ProjectModel(QAbstractItemModel):
    """Two columns: the name with the icon of its kind, and the title."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._root = Node(FileRow("", is_folder=True), None)

    def show_rows(self, rows: tuple[FileRow, ...]) -> None:
        """Show *rows*; what stays is the same row, so that it stays open and chosen."""
        row = FileRow("", is_folder=True, rows=rows)
        if self._root.nodes and rows:
            self._patch(self._root, row)
            return
        self.beginResetModel()
        self._root = Node(row, None)
        self.endResetModel()

    def row_at(self, index: Index) -> FileRow:
        """The row at *index*."""
        return self._node(index).row

    def index_of(self, path: str) -> QModelIndex:
        """Where the file or folder *path* is shown; invalid where it is not."""
        found, node = _NO_INDEX, self._root
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            wanted = "/".join(parts[:depth])
            place = next((at for at, each in enumerate(node.nodes) if each.row.path == wanted), -1)
            if place < 0:
                return _NO_INDEX
            found, node = self.index(place, NAME, found), node.nodes[place]
        return found

    def _node(self, index: Index) -> Node:
        found = index.internalPointer() if index.isValid() else self._root
        assert isinstance(found, Node)
        return found

    def _index(self, node: Node) -> QModelIndex:
        if node.above is None:
            return _NO_INDEX
        return self.createIndex(node.above.nodes.index(node), NAME, node)

    def _patch(self, node: Node, row: FileRow) -> None:
        """Make *node* show *row*: both know the rows below in the same order."""
        if node.row == row:
            return
        node.row, above = row, self._index(node)
        wanted = {each.path: each for each in row.rows}
        for first, last in _runs([each.row.path not in wanted for each in node.nodes]):
            self.beginRemoveRows(above, first, last)
            del node.nodes[first : last + 1]
            self.endRemoveRows()
        shown = {each.row.path for each in node.nodes}
        for first, last in reversed(_runs([each.path not in shown for each in row.rows])):
            self.beginInsertRows(above, first, last)
            node.nodes[first:first] = [Node(each, node) for each in row.rows[first : last + 1]]
            self.endInsertRows()
        self._patch_below(node)

    def _patch_below(self, node: Node) -> None:
        for below, row in zip(node.nodes, node.row.rows, strict=True):
            if row.is_folder:
                self._patch(below, row)
        changed = [below.row != row for below, row in zip(node.nodes, node.row.rows, strict=True)]
        for first, last in _runs(changed):
            for place in range(first, last + 1):
                node.nodes[place].row = node.row.rows[place]
            ends = (self.createIndex(first, NAME, node.nodes[first]), self.createIndex(last, TITLE, node.nodes[last]))
            self.dataChanged.emit(*ends)

    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        """The place of a row below *parent*."""
        nodes = self._node(parent).nodes
        return self.createIndex(row, column, nodes[row]) if 0 <= row < len(nodes) else _NO_INDEX

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """The folder that *index* is in."""
        above = self._node(index).above
        return self._index(above) if above is not None else _NO_INDEX

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many rows stand below *parent*."""
        return len(self._node(parent).nodes) if parent.column() <= 0 else 0

    def columnCount(self, _parent: Index = _NO_INDEX) -> int:
        """Name and title."""
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        row = self._node(index).row
        if role == Qt.ItemDataRole.DisplayRole:
            return drawable_line(row.name if index.column() == NAME else row.entry.title if row.entry else "")
        if role == Qt.ItemDataRole.DecorationRole and index.column() == NAME:
            return icon(_icon_of(row), Ink.MUTED if row.is_folder else Ink.ACCENT)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == TITLE:
            return QColor(current_theme().color(Ink.MUTED))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join(_told(row)))
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == NAME:
            return drawable_line(", ".join((row.name, *_told(row)[1:])))
        return None


def _runs(marks: Sequence[bool]) -> list[tuple[int, int]]:
    """The first and last place of each run of true *marks*, the last run first."""
    found: list[tuple[int, int]] = []
    for place, mark in enumerate(marks):
        if mark and found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        elif mark:
            found.append((place, place))
    return found[::-1]


def _icon_of(row: FileRow) -> str:
    if row.is_folder:
        return "folder"
    if row.entry is None:
        return "playbook"
    return FILE_KINDS[row.entry.kind].icon if row.entry.kind is not None else "file"


def _told(row: FileRow) -> list[str]:
    """What is known of a row, line by line."""
    return [row.path, *(_of_entry(row.entry) if row.entry is not None else ())]


def _of_entry(entry: FileEntry) -> list[str]:
    kind = [str(FILE_KINDS[entry.kind].word)] if entry.kind is not None else []
    title = [entry.title] if entry.title else []
    count = ngettext("{count} step", "{count} steps", entry.steps).format(count=numeral(entry.steps))
    return [*title, *kind, *([count] if entry.is_ours else [])]
