"""A field that hides the rows of a view which do not have its words."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer, Slot
from PySide6.QtWidgets import QLineEdit, QListView, QToolButton, QTreeView, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.i18n import _

_REST_MS = 60
_NO_INDEX = QModelIndex()
TAGS_ROLE = Qt.ItemDataRole.UserRole + 100
"""The tags of a row, each with its sign: a word that begins with ``#`` is looked for there, too."""


def add_clear_button(field: QLineEdit) -> None:
    """Let *field* have Qt's button that empties it; both have names for who does not see them."""
    field.setAccessibleName(field.accessibleName() or field.placeholderText())
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        if not button.accessibleName():
            button.setAccessibleName(_("Clear"))


class RowFilter(QLineEdit):
    """Each word may stand anywhere in a row; what holds a row that has them all stays as well."""

    def __init__(self, view: QTreeView | QListView, words: str, parent: QWidget) -> None:
        super().__init__(parent, placeholderText=words)
        self._view = view
        self._is_on = False
        add_clear_button(self)
        self.addAction(icon("filter", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.apply)
        self.textChanged.connect(self._rest.start)
        model = view.model()
        for signal in (model.rowsInserted, model.modelReset, model.dataChanged, model.layoutChanged):
            signal.connect(self._on_rows_changed)

    @Slot()
    def apply(self) -> None:
        """Show the rows that fit what is written now."""
        words = self.text().casefold().split()
        if words or self._is_on:
            self._is_on = bool(words)
            self._filter(words, self._view.model(), _NO_INDEX)
            if words and isinstance(self._view, QTreeView):
                self._view.expandAll()

    @property
    def _columns(self) -> int:
        return self._view.header().count() if isinstance(self._view, QTreeView) else 1

    def _filter(self, words: list[str], model: QAbstractItemModel, above: QModelIndex) -> bool:
        """Whether any row below *above* is shown."""
        is_any = False
        for row in range(model.rowCount(above)):
            index = model.index(row, 0, above)
            told = " ".join(str(index.siblingAtColumn(at).data() or "") for at in range(self._columns))
            if any(word.startswith("#") for word in words):
                told = f"{told} {index.data(TAGS_ROLE) or ''}"
            is_inside = self._filter(words, model, index)
            is_shown = is_inside or all(word in told.casefold() for word in words)
            if isinstance(self._view, QTreeView):
                self._view.setRowHidden(row, above, not is_shown)
            else:
                self._view.setRowHidden(row, not is_shown)
            is_any |= is_shown
        return is_any

    @Slot()
    def _on_rows_changed(self) -> None:
        """New rows are to fit too."""
        if self._is_on:
            self._rest.start()
