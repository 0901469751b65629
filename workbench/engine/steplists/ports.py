"""What the loop asks of the world: a model that wants things, and tools that do them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from workbench.engine.journal.events import RunEvent
from workbench.engine.steplists.places import Where
from workbench.model.loader.steplist import Playbook

Tool = Callable[[Mapping[str, Any]], Any]
"""A tool: its arguments by name → its result, as data. What it raises is its failure."""

Tools = Mapping[str, Tool]
"""Tools by name."""


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call that a model wants made."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallOutcomeText:
    """What the model is told of a call that it wanted: its result, its failure, or why it was not made.

    *reason*: of a blocked call, without the hints.
    """

    tool: str
    text: str
    is_error: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StepAtHand:
    """The step whose turn it is. *sayings*: what may be said of it without a call (done, skip, finish).

    *tools*: those that it expects. *left*: what the next open steps say.
    """

    where: Where
    description: str
    tools: tuple[str, ...]
    hints: tuple[str, ...]
    left: tuple[str, ...]
    sayings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a model. *context*: the current step, its hints and what is left; in place of the one before.

    *outcomes*: of the calls that it wanted in the turn before. *reminder*: why it may not stop yet.
    *at*: the same as values.
    """

    number: int
    context: str
    tools: tuple[str, ...]
    outcomes: tuple[CallOutcomeText, ...] = ()
    reminder: str = ""
    at: StepAtHand | None = None


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a model does in its turn: it wants calls made, or it answers in words."""

    calls: tuple[WantedCall, ...] = ()
    text: str = ""


class AgentModel(Protocol):
    """Who walks a step list."""

    name: str

    def take(self, turn: Turn) -> TurnAnswer:
        """What is done in this turn. Raises InputNeeded when nobody can say."""
        ...


Walker = Callable[[Playbook, tuple[RunEvent, ...]], tuple[AgentModel, Tools]]
"""Who walks a step list of which some events have happened, and with which tools."""

Recall = Callable[[Playbook], str]
"""What has worked before for a step list, as text for the context of who walks it; empty where nothing is known."""
