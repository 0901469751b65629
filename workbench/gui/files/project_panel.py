"""The files of the open folder: what each is, where it is found by name, and a double click that opens it.

Behind them stands a tree of folders and files, each with its kind and title; it is patched as more is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTreeView,
    QWidget,
)

from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.project_controller import is_there
from workbench.gui.files.arranging.open_findings import COUNTS_ROLE, CountsDelegate, FileFindings, ProblemRows
from workbench.gui.files.arranging.project_files import ProjectFiles
from workbench.gui.files.file_actions import open_file
from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import GRID_PX, Ink, current_theme
from workbench.gui.words.file_kinds import FILE_KINDS, GIT_SIGNS, GIT_WORDS
from workbench.gui.words.values import drawable_line, problem_words, tip
from workbench.i18n import _, ngettext, numeral
from workbench.project.rows import FileRow, RowChoice, choice_of, rows_of

if TYPE_CHECKING:
    from workbench.disk.revisions import GitState
    from workbench.gui.files.file_renaming import FileRenaming

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


_MOST_AT_ONCE = 100
_REST_MS = 120
_MOST_OPENED = 60


class FileTree(QTreeView):
    """Names with icons, and titles beside them."""

    def __init__(self, model: ProjectModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(_("Project files"))
        header = self.header()
        header.setMinimumSectionSize(0)
        header.setResizeContentsPrecision(_MOST_OPENED)
        header.moveSection(PROBLEMS, TITLE)
        self.setItemDelegateForColumn(PROBLEMS, CountsDelegate(self))
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        self._widths: dict[int, int] = {}
        self._forgetting = QTimer(self, interval=0, singleShot=True)
        self._forgetting.timeout.connect(self._widths.clear)

    def sizeHintForColumn(self, column: int) -> int:
        """As wide as what is in it; but a long name leaves room for the problems."""
        wanted = self._wanted_width(column)
        room = self.viewport().width() - self._wanted_width(PROBLEMS) - GRID_PX
        return max(min(wanted, room), 0) if column == NAME else wanted

    def _wanted_width(self, column: int) -> int:
        """Qt asks again and again in one turn, and all rows in view are asked each time."""
        if column not in self._widths:
            self._widths[column] = super().sizeHintForColumn(column)
            self._forgetting.start()
        return self._widths[column]


class ReadingRow(QWidget):
    """How far reading has come, with a button that stops it, or lets it go on."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._project = context.project
        self.words = ElidedLabel("", self)
        self.button = QPushButton(self)
        self.button.clicked.connect(self._on_clicked)
        in_row(self, (self.words, 1), self.button, margins=(GRID_PX, 0, GRID_PX, 0), spacing=GRID_PX)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say how it stands; nothing is to be said where all is known."""
        index, is_stopped = self._project.index, self._project.is_stopped
        if is_stopped:
            words = ngettext("Read {known} of {count} file", "Read {known} of {count} files", index.count)
        else:
            words = ngettext("Reading {known} of {count} file", "Reading {known} of {count} files", index.count)
        self.words.setText(words.format(known=numeral(len(index.entries)), count=numeral(index.count)))
        self.button.setText(_("Continue") if is_stopped else _("Stop"))
        self.setVisible(not index.is_whole and (is_stopped or self._project.is_reading))

    @Slot()
    def _on_clicked(self) -> None:
        (self._project.go_on if self._project.is_stopped else self._project.stop)()


class ProjectPanel(QStackedWidget):
    """A folder as a tree of playbook files; says how to open one while there is none."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._project = context.project
        self.model = ProjectModel(self)
        self._page = QWidget(self)
        self.search = QLineEdit(self._page, placeholderText=_("Find a file"))
        add_clear_button(self.search)
        self.search.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.tree = FileTree(self.model, self._page)
        self.others = QCheckBox(_("Show other files"), self._page)
        self.reading = ReadingRow(context, self._page)
        self.arranging = ProjectFiles(context, self)
        FileFindings(context, self.model)
        top = in_column(None, self.search, self.others, margins=(GRID_PX, GRID_PX, GRID_PX, 0), spacing=GRID_PX // 2)
        in_column(self._page, top, (self.tree, 1), self.reading, margins=0, spacing=GRID_PX // 2)
        self._choice: RowChoice | None = None
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._list)
        self.addWidget(self._empty_page())
        self.addWidget(self._page)
        self._connect()
        self._project.begin()
        self._on_folder_changed()

    @cached_property
    def renaming(self) -> FileRenaming:
        """What asks for another name of a file, and offers to change the links."""
        from workbench.gui.files.file_renaming import FileRenaming  # noqa: PLC0415 - no start needs it

        return FileRenaming(self._context, self)

    def _empty_page(self) -> EmptyState:
        words = _("Open a folder to see its playbooks here and switch between them.")
        page = EmptyState("project", _("No folder is open"), words, self)
        button = QPushButton(_("Open folder…"), self)
        button.clicked.connect(self._context.actions.action("file.open-folder").trigger)
        page.add_button(button)
        return page

    def _connect(self) -> None:
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_clicked)
        self.search.textEdited.connect(self._rest.start)
        self.search.returnPressed.connect(self._on_return)
        self.others.toggled.connect(self._list)
        entries = [
            (_("Open"), QKeySequence(), self._open_current),
            (_("Rename…"), QKeySequence(Qt.Key.Key_F2), self.rename_current),
            *self.arranging.entries(self._current_row),
        ]
        add_context_actions(self.tree, entries)
        self._project.index_changed.connect(self._list)
        self._context.git.states_changed.connect(self._show_git)
        self._project.folder_changed.connect(self._on_folder_changed)
        self._project.reading_changed.connect(self.reading.refresh)
        self._context.documents.file_state_changed.connect(self._on_file_state_changed)

    @Slot()
    def _on_folder_changed(self) -> None:
        self._list()
        self.setCurrentIndex(1 if is_there(self._project.folder) else 0)

    @Slot()
    def _list(self) -> None:
        """Show what is known now."""
        self._rest.stop()
        choice = choice_of(self.search.text(), is_all=self.others.isChecked())
        had_any = self.model.rowCount() > 0
        self.model.show_rows(rows_of(self._project.index, choice), is_at_once=choice != self._choice)
        self._choice = choice
        self._show_git()
        if choice.words:
            self.tree.expandAll()
        if not had_any:
            self._on_file_state_changed(self._context.documents.file_state)
        self.reading.refresh()

    @Slot()
    def _show_git(self) -> None:
        index = self._project.index
        self.model.show_git({index.path_of(path): state for path, state in self._context.git.states.items()})

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Mark the open file in the tree."""
        path = self._project.index.path_of(state.path) if state.path is not None and self.model.rowCount() else ""
        index = self.model.index_of(path) if path else QModelIndex()
        if index.isValid() and index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        if not row.is_folder and row.path:
            self._context.documents.open_requested.emit(self._project.index.root / row.path)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        """Look at the file, in a tab that the next one takes over; who goes through the files keeps the focus here."""
        row = self.model.row_at(index)
        if not row.is_folder and row.path:
            open_file(self._context, self._project.index.root / row.path, is_preview=True)
            self.tree.setFocus()

    @Slot()
    def _open_current(self) -> None:
        self._on_activated(self.tree.currentIndex())

    def _current_row(self) -> FileRow:
        return self.model.row_at(self.tree.currentIndex())

    @Slot()
    def rename_current(self) -> None:
        """Ask for another name for the file that is chosen."""
        row = self._current_row()
        if row.path and not row.is_folder:
            self.renaming.ask(self._project.index.root / row.path)

    @Slot()
    def _on_return(self) -> None:
        """Open the first file that was found."""
        self._list()
        index = self.model.index(0, NAME)
        while index.isValid() and self.model.row_at(index).is_folder:
            index = self.model.index(0, NAME, index)
        if index.isValid():
            self._on_activated(index)
