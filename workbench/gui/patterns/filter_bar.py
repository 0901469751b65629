"""The search field, the filters and the order of the pattern list; together they are a query."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QToolButton, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.patterns.patterns_model import STATE_WORDS
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, LazyText, _, numeral
from workbench.library.entries import PromotionState
from workbench.library.listing import PatternQuery, Sort

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


class FilterBar(QWidget):
    """What to show. ``query_changed`` comes when the person has changed it."""

    query_changed = Signal(object)  # PatternQuery

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._types: tuple[tuple[str, int], ...] = ()
        self.search = QLineEdit(self, placeholderText=_("Search patterns"))
        self.search.setAccessibleName(_("Search patterns"))
        self.search.setClearButtonEnabled(True)
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
        self.tool.setClearButtonEnabled(True)
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
