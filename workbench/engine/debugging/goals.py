"""How far a run goes on by itself after it has stopped: one step, over or out of a call, to a step, or freely."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the window knows how far a run can go before it has loaded the engine
    from workbench.engine.state.fold import RunFold


class Going(enum.Enum):
    """INTO: to the next step, wherever it is. OVER: past what the next step calls. OUT: until this playbook is left.

    TO: up to a step. FREELY: until something else stops it.
    """

    INTO = "into"
    OVER = "over"
    OUT = "out"
    TO = "to"
    FREELY = "freely"


@dataclass(frozen=True, slots=True)
class Goal:
    """*address*: of the step that TO leads to."""

    going: Going = Going.FREELY
    address: str = ""


@dataclass(frozen=True, slots=True)
class Depth:
    """How deep in calls a run is. *stack*: whose turn it is, where there are meetings."""

    stack: str = ""
    count: int = 0


def depth_of(fold: RunFold) -> Depth:
    """How deep in calls the run of *fold* is."""
    return Depth(fold.world.stack, len(fold.frames))


def is_reached(goal: Goal, since: Depth, fold: RunFold, address: str) -> bool:
    """Whether the step at *address*, which is about to begin, is where *goal* leads. *since*: where it was set."""
    now = depth_of(fold)
    # what others do in a meeting, while this stack waits, is deeper than it
    is_other = now.stack != since.stack and since.stack in fold.world.parked
    match goal.going:
        case Going.INTO:
            return True
        case Going.OVER:
            return not is_other and (now.stack != since.stack or now.count <= since.count)
        case Going.OUT:
            return not is_other and (now.stack != since.stack or now.count < since.count)
        case Going.TO:
            return address == goal.address
        case Going.FREELY:
            return False
