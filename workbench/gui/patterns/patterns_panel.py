"""The search field, the filters and the order of the pattern list; together they are a query."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from workbench.errors import StoreFailed
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.patterns.pattern_actions import PatternActions
from workbench.gui.patterns.pattern_detail import PatternDetail, details_of
from workbench.gui.patterns.pattern_exchange import DailyBackup, PatternExchange
from workbench.gui.patterns.pattern_list import PatternList
from workbench.gui.patterns.patterns_model import STATE_WORDS, PatternsModel
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, LazyText, _, numeral
from workbench.library.entries import PatternEntry, PromotionState
from workbench.library.listing import PatternQuery, Sort
from workbench.settings import Settings

_SORTS = (
    (Sort.RECENT, N_("Last seen")),
    (Sort.RELIABLE, N_("Most reliable")),
    (Sort.SUCCESSES, N_("Most successes")),
    (Sort.NAME, N_("Name")),
    (Sort.TASK_TYPE, N_("Type")),
    (Sort.CREATED, N_("Newest")),
)
_RATES = (
    (0.0, N_("Any success rate")),
    (0.5, N_("At least 50%")),
    (0.8, N_("At least 80%")),
    (0.95, N_("At least 95%")),
)
_AGES = ((0, N_("Any time")), (7, N_("Last 7 days")), (30, N_("Last 30 days")), (365, N_("Last year")))
_STATES = ((None, N_("Any status")), *STATE_WORDS.items())
WIDE_PX = 560
TABLE_PX = 960
_NEVER = object()
_LOOK_EVERY_MS = 2000


class FilterBar(QWidget):
    """What to show. ``query_changed`` comes when the person has changed it."""

    query_changed = Signal(object)  # PatternQuery

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._types: tuple[tuple[str, int], ...] = ()
        self.search = QLineEdit(self, placeholderText=_("Search patterns"))
        self.search.setAccessibleName(_("Search patterns"))
        add_clear_button(self.search)
        self.search.textEdited.connect(self._tell)
        self.search.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.filters = self._tool_button(_("Show filters"))
        self.filters.setIcon(icon("filter"))
        self.filters.setCheckable(True)
        self.sort = self._combo(_SORTS, _("Sort by"))
        self._build_filters()
        self._arrange()

    @property
    def query(self) -> PatternQuery:
        """What is asked for now."""
        age_days = self.age.currentData()
        since = (datetime.now(UTC) - timedelta(days=age_days)).isoformat() if age_days else ""
        state = self.state.currentData()
        return PatternQuery(
            text=self.search.text(),
            task_type=self.type.currentData() or "",
            tool=self.tool.text().strip(),
            states=frozenset({PromotionState(state)}) if state else frozenset(),
            minimum_rate=self.rate.currentData(),
            seen_since=since,
            sort=Sort[self.sort.currentData()],
        )

    @property
    def is_filtering(self) -> bool:
        """Whether anything is left out."""
        query = self.query
        chosen = (query.text.strip(), query.task_type, query.tool, query.states, query.minimum_rate, query.seen_since)
        return any(chosen)

    def set_types(self, types: tuple[tuple[str, int], ...]) -> None:
        """Offer *types*, each with the number of its patterns; the chosen one stays chosen."""
        if types == self._types:
            return
        self._types = types
        chosen = self.type.currentData()
        self.type.clear()
        self.type.addItem(_("Any type"), "")
        for name, count in types:
            self.type.addItem(drawable_line(f"{name} ({numeral(count)})"), name)
        self.type.setCurrentIndex(max(0, self.type.findData(chosen)))

    def choose_sort(self, sort: Sort) -> None:
        """Order by *sort*."""
        self.sort.setCurrentIndex(self.sort.findData(sort.name))
        self._tell()

    def clear(self) -> None:
        """Leave nothing out."""
        self.search.clear()
        self.tool.clear()
        for box in (self.type, self.state, self.rate, self.age):
            box.setCurrentIndex(0)
        self._tell()

    def _build_filters(self) -> None:
        self.type = self._combo(((None, N_("Any type")),), _("Task type"))
        self.state = self._combo(_STATES, _("Status"))
        self.rate = self._combo(_RATES, _("Success rate"))
        self.age = self._combo(_AGES, _("Last seen"))
        self.tool = QLineEdit(self, placeholderText=_("Any tool"))
        self.tool.setAccessibleName(_("Tool"))
        add_clear_button(self.tool)
        self.tool.textEdited.connect(self._tell)

    def _arrange(self) -> None:
        top = in_row(None, (self.search, 1), self.filters, spacing=GRID_PX // 2)
        self._box = QWidget(self)
        grid = QGridLayout(self._box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID_PX // 2)
        rows = (
            (_("Type"), self.type),
            (_("Status"), self.state),
            (_("Success rate"), self.rate),
            (_("Last seen"), self.age),
        )
        for row, (name, widget) in enumerate((*rows, (_("Tool"), self.tool), (_("Sort by"), self.sort))):
            label = Label(name, self._box, role="secondary")
            label.setBuddy(widget)
            grid.addWidget(label, row, 0)
            grid.addWidget(widget, row, 1)
        grid.setColumnStretch(1, 1)
        self._box.hide()
        self.filters.clicked.connect(self._box.setVisible)
        in_column(self, top, self._box, margins=GRID_PX, spacing=GRID_PX // 2)

    def _combo(self, choices: tuple[tuple[object, LazyText], ...], name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setMinimumContentsLength(4)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, words in choices:
            # Qt would unpack the value of an enumeration of texts on the way through
            plain = (
                value.name if isinstance(value, Sort) else value.value if isinstance(value, PromotionState) else value
            )
            box.addItem(str(words), plain)
        box.activated.connect(self._tell)
        return box

    def _tool_button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(name)
        button.setAccessibleName(name)
        return button

    def _tell(self) -> None:
        self.query_changed.emit(self.query)


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
        self._library = QSplitter(Qt.Orientation.Vertical, self)
        self._left = QWidget(self._library)
        self.filters = FilterBar(self._left)
        self.list = PatternList(self.model, self._left)
        self.detail = PatternDetail(self._library)
        self.empty = EmptyLibrary(self)
        self.exchange = PatternExchange(context, self.store, self)
        self.actions_of_pattern = PatternActions(context, self.exchange, self.detail, self)
        self._nothing = Label(_("No matching patterns. Remove a word or a filter."), self._left)
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
            self._context.notices.settle(Cause.PATTERNS)
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
        in_column(self._left, self.filters, (self.list, 1), (self._nothing, 1), margins=0, spacing=0)
        self._library.addWidget(self._left)
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
        self.detail.run_requested.connect(self._context.shown.look_requested)
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
