"""Selection and run marks over the overview: rings around what may be ten thousand blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.gui.canvas.content.shown_boxes import words_rect
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.control.running.run_marks import MarkStatus, StepMark
from workbench.gui.look.theming import Theme
from workbench.model.layout.program import Layout
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId

_RING_PX = 2.0
# From here on it is cheaper to look at every box than to look for each step.
_MANY = 200


class FarSelection:
    """The rings of the last selection in the last layout."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._selected: frozenset[StepId] = frozenset()
        self._rects: list[QRectF] = []

    def rects(self, layout: Layout, selected: frozenset[StepId]) -> list[QRectF]:
        """Where the *selected* steps stand in *layout*."""
        if layout is not self._layout or selected is not self._selected:
            self._layout, self._selected = layout, selected
            self._rects = [area_of(rect) for rect in _places(layout, selected)]
        return self._rects


def _places(layout: Layout, selected: frozenset[StepId]) -> Iterator[Rect]:
    if len(selected) < _MANY:
        yield from (place for step in selected if (place := layout.place_of(step)) is not None)
        return
    for placed in layout.visible(Rect(0, 0, layout.width, layout.height)):
        for box in placed.fragment.boxes:
            if box.step is not None and box.step.id in selected:
                yield words_rect(box, placed)


def paint_far_overlay(painter: QPainter, rects: list[QRectF], theme: Theme) -> None:
    """Draw rings that are as wide on the screen at any zoom."""
    pen = QPen(QColor(theme.accent), _RING_PX)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRects(rects)


def paint_far_marks(painter: QPainter, layout: Layout, marks: Mapping[StepId, StepMark], theme: Theme) -> None:
    """Fill the steps that a person may look for: running, waiting, failed, blocked."""
    loud = ((step, mark) for step, mark in marks.items() if mark.status in _LOUD)
    painter.setPen(Qt.PenStyle.NoPen)
    for step, mark in islice(loud, _MANY):
        place = layout.place_of(step)
        if place is not None:
            painter.setBrush(QColor(theme.status_color(mark.status.value)))
            painter.drawRect(QRectF(place.x, place.y, place.width, min(place.height, _LOUD_HEIGHT_PX)))
    painter.setBrush(Qt.BrushStyle.NoBrush)


_LOUD = frozenset({MarkStatus.RUNNING, MarkStatus.WAITING, MarkStatus.FAILED, MarkStatus.BLOCKED})
_LOUD_HEIGHT_PX = 64.0
