"""The choice of which run the timeline shows: the one of this window, or an earlier one from the journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from workbench.engine.journal.events import RunId
from workbench.errors import WorkbenchError
from workbench.gui.words.durations import duration_text
from workbench.i18n import _
from workbench.vocabulary import status_of_run

if TYPE_CHECKING:
    from workbench.engine.journal.journal import RunSummary

MOST_RUNS = 200


class RunCombo(QComboBox):
    """Reads the list of runs each time it opens, since other windows make runs too."""

    run_chosen = Signal(object)  # RunId
    failed = Signal(object)  # WorkbenchError: the journal cannot be read

    def __init__(self, runs: Callable[[], Sequence[RunSummary]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self.setAccessibleName(_("Run to look at"))
        self.setToolTip(_("Look at this run, or at an earlier one"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(36)
        self.setPlaceholderText(_("Earlier runs"))
        self.activated.connect(self._on_activated)

    def showPopup(self) -> None:
        """Read the runs, then open."""
        self.refresh()
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
        for summary in summaries:
            self.addItem(summary_text(summary), summary.id)
            self.setItemData(self.count() - 1, tooltip_text(summary), Qt.ItemDataRole.ToolTipRole)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self.run_chosen.emit(self.itemData(index))


def summary_text(summary: RunSummary) -> str:
    """One run on one line: when, what, how it ended, how long it took."""
    started = datetime.fromtimestamp(summary.started_ns / 1e9, UTC).astimezone()
    status = str(status_of_run(summary.status, is_live=summary.is_live))
    words = [started.strftime("%Y-%m-%d %H:%M"), summary.playbook, status]
    if summary.ended_ns:
        words.append(duration_text(summary.ended_ns - summary.started_ns))
    return " · ".join(words)


def tooltip_text(summary: RunSummary) -> str:
    """Where the run came from, and what went wrong."""
    count = _("{count} events").format(count=f"{summary.events:,}")
    return "\n".join(text for text in (summary.path, count, summary.error, summary.id) if text)
