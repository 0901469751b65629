"""The whole flowchart as a picture in a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from workbench.errors import CannotSave
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import shown_boxes_in
from workbench.gui.canvas.painting.box_painter import paint_box
from workbench.gui.canvas.painting.lane_painter import paint_lanes
from workbench.gui.canvas.painting.route_painter import InkStore, paint_ground
from workbench.gui.look.theme import Theme
from workbench.i18n import _
from workbench.model.layout.shapes import Rect
from workbench.model.snapshot import Snapshot

_SHARPNESS = 2.0
_LARGEST_SIDE_PX = 16_000
_LARGEST_AREA_PX = 120_000_000


def export_picture(snapshot: Snapshot, theme: Theme, path: Path) -> None:
    """Write the flowchart of *snapshot*, nothing folded, as SVG or else PNG; raises CannotSave."""
    state = CanvasState(snapshot)
    data = svg_of(state, theme) if path.suffix.lower() == ".svg" else png_of(state, theme)
    try:
        path.write_bytes(data)
    except OSError as error:
        reason = error.strerror or str(error)
        text = _("Could not save the picture “{name}”: {reason}.")
        raise CannotSave(text.format(name=path.name, reason=reason)) from error


def png_of(state: CanvasState, theme: Theme) -> bytes:
    """A PNG at twice the size of the screen, less sharp where it would become too large to open."""
    width, height = max(state.layout.width, 1.0), max(state.layout.height, 1.0)
    scale = min(_SHARPNESS, _LARGEST_SIDE_PX / max(width, height), (_LARGEST_AREA_PX / (width * height)) ** 0.5)
    image = QImage(QSize(max(1, round(width * scale)), max(1, round(height * scale))), QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint_flowchart(painter, state, theme)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes, Qt a text
    return bytes(buffer.data().data())


def svg_of(state: CanvasState, theme: Theme) -> bytes:
    """An SVG at 100 %."""
    size = QSize(max(1, round(state.layout.width)), max(1, round(state.layout.height)))
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    painter = QPainter(generator)
    paint_flowchart(painter, state, theme)
    painter.end()
    return bytes(buffer.data().data())


def paint_flowchart(painter: QPainter, state: CanvasState, theme: Theme) -> None:
    """Everything that *state* lays out: ground, edges, frames, blocks."""
    everything = Rect(0, 0, state.layout.width, state.layout.height)
    painter.fillRect(QRectF(0, 0, everything.width, everything.height), QColor(theme.window))
    paint_lanes(painter, state.layout, everything, theme)
    paint_ground(painter, state.layout, everything, InkStore(), theme)
    for box in shown_boxes_in(state.layout, everything, state.severities_of).values():
        painter.translate(box.x, box.y)
        paint_box(painter, box.content, theme)
        painter.translate(-box.x, -box.y)
