"""Dragging over the flowchart: where a drop would go, how that is shown, and what it does."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QDrag, QDropEvent, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsPixmapItem, QGraphicsRectItem

from workbench.editing.commands import Command, DeleteSteps, InsertLines, InsertStep, MoveSteps, Place, Refusal
from workbench.editing.geometry.indentation import source_of
from workbench.gui.canvas.content.canvas_state import CanvasState, HitPart
from workbench.gui.canvas.content.drop_slots import REACH_PX, Aim, DropSlot, slot_near, slots_in
from workbench.gui.canvas.gestures.auto_scroll import AutoScroll
from workbench.gui.canvas.gestures.gesture import Pointer, pointer_at
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.control.step_mime import TAKES_STEPS, SourceLines, mime_of_lines, words_in
from workbench.gui.look.label import Label
from workbench.gui.look.theming import set_role
from workbench.i18n import _, ngettext
from workbench.model.program import PlaybookMode, SectionKind, StepId
from workbench.model.snapshot import Snapshot

Dragged = tuple[StepId, ...] | str
"""Steps of the document, the words of a new one, or the source of steps of another document."""
_GHOST_OPACITY = 0.75
_ABOVE_ALL = 100.0
_BAR_PX = 4.0
_HINT_WIDTH_PX = 320
_HINT_OFFSET = QPoint(18, 18)


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
        x, y = pointer.scene.x(), pointer.scene.y()
        slot = slot_on(state, x, y) or slot_near(state.snapshot, state.layout, Aim(x, y, reach, section))
        if slot is None:
            self._last = None
        elif self._last is None or self._last.slot != slot:
            command = command_for(dragged, slot.place)
            self._last = Drop(slot, command, self._verbs.can(command))
        return self._last


def slot_on(state: CanvasState, x: float, y: float) -> DropSlot | None:
    """What would be the slot of a single request or a function at a point: the refusal says why it takes no step."""
    hit = state.hit(x, y)
    if hit is None or hit.part is not HitPart.SOURCE:
        return None
    playbook = state.snapshot.program.playbook(hit.playbook)
    takes_steps = playbook is not None and playbook.mode is not PlaybookMode.RAW
    return None if takes_steps else DropSlot(Place(hit.playbook), hit.rect)


def section_of(snapshot: Snapshot, dragged: tuple[StepId, ...] | str) -> SectionKind:
    """The list that *dragged* belongs to; new steps go among the steps."""
    if isinstance(dragged, str) or not snapshot.has(dragged[0]):
        return SectionKind.STEPS
    return snapshot.section_of(dragged[0]).kind


def command_for(dragged: tuple[StepId, ...] | str, place: Place) -> Command:
    """The command that puts *dragged* at *place*; words that begin with a bullet are steps in source form."""
    if not isinstance(dragged, str):
        return MoveSteps(dragged, place)
    if isinstance(dragged, SourceLines):
        return InsertLines(place, dragged)
    return InsertLines(place, dragged) if dragged.startswith("- ") else InsertStep(place, dragged)


def move_words(snapshot: Snapshot, steps: tuple[StepId, ...], drop: Drop | None) -> str:
    """Which source lines would go where."""
    if drop is None:
        return ""
    lines = [line_range(snapshot, step) for step in steps]
    moved = lines[0] if len(lines) == 1 else (min(lines)[0], max(last for _first, last in lines))
    what = _("Line {first}") if moved[0] == moved[1] else _("Lines {first}–{last}")
    if len(steps) > 1:
        what = ngettext("{count} step, lines {first}–{last}", "{count} steps, lines {first}–{last}", len(steps))
    what = what.format(first=moved[0], last=moved[1])
    return f"{what} → {place_words(snapshot, drop.slot.place)}"


def insert_words(snapshot: Snapshot, drop: Drop | None, what: str) -> str:
    """Where *what* would stand."""
    return "" if drop is None else f"{what} → {place_words(snapshot, drop.slot.place)}"


def is_over_taker(view: CanvasView, at: QPointF) -> bool:
    """Whether *at*, in the viewport of *view*, lies on something else that takes steps: another flowchart, a tab."""
    if view.viewport().rect().contains(at.toPoint()):
        return False
    over = QApplication.widgetAt(view.viewport().mapToGlobal(at.toPoint()))
    return over is not None and bool(over.property(TAKES_STEPS))


def drag_out(view: CanvasView, verbs: Verbs, steps: tuple[StepId, ...], picture: QPixmap) -> None:
    """Let the person drop *steps* on another document: a copy, or with Shift the steps themselves."""
    document = verbs.documents.document
    drag = QDrag(view)
    drag.setMimeData(mime_of_lines(source_of(document.snapshot, steps)))
    drag.setPixmap(picture)
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    if drag.exec(actions, Qt.DropAction.CopyAction) is Qt.DropAction.MoveAction:
        verbs.documents.execute_in(document, DeleteSteps(steps))


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


class DropPreview:
    """Draws the preview of one drag at a time; ``clear`` takes all of it away."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._ghost: QGraphicsPixmapItem | None = None
        self._bar: QGraphicsRectItem | None = None
        self._hint = Label(parent=view.viewport())
        self._hint.setObjectName("canvas-hint")
        self._hint.setMaximumWidth(_HINT_WIDTH_PX)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()

    def show_slots(self) -> None:
        """Show every slot that is on the screen, faintly."""
        if not self._view.is_far:
            found = slots_in(self._view.state.layout, visible_rect(self._view))
            self._view.look.slots = tuple(rect for _playbook, _slot, rect in found)
            self._view.viewport().update()

    def move_ghost(self, picture: QPixmap, at: QPointF) -> None:
        """Show *picture* with its top left at *at* of the canvas."""
        if self._ghost is None:
            self._ghost = QGraphicsPixmapItem(picture)
            self._ghost.setOpacity(_GHOST_OPACITY)
            self._ghost.setZValue(_ABOVE_ALL)
            self._ghost.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            self._view.scene().addItem(self._ghost)
        self._ghost.setPos(at)

    def show_drop(self, drop: Drop | None, words: str, at: QPointF) -> None:
        """Show where *drop* goes, and *words* beside the pointer, which is at *at*; or why it cannot go there."""
        theme = self._view.theme
        if drop is None:
            self._drop_bar()
            self._say(_("Nothing can stand here. Drop it between two steps."), "problem", at)
        elif drop.refusal is None:
            self._mark_slot(drop.slot, theme.accent)
            self._say(words, "", at)
        else:
            self._mark_slot(drop.slot, theme.failed)
            self._say(drop.refusal.message, "problem", at)

    def _mark_slot(self, slot: DropSlot, color: str) -> None:
        if self._bar is None:
            self._bar = QGraphicsRectItem()
            self._bar.setZValue(_ABOVE_ALL - 1)
            self._view.scene().addItem(self._bar)
        height = max(_BAR_PX, 3 / self._view.zoom)
        middle = slot.rect.y + slot.rect.height / 2
        self._bar.setRect(slot.rect.x, middle - height / 2, slot.rect.width, height)
        self._bar.setBrush(QColor(color))
        self._bar.setPen(QPen(Qt.PenStyle.NoPen))

    def _say(self, words: str, role: str, at: QPointF) -> None:
        set_role(self._hint, role)
        self._hint.setWordWrap(self._hint.fontMetrics().horizontalAdvance(words) > _HINT_WIDTH_PX - 20)
        self._hint.setText(words)
        self._hint.adjustSize()
        below_ghost = QPoint(0, self._ghost_height() + 6 if self._ghost is not None else 0)
        self._hint.move(self._inside(at.toPoint() + _HINT_OFFSET + below_ghost))
        self._hint.show()
        self._hint.raise_()

    @property
    def words(self) -> str:
        """What is shown beside the pointer."""
        return self._hint.text() if self._hint.isVisible() else ""

    def clear(self) -> None:
        """Show nothing."""
        self._hint.hide()
        self._drop_bar()
        if self._ghost is not None:
            self._view.scene().removeItem(self._ghost)
            self._ghost = None
        if self._view.look.slots:
            self._view.look.slots = ()
            self._view.viewport().update()

    def _ghost_height(self) -> int:
        picture = self._ghost.pixmap() if self._ghost is not None else QPixmap()
        return round(picture.height() / picture.devicePixelRatio())

    def _drop_bar(self) -> None:
        if self._bar is not None:
            self._view.scene().removeItem(self._bar)
            self._bar = None

    def _inside(self, at: QPoint) -> QPoint:
        """*at*, moved so that the words stay inside the viewport."""
        area = self._view.viewport().rect()
        x = min(at.x(), area.right() - self._hint.width())
        y = min(at.y(), area.bottom() - self._hint.height())
        return QPoint(max(0, x), max(0, y))


