"""The window's own icons: SVG line drawings that take the colour of what they stand on."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench.resources import resource_path

_SIZES_PX = (16, 24, 32, 48)
_DISABLED_OPACITY = 0.4


@lru_cache(maxsize=512)
def icon(name: str, color: str) -> QIcon:
    """The icon *name* drawn in *color* (``#rrggbb``), sharp at every common size."""
    found = QIcon()
    renderer = _renderer(name, color)
    for size_px in _SIZES_PX:
        picture = _drawn(renderer, size_px)
        found.addPixmap(picture)
        # what the style makes of it for a disabled button can hardly be told apart in the dark
        found.addPixmap(_faded(picture), QIcon.Mode.Disabled)
    return found


@lru_cache(maxsize=1024)
def pixmap(name: str, color: str, size_px: int, ratio: float = 1.0) -> QPixmap:
    """The icon *name* as a picture of *size_px* logical pixels on a screen with device pixel *ratio*."""
    picture = _drawn(_renderer(name, color), round(size_px * ratio))
    picture.setDevicePixelRatio(ratio)
    return picture


def _drawn(renderer: QSvgRenderer, side: int) -> QPixmap:
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    return picture


def _renderer(name: str, color: str) -> QSvgRenderer:
    """A renderer of the recoloured drawing; an unknown *name* raises FileNotFoundError."""
    drawing = _drawing(name).replace(b"currentColor", color.encode())
    return QSvgRenderer(QByteArray(drawing))


@lru_cache(maxsize=256)
def _drawing(name: str) -> bytes:
    """The file of the icon *name*."""
    return resource_path(f"icons/{name}.svg").read_bytes()


def _faded(picture: QPixmap) -> QPixmap:
    """*picture* as it stands on what cannot be used now."""
    faded = QPixmap(picture.size())
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(_DISABLED_OPACITY)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return faded
