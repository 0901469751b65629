"""Run marks on blocks: border, sign and words for how far a step is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of, blended, outline_path
from workbench.gui.canvas.painting.text_layout import small_font
from workbench.gui.control.running.run_marks import MarkStatus, StepMark
from workbench.gui.look.frames import RING_PX
from workbench.gui.look.icons import pixmap
from workbench.gui.look.signs import LineSign, paint_sign
from workbench.gui.look.theming import Theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, duration_words
from workbench.i18n import _, numeral
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId
from workbench.model.showing.heat import Warmth
from workbench.vocabulary import Status

_ICONS = {
    MarkStatus.RUNNING: "running",
    MarkStatus.DONE: "done",
    MarkStatus.FAILED: "failed",
    MarkStatus.WAITING: "person",
    MarkStatus.SKIPPED: "skipped",
    MarkStatus.BLOCKED: "shield",
    MarkStatus.STOPPED: "stop",
    MarkStatus.NEXT: "step",
    MarkStatus.NO: "minus",
}
# What the run passed by or is done with: the sign and the words say it, and nothing is drawn over the block.
_QUIET = frozenset({MarkStatus.DONE, MarkStatus.SKIPPED, MarkStatus.NO, MarkStatus.STOPPED})
_TAG_HEIGHT_PX = 18.0
_TAG_X = 30.0
# the words of a full box end five pixels above its border
_TAG_OVERLAP_PX = 3.0
_HEAT_X = 8.0
_BAR_PX = 10.0
_STRONGEST = 0.4
BARS_PX = 20.0
_DOT_LIMIT = 12
_DOT_STEP_PX = 8.0
_DASH_PX = 6.0
PLUS_RADIUS_PX = 9.0
# How far outside its box anything of the overlay may reach.
REACH_PX = 20.0
Link = tuple[Rect, Rect]


def paint_mark(painter: QPainter, box: ShownBox, mark: StepMark, theme: Theme, phase: float | None) -> None:
    """Draw the border of *mark* on *box*. *phase*: of the moving edge in px, None to stand still."""
    area = area_of(box.rect)
    if mark.status not in _QUIET:
        moves = phase if mark.status is MarkStatus.RUNNING else None
        _paint_border(painter, box, area, theme.status_color(mark.status.value), moves)


def paint_tag(painter: QPainter, box: ShownBox, mark: StepMark, theme: Theme, now_ns: int) -> None:
    """Draw sign, words and rounds of *mark* below *box*, over everything else."""
    area = area_of(box.rect)
    _paint_words(painter, area, mark, theme, tag_words(mark, now_ns))
    if mark.iterations:
        _paint_dots(painter, area, mark, theme.status_color(mark.status.value))


def tag_words(mark: StepMark, now_ns: int) -> str:
    """What stands beside the sign of *mark*: elapsed time, the error, or what is waited for."""
    if mark.status is MarkStatus.RUNNING:
        spent = max(0, now_ns - mark.started_ns) // 1_000_000 if mark.started_ns else mark.elapsed_ms
        words = duration_words(spent)
        round_words = _("{elapsed}, round {count}").format(elapsed=words, count=numeral(mark.iterations))
        return round_words if mark.iterations else words
    if mark.status is MarkStatus.DONE:
        return duration_words(mark.elapsed_ms)
    if mark.status is MarkStatus.NO:
        return _("no")  # on a condition that says it all, and covers no word of the edges
    return (mark.detail if mark.status not in _QUIET else "") or str(Status[mark.status.name])


def _paint_border(painter: QPainter, box: ShownBox, area: QRectF, color: str, phase: float | None) -> None:
    """A moving dashed border, or a still double one."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(QColor(color), 2)
    if phase is not None:
        pen.setDashPattern([_DASH_PX, _DASH_PX / 2])
        pen.setDashOffset(-phase)
        painter.setPen(pen)
        painter.drawPath(outline_path(box.content.shape, area))
        return
    painter.setPen(pen)
    painter.drawPath(outline_path(box.content.shape, area))
    painter.setPen(QPen(QColor(color), 1))
    painter.drawPath(outline_path(box.content.shape, area.adjusted(-3, -3, 3, 3)))


