"""The lanes of the timeline: their choice, their headings, which fold them, and arrows from lane to lane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QWidget

from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.look.theming import CONTROL_RADIUS_PX, Theme
from workbench.gui.timeline.bars.bar_reader import BarReader
from workbench.gui.timeline.bars.bars import Bar, BarTable
from workbench.gui.timeline.bars.lane_groups import (
    GroupedTable,
    LaneGeometry,
    LaneGroup,
    LaneRows,
    Lanes,
    laid_out,
    rows_of,
    sort_of,
)
from workbench.gui.timeline.time_window import TimeWindow
from workbench.gui.timeline.timeline_run import TimelineRun
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, menu_text
from workbench.i18n import _, numeral
from workbench.settings import Settings

FEW = 2_000
"""So many bars are laid out at once; more of them beside the window."""

_LEFT_PX = 4
_PAD_PX = 8
_MOST_PX = 280
_ARROW_PX = 1.4
_HEAD_PX = 7.0
_OPEN, _FOLDED = "▾", "▸"


class Board(Protocol):
    """What shows the lanes."""

    run: TimelineRun | None

    def show_bars(self) -> None:
        """The bars of the run have been laid out otherwise."""
        ...


class LaneChoice(QComboBox):
    """What is chosen holds for every run from then on."""

    def __init__(self, settings: SettingsController, board: Board, reader: BarReader, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._board = board
        self._reader = reader
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_laid_out)
        self.setAccessibleName(_("Lanes of the timeline"))
        self.setToolTip(_("What the lanes of the timeline are. C folds the lanes of the current bar"))
        for each in Lanes:
            self.addItem(menu_text(str(each)), each)
        self.setCurrentIndex(self.findData(Lanes(settings.current.timeline_lanes)))
        reader.lanes = self.lanes
        self.activated.connect(self._on_activated)
        settings.settings_changed.connect(self._on_settings_changed)

    @property
    def lanes(self) -> Lanes:
        """What is chosen."""
        return Lanes(self.currentData())

    def lay_out(self, run: TimelineRun) -> None:
        """Lay out another run as chosen, as far as it is there."""
        self._work.forget()
        run.show_lanes(laid_out(self.lanes, run.table))

    @Slot(int)
    def _on_activated(self, _index: int) -> None:
        self._settings.change(partial(replace, timeline_lanes=self.lanes.value))

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        wanted = Lanes(settings.timeline_lanes)
        if wanted is not self._reader.lanes:
            self.setCurrentIndex(self.findData(wanted))
            self._reader.lanes = wanted
            self.lay_out_again()

    @Slot()
    def lay_out_again(self) -> None:
        """Lay out the bars that are shown as it is chosen, where they are not."""
        run = self._board.run
        if run is None or sort_of(run.shown) is self.lanes:
            return
        if run.table.count() <= FEW or self.lanes is Lanes.DEPTH:
            self.lay_out(run)
            self._board.show_bars()
        else:
            self._work.ask(partial(_laid_out, self.lanes, run))

    @Slot(object)
    def _on_laid_out(self, outcome: tuple[TimelineRun, BarTable]) -> None:
        """Show the lanes, unless the run has become much longer meanwhile."""
        run, shown = outcome
        if run is not self._board.run:
            return
        if run.table.count() - shown.count() > FEW:
            self._work.ask(partial(_laid_out, self.lanes, run))
            return
        run.show_lanes(shown)
        self._board.show_bars()


def _laid_out(lanes: Lanes, run: TimelineRun) -> tuple[TimelineRun, BarTable]:
    return run, laid_out(lanes, run.table)


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
        words = f"{mark} {drawable_line(group.title)} · {numeral(group.count)}"
        return f"{words} ({drawable_line(group.note)})" if group.note else words


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
    painter.drawText(box.adjusted(_PAD_PX, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, ordered(shown))
    return box
