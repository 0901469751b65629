"""How many problems the files of the project have, beside their names: icons and numbers, summed up for folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import GRID_PX, current_theme, severity_ink
from workbench.i18n import numeral
from workbench.model.snapshot import Snapshot
from workbench.project.checked import Checked, Counts, counts_of

COUNTS_ROLE = Qt.ItemDataRole.UserRole + 1
_ICON_PX = 14
_NARROW_PX = 300
_SEVERITIES = ("error", "warning", "info")
Index = QModelIndex | QPersistentModelIndex


class ProblemRows(QAbstractItemModel):
    """Rows of files and folders that say how many *problems* each has."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.problems: Mapping[str, Counts] = {}

    def show_problems(self, counts: Mapping[str, Counts]) -> None:
        """Say *counts*, by the paths of files as rows have them."""
        found: dict[str, Counts] = {}
        for path, each in counts.items():
            if any(each):
                found[path] = each
                folder = path.rpartition("/")[0]
                while folder:
                    found[folder] = found.get(folder, Counts()) + each
                    folder = folder.rpartition("/")[0]
        if found != self.problems:
            self.problems = found
            self.show_anew()

    def show_anew(self) -> None:
        """Have the views ask for what is in view; all rows are those that they know."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))


class CountsDelegate(QStyledItemDelegate):
    """An icon and a number for each severity of which there are any; where there is little room, only for the worst."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw them one after the other, in the colours of the row."""
        super().paint(painter, option, index)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        painter.save()
        painter.setPen(option.palette.color(role))
        for place, severity, words in self._parts(option, index):
            side = current_theme().px(_ICON_PX)
            drawn = QRect(place.left(), place.top() + (place.height() - side) // 2, side, side)
            icon(severity, severity_ink(severity)).paint(painter, drawn)
            place.setLeft(drawn.right() + GRID_PX // 2)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for all of them."""
        size = super().sizeHint(option, index)
        parts = list(self._parts(option, index))
        return QSize(parts[-1][0].right() - option.rect.left() + GRID_PX if parts else 0, size.height())

    def _parts(self, option: QStyleOptionViewItem, index: Index) -> Iterator[tuple[QRect, str, str]]:
        """Each with its place, its severity, and its number."""
        counts = index.data(COUNTS_ROLE)
        metrics, rect = option.fontMetrics, option.rect
        left = rect.left() + GRID_PX // 2
        view = self.parent()
        is_narrow = isinstance(view, QWidget) and view.width() < current_theme().px(_NARROW_PX)
        for severity, count in zip(_SEVERITIES, counts or (), strict=False):
            if count and not (is_narrow and left > rect.left() + GRID_PX // 2):
                words = numeral(count)
                width = current_theme().px(_ICON_PX) + GRID_PX // 2 + metrics.horizontalAdvance(words)
                yield QRect(left, rect.top(), width + 1, rect.height()), severity, words
                left += width + GRID_PX


class FileFindings(QObject):
    """Counts what was found in all files of the project; of those that are open, as they are now."""

    def __init__(self, context: WindowContext, model: ProblemRows) -> None:
        super().__init__(model)
        self._context = context
        self._model = model
        self._open: dict[Path, Counts] = {}
        self._counted: dict[int, tuple[Checked, Counts]] = {}
        context.diagnosis.ready.connect(self._on_ready)
        context.tabs.changed.connect(self._on_tabs_changed)
        context.checks.changed.connect(self._show)

    @Slot()
    def _show(self) -> None:
        path_of = self._context.project.index.path_of
        checked = self._context.checks.found
        counts = {path: self._counts(each) for path, each in checked.items() if each.found}
        counts |= {path: each for place, each in self._open.items() if (path := path_of(place))}
        self._model.show_problems(counts)

    def _counts(self, checked: Checked) -> Counts:
        """How many there are: counted once for each file that was checked."""
        known = self._counted.get(id(checked))
        if known is None or known[0] is not checked:
            known = self._counted[id(checked)] = checked, counts_of(one.severity for one in checked.found)
        return known[1]

    @Slot(object)
    def _on_ready(self, snapshot: Snapshot) -> None:
        path, counts = self._context.documents.file_state.path, counts_of(one.severity for one in snapshot.diagnostics)
        if path is not None and self._open.get(path) != counts:
            self._open[path] = counts
            self._show()

    @Slot()
    def _on_tabs_changed(self) -> None:
        gone = self._open.keys() - {tab.path for tab in self._context.tabs.tabs}
        if gone:
            self._open = {path: counts for path, counts in self._open.items() if path not in gone}
            self._show()
