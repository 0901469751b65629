"""The whole run on a strip: where bars and failures are, which part of it the timeline shows, and a way to go there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.frames import draw_frame
from workbench.gui.look.theming import current_theme
from workbench.gui.timeline.bars.bar_painter import BarColors, pieces
from workbench.gui.timeline.bars.bars import BarStatus, BarTable, tint_of
from workbench.gui.timeline.time_window import TimeWindow, fitted
from workbench.i18n import _

HEIGHT_PX = 26
_PAD_PX = 3
_MOST_LANES = 6
_GROWTH = 1.01
"""How much longer a run must have become before the strip is painted anew: of a live run, not every frame."""


class Minimap(QWidget):
    """Paints the outermost lanes of a table, small. Pressing and dragging moves the timeline there."""

    moved = Signal(object)  # float: the time that shall be in the middle

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = BarTable()
        self._window = TimeWindow(0.0, 1.0, 1)
        self._found: Sequence[int] = array("q")
        self._picture = QPixmap()
        self._key: object = None
        self._painted_to_ns = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Overview of the run"))
        self.setToolTip(_("The whole run: press or drag to go there"))

    def sizeHint(self) -> QSize:
        """A low strip."""
        return QSize(200, current_theme().px(HEIGHT_PX))

    def show_table(self, table: BarTable, window: TimeWindow) -> None:
        """Show the bars of *table*, of which the timeline shows *window*."""
        if (table, window) == (self._table, self._window) and table.end_ns <= self._painted_to_ns:
            return
        self._table, self._window = table, window
        self.update()

    def show_found(self, times: Sequence[int]) -> None:
        """Mark the times at which something was found."""
        self._found, self._key = times, None
        self.update()

    @property
    def whole(self) -> TimeWindow:
        """The whole run on the strip."""
        return fitted(self._table.end_ns, max(1, self.width()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The run, and a frame around what the timeline shows."""
        painter = QPainter(self)
        theme = current_theme()
        painter.drawPixmap(0, 0, self._kept_picture())
        whole = self.whole
        left, right = whole.x_of(self._window.start_ns), whole.x_of(self._window.end_ns)
        left, right = max(0.0, left), min(float(self.width()), max(right, left + 3))
        shade = QColor(theme.window)
        shade.setAlphaF(0.6)
        painter.fillRect(QRectF(0, 0, left, self.height()), shade)
        painter.fillRect(QRectF(right, 0, self.width() - right, self.height()), shade)
        draw_frame(painter, QRectF(left, 0, right - left - 1, self.height() - 1), theme.accent, 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the time under the pointer."""
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The same while the button is held."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.moved.emit(self.whole.time_at(event.position().x()))

    def _kept_picture(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        key = (id(self._table), self.size(), ratio, current_theme())
        if key != self._key or self._table.end_ns > self._painted_to_ns * _GROWTH:
            self._key, self._painted_to_ns = key, self._table.end_ns
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor(current_theme().surface))
            painter = QPainter(self._picture)
            self._paint_lanes(painter)
            painter.end()
        return self._picture

    def _paint_lanes(self, painter: QPainter) -> None:
        theme, colors, whole = current_theme(), BarColors(current_theme()), self.whole
        lanes = self._table.lanes[:_MOST_LANES]
        height = (self.height() - 2 * _PAD_PX) / max(1, len(lanes))
        failures: list[QRectF] = []
        for number, lane in enumerate(lanes):
            top = _PAD_PX + number * height
            for piece in pieces(lane, whole):
                rect = QRectF(piece.left, top, max(1.0, piece.right - piece.left), max(1.0, height - 1))
                if tint_of(piece.code).status is BarStatus.FAILED:
                    failures.append(rect)
                painter.fillRect(rect, QColor(colors.plain(piece.code)))
        for rect in failures:
            painter.fillRect(rect, QColor(theme.failed))
        for x in {int(whole.x_of(at_ns)) for at_ns in self._found}:
            painter.fillRect(QRectF(x, 0, 1, self.height()), QColor(theme.accent))
