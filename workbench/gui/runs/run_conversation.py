"""The conversation of the run that is shown, as it was at the moment that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.engine.journal.events import RunEvent
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.keyframes import Keyframes, Moment
from workbench.gui.control.running.retelling import RunView
from workbench.gui.runs.card import CardsChange
from workbench.gui.runs.conversation_view import ConversationView
from workbench.gui.words.run_words import RunWords

if TYPE_CHECKING:
    from workbench.gui.runs.cards import CardFold


class RunConversation(ConversationView):
    """Grows with the run; while an earlier moment is shown, it ends there."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frames: Keyframes[CardFold] | None = None
        self._is_behind = False
        self._shown = context.shown
        self._shown.run_shown.connect(self._on_run_shown)
        self._shown.events_arrived.connect(self._on_events_arrived)
        self._shown.moment_changed.connect(self._on_moment_changed)

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        self.clear()
        self._is_behind = False
        self._frames = Keyframes(_card_fold(view)) if view is not None else None

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        for change in self._frames.take(batch) if self._frames is not None else ():
            if isinstance(change, CardsChange) and self._shown.moment is None and not self._is_behind:
                self.apply(change)

    @Slot(object)
    def _on_moment_changed(self, _moment: Moment | None) -> None:
        """Thousands of cards take longer to lay out than a step from event to event may: not while nobody sees them."""
        self._is_behind = True
        if self.isVisible():
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the moment that was chosen while the conversation was hidden."""
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        moment = self._shown.moment
        if self._is_behind and self._frames is not None:
            self._is_behind = False
            self.show_cards((self._frames.fold if moment is None else self._frames.at(moment)).cards)


def _card_fold(view: RunView) -> CardFold:
    """What makes the cards of the run in *view*."""
    from workbench.gui.runs.cards import CardFold  # noqa: PLC0415 - events are loaded with the first run

    return CardFold(RunWords(view.ran).step_words)
