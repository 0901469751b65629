"""Goes to places of the open document and of other files, and back to where one came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Notices
from workbench.gui.control.selection import SelectionController
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

ORIGIN = "trail"
_MOST_STOPS = 100


@dataclass(frozen=True, slots=True)
class Stop:
    """Where somebody was: a file (None: a document without one), and a place in its text."""

    path: Path | None
    span: Span


class Trail(QObject):
    """Where one was before each jump, and after going back, where one came from."""

    def __init__(
        self, documents: DocumentController, selection: SelectionController, notices: Notices, parent: QObject | None
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._selection = selection
        self._notices = notices
        self._behind: list[Stop] = []
        self._ahead: list[Stop] = []
        self._wanted: Stop | None = None
        self._arrived: Callable[[], None] = _nothing
        self._is_there = False
        documents.document_opened.connect(self._on_document_opened)
        documents.file_state_changed.connect(self._on_file_state_changed)

    @property
    def here(self) -> Stop:
        """Where one is now."""
        return Stop(self._documents.document.path, self._selection.caret)

    def go_to(self, span: Span, path: Path | None = None) -> None:
        """Show *span* of the file *path*, or of the open document, and remember where one was."""
        self._go(Stop(path or self._documents.document.path, span), partial(self.leave, self.here))

    def leave(self, stop: Stop) -> None:
        """Remember that somebody goes from *stop* to somewhere else."""
        if not self._behind or self._behind[-1] != stop:
            self._behind[:-_MOST_STOPS] = []
            self._behind.append(stop)
        self._ahead.clear()

    def back(self) -> None:
        """Go to where the last jump began."""
        if not self._behind:
            self._notices.tell(_("There is no place to go back to."))
            return
        self._go(self._behind[-1], partial(_move, self._behind, self._ahead, self.here))

    def forward(self) -> None:
        """Go again to where one has gone back from."""
        if not self._ahead:
            self._notices.tell(_("There is no place to go forward to."))
            return
        self._go(self._ahead[-1], partial(_move, self._ahead, self._behind, self.here))

    def _is_open(self, stop: Stop) -> bool:
        return self._documents.file_state.is_open and stop.path == self._documents.document.path

    def _go(self, stop: Stop, arrived: Callable[[], None]) -> None:
        """Show *stop*, which may first have to be opened: only who gets there has *arrived*."""
        if self._is_open(stop):
            arrived()
            self._show(stop.span)
        elif stop.path is not None:
            self._wanted, self._arrived = stop, arrived
            self._documents.open_requested.emit(stop.path)

    @Slot(object)
    def _on_document_opened(self, _snapshot: Snapshot) -> None:
        """Where another file was opened meanwhile, nobody waits for this one any more."""
        self._is_there = self._wanted is not None and self._wanted.path == self._documents.document.path
        if not self._is_there:
            self._wanted = None

    @Slot(object)
    def _on_file_state_changed(self, _state: object) -> None:
        """All panes show the file: show the place in it."""
        if self._is_there and self._wanted is not None:
            wanted, self._wanted, self._is_there = self._wanted, None, False
            self._arrived()
            self._show(wanted.span)

    def _show(self, span: Span) -> None:
        snapshot = self._documents.snapshot
        last = len(snapshot.text)
        span = Span(min(span.start, last), min(span.end, last))
        step = snapshot.step_at(min(span.start, max(last - 1, 0)))
        if step is not None:
            self._selection.reveal((step,), ORIGIN)
        self._selection.show_text(span)


def _move(stops: list[Stop], others: list[Stop], here: Stop) -> None:
    """The last of *stops* has been reached; from *here* one can go the other way."""
    stops.pop()
    others.append(here)


def _nothing() -> None:
    """Nobody is on the way."""
