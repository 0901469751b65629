"""The choice of what the lanes of the timeline are, which is remembered, and their layout beside the window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QWidget

from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.timeline.bars.bar_reader import BarReader
from workbench.gui.timeline.bars.bars import BarTable
from workbench.gui.timeline.bars.lane_groups import Lanes, laid_out, sort_of
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.gui.words.values import menu_text
from workbench.i18n import _

FEW = 2_000
"""So many bars are laid out at once; more of them beside the window."""


class Board(Protocol):
    """What shows the lanes."""

    run: TimelineRun | None

    def show_bars(self) -> None:
        """The bars of the run have been laid out otherwise."""
        ...


class LaneChoice(QComboBox):
    """What is chosen holds for every run from then on."""

    def __init__(self, settings: SettingsController, board: Board, reader: BarReader, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._board = board
        self._reader = reader
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_laid_out)
        self.setAccessibleName(_("Lanes of the timeline"))
        self.setToolTip(_("What the lanes of the timeline are. C folds the lanes of the current bar"))
        for each in Lanes:
            self.addItem(menu_text(str(each)), each)
        self.setCurrentIndex(self.findData(Lanes(settings.current.timeline_lanes)))
        reader.lanes = self.lanes
        self.activated.connect(self._on_activated)

    @property
    def lanes(self) -> Lanes:
        """What is chosen."""
        return Lanes(self.currentData())

    def lay_out(self, run: TimelineRun) -> None:
        """Lay out another run as chosen, as far as it is there."""
        self._work.forget()
        run.show_lanes(laid_out(self.lanes, run.table))

    @Slot(int)
    def _on_activated(self, _index: int) -> None:
        self._reader.lanes = self.lanes
        self._settings.change(partial(replace, timeline_lanes=self.lanes.value))
        self.lay_out_again()

    @Slot()
    def lay_out_again(self) -> None:
        """Lay out the bars that are shown as it is chosen, where they are not."""
        run = self._board.run
        if run is None or sort_of(run.shown) is self.lanes:
            return
        if run.table.count() <= FEW or self.lanes is Lanes.DEPTH:
            self.lay_out(run)
            self._board.show_bars()
        else:
            self._work.ask(partial(_laid_out, self.lanes, run))

    @Slot(object)
    def _on_laid_out(self, outcome: tuple[TimelineRun, BarTable]) -> None:
        """Show the lanes, unless the run has become much longer meanwhile."""
        run, shown = outcome
        if run is not self._board.run:
            return
        if run.table.count() - shown.count() > FEW:
            self._work.ask(partial(_laid_out, self.lanes, run))
            return
        run.show_lanes(shown)
        self._board.show_bars()


def _laid_out(lanes: Lanes, run: TimelineRun) -> tuple[TimelineRun, BarTable]:
    return run, laid_out(lanes, run.table)
