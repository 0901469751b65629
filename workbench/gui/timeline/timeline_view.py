"""The timeline as a person handles it: zoom at the pointer, drag to pan, click, hover, keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.bars.bars import Bar
from workbench.gui.timeline.time_navigator import Mode
from workbench.gui.timeline.timeline_canvas import TimelineCanvas
from workbench.gui.timeline.timeline_keys import KeyAct, act_of, neighbour
from workbench.i18n import _

DRAG_PX = 4
WHEEL_STEP = 1.2
KEY_STEP = 1.5
KEY_PAN_PX = 60


class TimelineView(TimelineCanvas):
    """Shows one run. Without a wheel or a mouse: arrows walk from bar to bar, + and - zoom, F follows."""

    bar_chosen = Signal(object)  # Bar: clicked, or reached with the keys
    bar_hovered = Signal(object)  # Bar | None
    mode_changed = Signal(object)  # Mode

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._press: QPointF | None = None
        self._last: QPointF | None = None
        self._is_panning = False
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Timeline of the run"))

    def set_mode(self, mode: Mode) -> None:
        """Show the whole run, keep the newest in sight, or stay."""
        self.navigator.set_mode(mode)
        self._changed()

    def choose(self, bar: Bar) -> None:
        """Make *bar* the current one, bring it into sight, and tell."""
        self.point_at(bar)
        self.bar_chosen.emit(bar)

    def point_at(self, bar: Bar) -> None:
        """Make *bar* the current one and bring it into sight."""
        self.current = bar
        self.setAccessibleDescription(self.words.label(bar))
        self.navigator.show(bar.start_ns, self.now_ns if bar.is_open else bar.end_ns)
        geometry, scroll = self.lane_geometry(), self.verticalScrollBar()
        above_px = geometry.y_of(bar.lane) - geometry.lane_px
        below_px = geometry.y_of(bar.lane) + geometry.lane_px - geometry.height_px
        scroll.setValue(scroll.value() + round(min(0.0, above_px) or max(0.0, below_px)))
        self._changed()

    def zoom(self, factor: float, x: float) -> None:
        """Show less or more time around pixel column *x*."""
        self.navigator.zoom(factor, x)
        self._changed()

    def pan(self, dx_px: float) -> None:
        """Move the picture by *dx_px*."""
        self.navigator.pan(dx_px)
        self._changed()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms at the pointer; with Shift, or sideways, it pans."""
        delta, keys = event.angleDelta(), event.modifiers()
        if delta.x() or keys & Qt.KeyboardModifier.ShiftModifier:
            self.pan((delta.x() or delta.y()) / 2)
        else:
            self.zoom(WHEEL_STEP ** (delta.y() / 120), event.position().x())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press may become a click or a drag."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._press = self._last = event.position()
            self._is_panning = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while a button is held, else show what is under the pointer."""
        if self._press is None or self._last is None:
            self._hover(self.bar_under(event.position()))
            return
        moved = event.position() - self._press
        if not self._is_panning and moved.manhattanLength() >= DRAG_PX:
            self._is_panning = True
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._is_panning:
            step = event.position() - self._last
            self._last = event.position()
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(step.y()))
            self.pan(step.x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not move chooses the bar under it."""
        if self._press is not None and not self._is_panning:
            bar = self.bar_under(event.position())
            if bar is not None:
                self.choose(bar)
        self._press = self._last = None
        self._is_panning = False
        self.viewport().unsetCursor()

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the timeline before the window's shortcuts get them (Ctrl+0 fits what has the focus)."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and act_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys for everything that the mouse can do."""
        act = act_of(event)
        if act is None:
            super().keyPressEvent(event)
            return
        centre_px = self.viewport().width() / 2
        match act:
            case KeyAct.ZOOM_IN | KeyAct.ZOOM_OUT:
                self.zoom(KEY_STEP if act is KeyAct.ZOOM_IN else 1 / KEY_STEP, centre_px)
            case KeyAct.PAN_LEFT | KeyAct.PAN_RIGHT:
                self.pan(KEY_PAN_PX if act is KeyAct.PAN_LEFT else -KEY_PAN_PX)
            case KeyAct.FIT | KeyAct.FOLLOW:
                self.set_mode(Mode.FIT if act is KeyAct.FIT else Mode.FOLLOW)
            case _ if (bar := neighbour(self.table, self.current, act)) is not None:
                self.choose(bar)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tooltip of the bar under the pointer; forget the pointer when it leaves."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bar = self.bar_under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.words.tooltip(bar, self.now_ns) if bar else "", self)
            return True
        if event.type() is QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def _hover(self, bar: Bar | None) -> None:
        if bar != self.hovered:
            self.hovered = bar
            self.viewport().update()
            self.bar_hovered.emit(bar)

    def _changed(self) -> None:
        self.viewport().update()
        self.mode_changed.emit(self.navigator.mode)
