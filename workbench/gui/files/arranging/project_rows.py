"""The files of a project as rows with icons, titles and numbers; patched as more is known, many in several turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QColor

from workbench.gui.files.arranging.open_findings import COUNTS_ROLE, ProblemRows
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.file_kinds import FILE_KINDS, GIT_SIGNS, GIT_WORDS
from workbench.gui.words.values import drawable_line, problem_words, tip
from workbench.i18n import ngettext
from workbench.project.rows import FileRow

if TYPE_CHECKING:
    from workbench.disk.revisions import GitState

_MOST_AT_ONCE = 100
Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
NAME, TITLE, PROBLEMS = range(3)


class Node:
    """A row with its place in the tree."""

    __slots__ = ("above", "nodes", "row")

    def __init__(self, row: FileRow, above: Node | None) -> None:
        self.row = row
        self.above = above
        self.nodes = [Node(each, self) for each in row.rows]


class ProjectModel(ProblemRows):
    """Columns: the name with the icon of its kind, the title, and how many problems there are."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._root = Node(FileRow("", is_folder=True), None)
        self._git: Mapping[str, GitState] = {}
        self._waiting: deque[tuple[Node, FileRow]] = deque()
        self._turn = QTimer(self, interval=0, singleShot=True)
        self._turn.timeout.connect(self._go_on)

    def show_git(self, states: Mapping[str, GitState]) -> None:
        """Show beside the names how the files stand to the last commit; *states*: by path, as rows have it."""
        if states != self._git:
            self._git = states
            self.show_anew()

    def show_rows(self, rows: tuple[FileRow, ...], *, is_at_once: bool = True) -> None:
        """Show *rows*; what stays is the same row, so that it stays open and chosen.

        *is_at_once*: else what has changed in many folders takes several turns of the event loop.
        """
        row = FileRow("", is_folder=True, rows=rows)
        self._waiting.clear()
        if self._root.nodes and rows:
            self._waiting.append((self._root, row))
            self._go_on()
            while is_at_once and self._waiting:
                self._go_on()
            return
        self.beginResetModel()
        self._root = Node(row, None)
        self.endResetModel()

    @Slot()
    def _go_on(self) -> None:
        """Show as many folders as one turn may take; each of them at once."""
        done = 0
        while self._waiting and done < _MOST_AT_ONCE:
            node, row = self._waiting.popleft()
            done += self._patch(node, row)
        if self._waiting:
            self._turn.start()

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

    def _patch(self, node: Node, row: FileRow) -> int:
        """Make *node* show *row*: both know the rows below in the same order. Folders in it wait for their turn.

        How many rows were looked at; for rows that come or go, views look at all of theirs.
        """
        above = self._index(node)
        node.row = row
        wanted = {each.path: each for each in row.rows}
        gone = _runs([each.row.path not in wanted for each in node.nodes])
        for first, last in gone:
            self.beginRemoveRows(above, first, last)
            del node.nodes[first : last + 1]
            self.endRemoveRows()
        shown = {each.row.path for each in node.nodes}
        come = _runs([each.path not in shown for each in row.rows])
        for first, last in reversed(come):
            self.beginInsertRows(above, first, last)
            node.nodes[first:first] = [Node(each, node) for each in row.rows[first : last + 1]]
            self.endInsertRows()
        self._patch_below(node)
        return len(row.rows) + 1 + _MOST_AT_ONCE * len(gone + come)

    def _patch_below(self, node: Node) -> None:
        both = list(zip(node.nodes, node.row.rows, strict=True))
        self._waiting.extend((below, row) for below, row in both if row.is_folder and below.row != row)
        changed = [not row.is_folder and below.row != row for below, row in both]
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
        """Name, title, problems."""
        return 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        row = self._node(index).row
        if role == Qt.ItemDataRole.DisplayRole and index.column() == NAME:
            git = self._git.get(row.path)
            return "  ".join(filter(None, (drawable_line(row.name), GIT_SIGNS[git.value] if git else "")))
        if role == COUNTS_ROLE and index.column() == PROBLEMS:
            return self.problems.get(row.path)
        if role == Qt.ItemDataRole.DisplayRole and index.column() == TITLE:
            return drawable_line(row.entry.title if row.entry else "")
        if role == Qt.ItemDataRole.DecorationRole and index.column() == NAME:
            return icon(_icon_of(row), Ink.MUTED if row.is_folder else Ink.ACCENT)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == TITLE:
            return QColor(current_theme().color(Ink.MUTED))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join(filter(None, self._known(row))))
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == NAME:
            return drawable_line(", ".join(filter(None, (row.name, *self._known(row)[1:]))))
        return None

    def _known(self, row: FileRow) -> list[str]:
        """What is known of *row*, line by line; some may be empty."""
        git, counts = self._git.get(row.path), self.problems.get(row.path)
        return [*_told(row), str(GIT_WORDS[git.value]) if git else "", problem_words(*counts) if counts else ""]


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
    """What is known of a row, line by line; some may be empty."""
    entry = row.entry
    if entry is None:
        return [row.path]
    count = ngettext("{count} step", "{count} steps", entry.steps)
    kind = str(FILE_KINDS[entry.kind].word) if entry.kind is not None else ""
    return [row.path, entry.title, kind, count if entry.is_ours else ""]
