"""The plan pane: what each step of a step list expects, against what was really done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QProgressBar,
    QStackedWidget,
    QTableView,
    QWidget,
)

from workbench.engine.journal.events import RunEvent
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.keyframes import Keyframes, Moment, MomentWalk
from workbench.gui.control.selection import Selection
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.i18n import _, ngettext, numeral

if TYPE_CHECKING:
    from workbench.gui.control.running.retelling import RunView
    from workbench.gui.plan.plan_model import PlanModel, PlanWatch

ORIGIN = "plan"
REFRESH_MS = 80
SECOND_MS = 1000
ROW_PX = 24
WIDTHS_PX = (320, 110, 190, 76, 86, 90, 110)


class PlanPanel(QWidget):
    """Follows the run of the window; shown again a few times per second, and only while it can be seen."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._watch: PlanWatch | None = None
        self._frames: Keyframes[PlanWatch] | None = None
        self._is_behind = False
        self._walk = MomentWalk(self)
        self._walk.arrived.connect(self._on_arrived)
        self._model: PlanModel | None = None
        self.table = QTableView(self)
        read_as_written(self.table)
        self.progress = QProgressBar(self)
        self.words = Label(parent=self)
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._second = QTimer(self, singleShot=True, interval=SECOND_MS)
        self._second.timeout.connect(self._refresh)
        self._lay_out()
        self._timer.timeout.connect(self._refresh)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.events_arrived.connect(self._on_events_arrived)
        context.shown.moment_changed.connect(self._on_moment_changed)
        context.shown.settled.connect(self._on_settled)
        context.selection.selection_changed.connect(self._on_selection_changed)
        self.take_theme()

    def _lay_out(self) -> None:
        told = _(
            "When a step list runs, its steps are listed here with what was expected, what was done, "
            "and any violations."
        )
        self._empty = EmptyState("shield", _("No plan yet"), told, self)
        self.progress.setObjectName("plan-progress")
        self.progress.setAccessibleName(_("Plan progress"))
        self.progress.setTextVisible(False)
        self.words.setProperty("role", "secondary")
        top = in_row(None, (self.progress, 1), (self.words, 2), margins=(12, 6, 12, 6), spacing=12)
        self._set_up_table()
        self._page = QWidget(self)
        in_column(self._page, top, (self.table, 1), margins=0, spacing=0)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._page)
        in_column(self, self._pages, margins=0)

    def _set_up_table(self) -> None:
        self.table.setProperty("role", "secondary")
        self.table.setAccessibleName(_("Plan"))
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        # every row has the same height, so thousands of them cost nothing to lay out
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the pane was hidden."""
        super().showEvent(event)
        self._catch_up()
        self._refresh()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        if view is None and self._model is None:
            return
        from workbench.gui.plan.plan_model import PlanModel, watch_of  # noqa: PLC0415 - loads the engine

        self._walk.forget()
        self._is_behind = False
        self._watch = watch_of(view, self._context.runs.run) if view is not None else None
        self._frames = Keyframes(self._watch) if self._watch is not None else None
        if self._model is None:
            self._model = PlanModel(self)
            self.table.setModel(self._model)
            self.take_theme()
        self._model.show_plan(self._watch)
        self._pages.setCurrentWidget(self._empty if self._watch is None else self._page)
        self._refresh()

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        if self._frames is not None:
            self._frames.take(batch)
            if self.isVisible() and not self._timer.isActive():
                self._timer.start()

    @Slot(object)
    def _on_moment_changed(self, _moment: Moment | None) -> None:
        """The plan as it was then, once somebody sees it; what goes on meanwhile is taken all the same."""
        self._is_behind = True
        self._walk.forget()
        if self.isVisible():
            self._catch_up()

    def _catch_up(self) -> None:
        moment = self._context.shown.moment
        if not self._is_behind or self._frames is None:
            return
        self._is_behind = False
        if moment is None:
            self._on_arrived(self._frames.fold)
        else:
            self._walk.go(self._frames, moment)

    @Slot(object)
    def _on_arrived(self, watch: PlanWatch) -> None:
        moment = self._context.shown.moment
        if self._model is None:
            return
        if moment is not None:
            watch.stand_at(moment.event.at_ns)
        self._watch = watch
        self._model.look_at(watch)
        self._refresh()

    @Slot()
    def _on_settled(self) -> None:
        if self._frames is not None:
            self._frames.fold.end()
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self._watch is None or self._model is None:
            return
        self._model.catch_up()
        if self._watch.is_timed and self.isVisible():  # time passes although nothing happens
            self._second.start()
        summary = self._watch.plan.summary()
        total, done = summary["total_steps"], summary["completed"] + summary["skipped"]
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)
        count = sum(violation.times for violation in self._watch.plan.violations)
        enforced = _("plan is enforced") if self._watch.blocks else _("audit only, nothing is blocked")
        steps = ngettext("{done} of {count} step", "{done} of {count} steps", total).format(done=numeral(done))
        self.words.setText(" · ".join((steps, ngettext("{count} violation", "{count} violations", count), enforced)))

    @Slot(object)
    def _on_selection_changed(self, selection: Selection) -> None:
        """Show the row of the step that is selected elsewhere."""
        if self._model is None or self._watch is None or selection.origin == ORIGIN or not selection.steps:
            return
        address = self._context.shown.steps.address_of(selection.steps[0])
        steps = self._watch.plan.playbook.steps
        row = next((row for row, step in enumerate(steps) if self._watch.address_of(step.id) == address), -1)
        if address and row >= 0:
            self.table.selectRow(row)
            self.table.scrollTo(self._model.index(row, 0))

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        step = self._model.step(index.row()) if self._model is not None else None
        if step is None or self._watch is None:
            return
        found = self._context.shown.steps.id_of(self._watch.address_of(step.id))
        if found is not None:
            self._context.selection.reveal((found,), ORIGIN)

    def take_theme(self) -> None:
        """Larger letters need more room."""
        theme = current_theme()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(ROW_PX))
        for column, width_px in enumerate(WIDTHS_PX):
            self.table.setColumnWidth(column, theme.px(width_px))
