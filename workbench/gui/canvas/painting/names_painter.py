"""Names that can be read from afar: as large on the screen at any zoom, each on a plate of its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.look.theming import Theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line
from workbench.model.layout.far_names import FarName, Letters, Named, PlacedName, place_names
from workbench.model.layout.shapes import Rect

_SIZES_PX = {Named.LANE: 13, Named.PLAYBOOK: 13, Named.GROUP: 12, Named.COLUMN: 11}
_EDGE_PX = 3.0
_TEXT_X = 7.0


class _Measured(Letters):
    """The letters of a theme, with what is known of words that were measured before."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.fonts = {named: _font_of(named, theme) for named in Named}
        self._metrics = {named: QFontMetricsF(font) for named, font in self.fonts.items()}
        self._known: dict[tuple[str, Named], float] = {}
        self.line = max(metrics.height() for metrics in self._metrics.values()) + 2.0

    def width(self, words: str, named: Named) -> float:
        """How wide *words* are, in pixels of the screen."""
        key = words, named
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._metrics[named].horizontalAdvance(words)
        return found

    def shortened(self, words: str, room: float, named: Named) -> str:
        """As much of *words* as *room* holds, with an ellipsis."""
        return self._metrics[named].elidedText(words, Qt.TextElideMode.ElideRight, room)


def _font_of(named: Named, theme: Theme) -> QFont:
    font = sized(theme.body_font(), theme.px(_SIZES_PX[named]))
    if named < Named.GROUP:
        font.setWeight(QFont.Weight.DemiBold)
    return font


class FarNames:
    """The names of one canvas, placed once for each zoom: pushing the canvas moves them with the rest."""

    def __init__(self) -> None:
        self._names: Sequence[FarName] = ()
        self._width = 0.0
        self._letters: _Measured | None = None
        self._zoom = 0.0
        self.placed: tuple[PlacedName, ...] = ()

    def set_names(self, names: Sequence[FarName], width: float) -> None:
        """Show *names*, which stand in order, from now on, on a canvas of *width*."""
        self._names = [name._replace(words=drawable_line(name.words)) for name in names]
        self._width = width
        self._zoom = 0.0

    def paint(self, painter: QPainter, exposed: Rect, zoom: float, theme: Theme) -> None:
        """Draw the names that meet *exposed*, in scene coordinates, at *zoom*."""
        self._place(zoom, theme)
        assert self._letters is not None
        transform = painter.transform()
        painter.save()
        painter.resetTransform()  # names have the size of the screen, and stand on whole pixels
        painter.translate(round(transform.dx()), round(transform.dy()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        # plates stand on whole pixels, and so may reach one further than the place they have
        seen = Rect(exposed.x * zoom - 2, exposed.y * zoom - 2, exposed.width * zoom + 4, exposed.height * zoom + 4)
        near = [placed for placed in self.placed if placed.covered.meets(seen)]
        for placed in near:
            if placed.drop:
                left, low = round(placed.rect.x + placed.shift) + 1, round(placed.rect.y)
                painter.fillRect(left, low - round(placed.drop), 1, round(placed.drop), QColor(theme.muted))
        for placed in near:
            _paint_name(painter, placed, self._letters.fonts[placed.name.named], theme)
        painter.restore()

    def _place(self, zoom: float, theme: Theme) -> None:
        """Have the names at their places."""
        if self._letters is None or self._letters.theme is not theme:
            self._letters, self._zoom = _Measured(theme), 0.0
        if zoom != self._zoom:
            self._zoom = zoom
            self.placed = place_names(self._names, zoom, self._letters, self._width)


def _paint_name(painter: QPainter, placed: PlacedName, font: QFont, theme: Theme) -> None:
    """The words on a plate, with an edge in the colour of what it names."""
    plate, name = area_of(placed.rect).adjusted(0, 1, 0, -1).toAlignedRect(), placed.name
    edge = QColor(_edge_color(name, theme))
    painter.fillRect(plate, QColor(theme.surface))
    painter.setPen(QPen(QColor(theme.border), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plate.adjusted(0, 0, -1, -1))
    painter.fillRect(QRectF(plate.left(), plate.top(), _EDGE_PX, plate.height()), edge)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted if name.named is Named.COLUMN else theme.text))
    metrics = QFontMetricsF(font)
    base = plate.top() + (plate.height() + metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(plate.left() + _TEXT_X, base), ordered(placed.words))


def _edge_color(name: FarName, theme: Theme) -> str:
    if name.named is Named.LANE:
        return theme.muted
    return theme.text if name.named is Named.PLAYBOOK else theme.kind_color(name.kind)
