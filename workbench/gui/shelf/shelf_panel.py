"""The pane of the shelf: what is kept, found by a goal in words as it is typed, and what is noted about the person."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QTabWidget,
    QToolButton,
    QWidget,
)

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.shelf.entry_actions import EntryActions
from workbench.gui.shelf.entry_view import ENTRY_ROLE, EntryCards, EntryView
from workbench.gui.shelf.exchange import ShelfImportDialog
from workbench.gui.shelf.notes_view import NotesView
from workbench.gui.shelf.shelf_desk import Listing, ShelfDesk, Sort, Whole, Wish, said_of
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _, numeral
from workbench.planning.shelf.entries import Entry, Kept
from workbench.planning.shelf.store import Shelf

WIDE_PX = 560
_ONE_ROW_PX, _LOW_PX = 440, 120
_LOOK_EVERY_MS = 2000
_SORTS = (
    (Sort.NEWEST, N_("Newest")),
    (Sort.RATING, N_("Most reliable")),
    (Sort.USED, N_("Last run")),
    (Sort.TITLE, N_("Title")),
)
_Index = QModelIndex | QPersistentModelIndex


class EntriesModel(QAbstractTableModel):
    """What is listed, in one column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: tuple[Entry, ...] = ()

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show *entries* from now on."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def row_of(self, entry: str) -> int:
        """Where the entry with the id *entry* stands; -1 where it does not."""
        return next((row for row, each in enumerate(self.entries) if each.id == entry), -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        """How many there are."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        """One."""
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The entry itself under ``ENTRY_ROLE``, else it in words."""
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return drawable_line(entry.title)
        words = "\n".join((entry.title, entry.goal, entry.record, entry.made, *(f"#{tag}" for tag in entry.tags)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(words)
        return drawable_line(words.replace("\n", ", ")) if role == Qt.ItemDataRole.AccessibleTextRole else None


class EntryTable(QTableView):
    """The list: a table asks for no more rows than it shows, at any length, since all of them are of one height."""

    def __init__(self, model: EntriesModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._cards = EntryCards(self)
        self.setModel(model)
        self.setItemDelegate(self._cards)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(1)  # in a very low pane it gives way before the field does
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.take_theme()

    def take_theme(self) -> None:
        """Larger letters need more room."""
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(self._cards.height_px())


class WishBar(QWidget):
    """A goal in words, a tag and an order; together they are a wish."""

    wished = Signal()
    import_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.goal = QLineEdit(self, placeholderText=_("Search by goal"))
        self.goal.setAccessibleName(_("Search the shelf by goal"))
        add_clear_button(self.goal)
        self.goal.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.take_in = QToolButton(self)
        self.take_in.setIcon(icon("import"))
        self.take_in.setToolTip(_("Import a playbook that others have exported"))
        self.take_in.setAccessibleName(_("Import…"))
        self._tags: tuple[tuple[str, int], ...] = ()
        self.tag, self.sort = (self._combo(name) for name in (_("Tag"), _("Sort by")))
        self.tag.addItem(_("Any tag"), "")
        for sort, words in _SORTS:
            self.sort.addItem(str(words), sort.value)
        top = in_row(None, (self.goal, 1), self.take_in, spacing=GRID_PX // 2)
        low = in_row(None, (self.tag, 1), (self.sort, 1), spacing=GRID_PX // 2)
        self._rows = in_row(self, (top, 3), (low, 2), margins=GRID_PX, spacing=GRID_PX // 2)
        self.goal.textChanged.connect(self.wished)
        self.take_in.clicked.connect(self.import_requested)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """All of it in one row where there is room."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _ONE_ROW_PX
        self._rows.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)

    def _combo(self, name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setMinimumContentsLength(9)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(self.wished)
        return box

    @property
    def wish(self) -> Wish:
        """What is wanted now."""
        return Wish(self.goal.text(), self.tag.currentData() or "", Sort(self.sort.currentData()))

    def set_tags(self, tags: tuple[tuple[str, int], ...]) -> None:
        """Offer *tags*, each with how many have it; the chosen one stays chosen where it is still there."""
        if tags == self._tags:
            return
        self._tags, chosen = tags, self.tag.currentData()
        with QSignalBlocker(self.tag):
            while self.tag.count() > 1:
                self.tag.removeItem(1)
            for name, count in tags:
                self.tag.addItem(drawable_line(f"{name} ({numeral(count)})"), name)
            self.tag.setCurrentIndex(max(0, self.tag.findData(chosen)))


class ShelfPanel(QTabWidget):
    """A page with what is kept, and one with the notes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = ShelfDesk(context, self)
        self.playbooks = PlaybooksPage(self.desk, self)
        self.notes = NotesView(self.desk, self)
        self.addTab(self.playbooks, _("Playbooks"))
        self.addTab(self.notes, _("Notes"))
        self.setDocumentMode(True)
        self._look = QTimer(self, interval=_LOOK_EVERY_MS)
        self._look.timeout.connect(self.desk.look)
        context.recorder.rated.connect(self.playbooks.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        """Look for changes only while somebody sees them: other windows and the terminal write to the same file."""
        super().showEvent(event)
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop looking for changes."""
        super().hideEvent(event)
        self._look.stop()


class PlaybooksPage(QWidget):
    """The list at the left or top, the chosen entry beside or below it."""

    def __init__(self, desk: ShelfDesk, parent: QWidget) -> None:
        super().__init__(parent)
        self.desk = desk
        self._chosen = ""
        self._is_wide: bool | None = None
        self._both = QSplitter(Qt.Orientation.Vertical, self, childrenCollapsible=False)
        self._left = QWidget(self._both)
        self.bar = WishBar(self._left)
        self.model = EntriesModel(self)
        self.list = EntryTable(self.model, self._left)
        self.said = Label("", self._left, role="muted", wraps=True)
        self.detail = EntryView(desk, self._both)
        self.acts = EntryActions(desk, self.detail)
        self.empty = EmptyState("shelf", _("Nothing on the shelf yet"), "", self)
        self.dialog: ShelfImportDialog | None = None
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        self.list.addActions(self.acts.menu.actions())
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.setAccessibleName(_("Playbooks on the shelf"))
        self.said.setContentsMargins(GRID_PX, 2, GRID_PX, 2)
        self.make = QPushButton(_("New from a goal…"), self.empty)
        self.take_in = QPushButton(_("Import…"), self.empty)
        for button in (self.make, self.take_in):
            self.empty.add_button(button)
        in_column(self._left, self.bar, self.said, (self.list, 1), margins=0, spacing=0)
        self._both.addWidget(self._left)
        self._both.addWidget(self.detail)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._both)
        self._stack.addWidget(self.empty)
        self.detail.hide()

    def _connect(self) -> None:
        self.bar.wished.connect(self.refresh)
        self.bar.goal.returnPressed.connect(self.list.setFocus)
        for signal in (self.bar.import_requested, self.take_in.clicked):
            signal.connect(self.ask_file_to_import)
        self.make.clicked.connect(self.desk.context.actions.action("file.new-goal").trigger)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.list.activated.connect(self.acts.reuse)
        self.desk.listed.connect(self._on_listed)
        self.desk.opened.connect(self._on_opened)
        self.desk.stale.connect(self.refresh)
        self.desk.changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show the shelf as it is now; nobody needs a list that nobody sees."""
        if self.isVisible():
            self.desk.list(self.bar.wish)

    @Slot(object)
    def _on_listed(self, found: Listing | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            self.empty.tell("warning", _("The shelf cannot be shown"), str(found))
            self.take_in.hide()
            self.make.hide()
            self._stack.setCurrentWidget(self.empty)
            return
        self.bar.set_tags(found.tags)
        self.model.show_entries(found.entries)
        self._stack.setCurrentWidget(self._both if found.count else self.empty)
        if not found.count:
            self.empty.tell("shelf", _("Nothing on the shelf yet"), invitation())
            self.take_in.show()
            self.make.show()
        self.said.setText(said_of(found))
        self.said.setVisible(bool(self.said.text()) and (self.height() >= _LOW_PX or not found.entries))
        if found.entries:
            self.list.setCurrentIndex(self.model.index(max(0, self.model.row_of(self._chosen)), 0))
        else:
            self._chosen = ""
            self.detail.hide()

    @Slot(QModelIndex)
    def _on_current_changed(self, current: QModelIndex) -> None:
        entry = current.data(ENTRY_ROLE)
        if isinstance(entry, Entry):
            self._open(entry)

    def _open(self, entry: Entry) -> None:
        """Show all of *entry*; the version that was looked at stays, where it is the same one."""
        whole, self._chosen = self.detail.whole, entry.id
        is_same = whole is not None and whole.entry.id == entry.id and whole.entry.version == entry.version
        self.desk.open(entry.id, whole.version if whole is not None and is_same else 0)

    @Slot(object)
    def _on_opened(self, whole: Whole | WorkbenchError) -> None:
        if isinstance(whole, WorkbenchError):  # gone meanwhile; the list says so when it is looked at again
            self.detail.hide()
        elif whole.entry.id == self._chosen:
            self.detail.show_whole(whole)
            self.detail.show()

    @Slot()
    def ask_file_to_import(self) -> None:
        """Look into a file of others, and take it in if the person wants it."""
        self.dialog = ShelfImportDialog(self)
        self.dialog.confirmed.connect(self.take)
        self.dialog.open()

    @Slot(object)
    def take(self, kept: Kept) -> None:
        """Put *kept* on the shelf, and show it."""
        self.desk.do(lambda shelf: _put(shelf, kept), self._on_taken)

    def _on_taken(self, taken: object) -> None:
        assert isinstance(taken, tuple)
        entry, is_new = taken
        words = _("“{title}” is on the shelf now.") if is_new else _("“{title}” was on the shelf already.")
        self.desk.context.notices.tell(words.format(title=entry.title))
        self._chosen = entry.id
        self.bar.tag.setCurrentIndex(0)
        self.bar.goal.clear()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Look when somebody does."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the entry beside the list where there is room, else below."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= WIDE_PX
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._both.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
            side_px = event.size().width() if is_wide else event.size().height()
            self._both.setSizes([side_px * 2 // 5, side_px * 3 // 5])


def _put(shelf: Shelf, kept: Kept) -> tuple[Entry, bool]:
    """The entry that *kept* stands in now, and whether it is a new one."""
    known, entry = shelf.of_text(kept.text), shelf.put(kept)
    return entry, known is None or known[0] != entry.id


def invitation() -> str:
    """How playbooks come onto the shelf."""
    return _(
        "Playbooks that are made from a goal are kept here, with where they come from and how their runs went, to be "
        "found and used again. Say a goal, or take one in that others have exported."
    )
