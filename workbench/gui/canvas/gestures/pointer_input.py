"""What a press on the canvas can become: pushing it around, dragging steps elsewhere, selecting with a rubber band."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPixmap
from PySide6.QtWidgets import QApplication, QRubberBand

from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.canvas.content.shown_boxes import boxes_in
from workbench.gui.canvas.gestures.auto_scroll import AutoScroll
from workbench.gui.canvas.gestures.drops import DropFinder, DropPreview, drag_out, is_over_taker, move_words
from workbench.gui.canvas.gestures.gesture import CancelReason, Gesture, Pointer, pointer_at
from workbench.gui.canvas.gestures.hover import HoverWatch
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.canvas.steps.verbs import ORIGIN, Verbs, choose, chosen_by_click
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.selection import SelectionController
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.program import StepId

_SMALLEST_GHOST = 0.5
_LEADING = frozenset({HitPart.SOURCE, HitPart.FILE, HitPart.STUB})
"""What a click only leads somewhere from."""


class PanGesture:
    """Pushes the canvas around."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._grip = QPointF()
        self._before = QPoint()

    def start(self, pointer: Pointer) -> None:
        """Take hold of the canvas."""
        self._grip = pointer.at
        self._before = self._scrolled()
        self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, pointer: Pointer) -> None:
        """Keep the point that was taken under the pointer."""
        moved = (pointer.at - self._grip).toPoint()
        self._scroll_to(self._before - moved)

    def end(self, pointer: Pointer) -> None:
        """Let go."""
        self.move(pointer)
        self._view.viewport().unsetCursor()

    def cancel(self, reason: CancelReason) -> None:
        """Go back to where it was, unless the pointer just got lost on the way."""
        if reason is CancelReason.ESCAPE:
            self._scroll_to(self._before)
        self._view.viewport().unsetCursor()

    def _scrolled(self) -> QPoint:
        return QPoint(self._view.horizontalScrollBar().value(), self._view.verticalScrollBar().value())

    def _scroll_to(self, position: QPoint) -> None:
        self._view.horizontalScrollBar().setValue(position.x())
        self._view.verticalScrollBar().setValue(position.y())


class DragStepsGesture:
    """Moves *steps* to another slot. *ghost*: their picture."""

    def __init__(self, view: CanvasView, verbs: Verbs, preview: DropPreview, steps: tuple[StepId, ...]) -> None:
        self._view = view
        self._verbs = verbs
        self._preview = preview
        self.steps = steps
        self._finder = DropFinder(view, verbs)
        self.ghost = QPixmap()
        self._grip = QPointF()

    def start(self, pointer: Pointer) -> None:
        """Lift the step under the pointer."""
        box = next((each for each in self._view.shown.boxes.values() if each.step in self.steps), None)
        scale = max(self._view.zoom, _SMALLEST_GHOST)
        if box is not None:
            self.ghost = picture_of(box.content, self._view.theme, scale * self._view.devicePixelRatioF())
            self.ghost.setDevicePixelRatio(self._view.devicePixelRatioF())
            self._grip = QPointF(16, 12)
        self._preview.show_slots()
        self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        """Show where the steps would go, or why they cannot."""
        self._preview.move_ghost(self.ghost, pointer.scene + self._grip / self._view.zoom)
        drop = self._finder.find(pointer, self.steps)
        self._preview.show_drop(drop, move_words(self._view.state.snapshot, self.steps, drop), pointer.at)

    def end(self, pointer: Pointer) -> None:
        """Move the steps, if they may go there."""
        drop = self._finder.find(pointer, self.steps)
        self._preview.clear()
        if drop is not None and drop.refusal is None:
            self._verbs.do(drop.command)

    def cancel(self, reason: CancelReason) -> None:
        """Leave the steps where they are."""
        del reason  # nothing was changed yet, whatever the reason
        self._preview.clear()


