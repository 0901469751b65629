"""The picture of a run over time, and how a person handles it: wheel, drag, click, hover, keys."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from workbench.gui.look.frames import RingedArea, draw_frame
from workbench.gui.look.theming import current_theme
from workbench.gui.timeline.bars.bar_colors import Heat
from workbench.gui.timeline.bars.bar_painter import BarPainter
from workbench.gui.timeline.bars.bar_words import BarWords
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarTable
from workbench.gui.timeline.bars.lane_groups import LaneGeometry, same_bar
from workbench.gui.timeline.lanes import LaneHeads, paint_arrows
from workbench.gui.timeline.strips import (
    MARK_PX,
    Scrubber,
    is_on_playhead,
    paint_grid,
    paint_marks,
    paint_playhead,
    paint_ruler,
)
from workbench.gui.timeline.time_window import Mode, TimeNavigator
from workbench.gui.timeline.timeline_keys import TRAVEL, KeyAct, act_of, neighbour
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.model.meaning import StepKind

RULER_PX = 24
LANE_PX = 24
BAR_PX = 20
CLICK_SLACK_PX = 3
MOST_TOLD = 12
DRAG_PX = 4
WHEEL_STEP = 1.2
KEY_STEP = 1.5
KEY_PAN_PX = 60


class TimelineCanvas(RingedArea):
    """Paints one BarTable. The closed bars are kept as a picture until something about them changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.navigator = TimeNavigator()
        self.table = BarTable()
        self.words = BarWords()
        self.now_ns = 0
        self.current: Bar | None = None
        self.hovered: Bar | None = None
        self.playhead_ns: int | None = None
        self.found: Sequence[int] = array("q")  # the times at which something was found, in order
        self.lines: Sequence[tuple[int, str]] = ()  # when a log point would have told something, in order, and what
        self._cache = QPixmap()
        self._cache_key: object = None
        self.heads = LaneHeads()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._painter = BarPainter(current_theme(), self.words.label)
        self.scrubber = Scrubber(self.viewport(), self._is_on_playhead)

    def _is_on_playhead(self, at: QPointF) -> bool:
        x = None if self.playhead_ns is None else self.navigator.window.x_of(self.playhead_ns)
        return is_on_playhead(at, x, current_theme().px(RULER_PX))

    def show_table(self, table: BarTable, words: BarWords) -> None:
        """Show another run, all of it."""
        self.table, self.words = table, words
        self.current = self.hovered = self.playhead_ns = None
        self.found, self.lines = array("q"), ()
        self._painter = _painter_like(self._painter, self.words)
        self._painter.marked_step = ""
        self._cache_key = None
        self.navigator.begin()
        self.update_bars(table.end_ns)

    def take_table(self, table: BarTable) -> None:
        """Show more bars of the same run, or the same bars in other lanes."""
        self.table = table
        self.current, self.hovered = same_bar(table, self.current), same_bar(table, self.hovered)
        self._cache_key = None
        self._update_scroll_range()
        self.viewport().update()

    def update_bars(self, now_ns: int) -> None:
        """The table has grown, or time has passed: *now_ns* on the run's time line."""
        self.now_ns = max(now_ns, self.table.end_ns)
        self.navigator.grow(self.now_ns)
        self._update_scroll_range()
        self.viewport().update()

    def take_theme(self) -> None:
        """The picture of the closed bars has the colours and sizes of the theme in which it was painted."""
        self._painter = _painter_like(self._painter, self.words)
        self._cache_key = None
        self._update_scroll_range()

    def show_heat(self, heat: Heat) -> None:
        """Colour bars by how long they took or what they cost, or by what they are."""
        self._painter.heat = heat
        self._cache_key = None
        self.viewport().update()

    def mark_step(self, address: str) -> None:
        """Frame the bars of the step at *address*; empty: none."""
        if self._painter.marked_step != address:
            self._painter.marked_step = address
            self.viewport().update()

    def show_moment(self, at_ns: int | None, bar: Bar | None) -> None:
        """Put the playhead at *at_ns* and mark *bar*, the innermost at work then; None: the run is shown as it is."""
        self.playhead_ns, self.navigator.is_held = at_ns, at_ns is not None
        if at_ns is not None:
            self.current = bar
            self.navigator.show(at_ns, at_ns)
        if bar is not None:
            self._show_lane(bar.lane)
            self.setAccessibleDescription(self.words.label(bar))
        self.viewport().update()

    def _show_lane(self, lane: int) -> None:
        geometry, scroll = self.lane_geometry(), self.verticalScrollBar()
        above_px = geometry.y_of(lane) - geometry.lane_px
        below_px = geometry.y_of(lane) + geometry.lane_px - geometry.height_px
        scroll.setValue(scroll.value() + round(min(0.0, above_px) or max(0.0, below_px)))

    def lane_geometry(self) -> LaneGeometry:
        """Where the lanes lie in the viewport."""
        theme, rows = current_theme(), self.heads.rows(self.table)
        top_px = theme.px(RULER_PX) + 4 - self.verticalScrollBar().value()
        return LaneGeometry(top_px, theme.px(LANE_PX), theme.px(BAR_PX), self.viewport().height(), rows)

    def bar_under(self, position: QPointF) -> Bar | None:
        """The bar at *position* in the viewport; small bars are easier to hit than they look."""
        geometry, ruler_px = self.lane_geometry(), current_theme().px(RULER_PX)
        lane = geometry.lane_at(position.y())
        if lane < 0 or position.y() < ruler_px or position.y() > geometry.y_of(lane) + geometry.bar_px:
            return None
        window = self.navigator.window
        return self.table.bar_at(lane, int(window.time_at(position.x())), int(CLICK_SLACK_PX * window.ns_per_px))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Blit the closed bars, then paint what moves over them."""
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._closed_bars())
        window, geometry = self.navigator.window, self.lane_geometry()
        ruler_px = current_theme().px(RULER_PX)
        width, height = self.viewport().width(), self.viewport().height()
        painter.setClipRect(QRectF(0, ruler_px, width, height - ruler_px))
        self._painter.paint_open(painter, self.table, window, geometry, self.now_ns)
        for bar, color in ((self.hovered, current_theme().text), (self.current, current_theme().accent)):
            if bar is not None:
                draw_frame(painter, self._frame_of(bar, geometry), color, 2 if bar is self.current else 1)
        if self.current is not None:
            paint_arrows(painter, self.table, self.current, (window, geometry), current_theme().accent)
        self.heads.paint(painter, geometry, ruler_px, current_theme())
        painter.setClipping(False)
        paint_ruler(painter, window, QRectF(0, 0, width, ruler_px), current_theme())
        paint_marks(painter, window, QRectF(0, 0, width, ruler_px), self.found, current_theme().accent)
        told = [at_ns for at_ns, _words in self.lines]
        paint_marks(painter, window, QRectF(0, 0, width, MARK_PX), told, current_theme().kind_color(StepKind.TELL))
        if self.playhead_ns is not None:
            area = QRectF(0, 0, width, height)
            paint_playhead(painter, window.x_of(self.playhead_ns), area, ruler_px, current_theme())
        self.paint_ring(painter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the window of time as wide as the widget."""
        super().resizeEvent(event)
        self.navigator.resize(self.viewport().width())
        self._update_scroll_range()

    def _frame_of(self, bar: Bar, geometry: LaneGeometry) -> QRectF:
        window = self.navigator.window
        left = max(-4.0, window.x_of(bar.start_ns))
        end_ns = self.table.end_of((bar.lane, bar.index))
        right = min(window.width_px + 4.0, window.x_of(self.now_ns if end_ns == OPEN_NS else end_ns))
        return QRectF(left, geometry.y_of(bar.lane), max(2.0, right - left - 1), geometry.bar_px)

    def _closed_bars(self) -> QPixmap:
        """The grid and the closed bars, painted anew only when they or the view of them changed."""
        geometry, size = self.lane_geometry(), self.viewport().size()
        marked = self._painter.marked_step
        key = (self.table.revision, self.navigator.window, geometry, size, self.devicePixelRatioF(), marked)
        if key != self._cache_key:
            self._cache_key = key
            self._cache = QPixmap(size * self.devicePixelRatioF())
            self._cache.setDevicePixelRatio(self.devicePixelRatioF())
            self._cache.fill(QColor(current_theme().surface))
            painter = QPainter(self._cache)
            paint_grid(painter, self.navigator.window, QRectF(0, 0, size.width(), size.height()), current_theme())
            self._painter.paint_closed(painter, self.table, self.navigator.window, geometry)
            painter.end()
        return self._cache

    def _update_scroll_range(self) -> None:
        rows = len(self.heads.rows(self.table).lanes)
        lanes_px = current_theme().px(LANE_PX) * rows + current_theme().px(RULER_PX) + 8
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, lanes_px - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(current_theme().px(LANE_PX))


