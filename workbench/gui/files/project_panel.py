"""The files of the open folder: what each is, where it is found by name, and a double click that opens it.

Behind them stands a tree of folders and files, each with its kind and title; it is patched as more is known.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence
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
from workbench.gui.files.arranging.open_findings import CountsDelegate, FileFindings
from workbench.gui.files.arranging.project_files import ProjectFiles
from workbench.gui.files.arranging.project_rows import NAME, PROBLEMS, TITLE, ProjectModel
from workbench.gui.files.file_actions import open_file
from workbench.gui.look.context_actions import add_context_actions
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.i18n import _, ngettext, numeral
from workbench.project.rows import FileRow, RowChoice, choice_of, rows_of

if TYPE_CHECKING:
    from workbench.gui.files.file_renaming import FileRenaming

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
