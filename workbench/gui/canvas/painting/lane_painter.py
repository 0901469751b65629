"""Paints the lanes: the ground of each agent, with its name and what it is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.gui.canvas.painting.outlines import area_of, blended
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.look.theming import BLOCK_RADIUS_PX, Theme
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.model.layout.program import Lane, Layout
from workbench.model.layout.shapes import Rect

_HEADER_PX = 32
_PAD_PX = 40.0


def kind_words(kind: str) -> str:
    """What a person calls an agent of *kind*."""
    return {"Human": _("Person"), "MCP": _("Tool server")}.get(kind, _("AI agent"))


def paint_lanes(painter: QPainter, layout: Layout, exposed: Rect, theme: Theme) -> None:
    """Draw the lanes that meet *exposed*, each with its title."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for lane in layout.lanes:
        if lane.rect.meets(exposed):
            painter.fillRect(area_of(lane.rect), blended(theme.surface, theme.window, 0.6))
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawRoundedRect(area_of(lane.rect), BLOCK_RADIUS_PX, BLOCK_RADIUS_PX)
            _paint_title(painter, lane, theme)


def paint_far_lanes(painter: QPainter, layout: Layout, exposed: Rect, theme: Theme) -> None:
    """Draw the lanes as they are seen from afar: plain frames."""
    painter.setPen(QPen(QColor(theme.border), 0))
    painter.setBrush(blended(theme.surface, theme.window, 0.6))
    painter.drawRects([area_of(lane.rect) for lane in layout.lanes if lane.rect.meets(exposed)])
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_title(painter: QPainter, lane: Lane, theme: Theme) -> None:
    """The agent's name, and its kind muted behind it."""
    font = sized(theme.body_font(), 13)
    font.setBold(True)
    metrics = QFontMetricsF(font)
    room = lane.rect.width - 2 * _PAD_PX
    name = metrics.elidedText(drawable_line(lane.name), Qt.TextElideMode.ElideRight, room * 0.7)
    baseline = lane.rect.y + (_HEADER_PX + metrics.ascent() - metrics.descent()) / 2
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(QPointF(lane.rect.x + _PAD_PX, baseline), name)
    used = metrics.horizontalAdvance(name) + 8
    font.setBold(False)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    kind = QFontMetricsF(font).elidedText(kind_words(lane.kind), Qt.TextElideMode.ElideRight, room - used)
    painter.drawText(QPointF(lane.rect.x + _PAD_PX + used, baseline), kind)
