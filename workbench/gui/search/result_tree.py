"""What was found, as a tree: file, playbook, and each place with its step; and what it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.model.snapshot import Snapshot, derive
from workbench.search.files import FileEdits, FileText
from workbench.syntax.change import TextEdit
from workbench.syntax.text import LineIndex, Span, line_start, line_stop

_MOST_OPENED = 12
_MOST_ROWS = 2_000
_LONGEST = 300
PLACE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class FileRow:
    """A file with the *places* that were found. *edits*: what they become, None where nothing is replaced."""

    file: FileText
    places: tuple[Span, ...]
    edits: tuple[TextEdit, ...] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file *path*."""

    path: str
    span: Span


class ResultTree(QTreeWidget):
    """Files with a box where something is to be replaced; a place that is activated is wished for."""

    place_chosen = Signal(object)  # Place
    choice_changed = Signal()  # other files are to be changed

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: list[FileRow] = []
        self.setAccessibleName(_("Search results"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setColumnCount(2)
        self.setHeaderLabels([_("Found"), _("Becomes")])
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.itemExpanded.connect(self._on_expanded)
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_activated)
        self.itemChanged.connect(self._on_changed)

    def show_rows(self, rows: list[FileRow]) -> None:
        """Show *rows* and nothing else; the first files are open."""
        self.clear()
        self._rows = []
        self.add_rows(rows)

    def add_rows(self, rows: list[FileRow]) -> None:
        """Show *rows* as well."""
        self.setColumnHidden(1, all(row.edits is None for row in (*self._rows, *rows)))
        if not self.isColumnHidden(1):
            self.setColumnWidth(0, self.viewport().width() // 2)
        with QSignalBlocker(self):
            items = [self._file_item(len(self._rows) + at, row) for at, row in enumerate(rows)]
            self._rows += rows
            self.addTopLevelItems(items)
        for item in items:
            if self.topLevelItemCount() <= _MOST_OPENED:
                item.setExpanded(True)
                self._on_expanded(item)

    def _file_item(self, at: int, row: FileRow) -> QTreeWidgetItem:
        count = ngettext("{count} match", "{count} matches", len(row.places))
        item = QTreeWidgetItem([f"{drawable_line(row.file.path) or _('This document')}  ·  {count}", ""])
        item.setIcon(0, icon("playbook", Ink.MUTED))
        item.setData(0, PLACE, at)
        item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        if row.edits is not None:
            item.setCheckState(0, Qt.CheckState.Checked)
        return item

    def chosen(self) -> list[FileEdits]:
        """What changes in the files that are ticked."""
        found: list[FileEdits] = []
        for at, row in enumerate(self._rows):
            item = self.topLevelItem(at)
            if item is not None and row.edits and item.checkState(0) is Qt.CheckState.Checked:
                found.append(FileEdits(row.file, row.edits))
        return found

    @property
    def rows(self) -> list[FileRow]:
        """The files that are shown."""
        return self._rows

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        """A file is read only when somebody looks at it."""
        at = item.data(0, PLACE)
        if isinstance(at, int) and not item.childCount():
            with QSignalBlocker(self):
                item.addChildren(list(place_items(self._rows[at])))
                for child in range(item.childCount()):
                    item.child(child).setExpanded(True)  # type: ignore[union-attr]

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        place = item.data(0, PLACE)
        if isinstance(place, Place):
            self.place_chosen.emit(place)

    @Slot(QTreeWidgetItem)
    def _on_changed(self, _item: QTreeWidgetItem) -> None:
        self.choice_changed.emit()


def place_items(row: FileRow) -> Iterator[QTreeWidgetItem]:
    """The rows below a file: those of its playbooks with their places, and the places in none."""
    snapshot = derive(row.file.source)
    lines = LineIndex.of(row.file.text)
    groups: dict[str, QTreeWidgetItem] = {}
    for at, span in enumerate(row.places[:_MOST_ROWS]):
        playbook, address = _home(snapshot, span)
        item = _place_item(row, at, lines.line(span.start) + 1, address)
        if not playbook:
            yield item
            continue
        if playbook not in groups:
            groups[playbook] = QTreeWidgetItem([drawable_line(playbook), ""])
            groups[playbook].setIcon(0, icon("flowchart", Ink.MUTED))
            yield groups[playbook]
        groups[playbook].addChild(item)


def _home(snapshot: Snapshot, span: Span) -> tuple[str, str]:
    """The title of the playbook that *span* stands in, and the address of the step; empty where there is none."""
    placed = snapshot.placed_at_block(snapshot.block_index_at(span.start)) if snapshot.blocks else None
    step = snapshot.step_at(span.start)
    title = (placed.playbook.title or placed.playbook.name) if placed is not None else ""
    return title, (snapshot.address(step) or "") if step is not None else ""


def _place_item(row: FileRow, at: int, line: int, address: str) -> QTreeWidgetItem:
    span, text = row.places[at], row.file.text
    start = line_start(text, span.start)
    stop = min(line_stop(text, span.start), start + _LONGEST)
    words = text[start:stop].strip()
    told = address or _("line {line}").format(line=numeral(line))
    item = QTreeWidgetItem([f"{told}  {drawable_line(words)}", _becomes(row, Span(start, stop))])
    item.setToolTip(0, tip(f"{_('line {line}').format(line=numeral(line))}\n{words}"))
    item.setData(0, PLACE, Place(row.file.path, span))
    item.setForeground(1, QColor(current_theme().color(Ink.DONE)))
    return item


def _becomes(row: FileRow, line: Span) -> str:
    """The words of *line* as they will be."""
    inside = [edit for edit in row.edits or () if line.start <= edit.span.start and edit.span.end <= line.end]
    pieces, done = [], line.start
    for edit in inside:
        pieces += [row.file.text[done : edit.span.start], edit.insert]
        done = edit.span.end
    return drawable_line("".join((*pieces, row.file.text[done : line.end])).strip()) if inside else ""
