"""New steps dropped on the canvas: the same slots, question and preview as for steps that are moved."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent

from workbench.gui.canvas.gestures.auto_scroll import AutoScroll
from workbench.gui.canvas.gestures.drop_preview import DropPreview
from workbench.gui.canvas.gestures.drops import DropFinder, insert_words
from workbench.gui.canvas.gestures.gesture import Pointer, pointer_at
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.step_mime import words_in


class DropInput(QObject):
    """Watches the viewport for drags that come from outside."""

    step_dropped = Signal(object)  # StepId

    def __init__(self, view: CanvasView, verbs: Verbs, preview: DropPreview) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._preview = preview
        self._finder = DropFinder(view, verbs)
        self._words: str | None = None
        self._scroll = AutoScroll(view, self)
        self._scroll.scrolled.connect(self._on_scrolled)
        view.viewport().setAcceptDrops(True)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags of new steps; files that are dragged here go on to the window."""
        if isinstance(event, QDropEvent) and event.type() in _DRAGGING:
            words = words_in(event.mimeData())
            if words is None:
                event.ignore()
                return True
            self._words = words
            return self._drag(event, words)
        if event.type() is QEvent.Type.DragLeave:
            self._stop()
            return True
        return super().eventFilter(watched, event)

    def _drag(self, event: QDropEvent, words: str) -> bool:
        pointer = pointer_at(self._view, event.position(), event.modifiers())
        if event.type() is QEvent.Type.Drop:
            self._drop(pointer, words, event)
            return True
        if event.type() is QEvent.Type.DragEnter:
            self._preview.show_slots()
        self._scroll.watch(event.position())
        self._show(pointer, words)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        return True

    def _show(self, pointer: Pointer, words: str) -> None:
        drop = self._finder.find(pointer, words)
        self._preview.show_drop(drop, insert_words(self._view.state.snapshot, drop), pointer.at)

    def _drop(self, pointer: Pointer, words: str, event: QDropEvent) -> None:
        drop = self._finder.find(pointer, words)
        self._stop()
        if drop is None or drop.refusal is not None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if steps := self._verbs.do(drop.command):
            self.step_dropped.emit(steps[0])

    def _stop(self) -> None:
        self._words = None
        self._scroll.stop()
        self._preview.clear()

    @Slot()
    def _on_scrolled(self) -> None:
        if self._words is not None:
            self._preview.show_slots()
            self._show(pointer_at(self._view, self._scroll.at, Qt.KeyboardModifier.NoModifier), self._words)


_DRAGGING = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop})
