"""Pictures of boxes, kept by what is drawn and at which scale; the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtGui import QPixmap

from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.painting.box_painter import picture_of
from workbench.gui.look.theming import current_theme

_BUDGET_BYTES = 96 * 1024 * 1024

PictureKey = tuple[BoxContent, float]


class PixmapCache:
    """The pictures of one canvas, in the theme that shows."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[PictureKey, QPixmap] = OrderedDict()
        self._bytes = 0

    def clear(self) -> None:
        """Forget all pictures: the theme has changed."""
        self._pictures.clear()
        self._bytes = 0

    def has(self, content: BoxContent, scale: float) -> bool:
        """True when the picture is there already."""
        return (content, scale) in self._pictures

    def picture(self, content: BoxContent, scale: float) -> QPixmap:
        """*content* with *scale* device pixels per pixel at 100 %."""
        key = (content, scale)
        found = self._pictures.get(key)
        if found is not None:
            self._pictures.move_to_end(key)
            return found
        made = picture_of(content, current_theme(), scale)
        self._pictures[key] = made
        self._bytes += _size_of(made)
        while self._bytes > _BUDGET_BYTES and len(self._pictures) > 1:
            _key, dropped = self._pictures.popitem(last=False)
            self._bytes -= _size_of(dropped)
        return made


def _size_of(picture: QPixmap) -> int:
    return picture.width() * picture.height() * 4
