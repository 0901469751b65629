"""The places that steps go to: below or above another one, inside it, and where a move by structure leads."""

from __future__ import annotations

import enum

from workbench.editing.commands import Place
from workbench.gui.canvas.content.structure_walk import index_of
from workbench.gui.control.places import place_after
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot


class Way(enum.Enum):
    """Where steps can be moved by structure."""

    UP = "up"
    DOWN = "down"
    IN = "in"
    OUT = "out"


def place_before(snapshot: Snapshot, step: StepId) -> Place:
    """Directly above *step*, in the same list."""
    siblings = snapshot.siblings(step)
    index = index_of(siblings, step)
    below = place_after(snapshot, step)
    return Place(below.playbook, below.parent, siblings[index - 1].id if index else None, below.section)


def place_inside(snapshot: Snapshot, step: StepId) -> Place:
    """The end of what is nested in *step*."""
    children = snapshot.step(step).children
    return Place(snapshot.playbook_of(step).name, step, children[-1].id if children else None)


def place_up(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move up: above the sibling before, else out above the parent."""
    siblings = snapshot.siblings(steps[0])
    index = index_of(siblings, steps[0])
    if index > 0:
        return place_before(snapshot, siblings[index - 1].id)
    parent = snapshot.parent(steps[0])
    return place_before(snapshot, parent.id) if parent is not None else None


def place_down(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move down: below the sibling after, else out below the parent."""
    siblings = snapshot.siblings(steps[-1])
    index = index_of(siblings, steps[-1])
    if index + 1 < len(siblings):
        return place_after(snapshot, siblings[index + 1].id)
    return place_out(snapshot, steps)


def place_in(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move in: the end of the sibling before."""
    siblings = snapshot.siblings(steps[0])
    index = index_of(siblings, steps[0])
    return place_inside(snapshot, siblings[index - 1].id) if index > 0 else None


def place_out(snapshot: Snapshot, steps: tuple[StepId, ...]) -> Place | None:
    """Where *steps* go when they move out: below their parent."""
    parent = snapshot.parent(steps[0])
    return place_after(snapshot, parent.id) if parent is not None else None


def place_towards(snapshot: Snapshot, steps: tuple[StepId, ...], way: Way) -> Place | None:
    """Where *steps* go when they move one place in the direction of *way*; None where it is not to be had."""
    return _WAYS[way](snapshot, steps)


_WAYS = {Way.UP: place_up, Way.DOWN: place_down, Way.IN: place_in, Way.OUT: place_out}