class BandGesture:
    """Selects what a rubber band touches; with Shift or Ctrl in addition to what was selected."""

    def __init__(self, view: CanvasView, selection: SelectionController) -> None:
        self._view = view
        self._selection = selection
        self._origin = QPointF()
        self._before: tuple[StepId, ...] = ()
        self._kept: tuple[StepId, ...] = ()
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view.viewport())

    def start(self, pointer: Pointer) -> None:
        """Begin at a free spot."""
        self._origin = pointer.scene
        self._before = self._selection.selected
        adds = pointer.modifiers & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
        self._kept = self._before if adds else ()
        self._band.setGeometry(QRect(pointer.at.toPoint(), QSize()))
        self._band.show()

    def move(self, pointer: Pointer) -> None:
        """Span the band to the pointer, and select at once."""
        area = _spanned(self._origin, pointer.scene)
        zoom = self._view.zoom
        corner = pointer.at - (pointer.scene - QPointF(area.x, area.y)) * zoom
        size = QSize(round(area.width * zoom), round(area.height * zoom))
        self._band.setGeometry(QRect(corner.toPoint(), size))
        touched = steps_touching(self._view, area)
        kept = tuple(step for step in self._kept if step not in touched)
        self._selection.select((*kept, *touched), ORIGIN)

    def end(self, pointer: Pointer) -> None:
        """Keep what is selected."""
        self.move(pointer)
        self._close()

    def cancel(self, reason: CancelReason) -> None:
        """Select what was selected before."""
        if reason is not CancelReason.DOCUMENT_CHANGED:
            self._selection.select(self._before, ORIGIN)
        self._close()

    def _close(self) -> None:
        self._band.hide()
        self._band.deleteLater()


def steps_touching(view: CanvasView, area: Rect) -> tuple[StepId, ...]:
    """The steps whose words *area* touches, in the order of the layout."""
    boxes = (box for placed in view.state.layout.visible(area) for box in boxes_in(placed, area))
    shown = (box for box in boxes if box.shape is not Shape.CHIP)
    return tuple(dict.fromkeys(box.step.id for box in shown if box.step is not None))