class DropInput(QObject):
    """Watches the viewport for drags that come from outside."""

    step_dropped = Signal(object)  # StepId

    def __init__(self, view: CanvasView, verbs: Verbs, preview: DropPreview) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._preview = preview
        self._finder = DropFinder(view, verbs)
        self._dragged: Dragged | None = None
        self._scroll = AutoScroll(view, self)
        self._scroll.scrolled.connect(self._on_scrolled)
        view.viewport().setAcceptDrops(True)
        view.viewport().setProperty(TAKES_STEPS, True)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags of new steps; files that are dragged here go on to the window."""
        if isinstance(event, QDropEvent) and event.type() in _DRAGGING:
            words = words_in(event.mimeData())
            if words is None:
                event.ignore()
                return True
            self._dragged = self._own_steps(event) or words
            return self._drag(event, self._dragged)
        if event.type() is QEvent.Type.DragLeave:
            self._stop(goes_back=True)
            return True
        return super().eventFilter(watched, event)

    def _own_steps(self, event: QDropEvent) -> tuple[StepId, ...]:
        """The steps, where they were dragged out of this flowchart and have come back: they move as ever."""
        steps = self._verbs.steps
        is_back = event.source() is self._view and isinstance(words_in(event.mimeData()), SourceLines)
        own = source_of(self._verbs.documents.snapshot, steps) if is_back and steps else ""
        return steps if own and own == words_in(event.mimeData()) else ()

    def _drag(self, event: QDropEvent, dragged: Dragged) -> bool:
        pointer = pointer_at(self._view, event.position(), event.modifiers())
        is_move = isinstance(dragged, SourceLines) and pointer.modifiers & Qt.KeyboardModifier.ShiftModifier
        event.setDropAction(Qt.DropAction.MoveAction if is_move else Qt.DropAction.CopyAction)
        if event.type() is QEvent.Type.Drop:
            self._drop(pointer, dragged, event)
            return True
        if event.type() is QEvent.Type.DragEnter:
            self._preview.show_slots()
        self._scroll.watch(event.position())
        self._show(pointer, dragged)
        event.accept()
        return True

    def _show(self, pointer: Pointer, dragged: Dragged) -> None:
        drop, snapshot = self._finder.find(pointer, dragged), self._view.state.snapshot
        if not isinstance(dragged, str):
            words = move_words(snapshot, dragged, drop)
        elif isinstance(dragged, SourceLines):
            is_move = pointer.modifiers & Qt.KeyboardModifier.ShiftModifier
            words = insert_words(snapshot, drop, _("Move here") if is_move else _("Copy here (Shift moves)"))
        else:
            words = insert_words(snapshot, drop, _("New line"))
        self._preview.show_drop(drop, words, pointer.at)

    def _drop(self, pointer: Pointer, dragged: Dragged, event: QDropEvent) -> None:
        drop = self._finder.find(pointer, dragged)
        self._stop(goes_back=drop is None or drop.refusal is not None)
        if drop is None or drop.refusal is not None:
            event.ignore()
            return
        steps = self._verbs.do(drop.command)
        if not steps and isinstance(dragged, SourceLines):
            event.ignore()  # it could not be put here after all, so that it must not be taken away there
            return
        event.accept()
        if steps and isinstance(dragged, str) and not isinstance(dragged, SourceLines):
            self.step_dropped.emit(steps[0])

    def _stop(self, *, goes_back: bool) -> None:
        self._dragged = None
        self._scroll.stop(goes_back=goes_back)
        self._preview.clear()

    @Slot()
    def _on_scrolled(self) -> None:
        if self._dragged is not None:
            self._preview.show_slots()
            self._show(pointer_at(self._view, self._scroll.at, Qt.KeyboardModifier.NoModifier), self._dragged)


_DRAGGING = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop})
