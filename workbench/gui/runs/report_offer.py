"""The button beside a run that is over."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.look.action_button import OfferButton


class ReportOffer(OfferButton):
    """Offers the report when the run is over; what there is of it so far is had from the menu."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        self._shown = context.shown
        super().__init__(context.actions.action("run.report"), parent)

    @property
    def is_wanted(self) -> bool:
        """While the run goes on or waits there is nothing final."""
        state = self._shown.state
        return super().is_wanted and state is not None and state.is_over