def _spanned(one: QPointF, other: QPointF) -> Rect:
    left, top = min(one.x(), other.x()), min(one.y(), other.y())
    return Rect(left, top, abs(one.x() - other.x()), abs(one.y() - other.y()))


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button that went down on a step and may become a click or a drag.

    *was_selected*: it may be the start of dragging all that is selected, so a click on it
    chooses only when the button is released.
    """

    pointer: Pointer
    step: StepId
    was_selected: bool


class PointerInput(QObject):
    """Watches the viewport; knows which gesture is going on. At most one is."""

    edit_requested = Signal(object)  # Hit
    fold_requested = Signal(object)  # StepId
    insert_requested = Signal(object)  # DropSlot
    code_wanted = Signal(object)  # str, to be copied
    fixes_requested = Signal(object)  # StepId: the sign of its findings was clicked
    menu_requested = Signal(object)  # QPoint, on the screen
    file_requested = Signal(str)  # the path of a file, as links have it
    stub_requested = Signal(object)  # StepId: the first of the steps that are left out; None: of other playbooks

    def __init__(self, view: CanvasView, verbs: Verbs, selection: SelectionController, hover: HoverWatch) -> None:
        super().__init__(view)
        self.is_panning_by_key = False
        self.is_choosing = False
        self.preview = DropPreview(view)
        self.gesture: Gesture | None = None
        self._view = view
        self._verbs = verbs
        self._selection = selection
        self._hover = hover
        self._pressed: Pressed | None = None
        self._scroll = AutoScroll(view, self)
        self._scroll.scrolled.connect(self._on_scrolled)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the presses, moves and releases; everything else goes its usual way."""
        if isinstance(event, QMouseEvent) and (rule := self._rules().get(event.type())) is not None:
            return rule(pointer_at(self._view, event.position(), event.modifiers()), event.button())
        if event.type() is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent):
            self.menu_requested.emit(event.globalPos())
            return True
        if event.type() is QEvent.Type.WindowDeactivate:
            self.cancel(CancelReason.POINTER_LOST)
        return super().eventFilter(watched, event)

    def cancel(self, reason: CancelReason) -> bool:
        """End the gesture that is going on, without effect; false where there is none."""
        gesture, self.gesture, self._pressed = self.gesture, None, None
        self._scroll.stop(goes_back=reason is CancelReason.ESCAPE)
        if gesture is not None:
            gesture.cancel(reason)
        return gesture is not None

    def _rules(self) -> dict[QEvent.Type, Callable[[Pointer, Qt.MouseButton], bool]]:
        return {
            QEvent.Type.MouseButtonPress: self._press,
            QEvent.Type.MouseMove: self._move,
            QEvent.Type.MouseButtonRelease: self._release,
            QEvent.Type.MouseButtonDblClick: self._double_click,
        }

    def _press(self, pointer: Pointer, button: Qt.MouseButton) -> bool:
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.gesture is not None:
            return True
        if button is Qt.MouseButton.MiddleButton or (button is Qt.MouseButton.LeftButton and self.is_panning_by_key):
            self._begin(PanGesture(self._view), pointer)
            return True
        hit = self._view.state.hit(pointer.scene.x(), pointer.scene.y())
        if button is Qt.MouseButton.RightButton:
            self._choose_for_menu(pointer, hit)
        elif button is Qt.MouseButton.LeftButton:
            self._press_left(pointer, hit)
        return True

    def _press_left(self, pointer: Pointer, hit: Hit | None) -> None:
        slot = self._hover.slot
        if slot is not None and self._hover.is_on_plus(pointer.at):
            self.insert_requested.emit(slot)
        elif hit is not None and hit.part in _LEADING:
            self._go_where(hit)
        elif hit is None or hit.step is None:
            self._begin(BandGesture(self._view, self._selection), pointer)
        elif hit.part is HitPart.FOLD:
            self.fold_requested.emit(hit.step)
        elif hit.part is HitPart.COPY:
            self._choose(hit.step, pointer)
            self.code_wanted.emit(hit.code)
        elif hit.part is HitPart.TICK:
            self._verbs.tick(hit.step)
        elif hit.part is HitPart.PROBLEM:
            self._choose(hit.step, pointer)
            self.fixes_requested.emit(hit.step)
        else:
            self._pressed = Pressed(pointer, hit.step, hit.step in self._selection.selected)
            if not self._pressed.was_selected:
                self._choose(hit.step, pointer)

    def _go_where(self, hit: Hit) -> None:
        """Follow a box that stands for no step."""
        if hit.part is HitPart.SOURCE:
            self._selection.select((), ORIGIN)
            self._selection.show_place(self._view.state.source_of(hit))
        elif hit.part is HitPart.FILE:
            self.file_requested.emit(hit.file)
        else:
            self.stub_requested.emit(hit.step)

    def _move(self, pointer: Pointer, button: Qt.MouseButton) -> bool:
        del button  # moves have none
        pressed = self._pressed
        if self.gesture is None and pressed is not None:
            away = (pointer.at - pressed.pointer.at).manhattanLength()
            if away >= QApplication.startDragDistance():
                self._begin_drag(pressed)
        if self.gesture is None:
            return False
        if isinstance(self.gesture, DragStepsGesture) and is_over_taker(self._view, pointer.at):
            self._drag_out(self.gesture)
            return True
        self.gesture.move(pointer)
        if not isinstance(self.gesture, PanGesture):
            self._scroll.watch(pointer.at)
        return True

    def _drag_out(self, gesture: DragStepsGesture) -> None:
        """The pointer has come to another document: from here on, the drag is one between documents."""
        self.cancel(CancelReason.POINTER_LOST)
        drag_out(self._view, self._verbs, gesture.steps, gesture.ghost)

    def _begin_drag(self, pressed: Pressed) -> None:
        steps = self._verbs.steps
        if steps:
            self._begin(DragStepsGesture(self._view, self._verbs, self.preview, steps), pressed.pointer)
        self._pressed = None

    def _release(self, pointer: Pointer, button: Qt.MouseButton) -> bool:
        del button  # whichever began the gesture
        gesture, self.gesture = self.gesture, None
        pressed, self._pressed = self._pressed, None
        revision = self._verbs.documents.snapshot.revision
        if gesture is not None:
            gesture.end(pointer)
        elif pressed is not None and pressed.was_selected:
            self._choose(pressed.step, pressed.pointer)
        is_in_vain = isinstance(gesture, DragStepsGesture) and self._verbs.documents.snapshot.revision == revision
        self._scroll.stop(goes_back=is_in_vain)
        return True

    def _double_click(self, pointer: Pointer, button: Qt.MouseButton) -> bool:
        hit = self._view.state.hit(pointer.scene.x(), pointer.scene.y())
        if button is Qt.MouseButton.LeftButton and hit is not None and hit.part is HitPart.TICK:
            self._press_left(pointer, hit)
        elif button is Qt.MouseButton.LeftButton and hit is not None and hit.part is not HitPart.STUB:
            self.edit_requested.emit(hit)
        return True

    def _begin(self, gesture: Gesture, pointer: Pointer) -> None:
        self.gesture = gesture
        self._hover.leave()
        gesture.start(pointer)

    def _choose_for_menu(self, pointer: Pointer, hit: Hit | None) -> None:
        if hit is None or hit.step is None or hit.part is HitPart.STUB:
            return
        if hit.step not in self._selection.selected:
            self._choose(hit.step, pointer)

    def _choose(self, step: StepId, pointer: Pointer) -> None:
        """Select by a click: what was clicked is in view, so the canvas must not move under the pointer."""
        steps = chosen_by_click(self._view.state.snapshot, self._selection.selected, step, pointer.modifiers)
        self.is_choosing = True
        choose(self._selection, steps)
        self.is_choosing = False

    @Slot()
    def _on_scrolled(self) -> None:
        if self.gesture is not None:
            self.gesture.move(pointer_at(self._view, self._scroll.at, Qt.KeyboardModifier.NoModifier))
