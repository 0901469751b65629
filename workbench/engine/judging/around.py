"""A decider around another one, which it lets decide."""

from __future__ import annotations

from typing import Any

from workbench.engine.background import Background
from workbench.engine.decider import Decider, Draft, Drafts, Settled, Where
from workbench.engine.ports import CalledBack, InDoubtChoice, LookedUp, Request, SetByTool
from workbench.engine.state.fold import RunFold
from workbench.errors import RunFailed


class Around:
    """What is the same with the *inner* one and without."""

    def __init__(self, inner: Decider) -> None:
        self.snapshot = inner.snapshot
        self.tools = inner.tools
        self.inner = inner

    def not_given(self, fold: RunFold, problem: RunFailed) -> Drafts:
        """The events that a question failed."""
        return self.inner.not_given(fold, problem)

    def background(self, fold: RunFold) -> Background:
        """What the inner decider knows."""
        return self.inner.background(fold)

    def place(self, fold: RunFold) -> Where:
        """Where the call at hand lies."""
        return self.inner.place(fold)

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The events that the call at hand failed."""
        return self.inner.broke(fold, message)

    def called_back(self, fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """The event by which a call that a tool asks for begins."""
        return self.inner.called_back(fold, asked)

    def looked_up(self, fold: RunFold, asked: LookedUp) -> Any:
        """What a tool wants to know."""
        return self.inner.looked_up(fold, asked)

    def doubt(self, fold: RunFold, said: InDoubtChoice | None) -> Request | Settled:
        """The question what became of the call at hand."""
        return self.inner.doubt(fold, said)
