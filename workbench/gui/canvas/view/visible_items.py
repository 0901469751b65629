"""Keeps the graphics items of a scene in step with the part of the layout that is on the screen."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsScene

from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import BoxKey, ContentStore, ShownBox, shown_boxes_in
from workbench.gui.canvas.painting.pixmap_cache import PixmapCache
from workbench.model.layout.shapes import Rect

# New pictures are drawn for at most this long at a time, so that no gesture waits for them.
_SLICE_S = 0.004
_SLICE_PAUSE_MS = 4
_MARGIN = 0.25
_NOWHERE = Rect(0, 0, -1, -1)


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
        self._items: dict[BoxKey, StepItem] = {}

    @property
    def items(self) -> Mapping[BoxKey, StepItem]:
        """The items that are on the scene now."""
        return self._items

    def clear(self) -> None:
        """Take every item off the scene."""
        for key in tuple(self._items):
            self._drop(key)

    def show(self, wanted: Mapping[BoxKey, ShownBox], scale: float, budget_s: float) -> bool:
        """Make the scene show *wanted*; true when all of it is there and sharp.

        Drawing new pictures stops after *budget_s*; what is there already moves and changes
        at once, so that nothing outdated is ever seen. Call again for the rest.
        """
        end = time.perf_counter() + budget_s
        for key in [key for key in self._items if key not in wanted]:
            self._drop(key)
        is_complete = True
        for key, box in wanted.items():
            item = self._items.get(key)
            is_late = time.perf_counter() > end
            if item is None and is_late and not self._cache.has(box.content, scale):
                is_complete = False
                continue
            is_complete &= self._update(self._made(key) if item is None else item, box, scale, is_late=is_late)
        return is_complete

    def _made(self, key: BoxKey) -> StepItem:
        item = StepItem()
        self._scene.addItem(item)
        self._items[key] = item
        return item

    def _drop(self, key: BoxKey) -> None:
        self._scene.removeItem(self._items.pop(key))

    def _update(self, item: StepItem, box: ShownBox, scale: float, *, is_late: bool) -> bool:
        """Bring *item* up to date; false when its picture stays blurred for now."""
        if item.pos().x() != box.x or item.pos().y() != box.y:
            item.setPos(box.x, box.y)
        is_same = item.content is box.content or item.content == box.content
        if is_same and item.scale_drawn == scale:
            return True
        if is_late and is_same and not self._cache.has(box.content, scale):
            return False
        item.content = box.content
        item.scale_drawn = scale
        item.setPixmap(self._cache.picture(box.content, scale))
        return True


class VisibleItems(QObject):
    """The items of the visible part plus a margin; pictures that are due are drawn in slices of time.

    *contents*: says what is drawn of each box.
    """

    completed = Signal()  # everything that was missing is there now

    def __init__(self, scene: QGraphicsScene, state: CanvasState) -> None:
        super().__init__(scene)
        self.boxes: Mapping[BoxKey, ShownBox] = {}
        self.is_complete = True
        self._state = state
        self._cache = PixmapCache()
        self.contents = ContentStore()
        self._pool = ItemPool(scene, self._cache)
        self._region = _NOWHERE
        self._scale = 1.0
        self._slices = QTimer(self, interval=_SLICE_PAUSE_MS, singleShot=True)
        self._slices.timeout.connect(self._on_slice)

    @property
    def items(self) -> Mapping[BoxKey, StepItem]:
        """The items there are, by key."""
        return self._pool.items

    def missing(self) -> Iterator[ShownBox]:
        """What has no item yet."""
        items = self._pool.items
        return (box for key, box in self.boxes.items() if key not in items)

    def show(self, visible: Rect, scale: float) -> None:
        """Have items for *visible*, with pictures of *scale* device pixels per pixel at 100 %."""
        is_known = _holds(self._region, visible)
        if is_known and self.is_complete and scale == self._scale:
            return
        self._scale = scale
        if not is_known:
            self._region = _with_margin(visible)
            state = self._state
            self.boxes = shown_boxes_in(state.layout, self._region, state.severities_of, self.contents, state.label_of)
        self._fill(_SLICE_S)

    def show_nothing(self) -> None:
        """Have no items."""
        self._pool.clear()
        self.boxes = {}
        self.is_complete = True
        self._region = _NOWHERE

    def outdate(self) -> None:
        """Look at the layout again at the next ``show``."""
        self._region = _NOWHERE

    def forget_pictures(self) -> None:
        """Draw every picture again from the next ``show`` on."""
        self._cache.clear()
        self.show_nothing()

    def finish(self) -> None:
        """Draw everything that is due, however long it takes: for pictures of the window and for tests."""
        while not self.is_complete:
            self._fill(1.0)

    def _fill(self, budget_s: float) -> None:
        was_complete = self.is_complete
        self.is_complete = self._pool.show(self.boxes, self._scale, budget_s)
        if not self.is_complete:
            self._slices.start()
        elif not was_complete:
            self.completed.emit()

    @Slot()
    def _on_slice(self) -> None:
        self._fill(_SLICE_S)


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and outer.x + outer.width >= inner.x + inner.width
        and outer.y + outer.height >= inner.y + inner.height
    )


def _with_margin(rect: Rect) -> Rect:
    """*rect* and some more on every side, so that a short pan needs no new items."""
    wide, high = rect.width * _MARGIN, rect.height * _MARGIN
    return Rect(rect.x - wide, rect.y - high, rect.width + 2 * wide, rect.height + 2 * high)
