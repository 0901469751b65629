"""Looks for all safe fixes beside the window: in a long document that takes as long as opening it, or twice that."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from workbench.editing.safe_fixes import SafeFixes, safe_fixes_by_round
from workbench.gui.control.background import Messenger
from workbench.gui.look.frames import BusyBar
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.i18n import _, numeral
from workbench.model.snapshot import Snapshot

_PATIENCE_MS = 300
_WIDTH_PX = 360


@dataclass(frozen=True, slots=True, eq=False)
class _Wish:
    """What somebody wants to know, until *is_unwanted* is set."""

    snapshot: Snapshot
    is_unwanted: threading.Event


@dataclass(frozen=True, slots=True)
class FoundFixes:
    """*fixes* are those of *snapshot*, so far or all."""

    snapshot: Snapshot
    fixes: SafeFixes


@dataclass(frozen=True, slots=True)
class _Failure:
    """*mistake* ended the search for *wish*."""

    wish: _Wish
    mistake: Exception


class SafeFixSearch(QObject):
    """One search at a time."""

    progressed = Signal(object)  # FoundFixes: those so far
    found = Signal(object)  # FoundFixes: all
    failed = Signal()  # nothing will be found

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._wish: _Wish | None = None

    @property
    def is_looking(self) -> bool:
        """Whether a search is going on."""
        return self._wish is not None

    def look(self, snapshot: Snapshot) -> None:
        """Hand on the safe fixes of *snapshot* as soon as they are found."""
        self.cancel()
        self._wish = _Wish(snapshot, threading.Event())
        search = _Search(self._wish)
        search.outcome.progressed.connect(self._on_progressed)
        search.outcome.done.connect(self._on_done)
        search.outcome.failed.connect(self._on_failed)
        QThreadPool.globalInstance().start(search)

    def cancel(self) -> None:
        """What is being looked for is not wanted any more."""
        if self._wish is not None:
            self._wish.is_unwanted.set()
            self._wish = None

    @Slot(object)
    def _on_progressed(self, found: FoundFixes) -> None:
        if self._is_wanted(found):
            self.progressed.emit(found)

    @Slot(object)
    def _on_done(self, found: FoundFixes) -> None:
        if self._is_wanted(found):
            self._wish = None
            self.found.emit(found)

    @Slot(object)
    def _on_failed(self, failure: _Failure) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        if failure.wish is self._wish:
            self._wish = None
            self.failed.emit()
        raise failure.mistake

    def _is_wanted(self, found: FoundFixes) -> bool:
        return self._wish is not None and self._wish.snapshot is found.snapshot


class _Outcome(Messenger):
    """Carries what was found."""

    progressed = Signal(object)  # FoundFixes
    done = Signal(object)  # FoundFixes
    failed = Signal(object)  # _Failure


class _Search(QRunnable):
    """One search; owns its signals, so that it may outlive whoever asked."""

    def __init__(self, wish: _Wish) -> None:
        super().__init__()
        self.outcome = _Outcome()
        self._wish = wish

    def run(self) -> None:
        """Look, on a thread of the pool."""
        self._look()
        self.outcome.deleteLater()

    def _look(self) -> None:
        """Between two rounds see whether anybody still wants to know."""
        snapshot = self._wish.snapshot
        found = FoundFixes(snapshot, SafeFixes((), 0))
        try:
            for fixes in safe_fixes_by_round(snapshot):
                found = FoundFixes(snapshot, fixes)
                if self._wish.is_unwanted.is_set():
                    return
                self.outcome.progressed.emit(found)
        except Exception as mistake:  # noqa: BLE001 - handed over, and raised again on the window's thread
            self.outcome.failed.emit(_Failure(self._wish, mistake))
            return
        self.outcome.done.emit(found)


class SearchProgress(QDialog):
    """Shown only when the wait is long; the window behind it stays usable."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Apply all safe fixes"))
        self.setMinimumWidth(_WIDTH_PX)
        self.words = Label(parent=self, wraps=True)
        bar = BusyBar(_("Looking for safe fixes"), self)  # how much a fix brings to light is not known before
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.rejected.connect(self.reject)
        in_column(self, self.words, bar, buttons)
        self._wait = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._wait.timeout.connect(self.show)

    def begin(self) -> None:
        """Appear in a moment, unless the search is over by then."""
        self.show_count(0)
        self._wait.start()

    def show_count(self, count: int) -> None:
        """Tell how many fixes have been found."""
        so_far = _("Fixes found: {count}. Checking for follow-ups.").format(count=numeral(count))
        self.words.setText(so_far if count else _("Looking for fixes that do not change the meaning."))

    @Slot()
    def finish(self) -> None:
        """The search is over."""
        self._wait.stop()
        self.hide()

    @Slot()
    def reject(self) -> None:
        """Cancel, Esc, or the window's own sign to close."""
        self.finish()
        self.cancelled.emit()
