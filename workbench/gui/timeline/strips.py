"""The strips above the bars: the whole run, small, and the ruler, with the playhead that is moved along it.

Of the ruler: where its ticks lie, what they are called, and the hairlines that run down from them. The playhead stands
at the moment of the run that is shown. The small picture says where bars and failures are, which part of the run the
timeline shows, and is a way to go there.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.frames import draw_frame
from workbench.gui.look.theming import Theme, current_theme
from workbench.gui.timeline.bars.bar_colors import BarColors
from workbench.gui.timeline.bars.bar_painter import pieces
from workbench.gui.timeline.bars.bars import BarStatus, BarTable, tint_of
from workbench.gui.timeline.time_window import TimeWindow, fitted
from workbench.gui.words.values import NS_PER_MS, NS_PER_S
from workbench.i18n import _, ngettext, numeral

_GAP_PX = 4
MARK_PX = 7
_TICK_WIDTH_PX = 90


def paint_grid(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """One hairline per tick over *area*."""
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = _columns(window, _ticks(window, QFontMetricsF(theme.secondary_font())))
    painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in xs])


def paint_ruler(painter: QPainter, window: TimeWindow, area: QRectF, theme: Theme) -> None:
    """The times of the ticks in *area*, with a line below."""
    painter.fillRect(area, QColor(theme.window))
    painter.setFont(theme.secondary_font())
    painter.setPen(QColor(theme.muted))
    metrics = QFontMetricsF(theme.secondary_font())
    for place, words in labels(window, area, metrics):
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
    painter.setPen(QPen(QColor(theme.border), 0))
    xs = _columns(window, _ticks(window, metrics))
    painter.drawLines([QLineF(x, area.center().y(), x, area.bottom()) for x in xs])
    painter.drawLine(QLineF(area.left(), area.bottom() - 0.5, area.right(), area.bottom() - 0.5))


def paint_marks(painter: QPainter, window: TimeWindow, area: QRectF, times: Sequence[int], color: str) -> None:
    """A mark at the lower edge of *area* for each of *times*, which are in order; one for all in the same pixel."""
    at, last = bisect_left(times, window.start_ns), len(times)
    while at < last and times[at] < window.end_ns:
        x = int(window.x_of(times[at]))
        painter.fillRect(QRectF(x - 1, area.bottom() - MARK_PX, 3, MARK_PX), QColor(color))
        at = bisect_left(times, window.time_at(x + 1), at + 1)


def labels(window: TimeWindow, area: QRectF, metrics: QFontMetricsF) -> Iterator[tuple[QRectF, str]]:
    """The time of each tick and where it stands, side by side; none for a tick that has no room for all of it."""
    for tick in _ticks(window, metrics):
        left, width = round(window.x_of(tick.at_ns)) + _GAP_PX, metrics.horizontalAdvance(tick.words)
        if left + width <= area.right():
            yield QRectF(left, area.top(), width, area.height()), tick.words


def _ticks(window: TimeWindow, metrics: QFontMetricsF) -> tuple[Tick, ...]:
    """The ticks whose words stand side by side, with a gap before and after."""

    def room_px_for(words: str) -> float:
        return metrics.horizontalAdvance(words) + 2 * _GAP_PX

    return ticks(window, room_px_for)


def _columns(window: TimeWindow, found: tuple[Tick, ...]) -> list[float]:
    """The pixel columns of ticks, where a hairline is sharp."""
    return [round(window.x_of(tick.at_ns)) + 0.5 for tick in found]


class Tick(NamedTuple):
    """A round time, and what the ruler calls it."""

    at_ns: int
    words: str


def ticks(window: TimeWindow, room_px_for: Callable[[str], float]) -> tuple[Tick, ...]:
    """The round times to label: at least ``_TICK_WIDTH_PX`` apart, and never closer than the room that words need."""
    apart_ns = window.ns_per_px * _TICK_WIDTH_PX
    while True:
        step_ns = tick_step_ns(apart_ns)
        found = _ticks_every(step_ns, window)
        # a larger step has other words, which may need more room again
        apart_ns = window.ns_per_px * max((room_px_for(tick.words) for tick in found), default=0.0)
        if len(found) < 2 or apart_ns <= step_ns:
            return found


def _ticks_every(step_ns: int, window: TimeWindow) -> tuple[Tick, ...]:
    first = max(0, -(-int(window.start_ns) // step_ns))
    times = range(first * step_ns, int(window.end_ns) + 1, step_ns)
    return tuple(Tick(at_ns, tick_text(at_ns, step_ns)) for at_ns in times)


def tick_step_ns(at_least_ns: float) -> int:
    """The smallest round step that is not below *at_least_ns*: 1, 2, 5 and tens of them, then clock steps."""
    for step_ns in _CLOCK_STEPS_NS:
        if step_ns >= at_least_ns:
            return step_ns
    days = 86_400 * NS_PER_S
    return days * -(-int(at_least_ns) // days)


_CLOCK_STEPS_NS: tuple[int, ...] = (
    *(base * int(10**power) for power in range(9) for base in (1, 2, 5)),
    *(seconds * NS_PER_S for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200)),
)


def tick_text(at_ns: int, step_ns: int) -> str:
    """The label of a tick, as precise as the *step_ns* between ticks: no two of them are called the same."""
    if at_ns < NS_PER_MS and step_ns < 1000:
        return _("{n} µs").format(n=numeral(at_ns / 1000, "g"))
    if at_ns < NS_PER_S and step_ns < NS_PER_S:
        return _("{n} ms").format(n=numeral(at_ns / NS_PER_MS, ".9g"))
    seconds, rest_ns = divmod(at_ns, NS_PER_S)
    digits = len(f"{rest_ns:09d}".rstrip("0")) if rest_ns else 0
    fraction = numeral(rest_ns / NS_PER_S, f".{digits}f")[1:]
    if seconds < 60:
        return _("{n} s").format(n=f"{seconds}{fraction}")
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02d}{fraction}"
    hours, minutes = divmod(minutes, 60)
    if hours >= 24:
        days = ngettext("{count} day", "{count} days", hours // 24)
        return f"{days} {hours % 24}:{minutes:02d}:{seconds:02d}{fraction}"
    return f"{hours}:{minutes:02d}:{seconds:02d}{fraction}"


_HANDLE_PX = 6
_REACH_PX = 4
_VEIL = 0.55


def paint_playhead(painter: QPainter, x: float, area: QRectF, ruler_px: float, theme: Theme) -> None:
    """A line at *x* with a handle in the ruler; what comes after it lies behind a veil."""
    veil = QColor(theme.surface)
    veil.setAlphaF(_VEIL)
    left = max(area.left(), x)
    if left < area.right():
        painter.fillRect(QRectF(left, ruler_px, area.right() - left, area.height() - ruler_px), veil)
    if not area.left() - _HANDLE_PX <= x <= area.right() + _HANDLE_PX:
        return
    color, half = QColor(theme.accent), theme.px(_HANDLE_PX)
    at = round(x) + 0.5
    painter.setPen(QPen(color, 2))
    painter.drawLine(QPointF(at, ruler_px - half), QPointF(at, area.bottom()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    top = ruler_px - 2 * half
    corners = ((-half, 0), (half, 0), (half, half), (0, 2 * half), (-half, half))
    painter.drawPolygon(QPolygonF([QPointF(at + dx, top + dy) for dx, dy in corners]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


class Scrubber(QObject):
    """Presses on the ruler of *viewport*, or on the playhead, choose a column; so does whatever is dragged from there.

    *is_handle*: whether a point lies on what can be dragged.
    """

    column_chosen = Signal(object)  # float: pixels

    def __init__(self, viewport: QWidget, is_handle: Callable[[QPointF], bool]) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._is_handle = is_handle
        self._is_dragging = False
        viewport.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Keep what concerns the playhead from the bars below it."""
        if not isinstance(event, QMouseEvent):
            return False
        is_on = self._is_handle(event.position())
        if event.type() is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton and is_on:
            self._is_dragging = True
        elif event.type() is QEvent.Type.MouseButtonRelease and self._is_dragging:
            self._is_dragging = False
            return True
        elif event.type() is QEvent.Type.MouseMove and not self._is_dragging:
            if not event.buttons():
                self._viewport.setCursor(Qt.CursorShape.SizeHorCursor if is_on else Qt.CursorShape.ArrowCursor)
            return False
        if self._is_dragging:
            self.column_chosen.emit(event.position().x())
        return self._is_dragging


