"""The library of learned patterns: found as you type, looked at, and promoted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QStackedLayout, QWidget

from workbench.errors import StoreFailed
from workbench.gui.control.context import WindowContext
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.patterns.filter_bar import FilterBar
from workbench.gui.patterns.pattern_actions import PatternActions
from workbench.gui.patterns.pattern_detail import PatternDetail, details_of
from workbench.gui.patterns.pattern_exchange import DailyBackup, PatternExchange
from workbench.gui.patterns.pattern_list import PatternList
from workbench.gui.patterns.patterns_model import PatternsModel
from workbench.i18n import _
from workbench.library.entries import PatternEntry
from workbench.library.listing import PatternQuery
from workbench.settings import Settings

WIDE_PX = 560
TABLE_PX = 960
_NEVER = object()
_LOOK_EVERY_MS = 2000


class PatternsPanel(QWidget):
    """The list at the left or top, the chosen pattern beside or below it."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.store = context.recorder.store
        self._version: object = _NEVER
        self._chosen = ""
        self._form: tuple[bool, bool] | None = None
        self.model = PatternsModel(self.store, self)
        self.filters = FilterBar(self)
        self.list = PatternList(self.model, self)
        self.detail = PatternDetail(self)
        self.empty = EmptyLibrary(self)
        self.exchange = PatternExchange(context, self.store, self)
        self.actions_of_pattern = PatternActions(context, self.exchange, self.detail, self)
        self._nothing = Label(_("No matching patterns. Remove a word or a filter."), self)
        self._look = QTimer(self)
        self.backup = DailyBackup(self.store.path, self)
        self._arrange()
        self._connect()

    @property
    def current(self) -> PatternEntry | None:
        """The chosen pattern."""
        return self.detail.details.entry if self.detail.details is not None and self._chosen else None

    def refresh(self) -> None:
        """Show the store as it is now; what was chosen stays chosen."""
        try:
            self._version = self.store.browsing.version()
            self.filters.set_types(self.store.browsing.task_types())
            self.model.show(self.filters.query)
            if self._chosen and self._row_of(self._chosen) < 0:
                self.model.fetchMore(QModelIndex())
            self._settle()
        except StoreFailed as error:
            self._fail(error)

    def _row_of(self, pattern_id: str) -> int:
        """Where the pattern *pattern_id* stands, -1 when it is not shown. Raises StoreFailed."""
        row = self.store.browsing.row_of(pattern_id)
        return self.model.row_of(row) if row is not None else -1

    def _settle(self) -> None:
        """Show what the model holds; what was chosen stays chosen where it is shown, else the first is."""
        is_empty = self.model.rowCount() == 0
        if is_empty and not self.filters.is_filtering:
            self.empty.show_invitation()
            self._stack.setCurrentWidget(self.empty)
        else:
            self._stack.setCurrentWidget(self._library)
        self._nothing.setVisible(is_empty)
        self.list.setVisible(not is_empty)
        if is_empty:
            self._show_detail(None)
        else:
            self.list.choose_row(max(0, self._row_of(self._chosen)))

    def _fail(self, error: StoreFailed) -> None:
        """Show why there is nothing to see; looked at again when the file changes."""
        self._version = None
        self.model.clear()
        self.empty.show_failure(str(error))
        self._stack.setCurrentWidget(self.empty)

    def _show_detail(self, entry: PatternEntry | None) -> None:
        self._chosen = entry.pattern_id if entry is not None else ""
        self.detail.setVisible(entry is not None)
        if entry is None:
            return
        threshold = self._context.settings.current.promotion_threshold
        try:
            self.detail.show_details(details_of(self.store, entry, threshold))
        except StoreFailed as error:
            self._fail(error)

    def _arrange(self) -> None:
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        left = QWidget(self)
        in_column(left, self.filters, (self.list, 1), (self._nothing, 1), margins=0, spacing=0)
        self._library = QSplitter(Qt.Orientation.Vertical, self)
        self._library.addWidget(left)
        self._library.addWidget(self.detail)
        self._library.setChildrenCollapsible(False)
        self._library.setStretchFactor(0, 1)
        self._library.setStretchFactor(1, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._library)
        self._stack.addWidget(self.empty)

    def _connect(self) -> None:
        self.filters.query_changed.connect(self._on_query_changed)
        self.filters.search.returnPressed.connect(self.list.setFocus)
        self.list.chosen.connect(self._show_detail)
        self.detail.run_requested.connect(self._context.runs.look_requested)
        self.list.sort_requested.connect(self.filters.choose_sort)
        self.actions_of_pattern.changed.connect(self.refresh)
        self.exchange.changed.connect(self.refresh)
        self.empty.import_requested.connect(self.exchange.ask_file_to_import)
        self._context.recorder.recorded.connect(self._on_recorded)
        self._context.settings.settings_changed.connect(self._on_settings_changed)
        self._look.setInterval(_LOOK_EVERY_MS)
        self._look.timeout.connect(self._on_time_to_look)

    @Slot(object)
    def _on_query_changed(self, query: PatternQuery) -> None:
        try:
            self.model.show(query)
            self._settle()
        except StoreFailed as error:
            self._fail(error)

    @Slot(object)
    def _on_recorded(self, _entry: PatternEntry) -> None:
        """Nobody needs a list that nobody sees: it is fetched when it is shown."""
        if self.isVisible():
            self.refresh()

    @Slot(object)
    def _on_settings_changed(self, _settings: Settings) -> None:
        """Another project may ask for another number of successes."""
        entry = self.current
        if entry is not None:
            self._show_detail(entry)

    @Slot()
    def _on_time_to_look(self) -> None:
        """Other windows and the command line write to the same file."""
        try:
            is_changed = self.store.browsing.version() != self._version
        except StoreFailed:
            is_changed = self._version is not None
        if is_changed:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Look for changes only while somebody sees them."""
        super().showEvent(event)
        self._on_time_to_look()
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop looking for changes."""
        super().hideEvent(event)
        self._look.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the detail beside the list where there is room, else below."""
        super().resizeEvent(event)
        form = (event.size().width() >= WIDE_PX, event.size().width() >= TABLE_PX)
        if form == self._form:
            return
        self._form = form
        is_wide, is_table = form
        self._library.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        side_px = event.size().width() if is_wide else event.size().height()
        self._library.setSizes([side_px // 2, side_px - side_px // 2])
        if is_table:
            self.list.show_as_table()
        else:
            self.list.show_as_cards()


class EmptyLibrary(EmptyState):
    """Says how patterns come to be, or why there is nothing to see."""

    import_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("pattern", "", "", parent)
        self.bring_in = QPushButton(_("Import…"), self)
        self.bring_in.clicked.connect(self.import_requested)
        self.add_button(self.bring_in)
        self.show_invitation()

    def show_invitation(self) -> None:
        """Say how patterns come to be."""
        self.tell(
            "pattern",
            _("No patterns yet"),
            _(
                "When a run succeeds, the sequence of tools and Python functions it called is recorded "
                "here. After three successes a pattern can be promoted to a skill or a playbook."
            ),
        )
        self.bring_in.show()

    def show_failure(self, why: str) -> None:
        """Say why the library cannot be shown."""
        self.tell("warning", _("The library cannot be shown"), why)
        self.bring_in.hide()
