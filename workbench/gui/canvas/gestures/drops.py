"""What happens when steps, or the words of a new one, are dropped: where they go, and how that is told.

Steps that are moved and new ones from the palette ask the same question.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.editing.commands import Command, InsertLines, InsertStep, MoveSteps, Place, Refusal
from workbench.gui.canvas.content.drop_slots import REACH_PX, Aim, DropSlot, slot_near
from workbench.gui.canvas.gestures.gesture import Pointer
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.i18n import _
from workbench.model.program import SectionKind, StepId
from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Drop:
    """What a release would do now: the command, and why it cannot be done, if so."""

    slot: DropSlot
    command: Command
    refusal: Refusal | None


class DropFinder:
    """The drop under the pointer; the question is asked once per slot, not once per move."""

    def __init__(self, view: CanvasView, verbs: Verbs) -> None:
        self._view = view
        self._verbs = verbs
        self._last: Drop | None = None

    def find(self, pointer: Pointer, dragged: tuple[StepId, ...] | str) -> Drop | None:
        """What happens when *dragged* (steps, or the words of a new one) is released at *pointer*."""
        state = self._view.state
        reach = max(REACH_PX, REACH_PX / 3 / self._view.zoom)
        section = section_of(state.snapshot, dragged)
        slot = slot_near(state.snapshot, state.layout, Aim(pointer.scene.x(), pointer.scene.y(), reach, section))
        if slot is None:
            self._last = None
        elif self._last is None or self._last.slot != slot:
            command = command_for(dragged, slot.place)
            self._last = Drop(slot, command, self._verbs.can(command))
        return self._last


def section_of(snapshot: Snapshot, dragged: tuple[StepId, ...] | str) -> SectionKind:
    """The list that *dragged* belongs to; new steps go among the steps."""
    if isinstance(dragged, str) or not snapshot.has(dragged[0]):
        return SectionKind.STEPS
    return snapshot.section_of(dragged[0]).kind


def command_for(dragged: tuple[StepId, ...] | str, place: Place) -> Command:
    """The command that puts *dragged* at *place*; words that begin with a bullet are steps in source form."""
    if not isinstance(dragged, str):
        return MoveSteps(dragged, place)
    return InsertLines(place, dragged) if dragged.startswith("- ") else InsertStep(place, dragged)


def move_words(snapshot: Snapshot, steps: tuple[StepId, ...], drop: Drop | None) -> str:
    """Which source lines would go where."""
    if drop is None:
        return ""
    lines = [line_range(snapshot, step) for step in steps]
    moved = lines[0] if len(lines) == 1 else (min(lines)[0], max(last for _first, last in lines))
    what = _("Line {first}") if moved[0] == moved[1] else _("Lines {first}–{last}")
    if len(steps) > 1:
        what = _("{count} steps, lines {first}–{last}")
    what = what.format(count=len(steps), first=moved[0], last=moved[1])
    return f"{what} → {place_words(snapshot, drop.slot.place)}"


def insert_words(snapshot: Snapshot, drop: Drop | None) -> str:
    """Where a new line would stand."""
    return "" if drop is None else f"{_('New line')} → {place_words(snapshot, drop.slot.place)}"


def place_words(snapshot: Snapshot, place: Place) -> str:
    """*place*, by lines of the source."""
    if place.after is not None and snapshot.has(place.after):
        return _("below line {line}").format(line=line_range(snapshot, place.after)[1])
    if place.parent is not None and snapshot.has(place.parent):
        return _("inside line {line}").format(line=snapshot.line(place.parent))
    return _("first in {playbook}").format(playbook=place.playbook)


def line_range(snapshot: Snapshot, step: StepId) -> tuple[int, int]:
    """The first and last source line of *step* with all it owns, 1-based."""
    span = snapshot.owned_span(step)
    last = max(span.start, span.end - 1)
    return snapshot.lines.line(span.start) + 1, snapshot.lines.line(last) + 1
