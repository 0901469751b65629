"""What is drawn over the blocks: selection, hover, focus, run marks, links, the sign that inserts on an edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of, outline_path
from workbench.gui.canvas.painting.run_mark_painter import paint_mark, paint_tag
from workbench.gui.control.running.run_marks import StepMark
from workbench.gui.look.frames import RING_PX
from workbench.gui.look.theme import Theme
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId

PLUS_RADIUS_PX = 9.0
# How far outside its box anything of the overlay may reach.
REACH_PX = 20.0

Link = tuple[Rect, Rect]


@dataclass(slots=True)
class OverlayState:
    """What the overlay shows. *plus*: centre of the sign that inserts. *phase*: how far the moving edges are, in px."""

    selected: frozenset[StepId] = frozenset()
    hovered: StepId | None = None
    has_focus: bool = False
    marks: Mapping[StepId, StepMark] = field(default_factory=dict)
    phase: float | None = 0.0
    now_ns: int = 0
    plus: tuple[float, float] | None = None
    links: tuple[Link, ...] = ()
    slots: tuple[Rect, ...] = ()


def paint_overlay(
    painter: QPainter, boxes: Iterable[ShownBox], exposed: Rect, look: OverlayState, theme: Theme
) -> None:
    """Draw everything over the boxes *boxes* that meets *exposed*."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for link in look.links:
        _paint_link(painter, link, theme)
    for box in boxes:
        step = box.step
        if step is None or not (step in look.marks or step in look.selected or step == look.hovered):
            continue
        if not _grown(box.rect).meets(exposed):
            continue
        mark = look.marks.get(step)
        if mark is not None:
            paint_mark(painter, box, mark, theme, look.phase)
        if step in look.selected:
            _paint_ring(painter, box, theme.accent, RING_PX if look.has_focus else 1.5)
        elif step == look.hovered:
            _paint_ring(painter, box, theme.muted, 1.0)
        if mark is not None:
            paint_tag(painter, box, mark, theme, look.now_ns)
    _paint_slots(painter, look.slots, exposed, theme)
    if look.plus is not None:
        _paint_plus(painter, look.plus, theme)


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
