"""How many problems the open files have, for the names in the project pane."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QObject, Slot

from workbench.gui.control.context import WindowContext
from workbench.model.snapshot import Snapshot


class ProblemRows(QAbstractItemModel):
    """Rows of files that say how many *problems* each has."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.problems: Mapping[str, int] = {}

    def show_problems(self, counts: Mapping[str, int]) -> None:
        """Say *counts*, by path as rows have it."""
        self.problems = counts
        self.layoutChanged.emit()


class OpenFindings(QObject):
    """Counts as each file is looked at; what is open no more may have changed, so nothing is said of it."""

    def __init__(self, context: WindowContext, model: ProblemRows) -> None:
        super().__init__(model)
        self._context = context
        self._model = model
        self._counts: dict[Path, int] = {}
        context.diagnosis.ready.connect(self._on_ready)
        context.tabs.changed.connect(self._on_tabs_changed)

    def _show(self) -> None:
        index = self._context.project.index
        self._model.show_problems({index.path_of(place): count for place, count in self._counts.items() if count})

    @Slot(object)
    def _on_ready(self, snapshot: Snapshot) -> None:
        path = self._context.documents.file_state.path
        if path is not None and self._counts.get(path) != len(snapshot.diagnostics):
            self._counts[path] = len(snapshot.diagnostics)
            self._show()

    @Slot()
    def _on_tabs_changed(self) -> None:
        gone = self._counts.keys() - {tab.path for tab in self._context.tabs.tabs}
        if gone:
            self._counts = {path: count for path, count in self._counts.items() if path not in gone}
            self._show()
