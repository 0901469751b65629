"""Looks for where a value came from, beside the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, overload

from PySide6.QtCore import QObject, Signal, Slot

from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.told_run import ToldRun

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.provenance.setters import Setters
    from workbench.engine.provenance.tracing import Origin
    from workbench.gui.control.running.run_host import RunHost
    from workbench.model.snapshot import Snapshot

_PAGE = 256
_PAGES = 40


@dataclass(frozen=True, slots=True)
class Traced:
    """Where the value of *name* came from; None: it has none."""

    run: RunId
    name: str
    origin: Origin | None


class Tracer(QObject):
    """Of several values that were asked for, only the last is looked for."""

    found = Signal(object)  # Traced
    failed = Signal(object)  # WorkbenchError

    def __init__(self, host: RunHost, shown: ToldRun, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._shown = shown
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)

    def ask(self, home: str, name: str) -> None:
        """Look for where *name* of *home* has the value from that it has at the moment that is shown."""
        shown, setters = self._shown, self._shown.setters
        if shown.view is None or setters is None:
            return
        count = shown.moments.count
        before = count if shown.moment is None else shown.moment.seq + 1
        events = _Pages(self._host, shown.view.id, count)
        self._work.ask(partial(_traced, events, setters, shown.view.ran, (home, name, before)))

    @Slot(object)
    def _on_done(self, traced: Traced | WorkbenchError) -> None:
        if isinstance(traced, WorkbenchError):
            self.failed.emit(traced)
        elif self._shown.view is not None and traced.run == self._shown.view.id:
            self.found.emit(traced)


def _traced(
    events: _Pages, setters: Setters, ran: Snapshot | None, wanted: tuple[str, str, int]
) -> Traced | WorkbenchError:
    from workbench.engine.provenance.tracing import History, reads_in, where_from  # noqa: PLC0415 - no start needs it

    home, name, before = wanted
    try:
        return Traced(events.run, name, where_from(History(events, setters, reads_in(ran)), home, name, before))
    except WorkbenchError as error:
        return error


class _Pages(Sequence["RunEvent"]):
    """The events of a run, read from the journal where somebody looks. Raises StoreFailed where that cannot be."""

    def __init__(self, host: RunHost, run: RunId, count: int) -> None:
        self.run = run
        self._count = count
        self._page = lru_cache(_PAGES)(partial(_page, host, run))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> RunEvent: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[RunEvent]: ...

    def __getitem__(self, index: int | slice) -> RunEvent | Sequence[RunEvent]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        page, at = divmod(index, _PAGE)
        return self._page(page)[at]


def _page(host: RunHost, run: RunId, number: int) -> tuple[RunEvent, ...]:
    return host.events(run, number * _PAGE, _PAGE)
