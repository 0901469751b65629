"""The files of a folder: a double click opens one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Slot
from PySide6.QtWidgets import QFileSystemModel, QPushButton, QStackedWidget, QTreeView, QWidget

from workbench.disk.files import is_folder
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.file_watch import FileWatch
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.links import SCRIPT_ENDING
from workbench.settings import Settings

PLAYBOOK_PATTERNS = ("*.md", "*.pb", "*.playbooks", "*.pbasm", "*.yaml", "*.yml", "*.json")
_DECORATION = Qt.ItemDataRole.DecorationRole


class ProjectModel(QFileSystemModel):
    """Playbook files and folders, with the window's own icons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setNameFilters(list(PLAYBOOK_PATTERNS))
        self.setNameFilterDisables(False)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """As usual, but icons come from here: the system's would be made on another thread."""
        if role == _DECORATION and index.column() == 0:
            return icon("folder", Ink.MUTED) if self.isDir(index) else icon("playbook", Ink.ACCENT)
        value = super().data(index, role)
        return drawable_line(value) if role == Qt.ItemDataRole.DisplayRole and isinstance(value, str) else value


class PlaybookRows(QSortFilterProxyModel):
    """The rows of a ``ProjectModel`` without scripts: they are YAML as well, but hold the answers for a playbook."""

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        """True for all that is no script."""
        return not str(self.sourceModel().index(row, 0, parent).data()).endswith(SCRIPT_ENDING)


class ProjectPanel(QStackedWidget):
    """A folder as a tree of playbook files; says how to open one while there is none."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._model: ProjectModel | None = None
        self._rows = PlaybookRows(self)
        self.tree = QTreeView(self, headerHidden=True)
        self.tree.setAccessibleName(_("Project files"))
        self.tree.activated.connect(self._on_activated)
        self._empty = EmptyState(
            "project",
            _("No folder is open"),
            _("Open a folder to see its playbooks here and switch between them."),
            self,
        )
        button = QPushButton(_("Open folder…"), self)
        button.clicked.connect(context.actions.action("file.open-folder").trigger)
        self._empty.add_button(button)
        self.addWidget(self._empty)
        self.addWidget(self.tree)
        context.settings.settings_changed.connect(self._on_settings_changed)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        self._watch = FileWatch(self)
        self._watch.touched.connect(self._list_folder)
        self._show_folder(context.settings.current.project_folder)
        self._on_file_state_changed(context.documents.file_state)

    def _show_folder(self, folder: str) -> None:
        """Show *folder*, or the empty state where there is none (any more)."""
        self._folder = folder
        self._watch.watch(Path(folder) if folder else None)
        self._list_folder()

    @Slot()
    def _list_folder(self) -> None:
        """Show what is in the folder now; the model does not see that a folder is made again under the same name."""
        if not self._folder or not is_folder(Path(self._folder)):
            self.setCurrentWidget(self._empty)
            return
        model = self._filled_model()
        model.setRootPath("")
        self.tree.setRootIndex(self._rows.mapFromSource(model.setRootPath(self._folder)))
        self.setCurrentWidget(self.tree)

    def _filled_model(self) -> ProjectModel:
        """The model, made when it is first needed: it starts a thread."""
        if self._model is None:
            self._model = ProjectModel(self)
            self._rows.setSourceModel(self._model)
            self.tree.setModel(self._rows)
            for column in range(1, self._model.columnCount()):
                self.tree.hideColumn(column)
        return self._model

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        if settings.project_folder != self._folder:
            self._show_folder(settings.project_folder)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Mark the open file in the tree."""
        if self._model is not None and state.path is not None:
            index = self._rows.mapFromSource(self._model.index(str(state.path)))
            if index.isValid():
                self.tree.setCurrentIndex(index)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        chosen = self._rows.mapToSource(index)
        if self._model is not None and not self._model.isDir(chosen):
            self._context.documents.open_requested.emit(Path(self._model.filePath(chosen)))
