"""Paints the bars of a timeline: which pieces there are to draw, in which colours, in a few draw calls.

Single bars while they are few, merged stretches where they are dense: the work is bounded by
the width of the window, never by the number of bars.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from workbench.gui.look.theming import Ink, Theme
from workbench.gui.timeline.bars.bar_colors import HEAT, BarColors, Heat, HeatScale, is_with_people, scale_of
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarStatus, BarTable, Lane, is_code, tint_of
from workbench.gui.timeline.bars.lane_groups import LaneGeometry
from workbench.gui.timeline.time_window import TimeWindow
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, numeral

ROOMY_PX = 6.0
COARSE_PX = 1.5  # buckets are powers of two, so this gives three quarters of a pixel to one and a half
EDGE_PX = 3.0
DETAIL_PX = 7.0
LABEL_PX = 30.0
FLAG_PX = 7.0
MOST_FLAGS = 1500
_HATCH = 0.35
STRIP_PX = 2.0  # the least width of a bucket in a strip is half of that: so none is left out where it is drawn
COARSEST_PX = 3.0
PIECES = 2_800
"""So many bars are drawn one by one in all lanes that are seen, as a rule; lanes with more of them are strips."""


class Piece(NamedTuple):
    """One rectangle. *bar*: its index in the lane, -1 where *merged* bars became one."""

    left: float
    right: float
    code: int
    bar: int
    merged: int


def pieces(lane: Lane, window: TimeWindow) -> Iterator[Piece]:
    """The closed bars of *lane* in *window*, left to right."""
    start_ns, end_ns = int(max(0.0, window.start_ns)), int(window.end_ns)
    is_sparse = lane.count_between(start_ns, end_ns) <= window.width_px // 2
    if is_sparse or window.ns_per_px * COARSE_PX < lane.coverage.finest_ns:
        yield from _single(lane, window, start_ns, end_ns)
    else:
        yield from _merged(lane, window, start_ns, end_ns)


def _single(lane: Lane, window: TimeWindow, start_ns: int, end_ns: int) -> Iterator[Piece]:
    """Bar by bar; of those that begin in the same pixel only the last can be wider than it (after Chrome's rule)."""
    starts, ends, codes = lane.starts, lane.ends, lane.codes
    scale, offset_ns = 1 / window.ns_per_px, window.start_ns
    index, count = lane.first_ending_after(start_ns - 1), len(lane)  # with what has no length at the edge
    while index < count and starts[index] < end_ns:
        left = (starts[index] - offset_ns) * scale
        if ends[index] == OPEN_NS:
            index += 1
            continue
        right = max((ends[index] - offset_ns) * scale, left + 1.0)
        following = index + 1
        if right - left < 2.0:
            following = bisect_left(starts, int(offset_ns + (int(left) + 1) / scale), following)
            last = following - 1
            if last > index and (ends[last] == OPEN_NS or (ends[last] - starts[last]) * scale >= 2.0):
                following = last
        merged = following - index
        yield Piece(left, right, max(codes[index:following]), index if merged == 1 else -1, merged)
        index = following


def _merged(lane: Lane, window: TimeWindow, start_ns: int, end_ns: int) -> Iterator[Piece]:
    """Stretches of the coverage; a stretch with room for its bars is drawn bar by bar."""
    for from_ns, to_ns, code in lane.coverage.stretches(start_ns, end_ns, window.ns_per_px * COARSE_PX):
        left, right = window.x_of(from_ns), window.x_of(to_ns)
        if right - left < ROOMY_PX:
            yield Piece(left, right, code, -1, 0)
            continue
        first = lane.first_ending_after(max(from_ns, start_ns) - 1)
        count = max(1, bisect_left(lane.starts, min(to_ns, end_ns)) - first)
        if (right - left) / count >= ROOMY_PX:
            yield from _single(lane, window, max(from_ns, start_ns), min(to_ns, end_ns))
        else:
            yield Piece(left, right, code, -1, count)


_LEAST_PIECES = 60


def is_dense(lane: Lane, window: TimeWindow, most: int) -> bool:
    """Whether more than *most* bars begin in *window*, and buckets of the coverage can stand for them."""
    if window.ns_per_px * COARSEST_PX < lane.coverage.finest_ns:
        return False
    return lane.count_between(int(max(0.0, window.start_ns)), int(window.end_ns)) > most


@cache
def _alike(least: int) -> re.Pattern[bytes]:
    """At least so many buckets of the same code side by side."""
    return re.compile(rb"([^\x00])\1{%d,}" % (least - 1))


def _heated(piece: Piece, window: TimeWindow, scale: HeatScale) -> Piece:
    """*piece* in the colour of how hot each of its bars is; unchanged where something is to be seen before that."""
    if tint_of(piece.code).status > BarStatus.DONE:
        return piece
    start_ns, end_ns = window.time_at(piece.left), window.time_at(piece.right)
    return piece._replace(code=HEAT + scale(start_ns, end_ns, max(1, piece.merged)))


_PLAINLY_OVER = bytes(255 * (is_code(code) and tint_of(code).status <= BarStatus.DONE) for code in range(256))
COLUMNS = 3_000
"""In so many places, in all lanes that are seen, it is found out how hot the bars of strips are."""


def heats_of(lane: Lane, strip: Strip, scale: HeatScale, columns: int) -> bytes:
    """How hot the bars of each bucket are, from 1 on, in as many *columns*; 0 where there is something else to see."""
    apart = max(1, -(-len(strip.codes) // columns))
    heats, starts, ends = bytearray(), lane.starts, lane.ends
    at = bisect_left(starts, strip.first * strip.bucket_ns)
    for first in range(strip.first, strip.first + len(strip.codes), apart):
        following = bisect_left(starts, (first + apart) * strip.bucket_ns, at)
        begun = max(0, min(at, following - 1))  # where none begins: the one that goes on
        count = max(1, following - begun)
        heat = scale(starts[begun], ends[begun + count - 1], count) if len(starts) else 0
        heats += bytes((heat + 1,)) * apart
        at = following
    shown = int.from_bytes(heats[: len(strip.codes)]) & int.from_bytes(strip.codes.translate(_PLAINLY_OVER))
    return shown.to_bytes(len(strip.codes))


class Strip(NamedTuple):
    """The codes of the buckets of a lane from number *first* on."""

    bucket_ns: int
    first: int
    codes: bytes


@dataclass(slots=True)
class _Batch:
    """What one frame of *window* draws, by colour. *marked*: the number of the selected step in the columns.

    *scale*: how hot bars are, where that is to be seen. *columns*: see ``COLUMNS``.
    """

    window: TimeWindow
    marked: int | None = None
    scale: HeatScale | None = None
    columns: int = COLUMNS
    strips: list[tuple[QRectF, bytes]] = field(default_factory=list)  # codes side by side, and where they go
    hot: list[tuple[QRectF, bytes]] = field(default_factory=list)  # heats over them
    cleared: list[QRectF] = field(default_factory=list)  # of a strip: where bars are drawn one by one instead
    small: defaultdict[int, list[QRectF]] = field(default_factory=lambda: defaultdict(list))  # by paint code
    fills: defaultdict[str, list[QRectF]] = field(default_factory=lambda: defaultdict(list))
    hatched: list[QRectF] = field(default_factory=list)  # waiting for people: not told by colour alone
    labels: list[tuple[QRectF, str]] = field(default_factory=list)
    frames: list[QRectF] = field(default_factory=list)


class BarPainter:
    """Draws bars in one theme. *label*: the words on a bar.

    *heat*: a bar that has ended well is coloured by its time or its cost, several in one by that of each of them.
    """

    def __init__(self, theme: Theme, label: Callable[[Bar], str]) -> None:
        self._theme = theme
        self._colors = BarColors(theme)
        self._label = label
        self._font = theme.secondary_font()
        self._metrics = QFontMetricsF(self._font)
        self.marked_step = ""
        self.heat = Heat.NONE

    def paint_closed(self, painter: QPainter, table: BarTable, window: TimeWindow, geometry: LaneGeometry) -> None:
        """All bars that have ended; failures last, so that nothing covers them."""
        lanes = geometry.visible()
        columns = max(_LEAST_PIECES, COLUMNS // max(1, len(lanes)))
        batch = _Batch(window, table.texts.known(self.marked_step), scale_of(self.heat, table), columns)
        most = max(_LEAST_PIECES, PIECES // max(1, len(lanes)))
        for number in lanes:
            row = QRectF(0, geometry.y_of(number), 0, geometry.bar_px)
            if is_dense(table.lanes[number], window, most):
                self._add_strip(batch, table, number, row)
            else:
                self._add_pieces(batch, table, number, pieces(table.lanes[number], window), row)
        self._draw(painter, batch)
        self._paint_failures(painter, table, window, geometry)

    def paint_open(
        self, painter: QPainter, table: BarTable, window: TimeWindow, geometry: LaneGeometry, now_ns: int
    ) -> None:
        """The bars that still run, up to *now_ns*."""
        batch = _Batch(window, table.texts.known(self.marked_step))
        for number, index in table.open_bars.values():
            if geometry.rows.lanes[geometry.rows.rows[number]] != number:
                continue  # it is folded into the one around it
            bar = table.bar(number, index)
            left, right = window.x_of(bar.start_ns), max(window.x_of(now_ns), window.x_of(bar.start_ns) + 2)
            code = table.lanes[number].codes[index]
            row = QRectF(0, geometry.y_of(number), 0, geometry.bar_px)
            self._add_single(batch, Piece(left, right, code, index, 1), bar, row)
            batch.fills[self._colors.strong(code)].append(QRectF(right - 2, row.y(), 2, row.height()))
            if table.lanes[number].steps[index] == batch.marked:
                batch.frames.append(QRectF(left, row.y(), right - left, row.height()))
        self._draw(painter, batch)

    def _add_strip(self, batch: _Batch, table: BarTable, number: int, row: QRectF) -> None:
        """A lane of very many bars as its coverage; where there is room for words, words."""
        lane, window = table.lanes[number], batch.window
        start_ns, end_ns = int(max(0.0, window.start_ns)), int(window.end_ns)
        bucket_ns, first, codes = lane.coverage.row(start_ns, end_ns, window.ns_per_px * STRIP_PX)
        bucket_px, left = bucket_ns / window.ns_per_px, window.x_of(first * bucket_ns)
        place = QRectF(left, row.y(), bucket_px * len(codes), row.height())
        batch.strips.append((place, codes))
        if batch.scale is not None:
            batch.hot.append((place, heats_of(lane, Strip(bucket_ns, first, codes), batch.scale, batch.columns)))
        for match in _alike(max(2, math.ceil(ROOMY_PX / bucket_px))).finditer(codes):
            from_ns = max(start_ns, (first + match.start()) * bucket_ns)
            to_ns = min(end_ns, (first + match.end()) * bucket_ns)
            count = max(1, bisect_left(lane.starts, to_ns) - lane.first_ending_after(from_ns - 1))
            box = QRectF(window.x_of(from_ns), row.y(), (to_ns - from_ns) / window.ns_per_px, row.height())
            if box.width() / count >= ROOMY_PX:
                batch.cleared.append(box)
                self._add_pieces(batch, table, number, _single(lane, window, from_ns, to_ns), row)
            elif box.width() >= LABEL_PX:
                batch.labels.append((box.adjusted(4, 0, 0, 0), _("× {count}").format(count=numeral(count))))

    def _add_pieces(self, batch: _Batch, table: BarTable, number: int, found: Iterator[Piece], row: QRectF) -> None:
        lane, top, height, small = table.lanes[number], row.y(), row.height(), batch.small
        for piece in found:
            if batch.scale is not None:
                piece = _heated(piece, batch.window, batch.scale)  # noqa: PLW2901 - the same piece in another colour
            left, right, code, bar, _merged = piece
            if right - left < DETAIL_PX:  # nearly all of them in a long run, so nothing else is done for these
                small[code].append(QRectF(left, top, right - left, height))
            elif bar < 0:
                self._add_merged(batch, piece, row)
            else:
                self._add_single(batch, piece, table.bar(number, bar) if right - left >= LABEL_PX else None, row)
            if bar >= 0 and batch.marked is not None and lane.steps[bar] == batch.marked:
                batch.frames.append(_box(piece, row))

    def _add_merged(self, batch: _Batch, piece: Piece, row: QRectF) -> None:
        box = _box(piece, row)
        batch.small[piece.code].append(box)
        if box.width() >= LABEL_PX:
            batch.labels.append((box.adjusted(4, 0, 0, 0), _("× {count}").format(count=numeral(piece.merged))))

    def _add_single(self, batch: _Batch, piece: Piece, bar: Bar | None, row: QRectF) -> None:
        # a hair of air, so that bars that touch can be told apart
        face = _box(piece, row).adjusted(0, 0, -1, 0)
        batch.fills[self._colors.soft(piece.code)].append(face)
        if piece.code < HEAT and is_with_people(tint_of(piece.code)):
            batch.hatched.append(face)
        batch.fills[self._colors.strong(piece.code)].append(QRectF(face.left(), row.y(), EDGE_PX, row.height()))
        if bar is not None:
            batch.labels.append((face.adjusted(EDGE_PX + 4, 0, -3, 0), self._label(bar)))

    def _draw(self, painter: QPainter, batch: _Batch) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(Qt.PenStyle.NoPen)
        for strips, colors in ((batch.strips, self._colors.table), (batch.hot, self._colors.heat_table)):
            for box, codes in strips:
                strip = QImage(codes, len(codes), 1, len(codes), QImage.Format.Format_Indexed8)
                strip.setColorTable(colors)
                painter.drawImage(box, strip)
        painter.setBrush(QColor(self._theme.surface))
        painter.drawRects(batch.cleared)
        fills = [(self._colors.plain(code), batch.small[code]) for code in sorted(batch.small)]  # failures last
        for color, rects in (*batch.fills.items(), *fills):
            painter.setBrush(QColor(color))
            painter.drawRects(rects)
        hatch = QColor(self._theme.color(Ink.PEOPLE))
        hatch.setAlphaF(_HATCH)
        painter.setBrush(QBrush(hatch, Qt.BrushStyle.BDiagPattern))
        painter.drawRects(batch.hatched)
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.text))
        for rect, words in batch.labels:
            # what begins left of the window keeps its words in sight
            seen = rect.adjusted(max(0.0, 6 - rect.left()), 0, 0, 0)
            elided = self._metrics.elidedText(drawable_line(words), Qt.TextElideMode.ElideRight, seen.width())
            painter.drawText(seen, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, ordered(elided))
        if batch.frames:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.accent), 2))
            painter.drawRects([frame.adjusted(0, 0, -1, 0) for frame in batch.frames])

    def _paint_failures(self, painter: QPainter, table: BarTable, window: TimeWindow, geometry: LaneGeometry) -> None:
        """Each failure keeps at least a full-height stroke and a flag, one per pixel column and lane."""
        color, painted = QColor(self._theme.failed), set()
        visible = geometry.visible_rows()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for number, index in _failures_between(table, window):
            x = max(2, int(window.x_of(table.lanes[number].ends[index])))
            row = geometry.rows.rows[number]
            if (row, x) in painted or row not in visible:
                continue
            painted.add((row, x))
            y = geometry.top_of(row)
            painter.drawRect(QRectF(x - 2, y, 2, geometry.bar_px))
            painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - FLAG_PX, y), QPointF(x, y + FLAG_PX)]))


def _box(piece: Piece, row: QRectF) -> QRectF:
    """The rectangle of *piece*, without the miles outside the window that would overflow."""
    left = max(piece.left, -4.0)
    return QRectF(left, row.y(), max(1.0, min(piece.right, 1e5) - left), row.height())


def _failures_between(table: BarTable, window: TimeWindow) -> list[tuple[int, int]]:
    """The failures that ended in *window*, which are kept in the order of their ends.

    None where they are too many for flags: then the colour of the bars says it all.
    """
    first = bisect_left(table.failures, window.start_ns, key=table.end_of)
    last = bisect_left(table.failures, window.end_ns, key=table.end_of)
    return table.failures[first:last] if last - first <= MOST_FLAGS else []
