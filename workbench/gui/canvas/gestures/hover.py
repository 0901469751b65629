"""What the pointer is over: the step, its links to other places, and the sign that inserts on an edge."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Slot
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from workbench.gui.canvas.content.canvas_state import CanvasState, HitPart, finding_line, findings_on, findings_words
from workbench.gui.canvas.content.drop_slots import Aim, DropSlot, slot_near
from workbench.gui.canvas.content.file_nodes import FileLabel
from workbench.gui.canvas.content.links import links_of
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.overlay import PLUS_RADIUS_PX
from workbench.gui.canvas.steps.verbs import ORIGIN
from workbench.gui.canvas.view.camera import reveal, scene_point
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.explaining.help_controller import Told
from workbench.gui.control.selection import Hover, SelectionController
from workbench.gui.words.kinds import word_for
from workbench.gui.words.run_words import comment_of, told_words
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.model.program import Step, StepId

_SLOT_REACH_PX = 14.0


class HoverWatch(QObject):
    """Follows the pointer over the canvas, and what other panes say it is over."""

    def __init__(self, view: CanvasView, selection: SelectionController) -> None:
        super().__init__(view)
        self._view = view
        self._selection = selection
        self.slot: DropSlot | None = None
        selection.hover_changed.connect(self._on_hover_changed)
        view.viewport().installEventFilter(self)

    def follow(self, at: QPointF) -> None:
        """The pointer is at *at* of the viewport, with no button down."""
        point = scene_point(self._view, at)
        hit = self._view.state.hit(point.x(), point.y())
        is_step = hit is not None and hit.part is not HitPart.STUB
        self._selection.hover(hit.step if hit is not None and is_step else None, ORIGIN)
        self._show_slot(None if hit is not None or self._view.is_far else self._slot_at(point))

    def leave(self) -> None:
        """The pointer is not over anything."""
        self._selection.hover(None, ORIGIN)
        self._show_slot(None)

    def is_on_plus(self, at: QPointF) -> bool:
        """True when *at* of the viewport is on the sign that inserts."""
        plus = self._view.look.plus
        if plus is None:
            return False
        away = scene_point(self._view, at) - QPointF(*plus)
        return away.manhattanLength() <= PLUS_RADIUS_PX * 1.6  # a little more than its circle: it is small to hit

    def told_here(self) -> Told | None:
        """All of that of the step that was selected last, which is brought into view; None where none is."""
        state, view = self._view.state, self._view
        step = next((state.snapshot.find(each) for each in reversed(self._selection.selected)), None)
        if step is None:
            return None
        found = state.layout.box_of(step.id)
        place = found[0].words_rect(found[1]) if found is not None else None
        if place is not None:
            reveal(view, place)
        words = "\n".join(part for part in (step_words(state, step), problems_of(state, step.id)) if part)
        area = view.viewport().rect()
        if place is not None:
            area = area.intersected(view.mapFromScene(area_of(place)).boundingRect())
        return Told(words, area.translated(view.viewport().mapToGlobal(QPoint())))

    def relink(self) -> None:
        """Show the links of what is hovered and selected."""
        steps = dict.fromkeys((*self._selection.selected[:8], *_one(self._selection.hovered)))
        links = tuple(link for step in steps for link in links_of(self._view.state, step))
        if links != self._view.look.links:
            self._view.look.links = links
            self._view.viewport().update()

    def _slot_at(self, point: QPointF) -> DropSlot | None:
        state = self._view.state
        return slot_near(state.snapshot, state.layout, Aim(point.x(), point.y(), _SLOT_REACH_PX))

    def _show_slot(self, slot: DropSlot | None) -> None:
        if slot != self.slot:
            before, self.slot = self.slot, slot
            self._view.look.plus = plus_of(slot) if slot is not None else None
            self._view.refresh(each.rect for each in (before, slot) if each is not None)

    @Slot(object)
    def _on_hover_changed(self, hover: Hover) -> None:
        before, self._view.look.hovered = self._view.look.hovered, hover.step
        self._view.refresh_steps(step for step in (before, hover.step) if step is not None)
        self.relink()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer; tell the whole text of what it rests on."""
        if event.type() is QEvent.Type.MouseMove and isinstance(event, QMouseEvent) and not event.buttons():
            self.follow(event.position())
        elif event.type() is QEvent.Type.Leave:
            self.leave()
        elif event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = scene_point(self._view, QPointF(event.pos()))
            words = tooltip_at(self._view.state, point.x(), point.y())
            QToolTip.showText(event.globalPos(), tip(words), self._view)
            return True
        return super().eventFilter(watched, event)


def plus_of(slot: DropSlot) -> tuple[float, float]:
    """The middle of *slot*."""
    return slot.rect.x + slot.rect.width / 2, slot.rect.y + slot.rect.height / 2


def tooltip_at(state: CanvasState, x: float, y: float) -> str:
    """Kind and whole text of the step at a point, or what the playbook is for; on a sign, what is wrong.

    Empty where there is nothing of that.
    """
    hit = state.hit(x, y)
    if hit is not None and hit.part is HitPart.FILE:
        return file_words(hit.file, state.label_of(hit.file))
    if hit is not None and hit.part is HitPart.STUB:
        return _("Click to show what is left out here")
    if hit is not None and hit.part in (HitPart.TITLE, HitPart.SOURCE):
        program = state.snapshot.program
        about = program.playbook(hit.playbook) or program.function(hit.playbook)
        return about.description if about is not None else ""
    step = state.snapshot.find(hit.step) if hit is not None and hit.step is not None else None
    if step is None:
        return ""
    if hit is not None and hit.part is HitPart.PROBLEM:
        return problems_of(state, step.id)
    if hit is not None and hit.part is HitPart.COPY:
        return _("Copy this code")
    if hit is not None and hit.part is HitPart.TICK:
        return _("Empty this box") if step.is_ticked else _("Tick this box")
    return step_words(state, step)


def step_words(state: CanvasState, step: Step) -> str:
    """Number and kind, all words and the comment of *step*."""
    head = f"{state.snapshot.number(step.id)}  {word_for(step)}".strip()
    return "\n".join(part for part in (head, told_words(step), comment_of(step)) if part)


def file_words(path: str, label: FileLabel) -> str:
    """What a click on the box of the file *path* does."""
    if label.is_missing:
        return _("{path} is not there").format(path=path)
    return "\n".join(part for part in (label.title, _("Click to open {path}").format(path=path)) if part)


def problems_of(state: CanvasState, step: StepId) -> str:
    """What is wrong with the block of *step*; of what it hides with the numbers of the steps, as a click lists it."""
    found = findings_on(state.snapshot, step, state.folded)
    is_own = all(each.step == step for each in found)
    return findings_words(found, lambda each: each.finding.message if is_own else finding_line(state.snapshot, each))


def _one(step: StepId | None) -> tuple[StepId, ...]:
    return () if step is None else (step,)