def _painter_like(before: BarPainter, words: BarWords) -> BarPainter:
    """A painter for this theme and *words*, which paints as that *before*."""
    painter = BarPainter(current_theme(), words.label)
    painter.marked_step, painter.heat = before.marked_step, before.heat
    return painter


def told_near(canvas: TimelineCanvas, position: QPointF) -> list[str]:
    """What a log point would have told at *position* on the ruler of *canvas*."""
    if position.y() >= current_theme().px(RULER_PX):
        return []
    x_of, slack_px = canvas.navigator.window.x_of, CLICK_SLACK_PX + 1
    near = (words for at_ns, words in canvas.lines if abs(x_of(at_ns) - position.x()) <= slack_px)
    return list(islice(near, MOST_TOLD))


class TimelineView(TimelineCanvas):
    """Shows one run. Without a wheel or a mouse: arrows walk from event to event, + and - zoom, F follows."""

    bar_chosen = Signal(object)  # Bar: clicked, or reached with the keys
    bar_hovered = Signal(object)  # Bar | None
    mode_changed = Signal(object)  # Mode
    heat_wanted = Signal(object)  # Heat: to be shown, or no longer
    search_wanted = Signal(object)  # KeyAct: to search, or to go to what was found next
    travel_wanted = Signal(object)  # str: the action that leads to another moment
    menu_opening = Signal(object)  # Bar | None: what its context menu is about, which is shown next

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self._show_lane(bar.lane)
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
            self._hover(None if self.heads.title_at(event.position()) else self.bar_under(event.position()))
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
            heading = self.heads.title_at(event.position())
            bar = self.bar_under(event.position())
            if heading:
                self._fold(heading)
            elif bar is not None:
                self.choose(bar)
        self._press = self._last = None
        self._is_panning = False
        self.viewport().unsetCursor()

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the timeline before the window's shortcuts get them (Ctrl+0 fits what has the focus)."""
        if event.type() is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent):
            by_pointer = event.reason() is QContextMenuEvent.Reason.Mouse
            self.menu_opening.emit(self.bar_under(QPointF(event.pos())) if by_pointer else self.current)
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
            case _ if act in TRAVEL:
                self.travel_wanted.emit(TRAVEL[act])
            case KeyAct.FIT | KeyAct.FOLLOW:
                self.set_mode(Mode.FIT if act is KeyAct.FIT else Mode.FOLLOW)
            case KeyAct.HEAT | KeyAct.COST:
                self.heat_wanted.emit(Heat.TIME if act is KeyAct.HEAT else Heat.COST)
            case KeyAct.FOLD:
                self._fold(self.heads.title_of(self.current.lane) if self.current is not None else "")
            case KeyAct.SEARCH | KeyAct.NEXT_FOUND | KeyAct.PREVIOUS_FOUND:
                self.search_wanted.emit(act)
            case _ if (bar := neighbour(self.table, self.current, act, self.heads.rows(self.table))) is not None:
                self.choose(bar)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tooltip of the bar under the pointer; forget the pointer when it leaves."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bar = self.bar_under(QPointF(event.pos()))
            told = tip("\n".join(told_near(self, event.pos().toPointF())))
            words = self.words.tooltip(bar, self.now_ns, self.table.costs) if bar else told
            QToolTip.showText(event.globalPos(), words, self)
            return True
        if event.type() is QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def _hover(self, bar: Bar | None) -> None:
        if bar != self.hovered:
            self.hovered = bar
            self.viewport().update()
            self.bar_hovered.emit(bar)

    def _fold(self, title: str) -> None:
        self.heads.toggle(title)
        self.take_table(self.table)

    def _changed(self) -> None:
        self.viewport().update()
        self.mode_changed.emit(self.navigator.mode)
