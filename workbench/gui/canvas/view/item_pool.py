"""The graphics items of the visible part: made, changed and dropped to match what is to be seen."""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsScene

from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.content.sights import Sight, SightKey
from workbench.gui.canvas.painting.pixmap_cache import PixmapCache


class StepItem(QGraphicsPixmapItem):
    """One box on the scene: a picture, drawn by Qt without a call into Python."""

    def __init__(self) -> None:
        super().__init__()
        self.content: BoxContent | None = None
        self.scale_drawn = 0.0
        self.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setShapeMode(QGraphicsPixmapItem.ShapeMode.BoundingRectShape)


class ItemPool:
    """Keeps the items of a scene equal to what is to be seen."""

    def __init__(self, scene: QGraphicsScene, cache: PixmapCache) -> None:
        self._scene = scene
        self._cache = cache
        self._items: dict[SightKey, StepItem] = {}

    @property
    def items(self) -> Mapping[SightKey, StepItem]:
        """The items that are on the scene now."""
        return self._items

    def clear(self) -> None:
        """Take every item off the scene."""
        for key in tuple(self._items):
            self._drop(key)

    def show(self, wanted: Mapping[SightKey, Sight], scale: float, budget_s: float) -> bool:
        """Make the scene show *wanted*; true when all of it is there and sharp.

        Drawing new pictures stops after *budget_s*; what is there already moves and changes
        at once, so that nothing outdated is ever seen. Call again for the rest.
        """
        end = time.perf_counter() + budget_s
        for key in [key for key in self._items if key not in wanted]:
            self._drop(key)
        is_complete = True
        for key, sight in wanted.items():
            item = self._items.get(key)
            is_late = time.perf_counter() > end
            if item is None and is_late and not self._cache.has(sight.content, scale):
                is_complete = False
                continue
            is_complete &= self._update(self._made(key) if item is None else item, sight, scale, is_late=is_late)
        return is_complete

    def _made(self, key: SightKey) -> StepItem:
        item = StepItem()
        self._scene.addItem(item)
        self._items[key] = item
        return item

    def _drop(self, key: SightKey) -> None:
        self._scene.removeItem(self._items.pop(key))

    def _update(self, item: StepItem, sight: Sight, scale: float, *, is_late: bool) -> bool:
        """Bring *item* up to date; false when its picture stays blurred for now."""
        if item.pos().x() != sight.x or item.pos().y() != sight.y:
            item.setPos(sight.x, sight.y)
        is_same = item.content is sight.content or item.content == sight.content
        if is_same and item.scale_drawn == scale:
            return True
        if is_late and is_same and not self._cache.has(sight.content, scale):
            return False
        item.content = sight.content
        item.scale_drawn = scale
        item.setPixmap(self._cache.picture(sight.content, scale))
        return True