def _paint_words(painter: QPainter, area: QRectF, mark: StepMark, theme: Theme, words: str) -> None:
    """The sign and words of the mark, astride the lower border."""
    font = small_font(theme)
    metrics = QFontMetricsF(font)
    room = area.width() - _TAG_X - 40
    words = metrics.elidedText(drawable_line(words), Qt.TextElideMode.ElideRight, room)
    color = theme.status_color(mark.status.value)
    tag = tag_area(area, metrics.horizontalAdvance(words) + 28)
    painter.setPen(QPen(QColor(color), 1))
    painter.setBrush(QColor(theme.surface))
    painter.drawRoundedRect(tag, _TAG_HEIGHT_PX / 2, _TAG_HEIGHT_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    sign = pixmap(_ICONS[mark.status], color, 12, painter.transform().m11())
    painter.drawPixmap(tag.topLeft() + QPointF(6, 3), sign)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(tag.adjusted(21, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, ordered(words))


def tag_area(area: QRectF, width_px: float) -> QRectF:
    """Where the words of a mark stand at the foot of a box that takes *area*: below its words, and its chips."""
    return QRectF(area.x() + _TAG_X, area.bottom() - _TAG_OVERLAP_PX, width_px, _TAG_HEIGHT_PX)


def _paint_dots(painter: QPainter, area: QRectF, mark: StepMark, color: str) -> None:
    """One dot per round of a loop, the newest at the right, under the right end of the header."""
    count = min(mark.iterations, _DOT_LIMIT)
    left = area.right() - 12 - count * _DOT_STEP_PX
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    for index in range(count):
        painter.drawEllipse(QPointF(left + (index + 0.5) * _DOT_STEP_PX, area.bottom() + 7), 2.5, 2.5)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _nothing_found(_step: StepId) -> int:
    return 0


@dataclass(slots=True)
class OverlayState:
    """What the overlay shows.

    *signs*: breakpoints. *found*: how many matches of a search a step has. *plus*: centre of the sign that inserts.
    *phase*: how far the moving edges are, in px. *heat*: how often, or how long, steps were carried out. *far_heat*:
    the same from afar, where each level is a share of the width of its boxes.
    """

    selected: frozenset[StepId] = frozenset()
    hovered: StepId | None = None
    has_focus: bool = False
    marks: Mapping[StepId, StepMark] = field(default_factory=dict)
    phase: float | None = 0.0
    now_ns: int = 0
    plus: tuple[float, float] | None = None
    links: tuple[Link, ...] = ()
    signs: Mapping[StepId, LineSign] = field(default_factory=dict)
    found: Callable[[StepId], int] = _nothing_found
    slots: tuple[Rect, ...] = ()
    heat: Mapping[StepId, Warmth] = field(default_factory=dict)
    far_heat: tuple[tuple[Warmth, list[QRectF]], ...] = ()

    def shows(self, step: StepId) -> bool:
        """Whether anything is drawn over the box of *step*."""
        is_marked = step in self.marks or step in self.selected or step == self.hovered or step in self.signs
        return is_marked or step in self.heat or self.found(step) > 0


def paint_overlay(
    painter: QPainter, boxes: Iterable[ShownBox], exposed: Rect, look: OverlayState, theme: Theme
) -> None:
    """Draw everything over the boxes *boxes* that meets *exposed*."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for link in look.links:
        _paint_link(painter, link, theme)
    for box in boxes:
        step = box.step
        if step is None or not look.shows(step):
            continue
        if _grown(box.rect).meets(exposed):
            _paint_over(painter, box, step, look, theme)
    _paint_slots(painter, look.slots, exposed, theme)
    if look.plus is not None:
        _paint_plus(painter, look.plus, theme)


def _paint_over(painter: QPainter, box: ShownBox, step: StepId, look: OverlayState, theme: Theme) -> None:
    """Draw what lies over the one *box*, which is that of *step*."""
    mark = look.marks.get(step)
    if mark is not None:
        paint_mark(painter, box, mark, theme, look.phase)
    count = look.found(step)
    if count:
        _paint_found(painter, box, count, theme)
    if step in look.selected:
        _paint_ring(painter, box, theme.accent, RING_PX if look.has_focus else 1.5)
    elif step == look.hovered:
        _paint_ring(painter, box, theme.muted, 1.0)
    if step in look.heat:
        _paint_heat(painter, area_of(box.rect), look.heat[step], theme)
    if mark is not None:
        paint_tag(painter, box, mark, theme, look.now_ns)
    if step in look.signs:
        area = area_of(box.rect)
        paint_sign(painter, theme, QPointF(area.left(), area.center().y()), look.signs[step])


def _paint_found(painter: QPainter, box: ShownBox, count: int, theme: Theme) -> None:
    """A ring, and astride the upper border a glass with how often something was found."""
    _paint_ring(painter, box, theme.blocked, 2.0)
    font, area = small_font(theme), area_of(box.rect)
    words = numeral(count)
    tag = QRectF(0, 0, QFontMetricsF(font).horizontalAdvance(words) + 27, _TAG_HEIGHT_PX)
    tag.moveTopLeft(QPointF(area.x() + _TAG_X, area.top() - _TAG_HEIGHT_PX + _TAG_OVERLAP_PX))
    painter.setPen(QPen(QColor(theme.blocked), 1))
    painter.setBrush(QColor(theme.surface))
    painter.drawRoundedRect(tag, _TAG_HEIGHT_PX / 2, _TAG_HEIGHT_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPixmap(tag.topLeft() + QPointF(6, 3), pixmap("search", theme.blocked, 12, painter.transform().m11()))
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(tag.adjusted(21, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, ordered(words))


def _paint_heat(painter: QPainter, area: QRectF, warmth: Warmth, theme: Theme) -> None:
    """Astride the right end of the upper border: bars for the level, and what the step has in words."""
    font = small_font(theme)
    tag = QRectF(0, 0, QFontMetricsF(font).horizontalAdvance(warmth.words) + BARS_PX + 18, _TAG_HEIGHT_PX)
    tag.moveTopRight(QPointF(area.right() - _HEAT_X, area.top() - _TAG_HEIGHT_PX + _TAG_OVERLAP_PX))
    painter.setPen(QPen(QColor(theme.blocked), 1))
    painter.setBrush(heat_ground(warmth, theme))
    painter.drawRoundedRect(tag, _TAG_HEIGHT_PX / 2, _TAG_HEIGHT_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    paint_bars(painter, tag.topLeft() + QPointF(8, 4), warmth, theme)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(tag.adjusted(BARS_PX + 12, 0, -2, 0), Qt.AlignmentFlag.AlignVCenter, ordered(warmth.words))


def heat_ground(warmth: Warmth, theme: Theme) -> QColor:
    """What is behind words about *warmth*: the warmer, the stronger, and never so strong that they are hard to read."""
    return blended(theme.blocked, theme.surface, _STRONGEST * warmth.level / warmth.levels)


def paint_bars(painter: QPainter, at: QPointF, warmth: Warmth, theme: Theme) -> None:
    """As many rising bars as there are levels, *at* their top left; up to the level they are full, beyond it stubs."""
    wide = BARS_PX / warmth.levels
    for place in range(warmth.levels):
        is_full = place < warmth.level
        high = _BAR_PX * (0.3 + 0.7 * (place + 1) / warmth.levels) if is_full else 2.0
        rect = QRectF(at.x() + place * wide, at.y() + _BAR_PX - high, max(2.0, wide - 1.0), high)
        painter.fillRect(rect, QColor(theme.text if is_full else theme.muted))


def _grown(rect: Rect) -> Rect:
    return Rect(rect.x - REACH_PX, rect.y - REACH_PX, rect.width + 2 * REACH_PX, rect.height + 2 * REACH_PX)


def _paint_ring(painter: QPainter, box: ShownBox, color: str, width: float) -> None:
    area = area_of(box.rect)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(color), width))
    painter.drawPath(outline_path(box.content.shape, area.adjusted(-0.5, -0.5, 0.5, 0.5)))


def _paint_slots(painter: QPainter, slots: Iterable[Rect], exposed: Rect, theme: Theme) -> None:
    """Faint bars where a dragged step may go."""
    color = QColor(theme.accent)
    color.setAlpha(130)
    painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
    for slot in slots:
        if slot.meets(exposed):
            middle = slot.y + slot.height / 2
            painter.drawLine(QPointF(slot.x, middle), QPointF(slot.x + slot.width, middle))


def _paint_plus(painter: QPainter, at: tuple[float, float], theme: Theme) -> None:
    """A small round sign on an edge."""
    centre = QPointF(*at)
    painter.setPen(QPen(QColor(theme.accent), 1.5))
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(centre, PLUS_RADIUS_PX, PLUS_RADIUS_PX)
    painter.drawLine(centre - QPointF(4, 0), centre + QPointF(4, 0))
    painter.drawLine(centre - QPointF(0, 4), centre + QPointF(0, 4))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_link(painter: QPainter, link: Link, theme: Theme) -> None:
    """A dashed curve from a box to what it calls or jumps to."""
    source, target = link
    start = QPointF(source.x + source.width, source.y + source.height / 2)
    is_right = target.x >= start.x()
    end = QPointF(target.x - 8 if is_right else target.x + target.width, target.y + target.height / 2)
    bend = max(40.0, abs(end.x() - start.x()) / 2)
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(bend, 0), end + QPointF(-bend if is_right else bend, 0), end)
    painter.setPen(QPen(QColor(theme.accent), 1.5, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.setBrush(QColor(theme.accent))
    painter.drawEllipse(end, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
