"""The patterns of a store as a table: only what is looked at is loaded."""

from __future__ import annotations

import enum
import logging
from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.errors import StoreFailed
from workbench.gui.control.step_mime import STEP_MIME, mime_of
from workbench.gui.words.values import drawable, drawable_line, tip
from workbench.i18n import N_, _, numeral
from workbench.library.entries import PatternEntry, PromotionState, sequence_text, worked
from workbench.library.listing import PatternQuery, Sort
from workbench.library.skills.playbook_text import steps_text
from workbench.library.store import PatternStore

log = logging.getLogger(__name__)

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
GROUP_ROLE = Qt.ItemDataRole.UserRole + 2
FIRST_ROWS = 512
_PAGE = 128
_PAGES_KEPT = 64
_MOST_GROUPS = 500

_Index = QModelIndex | QPersistentModelIndex


class Column(enum.IntEnum):
    """What each column shows."""

    NAME = 0
    RECORD = 1
    TYPE = 2
    TOOLS = 3
    STATE = 4
    LAST_SEEN = 5


_TITLES = {
    Column.NAME: N_("Pattern"),
    Column.RECORD: N_("Success rate"),
    Column.TYPE: N_("Type"),
    Column.TOOLS: N_("Tools"),
    Column.STATE: N_("Status"),
    Column.LAST_SEEN: N_("Last seen"),
}

SORT_OF_COLUMN = {
    Column.NAME: Sort.NAME,
    Column.RECORD: Sort.RELIABLE,
    Column.TYPE: Sort.TASK_TYPE,
    Column.LAST_SEEN: Sort.RECENT,
}

STATE_WORDS = {
    PromotionState.NONE: N_("Recorded"),
    PromotionState.PROPOSED: N_("Proposed"),
    PromotionState.ACCEPTED: N_("Promoted"),
    PromotionState.REJECTED: N_("Rejected"),
    PromotionState.SUPERSEDED: N_("Superseded"),
}


class PatternsModel(QAbstractTableModel):
    """The patterns of one query; ``show`` asks another, ``StoreFailed`` is left to the caller.

    At first only the beginning is asked for, so that a key that is typed is answered at once
    however many patterns there are; the rest follows when somebody scrolls there.
    """

    def __init__(self, store: PatternStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._rows: array[int] = array("q")
        self._pages: dict[int, dict[int, PatternEntry]] = {}
        self._groups: dict[int, str] = {}
        self._query = PatternQuery()
        self._is_complete = True

    def show(self, query: PatternQuery) -> None:
        """Show the patterns that *query* asks for, as they are now. Raises StoreFailed."""
        # where groups begin is only known of the whole
        limit = -1 if query.sort is Sort.TASK_TYPE else FIRST_ROWS
        rows = self._store.browsing.rows(query, limit)
        types = self._store.browsing.groups(query) if query.sort is Sort.TASK_TYPE else ()
        self._groups = group_starts(types)
        self._query = query
        self._is_complete = len(rows) != limit
        self._replace(rows)

    def clear(self) -> None:
        """Show nothing."""
        self._groups = {}
        self._is_complete = True
        self._replace(array("q"))

    @property
    def groups(self) -> Mapping[int, str]:
        """The rows that begin a group of one task type, each with the words above it."""
        return self._groups

    def _replace(self, rows: array[int]) -> None:
        self.beginResetModel()
        self._rows = rows
        self._pages = {}
        self.endResetModel()

    def entry_at(self, row: int) -> PatternEntry | None:
        """The pattern in *row*; None when it is gone meanwhile."""
        if not 0 <= row < len(self._rows):
            return None
        return self._page(row // _PAGE).get(self._rows[row])

    def row_of(self, store_row: int) -> int:
        """Where the pattern with the number *store_row* stands, -1 when it is not shown."""
        try:
            return self._rows.index(store_row)
        except ValueError:
            return -1

    def _page(self, number: int) -> dict[int, PatternEntry]:
        page = self._pages.get(number)
        if page is None:
            if len(self._pages) >= _PAGES_KEPT:
                self._pages.clear()
            page = self._pages[number] = self._load(self._rows[number * _PAGE : (number + 1) * _PAGE])
        return page

    def _load(self, rows: array[int]) -> dict[int, PatternEntry]:
        """The patterns in *rows*; none where the store fails, which the panel tells when it looks next."""
        try:
            return self._store.browsing.entries_at(rows)
        except StoreFailed as error:
            log.info("Showed no patterns: %s", error)
            return {}

    def canFetchMore(self, parent: _Index) -> bool:
        """Whether only the beginning is there."""
        return not parent.isValid() and not self._is_complete

    def fetchMore(self, parent: _Index) -> None:
        """Ask for the rest; where the store was written to meanwhile, for all anew."""
        if not self.canFetchMore(parent):
            return
        self._is_complete = True
        rows = self._all_rows()
        known = len(self._rows)
        if rows[:known] != self._rows:
            self._replace(rows)
        elif len(rows) > known:
            self.beginInsertRows(QModelIndex(), known, len(rows) - 1)
            self._rows = rows
            self._pages.pop(known // _PAGE, None)
            self.endInsertRows()

    def _all_rows(self) -> array[int]:
        """Every row of the query; those that are known where the store fails, which the panel tells when it looks."""
        try:
            return self._store.browsing.rows(self._query)
        except StoreFailed as error:
            log.info("Asked for no more patterns: %s", error)
            return self._rows

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        """How many patterns there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        """How many columns there are."""
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """A pattern can be chosen, and dragged onto the flowchart."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        """What a drag carries."""
        return [STEP_MIME, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The steps of the dragged pattern, as source."""
        entry = self.entry_at(indexes[0].row()) if indexes else None
        return mime_of(steps_text(entry, self._store.variants(entry.pattern_id)) if entry is not None else "")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The title of a column."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return str(_TITLES[Column(section)])
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows; under ``ENTRY_ROLE`` the pattern itself."""
        entry = self.entry_at(index.row()) if index.isValid() else None
        if entry is None:
            return None
        if role == ENTRY_ROLE:
            return entry
        if role == GROUP_ROLE:
            return self._groups.get(index.row(), "")
        if role == Qt.ItemDataRole.DisplayRole:
            return drawable_line(cell_text(entry, Column(index.column())))
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            sequence = sequence_text(entry.tool_sequence)
            words = f"{entry.title}\n{sequence}\n{worked(entry.success_count, entry.attempts)}"
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else drawable(words)
        return None


def group_starts(types: Sequence[tuple[str, int]]) -> dict[int, str]:
    """Where each task type begins, and its words; none where there are so many types that grouping helps nobody."""
    starts: dict[int, str] = {}
    row = 0
    for name, count in types if len(types) <= _MOST_GROUPS else ():
        starts[row] = f"{name} · {numeral(count)}"
        row += count
    return starts


def cell_text(entry: PatternEntry, column: Column) -> str:
    """The words of one cell."""
    match column:
        case Column.NAME:
            return entry.title
        case Column.RECORD:
            return record_text(entry)
        case Column.TYPE:
            return entry.task_type
        case Column.TOOLS:
            return sequence_text(entry.tool_sequence)
        case Column.STATE:
            return str(STATE_WORDS[entry.state])
        case Column.LAST_SEEN:
            return local_time(entry.last_seen)


def record_text(entry: PatternEntry) -> str:
    """*5 of 6*."""
    return _("{place} of {count}").format(place=numeral(entry.success_count), count=numeral(entry.attempts))


def local_time(at: str) -> str:
    """An ISO time as the person's own clock shows it; as written where it is none."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return at
