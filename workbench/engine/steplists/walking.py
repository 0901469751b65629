"""Who walks a step list, turn by turn: what is shown, and what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from workbench.engine.decider import Where
from workbench.engine.journal.steplist_events import CallWish, Foreseen
from workbench.model.loader.steplist import Playbook

DONE, SKIP, FINISH = "done", "skip", "finish"
"""What may be said of a step without a call."""

Tool = Callable[[Mapping[str, Any]], Any]
"""A tool: its arguments by name → its result, as data. What it raises is its failure."""


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
    """The step whose turn it is. *sayings*: which of ``DONE``, ``SKIP``, ``FINISH`` may be said of it.

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
    """What a model does in its turn: it wants calls made, or it answers in words.

    *foreseen*: what the calls give, from one who does not make them but has it written down; else empty.
    """

    calls: tuple[CallWish, ...] = ()
    text: str = ""
    foreseen: tuple[Foreseen, ...] = ()


@runtime_checkable
class Walker(Protocol):
    """A backend that walks step lists by itself, with tools of its own. Others are asked, turn by turn."""

    name: str

    def take(self, turn: Turn) -> TurnAnswer:
        """What is done in this turn. Raises InputNeeded when nobody can say."""
        ...

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """The tools that are there for *playbook*, by name."""
        ...
