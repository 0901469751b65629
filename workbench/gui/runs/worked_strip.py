"""The line that stands above a run that failed, where an earlier one of its file worked: a way to what has changed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.words.run_words import moment_of
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.journal.events import RunId
    from workbench.engine.journal.run_list import RunSummary
    from workbench.gui.control.running.run_host import RunHost


class WorkedStrip(QWidget):
    """Shown for a failed run; the list of runs is read beside the window."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.label = ElidedLabel("", self)
        self.button = QPushButton(_("What changed since it last worked"), self)
        self.button.setProperty("role", "link")
        self.button.clicked.connect(self._on_clicked)
        picture = Picture(icon("compare", Ink.ACCENT), self)
        margins = (GRID_PX + GRID_PX // 2, 0, GRID_PX, 0)
        in_row(self, picture, (self.label, 1), self.button, margins=margins, spacing=GRID_PX)
        self.hide()
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_found)
        context.shown.run_shown.connect(self._on_run_shown)
        context.shown.settled.connect(self._on_settled)

    @Slot(object)
    def _on_run_shown(self, _view: object) -> None:
        self._work.forget()
        self.hide()

    @Slot()
    def _on_settled(self) -> None:
        view, latest = self._context.shown.view, self._context.shown.latest
        if view is not None and latest is not None and latest.status is RunStatus.FAILED:
            self._work.ask(partial(_worked_before, self._context.runs.host, view.id))

    @Slot(object)
    def _on_found(self, found: RunSummary | None) -> None:
        if found is not None:
            self.label.setText(_("This file last worked on {time}.").format(time=moment_of(found)))
            self.show()

    @Slot()
    def _on_clicked(self) -> None:
        self._context.actions.trigger("run.compare")


def _worked_before(host: RunHost, run: RunId) -> RunSummary | None:
    from workbench.gui.recorded.comparing import worked_before  # noqa: PLC0415 - no start needs it

    return worked_before(host, run)
