"""The field that searches all events of a run, and the way from one that was found to the next."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from workbench.engine.journal.events import RunId
from workbench.engine.journal.storage.words import places_of
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.i18n import _, numeral

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
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(220)
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
