"""Choosing steps on the canvas: what a click selects, and how the other panes hear of it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.gui.control.selection import SelectionController
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

# who the canvas is to the other panes, whichever of its parts selects
ORIGIN = "canvas"


def choose(selection: SelectionController, steps: tuple[StepId, ...]) -> None:
    """Select *steps* and let every pane show them."""
    selection.reveal(steps, ORIGIN)


def chosen_by_click(
    snapshot: Snapshot, selected: tuple[StepId, ...], step: StepId, modifiers: Qt.KeyboardModifier
) -> tuple[StepId, ...]:
    """What is selected after a click on *step* with *modifiers* held."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier and selected and snapshot.has(selected[-1]):
        return range_between(snapshot, selected[-1], step)
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return tuple(each for each in selected if each != step) if step in selected else (*selected, step)
    return (step,)


def range_between(snapshot: Snapshot, one: StepId, other: StepId) -> tuple[StepId, ...]:
    """The steps from *one* to *other* in source order, both included; *one* comes last, to go on from there."""
    heads = sorted((snapshot.head_span(one), snapshot.head_span(other)))
    within = snapshot.steps_within(Span(heads[0].start, max(heads[1].end, heads[1].start + 1)))
    steps = dict.fromkeys((*within, one, other))
    steps.pop(one)
    return (*steps, one)
