"""Keys of the canvas that are no shortcuts of the window: arrows by structure, Enter, F, Esc, Space."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent

from workbench.gui.canvas.content.canvas_state import CanvasState, leaves_out
from workbench.gui.canvas.content.structure_walk import first_step, last_step, next_step, previous_step
from workbench.gui.canvas.gestures.gesture import CancelReason
from workbench.gui.canvas.gestures.pointer_input import PointerInput
from workbench.gui.canvas.steps.verbs import choose, range_between
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.view.focus_frame import FocusFrame
from workbench.gui.control.selection import SelectionController
from workbench.model.program import StepId

_PLAIN = frozenset({Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier})


class KeyInput(QObject):
    """Watches the view."""

    edit_requested = Signal(object)  # StepId
    fold_requested = Signal(object)  # StepId

    def __init__(self, view: CanvasView, pointer: PointerInput, selection: SelectionController) -> None:
        super().__init__(view)
        self._view = view
        self._pointer = pointer
        self._selection = selection
        self._frame = FocusFrame(view)
        selection.selection_changed.connect(self._frame.hide)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that are ours."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._press(event) or super().eventFilter(watched, event)
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyRelease:
            return self._release(event) or super().eventFilter(watched, event)
        if isinstance(event, QFocusEvent):
            self._take_focus(event)
        return super().eventFilter(watched, event)

    def _take_focus(self, event: QFocusEvent) -> None:
        """Show where the focus is: on the selected steps, or else around the canvas for whoever came by keyboard."""
        self._view.look.has_focus = event.gotFocus()
        self._view.refresh_steps(self._selection.selected)
        if event.gotFocus() and event.reason() in _BY_KEYS and not self._selection.selected:
            self._frame.show_around()
        else:
            self._frame.hide()

    def _press(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            return self._pointer.cancel(CancelReason.ESCAPE) or self._choose_nothing()
        if event.key() == Qt.Key.Key_Space:
            return self._hold_space(event)
        if event.key() in _WALKS and event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier in _PLAIN:
            return self._walk(event)
        selected = self._selection.selected
        if event.modifiers() not in _PLAIN or len(selected) != 1:
            return False
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.edit_requested.emit(selected[0])
            return True
        if event.key() == Qt.Key.Key_F:
            self.fold_requested.emit(selected[0])
            return True
        return False

    def _release(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._pointer.is_panning_by_key = False
            self._view.viewport().unsetCursor()
            return True
        return False

    def _hold_space(self, event: QKeyEvent) -> bool:
        if not event.isAutoRepeat():
            self._pointer.is_panning_by_key = True
            self._view.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        return True

    def _choose_nothing(self) -> bool:
        choose(self._selection, ())
        return True

    def _walk(self, event: QKeyEvent) -> bool:
        """Select where an arrow, Home or End leads; with Shift, everything from what is selected to there."""
        state = self._view.state
        current = next((step for step in reversed(self._selection.selected) if state.snapshot.has(step)), None)
        goal = self._goal(event.key(), state, current)
        if goal is None:
            return True
        is_extending = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and current is not None
        steps: tuple[StepId, ...] = (goal,)
        if is_extending and current is not None:
            steps = _extended(state, self._selection.selected, goal)
        choose(self._selection, steps)
        return True

    def _goal(self, key: int, state: CanvasState, step: StepId | None) -> StepId | None:
        """Where a key leads: to the last step or the first, where all ways begin; next, previous, into, out."""
        if key == Qt.Key.Key_End:
            return last_step(state)
        if key == Qt.Key.Key_Home or step is None:
            return first_step(state)
        if key == Qt.Key.Key_Down:
            return next_step(state, step)
        if key == Qt.Key.Key_Up:
            return previous_step(state, step)
        if key == Qt.Key.Key_Left:
            parent = state.snapshot.parent(step)
            return parent.id if parent is not None else None
        if step in state.folded:
            self.fold_requested.emit(step)
        children = (child.id for child in state.snapshot.step(step).children)
        return next((child for child in children if not leaves_out(state, child)), None)


def _extended(state: CanvasState, selected: tuple[StepId, ...], goal: StepId) -> tuple[StepId, ...]:
    """Everything from the first selected step to *goal*, which comes last."""
    steps = range_between(state.snapshot, selected[0], goal)
    return (selected[0], *(step for step in steps if step not in {selected[0], goal}), goal)


_BY_KEYS = frozenset(
    {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
)
_WALKS = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
