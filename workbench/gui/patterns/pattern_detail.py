"""Everything about one pattern: its order of tools, how it did, the runs it came from, what was decided."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import WrappedRow, in_column
from workbench.gui.look.theming import GRID_PX
from workbench.gui.patterns.patterns_model import STATE_WORDS, local_time
from workbench.gui.patterns.sequence_view import OutcomeDots, SequenceView, outcome_ink
from workbench.gui.words.values import drawable_line, duration_words, tip
from workbench.i18n import N_, _
from workbench.library.entries import (
    Observation,
    Outcome,
    PatternEntry,
    PromotionEvent,
    PromotionState,
    Variant,
    worked,
)
from workbench.library.skills.promotion import why_not_promotable
from workbench.library.store import PatternStore

_RECORDS = 100
_SHOWN = 100
_RUN_ROLE = Qt.ItemDataRole.UserRole
_WORDS = {Outcome.SUCCESS: N_("Succeeded"), Outcome.FAILURE: N_("Failed"), Outcome.PARTIAL: N_("Partial")}
_ICONS = {Outcome.SUCCESS: "done", Outcome.FAILURE: "failed", Outcome.PARTIAL: "warning"}


@dataclass(frozen=True, slots=True)
class PatternDetails:
    """One pattern with all that belongs to it. *obstacle*: why it cannot be promoted, empty: it can."""

    entry: PatternEntry
    variants: tuple[Variant, ...]
    records: tuple[Observation, ...]
    history: tuple[PromotionEvent, ...]
    obstacle: str


def details_of(store: PatternStore, entry: PatternEntry, threshold: int) -> PatternDetails:
    """All that belongs to *entry*; *threshold*: successes that a promotion needs. Raises StoreFailed."""
    return PatternDetails(
        entry=entry,
        variants=store.variants(entry.pattern_id),
        records=store.observations(entry.pattern_id, _RECORDS),
        history=store.history(entry.pattern_id),
        obstacle=why_not_promotable(entry, threshold),
    )


class PatternDetail(QWidget):
    """Shows a pattern; wishes of the person come as signals."""

    promote_requested = Signal()
    run_requested = Signal(object)  # str: id of the run

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.details: PatternDetails | None = None
        self.title = _wrapping("title", self)
        self.state = _wrapping("secondary", self)
        self.record = _wrapping("", self)
        self.dots = OutcomeDots(self)
        self.variant = QComboBox(self)
        self.variant.setAccessibleName(_("Tool order"))
        self.variant.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.variant.activated.connect(self._on_variant_chosen)
        self.sequence = SequenceView(self)
        self.hint = _wrapping("muted", self)
        self.runs = RecordsList(self)
        self.runs.itemClicked.connect(self._on_run_activated)
        self.runs.itemActivated.connect(self._on_run_activated)
        self.history = _wrapping("secondary", self)
        self._acts = WrappedRow(self)
        self.promote = QPushButton(_("Promote…"), self._acts)
        self.promote.setProperty("primary", "true")
        self.promote.clicked.connect(self.promote_requested)
        self.reason = _wrapping("secondary", self)
        self.more = QPushButton(_("More"), self._acts)
        self._arrange()

    def show_details(self, details: PatternDetails) -> None:
        """Show *details*; the order that was looked at stays, where it is the same pattern."""
        is_same = self.details is not None and self.details.entry.pattern_id == details.entry.pattern_id
        chosen = self.variant.currentIndex() if is_same else 0
        self.details = details
        entry = details.entry
        self.title.setText(entry.title)
        self.state.setText(f"{STATE_WORDS[entry.state]} · {entry.task_type} · {entry.pattern_id}")
        self.record.setText(record_sentence(entry))
        self.dots.show_records(details.records)
        self._show_variants(details.variants, chosen)
        self.hint.setText(_("Hint: {hint}").format(hint=entry.prompt_template) if entry.prompt_template else "")
        self.hint.setVisible(bool(entry.prompt_template))
        self.runs.show_records(details.records)
        self.history.setText("\n".join(history_line(event) for event in details.history))
        self._history_title.setVisible(bool(details.history))
        self.promote.setEnabled(not details.obstacle)
        self.promote.setToolTip(tip(details.obstacle) or _("Save it as a skill or a playbook"))
        self.reason.setText(details.obstacle)
        self.reason.setVisible(bool(details.obstacle))

    def _show_variants(self, variants: tuple[Variant, ...], chosen: int) -> None:
        self.variant.clear()
        for each in variants:
            tried = worked(each.success_count, each.success_count + each.failure_count)
            self.variant.addItem(drawable_line(f"{each.text} ({tried})"))
        self.variant.setVisible(len(variants) > 1)
        index = chosen if 0 <= chosen < len(variants) else 0
        self.variant.setCurrentIndex(index if variants else -1)
        self.sequence.show_variant(variants[index] if variants else None)

    def _arrange(self) -> None:
        inner = QWidget(self)
        head = (self.title, self.state, self.record, self.dots, self.reason)
        order = (_heading(_("Tool order"), inner), self.variant, self.sequence, self.hint)
        runs = (_heading(_("Source runs"), inner), self.runs)
        column = in_column(inner, *head, *order, *runs, margins=GRID_PX, spacing=GRID_PX)
        self._history_title = _heading(_("History"), inner)
        column.addWidget(self._history_title)
        column.addWidget(self.history)
        column.addStretch(1)
        scroll = QScrollArea(self, widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        in_column(self, (scroll, 1), self._foot(), margins=0, spacing=0)

    def _foot(self) -> QWidget:
        """The buttons, which stay in view."""
        foot = QWidget(self)
        in_column(foot, self._acts, margins=GRID_PX)
        return foot

    @Slot(int)
    def _on_variant_chosen(self, index: int) -> None:
        if self.details is not None and 0 <= index < len(self.details.variants):
            self.sequence.show_variant(self.details.variants[index])

    @Slot(QTreeWidgetItem, int)
    def _on_run_activated(self, item: QTreeWidgetItem, _column: int) -> None:
        run = self.runs.run_of(item)
        if run:
            self.run_requested.emit(run)


def record_sentence(entry: PatternEntry) -> str:
    """How it did, and what can be counted on."""
    tried = worked(entry.success_count, entry.attempts)
    sentence = f"{tried[:1].upper()}{tried[1:]}."
    if entry.attempts < 2:
        return sentence
    low = int(100 * entry.success_bounds[0])
    return sentence + " " + _("Succeeds in at least {low}% of runs (95% confidence).").format(low=low)


def history_line(event: PromotionEvent) -> str:
    """One decision in one line."""
    word = _("Suggested again") if event.state is PromotionState.NONE else STATE_WORDS[event.state]
    tail = event.path or event.note
    return f"{local_time(event.at)}  {word}" + (f"  {tail}" if tail else "")


def _wrapping(role: str, parent: QWidget) -> Label:
    label = Label(parent=parent, role=role, wraps=True)
    # what is shown comes from files and runs: never markup
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def _heading(text: str, parent: QWidget) -> Label:
    return Label(text, parent, role="card-title")


class RecordsList(QTreeWidget):
    """One row per record, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderLabels([_("Result"), _("When"), _("Duration"), _("Run")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(_("Source runs"))
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setMinimumHeight(96)

    def show_records(self, newest_first: tuple[Observation, ...]) -> None:
        """Show the newest of them."""
        self.clear()
        for record in newest_first[:_SHOWN]:
            self._add(record)

    def run_of(self, item: QTreeWidgetItem) -> str:
        """The id of the run in *item*, empty where nobody knows."""
        return str(item.data(0, _RUN_ROLE) or "")

    def _add(self, record: Observation) -> None:
        lasted = "" if record.duration_ms is None else duration_words(record.duration_ms)
        words = (str(_WORDS[record.outcome]), local_time(record.at), lasted, drawable_line(record.run))
        item = QTreeWidgetItem(self, list(words))
        item.setIcon(0, icon(_ICONS[record.outcome], outcome_ink(record.outcome)))
        item.setData(0, _RUN_ROLE, record.run)
        for column in range(len(words)):
            item.setToolTip(column, tip(record.reason or record.run))
