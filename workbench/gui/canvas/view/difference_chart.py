"""A flowchart of one of two versions: what became of each step stands on its block, in colour, pattern and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import ContentStore, ShownBox
from workbench.gui.canvas.painting.outlines import area_of, outline_path
from workbench.gui.canvas.painting.text_layout import small_font
from workbench.gui.canvas.view import camera
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.control.versions.compared import ChartMark
from workbench.gui.look.theming import Ink, Theme
from workbench.gui.words.values import drawable_line
from workbench.model.layout.program import Layout
from workbench.model.layout.shapes import Box, Shape
from workbench.model.program import StepId
from workbench.model.sentences.naming import Names
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.differences import Fate
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText

_TAG_HEIGHT_PX = 18.0
_TAG_X = 12.0
_TAG_OVERLAP_PX = 5.0
_PEN_PX = 2.5
_LOOKS: Mapping[Fate, tuple[Ink, Qt.PenStyle, Qt.BrushStyle]] = {
    Fate.ADDED: (Ink.DONE, Qt.PenStyle.SolidLine, Qt.BrushStyle.SolidPattern),
    Fate.REMOVED: (Ink.FAILED, Qt.PenStyle.DashLine, Qt.BrushStyle.Dense4Pattern),
    Fate.MOVED: (Ink.ACCENT, Qt.PenStyle.DashDotLine, Qt.BrushStyle.BDiagPattern),
    Fate.REORDERED: (Ink.ACCENT, Qt.PenStyle.DashDotDotLine, Qt.BrushStyle.FDiagPattern),
    Fate.CHANGED: (Ink.WAITING, Qt.PenStyle.DotLine, Qt.BrushStyle.HorPattern),
}
"""The colour, the line around a block, and what fills it from afar: by the first that fits."""


def look_of(mark: ChartMark) -> tuple[Ink, Qt.PenStyle, Qt.BrushStyle]:
    """How *mark* looks."""
    return next(look for fate, look in _LOOKS.items() if fate in mark.fates)


class _Contents(ContentStore):
    """What is drawn for boxes, with the words marked that the other version does not have."""

    def __init__(self, marks: Mapping[StepId, ChartMark], *, is_former: bool) -> None:
        super().__init__()
        self._marks = marks
        self._is_former = is_former
        self._marked: dict[int, tuple[BoxContent, BoxContent]] = {}

    def content_of(self, box: Box, number: str, severities: tuple[Severity, ...], names: Names) -> BoxContent:
        """What is drawn for *box*."""
        content = super().content_of(box, number, severities, names)
        mark = self._marks.get(box.step.id) if box.step is not None else None
        if mark is None or box.shape is Shape.CHIP or box.step is None or box.text != box.step.shown_text:
            return content
        known = self._marked.get(id(content))
        if known is None or known[0] is not content:
            made = replace(content, differing=mark.differing, is_former=self._is_former)
            known = self._marked[id(content)] = content, made
        return known[1]


class DifferenceChart(CanvasView):
    """One of two versions; a click chooses what became of a step. *is_former*: whether it is the older one."""

    change_chosen = Signal(int)  # the place of the change

    def __init__(self, parent: QWidget, *, is_former: bool) -> None:
        super().__init__(CanvasState(derive(SourceText(""))), parent)
        self.marks: Mapping[StepId, ChartMark] = {}
        self._is_former = is_former
        self._is_fresh = True

    def show_version(self, snapshot: Snapshot, layout: Layout, marks: Mapping[StepId, ChartMark]) -> None:
        """Show *snapshot* with *marks*; what a person looks at stays where it is."""
        self.marks = marks
        self.shown.contents = _Contents(marks, is_former=self._is_former)
        self.look.selected = frozenset()
        spot = camera.spot_of(self)
        self.state.reset(snapshot, layout)
        self.replace_layout()
        self.viewport().update()
        if self._is_fresh:
            self._is_fresh = False
            camera.show_start(self)
        else:
            camera.show_spot(self, spot)

    def choose(self, steps: tuple[StepId, ...], near: StepId | None) -> None:
        """Select *steps* and bring the first of them into view; where there is none, the step *near* their place."""
        before, self.look.selected = self.look.selected, frozenset(steps)
        self.refresh_steps(before ^ self.look.selected)
        wanted = steps[0] if steps else near
        place = self.state.layout.place_of(wanted) if wanted is not None else None
        if place is not None:
            camera.bring(self, place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what became of the step under the pointer."""
        super().mousePressEvent(event)
        at = camera.scene_point(self, event.position())
        hit = self.state.hit(at.x(), at.y())
        mark = self.marks.get(hit.step) if hit is not None and hit.step is not None else None
        if mark is not None and event.button() is Qt.MouseButton.LeftButton:
            self.change_chosen.emit(mark.change)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """The marks lie over all else, so that no ring strikes their words out."""
        super().drawForeground(painter, rect)
        if self.is_far:
            _paint_far(painter, self)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for box in self.shown.boxes.values():
                mark = self.marks.get(box.step) if box.step is not None else None
                if mark is not None:
                    _paint_mark(painter, box, mark, self.theme)


def _paint_mark(painter: QPainter, box: ShownBox, mark: ChartMark, theme: Theme) -> None:
    """A line around the block, and astride its upper border the sign with words."""
    ink, line, _fill = look_of(mark)
    color, area = QColor(theme.color(ink)), area_of(box.rect)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, _PEN_PX, line))
    painter.drawPath(outline_path(box.content.shape, area.adjusted(-1, -1, 1, 1)))
    font = small_font(theme)
    metrics = QFontMetricsF(font)
    words = f"{mark.sign} {drawable_line(mark.words)}"
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width() - 2 * _TAG_X)
    tag = QRectF(0, 0, metrics.horizontalAdvance(words) + 14, _TAG_HEIGHT_PX)
    tag.moveTopLeft(QPointF(area.x() + _TAG_X, area.top() - _TAG_HEIGHT_PX + _TAG_OVERLAP_PX))
    painter.setPen(QPen(color, 1))
    painter.setBrush(QColor(theme.surface))
    painter.drawRoundedRect(tag, _TAG_HEIGHT_PX / 2, _TAG_HEIGHT_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)


def _paint_far(painter: QPainter, chart: DifferenceChart) -> None:
    """Fill the steps that have a mark, each fate with a pattern of its own."""
    visible, layout = visible_rect(chart), chart.state.layout
    painter.setPen(Qt.PenStyle.NoPen)
    for step, mark in chart.marks.items():
        place = layout.place_of(step)
        if place is not None and place.meets(visible):
            ink, _line, fill = look_of(mark)
            brush = QBrush(QColor(chart.theme.color(ink)), fill)
            brush.setTransform(painter.worldTransform().inverted()[0])  # patterns keep their size on the screen
            painter.setBrush(brush)
            painter.drawRect(area_of(place))
    painter.setBrush(Qt.BrushStyle.NoBrush)
