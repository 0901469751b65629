"""One line beside a run: what has worked before for the same task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from workbench.errors import CannotRead
from workbench.gui.control.context import WindowContext
from workbench.gui.look.elided_label import ElidedLabel
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.theme import GRID_PX, Ink
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.engine.running.run import Run


class AdviceStrip(QWidget):
    """Shown while there is advice; it can be put away until the next run."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = context.places
        self._notices = context.notices
        self.label = ElidedLabel("", self)
        self.dismiss = QToolButton(self)
        self.dismiss.setIcon(icon("cross", Ink.MUTED))
        self.dismiss.setToolTip(_("Put this advice away"))
        self.dismiss.setAccessibleName(_("Put this advice away"))
        self.dismiss.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX + GRID_PX // 2, 0, GRID_PX, 0)
        row.setSpacing(GRID_PX)
        row.addWidget(Picture(icon("pattern", Ink.DONE), self))
        row.addWidget(self.label, 1)
        row.addWidget(self.dismiss)
        self.hide()
        context.runs.run_started.connect(self._on_run_started)

    @property
    def words(self) -> str:
        """What is advised, in full."""
        return self.label.text()

    def show_advice(self, lines: tuple[str, ...]) -> None:
        """Show the first of *lines*, and all of them in the tooltip; nothing hides the strip."""
        self.label.setText(lines[0] if lines else "")
        self.label.setToolTip("\n".join(lines))
        self.setVisible(bool(lines))

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        from workbench.gui.runs.advice import advice_lines  # noqa: PLC0415 - the library, which a start need not load

        try:
            lines = advice_lines(run, self._places)
        except CannotRead as error:
            self._notices.report(error)
            lines = ()
        self.show_advice(lines)
