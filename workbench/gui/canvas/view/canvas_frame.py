"""The flowchart with what stands around it: scroll bars with marks, pinned names, a map of the whole in its own strip.

Nothing lies over the blocks. The map takes room from the flowchart, and gives it back where it has nothing to say.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollBar, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.view.camera import room_size
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.canvas.view.focus_bar import PinnedBar
from workbench.gui.canvas.view.minimap import MAP_WIDTHS_PX, Minimap
from workbench.gui.look.marked_bar import MarkedBar
from workbench.i18n import _

_MAP_SHARE = 0.17
_LEAST_ROOM_PX = (520, 240)
_LEAST_PINNED_PX = 200


class CanvasFrame(QWidget):
    """Holds the flowchart of *state*, its scroll bars, its pinned names and its map. *wants_map*: what is chosen."""

    def __init__(self, state: CanvasState, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = CanvasView(state, self)
        self.down = MarkedBar(Qt.Orientation.Vertical, self)
        self.across = MarkedBar(Qt.Orientation.Horizontal, self)
        self.down.setAccessibleName(_("Position in the flowchart, down"))
        self.across.setAccessibleName(_("Position in the flowchart, across"))
        self.minimap = Minimap(self.view, self.down, self.across, self)
        self.minimap.hide()
        self.pinned = PinnedBar(self.view, self)
        self.wants_map = False
        self.is_drawn = False
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.pinned, 0, 0, 1, 2)
        grid.addWidget(self.view, 1, 0)
        grid.addWidget(self.down, 1, 1)
        grid.addWidget(self.across, 2, 0)
        grid.addWidget(self.minimap, 0, 2, 3, 1)
        grid.setRowStretch(1, 1)
        self.setFocusProxy(self.view)
        self.down.valueChanged.connect(self._on_down_moved)
        self.across.valueChanged.connect(self._on_across_moved)
        self.view.view_moved.connect(self.follow)

    def add_below(self, bar: QWidget) -> None:
        """Put *bar* below the flowchart and its map."""
        self._grid.addWidget(bar, 3, 0, 1, 3)

    @Slot()
    def follow(self) -> None:
        """The canvas shows something else: so do the bars, and the map comes or goes."""
        view, layout = self.view, self.view.state.layout
        show_position(self.down, view.verticalScrollBar(), layout.height * view.zoom)
        show_position(self.across, view.horizontalScrollBar(), layout.width * view.zoom)
        is_shown = self.is_drawn and self.wants_map and self._map_width() > 0 and not shows_everything(view)
        if is_shown:
            self.minimap.setFixedWidth(self._map_width())
        if is_shown == self.minimap.isHidden():
            if self.minimap.hasFocus():
                self.view.setFocus()
            self.minimap.setVisible(is_shown)
            self._grid.activate()  # at once: whoever fits or reveals something counts on the room that there is
        self.pinned.refresh()

    def why_no_map(self) -> str:
        """What to tell whoever wants the map while there is none."""
        if not self.is_drawn:
            return _("There is no flowchart that a map could show.")
        if self._map_width() == 0:
            return _("There is no room for the map: make the flowchart larger.")
        return _("All of the flowchart is in view, so there is no map of it.")

    def _map_width(self) -> int:
        """How wide the map is; 0 where the canvas is too small for one."""
        if self.width() < _LEAST_ROOM_PX[0] or self.height() < _LEAST_ROOM_PX[1]:
            return 0
        return next((width for width in MAP_WIDTHS_PX if width <= self.width() * _MAP_SHARE), MAP_WIDTHS_PX[-1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The map may have no room any more, or have some again."""
        super().resizeEvent(event)
        self.view.whole_px = self.width() - self.down.width()
        self.pinned.setVisible(self.height() >= _LEAST_PINNED_PX)
        self.follow()

    @Slot(int)
    def _on_down_moved(self, value: int) -> None:
        self.view.verticalScrollBar().setValue(value)

    @Slot(int)
    def _on_across_moved(self, value: int) -> None:
        self.view.horizontalScrollBar().setValue(value)


def show_position(bar: MarkedBar, inner: QScrollBar, content_px: float) -> None:
    """Show on *bar* what part of the content, which is *content_px* long, *inner* shows.

    A view beside the content is one of its end: the bar stands for the content alone, so that marks stay in place.
    """
    page = inner.pageStep()
    if not bar.isSliderDown():
        with QSignalBlocker(bar):
            bar.setPageStep(page)
            bar.setSingleStep(inner.singleStep())
            bar.setRange(0, max(0, round(content_px) - page))
            bar.setValue(inner.value())


def shows_everything(view: CanvasView) -> bool:
    """True when the whole layout is on the screen, or would be without the map."""
    visible, layout, (wide, high) = visible_rect(view), view.state.layout, room_size(view)
    is_wide = visible.x <= 0 and visible.x + wide / view.zoom >= layout.width
    return is_wide and visible.y <= 0 and visible.y + high / view.zoom >= layout.height
