"""The strip above the timeline: which run, fit, follow, zoom, and the field that searches all events of the run."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QStyle, QToolButton, QWidget

from workbench.engine.journal.events import RunId
from workbench.engine.journal.storage.words import places_of
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.look.action_button import ActionButton
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import TwoRows, in_row
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import current_theme
from workbench.gui.timeline.bars.bar_colors import Heat
from workbench.gui.timeline.time_window import Mode
from workbench.gui.words.run_words import summary_texts
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, ngettext, numeral

if TYPE_CHECKING:
    from workbench.engine.journal.run_list import RunSummary

MOST_RUNS = 200
_LEAST_FIELD_PX = 110
_WIDEST_RUN_PX = 440  # when it was, which playbook, and what came of it
_LEAST_COMBO_PX = 96
_LEAST_INFO_PX = 64


class TimelineBar(TwoRows):
    """Says what is wanted; the panel does it."""

    mode_wanted = Signal(object)  # Mode
    zoom_wanted = Signal(object)  # float: factor
    stop_wanted = Signal()  # read no more of the run
    heat_chosen = Signal(object)  # Heat: what the colours of bars tell from now on

    def __init__(
        self, runs: RunCombo, offers: Sequence[ActionButton], fields: Sequence[QWidget], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.runs = runs
        lanes, search = fields
        self.info = ElidedLabel("", self, role="secondary")
        self._stop = self._button("stop", _("Read no further"))
        self._stop.hide()
        self._follow = self._button("right", _("Follow live events (F)"))
        self._follow.setCheckable(True)
        self.heat = self._button("clock", _("Colour bars by the time they took (H)"))
        self.cost = self._button("cost", _("Colour bars by what models cost in them (Shift+H)"))
        for button in (self.heat, self.cost):
            button.setCheckable(True)
            button.clicked.connect(self._on_heat_clicked)
        self._fit = self._button("fit", _("Show the whole run (Ctrl+0)"))
        self._zoom_in = self._button("zoom-in", _("Zoom in (+)"))
        self._zoom_out = self._button("zoom-out", _("Zoom out (-)"))
        buttons = (self._follow, self.heat, self.cost, self._zoom_out, self._zoom_in, self._fit)
        for combo in (runs, lanes):
            combo.setMinimumWidth(current_theme().px(_LEAST_COMBO_PX))
        first = in_row(None, (runs, 2), *offers, lanes, (self.info, 1), spacing=4)
        second = in_row(None, search, 1, self._stop, *buttons, spacing=4)
        self.lay_out(first, second, (8, 4, 8, 4), current_theme().px(_LEAST_INFO_PX))
        self._stop.clicked.connect(self.stop_wanted)
        self._follow.clicked.connect(self._on_follow_clicked)
        self._fit.clicked.connect(self._on_fit_clicked)
        self._zoom_in.clicked.connect(self._on_zoom_in_clicked)
        self._zoom_out.clicked.connect(self._on_zoom_out_clicked)

    def toggle_heat(self, heat: Heat) -> None:
        """Show *heat* in the colours of bars, or no longer."""
        (self.heat if heat is Heat.TIME else self.cost).click()

    @Slot()
    def _on_heat_clicked(self) -> None:
        """One of them at most."""
        other = self.cost if self.sender() is self.heat else self.heat
        other.setChecked(False)
        by_time = Heat.TIME if self.heat.isChecked() else Heat.NONE
        self.heat_chosen.emit(Heat.COST if self.cost.isChecked() else by_time)

    def show_mode(self, mode: Mode) -> None:
        """Show whether the newest is kept in sight."""
        self._follow.setChecked(mode is not Mode.FREE)

    def show_info(self, text: str, share: float = 1.0) -> None:
        """One line about the run, or about what the pointer is over. *share*: how much of the run has been read."""
        self._stop.setVisible(share < 1)
        if share < 1:
            text = _("{words} · reading, {percent} %").format(words=text, percent=numeral(int(share * 100)))
        self.info.setText(text)
        self.info.setToolTip(text)

    def _button(self, icon_name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("role", "tool")
        button.setIcon(icon(icon_name))
        button.setToolTip(text)
        button.setAccessibleName(text)
        return button

    @Slot()
    def _on_follow_clicked(self) -> None:
        self.mode_wanted.emit(Mode.FOLLOW if self._follow.isChecked() else Mode.FREE)

    @Slot()
    def _on_fit_clicked(self) -> None:
        self.mode_wanted.emit(Mode.FIT)

    @Slot()
    def _on_zoom_in_clicked(self) -> None:
        self.zoom_wanted.emit(1.5)

    @Slot()
    def _on_zoom_out_clicked(self) -> None:
        self.zoom_wanted.emit(1 / 1.5)


class RunCombo(QComboBox):
    """Reads the list of runs each time it opens, since other windows make runs too."""

    run_chosen = Signal(object)  # RunId
    failed = Signal(object)  # WorkbenchError: the journal cannot be read

    def __init__(self, runs: Callable[[], Sequence[RunSummary]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self.setAccessibleName(_("Run to show"))
        self.setToolTip(_("Choose this run or an earlier one"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setMaximumWidth(current_theme().px(_WIDEST_RUN_PX))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPlaceholderText(_("Earlier runs"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.activated.connect(self._on_activated)

    def showPopup(self) -> None:
        """Read the runs, then open."""
        self.refresh()
        room = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + room)
        super().showPopup()

    def show_run(self, run: RunId | None) -> None:
        """Show *run* as the chosen one, without telling anybody."""
        index = self.findData(run) if run is not None else -1
        if index < 0 and run is not None:
            self._fill(self._read())
            index = self.findData(run)
        self.setCurrentIndex(index)

    def refresh(self) -> None:
        """Read the runs again: one of them has changed."""
        shown = self.currentData()
        self._fill(self._read())
        self.show_run(shown)

    def _read(self) -> Sequence[RunSummary]:
        try:
            return self._runs()[:MOST_RUNS]
        except WorkbenchError as error:
            self.failed.emit(error)
            return ()

    def _fill(self, summaries: Sequence[RunSummary]) -> None:
        self.clear()
        for summary, line in zip(summaries, summary_texts(summaries), strict=True):
            self.addItem(drawable_line(line), summary.id)
            self.setItemData(self.count() - 1, tip(tooltip_text(summary)), Qt.ItemDataRole.ToolTipRole)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self.run_chosen.emit(self.itemData(index))


def tooltip_text(summary: RunSummary) -> str:
    """Where the run came from, and what went wrong."""
    count = ngettext("{count} event", "{count} events", summary.events)
    return "\n".join(text for text in (summary.path, count, summary.error, summary.id) if text)


_WAIT_MS = 200
Searches = Callable[[str, RunId], Sequence[int]]
"""The numbers of the events of a run that hold the words of a text."""


def searching(host: RunHost) -> Searches:
    """Searches the journal of *host*."""
    return lambda text, run: places_of(host.journal, text, run)


class RunSearch(QWidget):
    """Searches beside the window, as soon as typing pauses. *found*: the numbers of the events, in order."""

    changed = Signal()  # something else was found
    event_wanted = Signal(object)  # int: the number of an event to go to

    def __init__(self, searches: Searches, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Sequence[int] = array("q")
        self._searches = searches
        self._run: RunId | None = None
        self._at = -1
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(_("Search all events"))
        self.field.setAccessibleName(_("Search all events of the run"))
        self.field.setToolTip(_("Words that stand in an event. Enter: next, Shift+Enter: previous"))
        add_clear_button(self.field)
        self.field.setMaximumWidth(current_theme().px(220))
        self.field.setMinimumWidth(current_theme().px(_LEAST_FIELD_PX))
        self.field.installEventFilter(self)
        self.count = Label(parent=self)
        self.count.setProperty("role", "secondary")
        self._previous = self._button("up", _("Previous event found (Shift+Enter)"), partial(self.go, -1))
        self._next = self._button("down", _("Next event found (Enter)"), partial(self.go, 1))
        in_row(self, self.field, self.count, self._previous, self._next, margins=0, spacing=2)
        self._timer = QTimer(self, interval=_WAIT_MS, singleShot=True)
        self._timer.timeout.connect(self.search)
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)
        self.field.textChanged.connect(self._on_edited)
        self._show_count()

    def show_run(self, run: RunId | None) -> None:
        """Search another run from now on, for the same words."""
        self._run = run
        self.search()

    @Slot()
    def search(self) -> None:
        """Search for what stands in the field."""
        self._timer.stop()
        text = self.field.text().strip()
        if self._run is None or not text:
            self._work.forget()
            self._take(array("q"))
        else:
            self._work.ask(partial(_tried, self._searches, text, self._run))

    def go(self, step: int, from_seq: int | None = None) -> None:
        """Go *step* events on among those that were found, round the ends; *from_seq*: as seen from that event."""
        if not self.found:
            return
        at = self._at + step
        if from_seq is not None:
            at = bisect_right(self.found, from_seq) if step > 0 else bisect_left(self.found, from_seq) - 1
        self._at = at % len(self.found)
        self._show_count()
        self.event_wanted.emit(self.found[self._at])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on to the next event, with Shift back."""
        is_key = watched is self.field and event.type() is QEvent.Type.KeyPress
        if is_key and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if self._timer.isActive():
                self.search()
            self.go(-1 if is_back else 1)
            return True
        return super().eventFilter(watched, event)

    def _button(self, icon_name: str, text: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("role", "tool")
        button.setIcon(icon(icon_name))
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.clicked.connect(act)
        return button

    def _take(self, found: Sequence[int]) -> None:
        self.found, self._at = found, -1
        self._show_count()
        self.changed.emit()

    def _show_count(self) -> None:
        has_any = bool(self.found)
        self._previous.setEnabled(has_any)
        self._next.setEnabled(has_any)
        place = numeral(self._at + 1) if self._at >= 0 else "–"
        words = _("{place} of {count}").format(place=place, count=numeral(len(self.found)))
        shown = words if self.field.text().strip() else ""
        self.count.setText(shown)
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance(shown) + 2)

    @Slot()
    def _on_edited(self) -> None:
        self._timer.start()

    @Slot(object)
    def _on_done(self, found: Sequence[int]) -> None:
        self._take(found)


def _tried(searches: Searches, text: str, run: RunId) -> Sequence[int]:
    """What is found; nothing where the store cannot be read, which the panes say that show the run."""
    try:
        return searches(text, run)
    except WorkbenchError:
        return array("q")
