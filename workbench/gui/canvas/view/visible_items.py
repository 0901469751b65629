"""Keeps what is drawn in step with the layout: items of what is on the screen, and from afar batches and names."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsScene

from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import BoxKey, ContentStore, ShownBox, shown_boxes_in
from workbench.gui.canvas.painting.overlay import OverlayState
from workbench.gui.canvas.painting.overview import (
    FarSelection,
    Overview,
    paint_far_heat,
    paint_far_marks,
    paint_far_overlay,
)
from workbench.gui.canvas.painting.pixmap_cache import PixmapCache
from workbench.gui.canvas.view import zoom_levels
from workbench.gui.look.theming import Theme, current_theme
from workbench.model.layout.shapes import Rect

if TYPE_CHECKING:  # loaded with the first look from afar
    from workbench.gui.canvas.painting.names_painter import FarNames

# New pictures are drawn for at most this long at a time, so that no gesture waits for them.
_SLICE_S = 0.004
_SLICE_PAUSE_MS = 4
_LEAST_SEEN = 6
"""So many are drawn in view however late it is: on a busy machine the time can be over before the first one."""
_TELL_S = 0.1
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

    def show(self, wanted: Mapping[BoxKey, ShownBox], scale: float, seen: Rect, budgets_s: tuple[float, float]) -> bool:
        """Make the scene show *wanted*; true when all of it is there and sharp.

        Drawing new pictures in *seen*, and then around it, stops after so many seconds each; what is there already
        moves and changes at once, or goes where nobody sees it, so that nothing outdated is ever seen. Call again for
        the rest.
        """
        for key in [key for key in self._items if key not in wanted]:
            self._drop(key)
        near = {key: box for key, box in wanted.items() if box.rect.meets(seen)}
        around = {key: box for key, box in wanted.items() if key not in near}
        is_complete = self._show(near, scale, budgets_s[0], is_seen=True)
        return self._show(around, scale, budgets_s[1], is_seen=False) and is_complete

    def _show(self, wanted: Mapping[BoxKey, ShownBox], scale: float, budget_s: float, *, is_seen: bool) -> bool:
        end = time.perf_counter() + budget_s
        is_complete, left = True, _LEAST_SEEN if is_seen else 0
        for key, box in wanted.items():
            item = self._items.get(key)
            is_late = left <= 0 and time.perf_counter() > end
            left -= item is None or item.content is not box.content
            is_due = item is None or (not is_seen and item.content != box.content)
            if is_due and is_late and not self._cache.has(box.content, scale):
                is_complete = False
                if item is not None:
                    self._drop(key)
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
        self._seen = _NOWHERE
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
        self._scale, self._seen = scale, visible
        if not is_known:
            self._region = _with_margin(visible)
            state = self._state
            self.boxes = shown_boxes_in(state.layout, self._region, state.severities_of, self.contents, state.label_of)
        self._fill(_SLICE_S, 0.0)

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
            self._fill(1.0, 1.0)

    def _fill(self, *budgets_s: float) -> None:
        was_complete = self.is_complete
        self.is_complete = self._pool.show(self.boxes, self._scale, self._seen, (budgets_s[0], budgets_s[1]))
        if not self.is_complete:
            self._slices.start()
        elif not was_complete:
            self.completed.emit()

    @Slot()
    def _on_slice(self) -> None:
        self._fill(_SLICE_S / 2, _SLICE_S / 2)


class FarView(QObject):
    """What is drawn from afar. What a long document needs for that is prepared in slices of time.

    *overview*: the blocks and edges of the layout that *state* has; *names*: what can be read of it, once that is
    wanted.
    """

    advanced = Signal(object)  # tuple[Rect, ...]: parts of the canvas that look different now
    completed = Signal()  # all of it can be drawn now

    def __init__(self, state: CanvasState, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self.overview = Overview()
        self.names: FarNames | None = None
        self._selection = FarSelection()
        self._named: tuple[object, bool] = None, False
        self._is_read = False
        self._ready: list[Rect] = []
        self._told_s = 0.0
        self._slices = QTimer(self, interval=_SLICE_PAUSE_MS, singleShot=True)
        self._slices.timeout.connect(self._on_slice)

    @property
    def has_names(self) -> bool:
        """Whether *names* fit the layout that shows now; without its groups, as long as these are not known."""
        return self._named == (self._state.layout, self.overview.is_complete)

    def prepare(self, *, is_read: bool = True) -> None:
        """Have some of what is needed, and go on with the rest while there is time.

        *is_read*: the names are needed as well; a map has none.
        """
        self._is_read = self._is_read or is_read
        self.overview.set_layout(self._state.layout)
        if not self.overview.is_complete:
            self._on_slice()
        elif is_read and not self.has_names:
            self._name()

    @Slot()
    def _on_slice(self) -> None:
        self.overview.set_layout(self._state.layout)
        self._ready += self.overview.prepare()
        is_due = self.overview.is_complete or self._named[0] is not self._state.layout
        if self._is_read and is_due:
            self._name()
        if self.overview.is_complete:
            self._ready = []
            self.completed.emit()
        else:
            self._tell()
            self._slices.start()

    def _tell(self) -> None:
        """Have what is ready painted, now and then: painting takes as long as preparing."""
        now = time.perf_counter()
        if now - self._told_s > _TELL_S:
            self._told_s, ready, self._ready = now, tuple(self._ready), []
            self.advanced.emit(ready)

    def _name(self) -> None:
        """Name what there is in the layout."""
        self._named = self._state.layout, self.overview.is_complete
        from workbench.gui.canvas.painting.names_painter import FarNames  # noqa: PLC0415 - no start needs it
        from workbench.model.layout.far_names import names_of  # noqa: PLC0415 - likewise

        layout = self._state.layout
        self.names = self.names or FarNames()
        self.names.set_names(names_of(layout, self.overview.groups()), layout.width)

    def finish(self) -> None:
        """Prepare everything, however long it takes: for pictures of the window and for tests."""
        while not self.overview.is_complete:
            self._on_slice()

    def paint_names(self, painter: QPainter, exposed: Rect, zoom: float, theme: Theme) -> None:
        """Draw the names that meet *exposed*."""
        if self.names is not None:
            self.names.paint(painter, exposed, zoom, theme)

    def paint_over(self, painter: QPainter, look: OverlayState, theme: Theme) -> None:
        """Draw the heat and the marks of the run, and what is selected."""
        paint_far_heat(painter, look.far_heat, theme)
        paint_far_marks(painter, self._state.layout, look.marks, theme)
        paint_far_overlay(painter, self._selection.rects(self._state.layout, look.selected), theme)


def shows_names(zoom: float) -> bool:
    """Whether titles are too small to be read at *zoom*, for the person who chose the size of the text."""
    return zoom < zoom_levels.NAMES_BELOW * current_theme().scale


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
