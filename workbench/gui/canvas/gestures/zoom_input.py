"""Zooming with the wheel and with two fingers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

from workbench.gui.canvas.view import zoom_levels
from workbench.gui.canvas.view.camera import zoom_to
from workbench.gui.canvas.view.canvas_view import CanvasView

_NOTCH = 120
_PER_NOTCH = 1.25


class ZoomInput(QObject):
    """Watches the viewport: Ctrl and wheel, or a pinch, zoom around the pointer.

    The wheel alone scrolls down and up, with Shift sideways.
    """

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        view.viewport().grabGesture(Qt.GestureType.PinchGesture)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what zooms."""
        if isinstance(event, QWheelEvent) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            zoom_to(self._view, self._zoom_after(event.angleDelta().y()), event.position())
            return True
        if isinstance(event, QWheelEvent) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across = self._view.horizontalScrollBar()
            across.setValue(across.value() - event.angleDelta().y())
            return True
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            zoom_to(self._view, self._view.zoom * (1 + event.value()), event.position())
            return True
        if isinstance(event, QGestureEvent):
            return self._pinch(event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    def _pinch(self, event: QGestureEvent) -> bool:
        """Two fingers on a touch screen."""
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        at = self._view.viewport().mapFromGlobal(pinch.centerPoint())
        zoom_to(self._view, self._view.zoom * pinch.scaleFactor(), at)
        event.accept(pinch)
        return True

    def _zoom_after(self, turned: int) -> float:
        """Whole notches go along the ladder of sharp steps; finer wheels zoom as far as they turn."""
        if turned == _NOTCH:
            return zoom_levels.next_larger(self._view.zoom)
        if turned == -_NOTCH:
            return zoom_levels.next_smaller(self._view.zoom)
        return float(self._view.zoom * _PER_NOTCH ** (turned / _NOTCH))
