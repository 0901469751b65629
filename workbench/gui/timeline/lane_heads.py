"""The headings of the lanes, which stay at the left and fold the lanes below them, and arrows from lane to lane."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.gui.look.theming import CONTROL_RADIUS_PX, Theme
from workbench.gui.timeline.bars.bars import Bar, BarTable
from workbench.gui.timeline.bars.lane_groups import GroupedTable, LaneGeometry, LaneGroup, LaneRows, rows_of
from workbench.gui.timeline.time_window import TimeWindow
from workbench.gui.words.values import drawable_line
from workbench.i18n import numeral

_LEFT_PX = 4
_PAD_PX = 8
_MOST_PX = 280
_ARROW_PX = 1.4
_HEAD_PX = 7.0
_OPEN, _FOLDED = "▾", "▸"


class LaneHeads:
    """Knows which groups are folded, paints the headings, and finds them under the pointer."""

    def __init__(self) -> None:
        self._folded: frozenset[str] = frozenset()
        self._rows = LaneRows((), ())
        self._key: object = None
        self._boxes: list[tuple[QRectF, str]] = []

    def rows(self, table: BarTable) -> LaneRows:
        """Which lanes of *table* stand in which row; the same object until something about that changes."""
        key = (id(table), len(table.lanes), self._folded)
        if key != self._key:
            self._key, self._rows = key, rows_of(table, self._folded)
        return self._rows

    def toggle(self, title: str) -> None:
        """Fold the group with *title*, or unfold it."""
        self._folded ^= {title}

    def title_at(self, position: QPointF) -> str:
        """The title of the heading at *position*, empty for none."""
        return next((title for box, title in reversed(self._boxes) if box.contains(position)), "")

    def title_of(self, lane: int) -> str:
        """The title of the group that *lane* belongs to, empty where there are no groups."""
        return next((group.title for group, _rows in self._rows.headings if lane in group.lanes), "")

    def paint(self, painter: QPainter, geometry: LaneGeometry, least_y: float, theme: Theme) -> None:
        """The headings in sight; that of a group which is scrolled half away stays at *least_y*."""
        self._boxes = []
        font = theme.secondary_font()
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        for group, rows in geometry.rows.headings:
            below, top = geometry.top_of(rows.stop), geometry.top_of(rows.start)
            if below <= least_y or top >= geometry.height_px:
                continue
            y = max(top, min(least_y, below - geometry.lane_px))
            self._boxes.append(
                (_painted(painter, metrics, self._words(group), (y, geometry.bar_px), theme), group.title)
            )

    def _words(self, group: LaneGroup) -> str:
        mark = _FOLDED if group.title in self._folded else _OPEN
        return f"{mark} {drawable_line(group.title)} · {numeral(group.count)}"


def paint_arrows(
    painter: QPainter, table: BarTable, bar: Bar, place: tuple[TimeWindow, LaneGeometry], ink: str
) -> None:
    """The calls and messages of *bar*. *place*: where times and lanes are."""
    window, geometry = place
    if not isinstance(table, GroupedTable):
        return  # what is called lies directly below
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for arrow in table.arrows(bar, int(max(0.0, window.start_ns)), int(window.end_ns)):
        rows = geometry.rows.rows[arrow.source], geometry.rows.rows[arrow.target]
        if rows[0] == rows[1]:
            continue
        is_down = rows[1] > rows[0]
        source = QPointF(window.x_of(arrow.from_ns), geometry.top_of(rows[0]) + (geometry.bar_px if is_down else 0))
        target = QPointF(window.x_of(arrow.to_ns), geometry.top_of(rows[1]) + (0 if is_down else geometry.bar_px))
        _paint_arrow(painter, source, target, QColor(ink))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _paint_arrow(painter: QPainter, source: QPointF, target: QPointF, color: QColor) -> None:
    way = QLineF(source, target)
    painter.setPen(QPen(color, _ARROW_PX))
    painter.drawLine(way)
    back = QLineF(target, source).unitVector()
    across = back.normalVector()
    along, aside = QPointF(back.dx(), back.dy()) * _HEAD_PX, QPointF(across.dx(), across.dy()) * _HEAD_PX / 2
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([target, target + along + aside, target + along - aside]))


def _painted(painter: QPainter, metrics: QFontMetricsF, words: str, place: tuple[float, float], theme: Theme) -> QRectF:
    """One heading, and where it is. *place*: its top and its height."""
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, theme.px(_MOST_PX))
    y, height = place
    box = QRectF(_LEFT_PX + 0.5, round(y) + 0.5, metrics.horizontalAdvance(shown) + 2 * _PAD_PX, height - 1)
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.setBrush(QColor(theme.window))
    painter.drawRoundedRect(box, CONTROL_RADIUS_PX, CONTROL_RADIUS_PX)
    painter.setPen(QColor(theme.text))
    painter.drawText(box.adjusted(_PAD_PX, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)
    return box
