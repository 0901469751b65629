"""The state of a run as a fold of which there are copies. It knows every event, so it is loaded with the first run."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.engine.journal.events import RunEvent
from workbench.engine.provenance.setters import Setters
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState


class StateFold:
    """The state after the events that were taken. *setters*: which of them set which variable, where that is kept."""

    def __init__(self, state: RunState | None = None, setters: Setters | None = None) -> None:
        self.setters = setters
        self._state: RunState | None = state if state is not None else RunState()
        self._fold: RunFold | None = None

    @property
    def state(self) -> RunState:
        """As a value; made once for all who ask."""
        if self._state is None and self._fold is not None:
            self._state = self._fold.state()
        return self._state or RunState()

    def take(self, events: Iterable[RunEvent]) -> None:
        """Take *events* in."""
        fold = self._fold = self._fold or RunFold(self.state)
        for event in events:
            if self.setters is not None:
                self.setters.note(fold, event)
            fold.apply(event)
        self._state = None

    def copied(self) -> StateFold:
        """Another one that has taken the same; it costs nothing until it takes something."""
        return StateFold(self.state)
