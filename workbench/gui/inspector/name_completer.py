"""Completion of names in a line where commas stand between them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit


class NameCompleter(QCompleter):
    """Completes the name at the end of *line*."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        self._names = QStringListModel(self)
        self.setModel(self._names)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        line.setCompleter(self)

    @property
    def names(self) -> list[str]:
        """What can be completed."""
        return self._names.stringList()

    def show_names(self, names: list[str]) -> None:
        """Complete to *names*."""
        if names != self.names:
            self._names.setStringList(names)

    def splitPath(self, path: str) -> list[str]:
        """The name that is being written."""
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """The whole line with the name at *index* at its end."""
        before = self._line.text().rpartition(",")[0].strip()
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        return f"{before}, {name}" if before else name