def is_on_playhead(at: QPointF, playhead_x: float | None, ruler_px: float) -> bool:
    """Whether a press at *at* takes hold of the playhead: on the ruler, or on its line."""
    return at.y() < ruler_px or (playhead_x is not None and abs(at.x() - playhead_x) <= _REACH_PX)


MINIMAP_HEIGHT_PX = 26
_PAD_PX = 3
_MOST_LANES = 6
_GROWTH = 1.01
"""How much longer a run must have become before the strip is painted anew: of a live run, not every frame."""


class Minimap(QWidget):
    """Paints the outermost lanes of a table, small. Pressing and dragging moves the timeline there."""

    moved = Signal(object)  # float: the time that shall be in the middle

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = BarTable()
        self._window = TimeWindow(0.0, 1.0, 1)
        self._found: Sequence[int] = array("q")
        self._picture = QPixmap()
        self._key: object = None
        self._painted_to_ns = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Overview of the run"))
        self.setToolTip(_("The whole run: press or drag to go there"))

    def sizeHint(self) -> QSize:
        """A low strip."""
        return QSize(200, current_theme().px(MINIMAP_HEIGHT_PX))

    def show_table(self, table: BarTable, window: TimeWindow) -> None:
        """Show the bars of *table*, of which the timeline shows *window*."""
        if (table, window) == (self._table, self._window) and table.end_ns <= self._painted_to_ns:
            return
        self._table, self._window = table, window
        self.update()

    def show_found(self, times: Sequence[int]) -> None:
        """Mark the times at which something was found."""
        self._found, self._key = times, None
        self.update()

    @property
    def whole(self) -> TimeWindow:
        """The whole run on the strip."""
        return fitted(self._table.end_ns, max(1, self.width()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The run, and a frame around what the timeline shows."""
        painter = QPainter(self)
        theme = current_theme()
        painter.drawPixmap(0, 0, self._kept_picture())
        whole = self.whole
        left, right = whole.x_of(self._window.start_ns), whole.x_of(self._window.end_ns)
        left, right = max(0.0, left), min(float(self.width()), max(right, left + 3))
        shade = QColor(theme.window)
        shade.setAlphaF(0.6)
        painter.fillRect(QRectF(0, 0, left, self.height()), shade)
        painter.fillRect(QRectF(right, 0, self.width() - right, self.height()), shade)
        draw_frame(painter, QRectF(left, 0, right - left - 1, self.height() - 1), theme.accent, 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the time under the pointer."""
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The same while the button is held."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.moved.emit(self.whole.time_at(event.position().x()))

    def _kept_picture(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (id(self._table), self.size(), ratio, current_theme())
        if key != self._key or self._table.end_ns > self._painted_to_ns * _GROWTH:
            self._key, self._painted_to_ns = key, self._table.end_ns
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor(current_theme().surface))
            painter = QPainter(self._picture)
            self._paint_lanes(painter)
            painter.end()
        return self._picture

    def _paint_lanes(self, painter: QPainter) -> None:
        theme, colors, whole = current_theme(), BarColors(current_theme()), self.whole
        lanes = self._table.lanes[:_MOST_LANES]
        height = (self.height() - 2 * _PAD_PX) / max(1, len(lanes))
        failures: list[QRectF] = []
        for number, lane in enumerate(lanes):
            top = _PAD_PX + number * height
            for piece in pieces(lane, whole):
                rect = QRectF(piece.left, top, max(1.0, piece.right - piece.left), max(1.0, height - 1))
                if tint_of(piece.code).status is BarStatus.FAILED:
                    failures.append(rect)
                painter.fillRect(rect, QColor(colors.plain(piece.code)))
        for rect in failures:
            painter.fillRect(rect, QColor(theme.failed))
        for x in {int(whole.x_of(at_ns)) for at_ns in self._found}:
            painter.fillRect(QRectF(x, 0, 1, self.height()), QColor(theme.accent))
