"""After how many successes patterns of a project may be promoted."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.i18n import _
from workbench.settings import Settings

_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Threshold:
    """A change of the settings."""

    count: int

    def __call__(self, settings: Settings) -> Settings:
        return settings.with_promotion_threshold(self.count)


class ThresholdAction(QAction):
    """Asks for the number, and keeps it with the settings of the project that is open."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(_("Successes before promotion…"), parent)
        self._context = context
        self._window = parent
        self.triggered.connect(self._on_triggered)

    def set_threshold(self, count: int) -> None:
        """Let patterns of the project be promoted after *count* successes."""
        try:
            self._context.settings.change(_Threshold(count))
        except WorkbenchError as error:
            self._context.notices.report(error)

    @Slot()
    def _on_triggered(self) -> None:
        before = self._context.settings.current.promotion_threshold
        question = _("A pattern of this project may be promoted after so many successes")
        count, is_given = QInputDialog.getInt(self._window, self.text(), question, before, 1, _MOST)
        if is_given:
            self.set_threshold(count)
