"""The window's own icons: SVG line drawings in a colour of whichever theme shows."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPaintEvent, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.theming import ICON_PX, AnyInk, Ink, current_theme
from workbench.resources import resource_bytes

DISABLED_OPACITY = 0.5


@lru_cache(maxsize=512)
def icon(name: str, ink: AnyInk = Ink.TEXT) -> QIcon:
    """The icon *name* in *ink*, sharp at every size; it follows the theme by itself.

    An unknown *name* raises FileNotFoundError.
    """
    return QIcon(_InkedDrawing(name, ink))


class _InkedDrawing(QIconEngine):
    """Asks for the colour each time it is painted: nobody has to give a button another icon when the theme changes."""

    def __init__(self, name: str, ink: AnyInk) -> None:
        super().__init__()
        _drawing(name)
        self._name = name
        self._ink = ink

    def pixmap(self, size: QSize, mode: QIcon.Mode, _state: QIcon.State) -> QPixmap:
        """The picture of *size* device pixels."""
        # a button may be squeezed to nothing, and on nothing Qt cannot paint
        side, color = max(1, min(size.width(), size.height())), current_theme().color(self._ink)
        # what the style makes of it for a disabled button can hardly be told apart in the dark
        drawn = _faded if mode is QIcon.Mode.Disabled else pixmap
        return drawn(self._name, color, side)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the picture into *rect*."""
        painter.drawPixmap(rect, self.pixmap(rect.size() * painter.device().devicePixelRatioF(), mode, state))

    def clone(self) -> QIconEngine:
        """Another one like this."""
        return _InkedDrawing(self._name, self._ink)


@lru_cache(maxsize=1024)
def pixmap(name: str, color: str, size_px: int, ratio: float = 1.0) -> QPixmap:
    """The icon *name* as a picture of *size_px* logical pixels on a screen with device pixel *ratio*."""
    side = round(size_px * ratio)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(_drawing(name).replace(b"currentColor", color.encode()))).render(
        painter, QRectF(0, 0, side, side)
    )
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@lru_cache(maxsize=256)
def _drawing(name: str) -> bytes:
    """The file of the icon *name*."""
    return resource_bytes(f"icons/{name}.svg")


@lru_cache(maxsize=256)
def _faded(name: str, color: str, size_px: int) -> QPixmap:
    """The icon *name* as it stands on what cannot be used now."""
    faded = QPixmap(size_px, size_px)
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(DISABLED_OPACITY)
    painter.drawPixmap(0, 0, pixmap(name, color, size_px))
    painter.end()
    return faded


class Picture(QWidget):
    """An icon by itself, *size_px* large at the usual text size."""

    def __init__(self, shown: QIcon, parent: QWidget, size_px: int = ICON_PX) -> None:
        super().__init__(parent)
        self._shown = shown
        self._size_px = size_px
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_icon(self, shown: QIcon) -> None:
        """Show *shown* instead."""
        self._shown = shown
        self.update()

    def sizeHint(self) -> QSize:
        """As large as the words around it want."""
        side = current_theme().px(self._size_px)
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the icon."""
        self._shown.paint(QPainter(self), self.rect())
