"""Which moment of the run is looked at: now, or an earlier one, whose events are read beside the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.keyframes import Moment
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.gui.control.running.run_host import RunHost

Bounds = Callable[[int], tuple[int, int]]
_MOST_READ = 6


class Moments(QObject):
    """Goes to moments of one run. What was read around a moment is kept, so that the next ones are there at once.

    *moment*: the one that is shown, None: now. *count*: how many events there are. *is_over*: there will be no more, so
    that the last one is now. *bounds*: which events must be there to know a moment.
    """

    moved = Signal(object)  # Moment | None
    failed = Signal(object)  # WorkbenchError: why the moment that was asked for cannot be shown

    def __init__(self, host: RunHost, bounds: Bounds, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moment: Moment | None = None
        self.count = 0
        self.is_over = False
        self._host = host
        self._bounds = bounds
        self._run: RunId | None = None
        self._wanted: int | None = None
        self._read: list[tuple[int, tuple[RunEvent, ...]]] = []
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_read)

    def begin(self, run: RunId | None) -> None:
        """Another run, as it is now; nobody is told."""
        self.moment = self._wanted = None
        self.count, self.is_over = 0, False
        self._run, self._read = run, []
        self._work.forget()

    @property
    def seq(self) -> int | None:
        """The number of the event after which the run is looked at, or soon will be; None: now."""
        return self._wanted

    @Slot(object)
    def go_to(self, seq: int) -> None:
        """Show the run as it was directly after the event with the number *seq*."""
        if self._run is None or not self.count:
            return
        if seq >= self.count - int(self.is_over):
            self.back_to_now()
            return
        self._wanted = max(0, seq)
        known = self._known(self._wanted)
        if known is not None:
            self._move(Moment(self._wanted, *known))
            return
        first, end = self._bounds(self._wanted)
        self._work.ask(partial(_read, self._host, self._run, first, end))

    def go_by(self, events: int) -> None:
        """So many events on (less than 0: back) from the moment that is shown."""
        self.go_to((self.count - 1 if self._wanted is None else self._wanted) + events)

    @Slot()
    def back_to_now(self) -> None:
        """Show the run as it is now."""
        self._wanted = None
        self._work.forget()
        if self.moment is not None:
            self._move(None)

    def _known(self, seq: int) -> tuple[int, tuple[RunEvent, ...]] | None:
        """What was read around *seq*, if that is enough."""
        first = self._bounds(seq)[0]
        return next((each for each in self._read if each[0] <= first and seq < each[0] + len(each[1])), None)

    def _move(self, moment: Moment | None) -> None:
        self._work.forget()
        self.moment = moment
        self.moved.emit(moment)

    @Slot(object)
    def _on_read(self, read: tuple[RunId, int, tuple[RunEvent, ...] | WorkbenchError]) -> None:
        run, first, events = read
        if run != self._run or self._wanted is None:
            return
        if not isinstance(events, WorkbenchError):
            self._read = [(first, events), *(each for each in self._read if each[0] != first)][:_MOST_READ]
            if self._known(self._wanted) is not None:
                self.go_to(self._wanted)
                return
            events = StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
        self._wanted = self.moment.seq if self.moment is not None else None
        self.failed.emit(events)


def _read(host: RunHost, run: RunId, first: int, end: int) -> tuple[RunId, int, tuple[RunEvent, ...] | WorkbenchError]:
    try:
        return run, first, host.events(run, first, end - first)
    except WorkbenchError as error:
        return run, first, error
