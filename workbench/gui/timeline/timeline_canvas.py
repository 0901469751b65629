"""The picture of a run over time. What can be done with it is in ``timeline_view``."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.bars.bar_painter import BarPainter, LaneGeometry
from workbench.gui.timeline.bars.bar_words import BarWords
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarTable
from workbench.gui.timeline.ruler import paint_grid, paint_ruler
from workbench.gui.timeline.time_navigator import TimeNavigator

RULER_PX = 24
LANE_PX = 24
BAR_PX = 20
CLICK_SLACK_PX = 3


class TimelineCanvas(QAbstractScrollArea):
    """Paints one BarTable. The closed bars are kept as a picture until something about them changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.navigator = TimeNavigator()
        self.table = BarTable()
        self.words = BarWords()
        self.now_ns = 0
        self.current: Bar | None = None
        self.hovered: Bar | None = None
        self._cache = QPixmap()
        self._cache_key: object = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._painter = BarPainter(theme, self.words.label)

    def show_table(self, table: BarTable, words: BarWords) -> None:
        """Show another run, all of it."""
        self.table, self.words = table, words
        self.current = self.hovered = None
        self._painter = BarPainter(self._theme, words.label)
        self._cache_key = None
        self.navigator.begin()
        self.update_bars(table.end_ns)

    def update_bars(self, now_ns: int) -> None:
        """The table has grown, or time has passed: *now_ns* on the run's time line."""
        self.now_ns = max(now_ns, self.table.end_ns)
        self.navigator.grow(self.now_ns)
        self._update_scroll_range()
        self.viewport().update()

    def show_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of *theme*."""
        marked = self._painter.marked_step
        self._theme = theme
        self._painter = BarPainter(theme, self.words.label)
        self._painter.marked_step = marked
        self._cache_key = None
        self._update_scroll_range()
        self.viewport().update()

    def mark_step(self, address: str) -> None:
        """Frame the bars of the step at *address*; empty: none."""
        if self._painter.marked_step != address:
            self._painter.marked_step = address
            self.viewport().update()

    def lane_geometry(self) -> LaneGeometry:
        """Where the lanes lie in the viewport."""
        theme = self._theme
        top_px = theme.px(RULER_PX) + 4 - self.verticalScrollBar().value()
        return LaneGeometry(top_px, theme.px(LANE_PX), theme.px(BAR_PX), self.viewport().height())

    def bar_under(self, position: QPointF) -> Bar | None:
        """The bar at *position* in the viewport; small bars are easier to hit than they look."""
        geometry = self.lane_geometry()
        lane = geometry.lane_at(position.y())
        if position.y() < self._theme.px(RULER_PX) or position.y() > geometry.y_of(lane) + geometry.bar_px:
            return None
        window = self.navigator.window
        return self.table.bar_at(lane, int(window.time_at(position.x())), int(CLICK_SLACK_PX * window.ns_per_px))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Blit the closed bars, then paint what moves over them."""
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._closed_bars())
        window, geometry = self.navigator.window, self.lane_geometry()
        ruler_px = self._theme.px(RULER_PX)
        width, height = self.viewport().width(), self.viewport().height()
        painter.setClipRect(QRectF(0, ruler_px, width, height - ruler_px))
        self._painter.paint_open(painter, self.table, window, geometry, self.now_ns)
        for bar, color in ((self.hovered, self._theme.text), (self.current, self._theme.accent)):
            if bar is not None:
                painter.setPen(QPen(QColor(color), 2 if bar is self.current else 1))
                painter.drawRect(self._frame_of(bar, geometry))
        painter.setClipping(False)
        paint_ruler(painter, window, QRectF(0, 0, width, ruler_px), self._theme)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 2))
            painter.drawRect(QRectF(1, 1, width - 2, height - 2))

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
            self._cache.fill(QColor(self._theme.surface))
            painter = QPainter(self._cache)
            paint_grid(painter, self.navigator.window, QRectF(0, 0, size.width(), size.height()), self._theme)
            self._painter.paint_closed(painter, self.table, self.navigator.window, geometry)
            painter.end()
        return self._cache

    def _update_scroll_range(self) -> None:
        lanes_px = self._theme.px(LANE_PX) * len(self.table.lanes) + self._theme.px(RULER_PX) + 8
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, lanes_px - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._theme.px(LANE_PX))
