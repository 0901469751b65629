"""The ruler above the bars: where its ticks lie, what they are called, and the hairlines that run down from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.gui.look.theming import Theme
from workbench.gui.timeline.time_window import TimeWindow
from workbench.gui.words.values import NS_PER_MS, NS_PER_S
from workbench.i18n import _, ngettext, numeral

_GAP_PX = 4
_MARK_PX = 7
TICK_WIDTH_PX = 90


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


def paint_marks(painter: QPainter, window: TimeWindow, area: QRectF, times: Sequence[int], theme: Theme) -> None:
    """A mark at the lower edge of *area* for each of *times*, which are in order; one for all in the same pixel."""
    at, last = bisect_left(times, window.start_ns), len(times)
    while at < last and times[at] < window.end_ns:
        x = int(window.x_of(times[at]))
        painter.fillRect(QRectF(x - 1, area.bottom() - _MARK_PX, 3, _MARK_PX), QColor(theme.accent))
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
    """The round times to label: at least ``TICK_WIDTH_PX`` apart, and never closer than the room that words need."""
    apart_ns = window.ns_per_px * TICK_WIDTH_PX
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
