"""A scroll bar that shows where something is: findings, breakpoints, matches, what is selected, how far a run is.

Each kind of mark has a shape of its own besides its colour. A click on a mark leads there; everywhere else the bar is
an ordinary one. Where all is in view there is nothing to be led to, and so there are no marks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QAbstractSlider, QScrollBar, QToolTip, QWidget

from workbench.gui.look.theming import Ink, Theme, current_theme, severity_ink
from workbench.gui.words.values import tip
from workbench.i18n import ngettext
from workbench.model.showing.marks_along import Cluster, Mark, MarkKind, around, gathered, nearest
from workbench.syntax.diagnostics import Severity

THICK_PX = 14
_DELAY_MS = 80
_SLICE_S = 0.004
_PAUSE_MS = 4
_LEAST_HANDLE_PX = 24
_HANDLE, _HELD, _EDGE = 0.3, 0.5, 0.72
_SIZE_PX = 6
_NEVER = -1
# Findings stand in one lane, what concerns runs in another; what has none lies across both.
_LANES = {
    **dict.fromkeys((MarkKind.INFO, MarkKind.WARNING, MarkKind.ERROR), 0.74),
    **dict.fromkeys((MarkKind.BREAKPOINT, MarkKind.BLOCKED, MarkKind.FAILED, MarkKind.WAITING, MarkKind.RUNNING), 0.28),
}

MARK_OF_SEVERITY = {Severity.ERROR: MarkKind.ERROR, Severity.WARNING: MarkKind.WARNING, Severity.INFO: MarkKind.INFO}
Tell = Callable[[Cluster], str]


def nothing_to_tell(_cluster: Cluster) -> str:
    """Nobody has said what the marks stand for."""
    return ""


class MarkedBar(QScrollBar):
    """A scroll bar with marks. *tell*: says in words what a cluster of them stands for."""

    mark_chosen = Signal(object)  # Cluster

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.tell: Tell = nothing_to_tell
        self.marks: Sequence[Mark] = ()
        self.clusters: tuple[Cluster, ...] = ()
        self._gathered_on = _NEVER
        self._picture: QPixmap | None = None
        self._pressed: QPointF | None = None
        self._is_hovered = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.take_theme()

    def take_theme(self) -> None:
        """It is as thick as the text is large, and its marks have colours."""
        thick = current_theme().px(THICK_PX)
        if self.orientation() is Qt.Orientation.Vertical:
            self.setFixedWidth(thick)
        else:
            self.setFixedHeight(thick)
        self._picture = None
        self.update()

    def sizeHint(self) -> QSize:
        """As thick as its marks need."""
        thick = current_theme().px(THICK_PX)
        return QSize(thick, thick)

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Show *marks* from now on."""
        self.marks = marks
        self._gathered_on = _NEVER
        self._describe()
        self.update()

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:
        """Marks come and go with what can be scrolled, whoever sets the range, and whether or not others hear of it."""
        super().sliderChange(change)
        is_range = change is QAbstractSlider.SliderChange.SliderRangeChange
        if is_range and self.can_scroll != bool(self.accessibleDescription()):
            self._describe()

    def _describe(self) -> None:
        self.setAccessibleDescription(summary_of(self.marks) if self.can_scroll else "")

    @property
    def can_scroll(self) -> bool:
        """Whether there is more than can be seen at once."""
        return self.maximum() > self.minimum()

    @property
    def length_px(self) -> int:
        """How long the bar is."""
        return self.height() if self.orientation() is Qt.Orientation.Vertical else self.width()

    def handle(self) -> tuple[float, float]:
        """Where the handle begins, and how long it is; nothing where all is in view."""
        low, whole, length = self.minimum(), self.maximum() - self.minimum() + self.pageStep(), self.length_px
        if not self.can_scroll or whole <= 0:
            return 0.0, 0.0
        size = max(length * self.pageStep() / whole, min(_LEAST_HANDLE_PX, length))
        return (length - size) * (self.value() - low) / (self.maximum() - low), size

    def _gather(self) -> None:
        """Have the clusters for the length that the bar has now; none where all is in view."""
        length = self.length_px if self.can_scroll else 0
        if length != self._gathered_on:
            self._gathered_on = length
            self.clusters = gathered(self.marks, length) if length else ()
            self._picture = None

    def _along(self, at: QPointF) -> float:
        return at.y() if self.orientation() is Qt.Orientation.Vertical else at.x()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, the handle and the marks; the style would take longer for that than the flowchart for itself."""
        del event
        self._gather()
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        start, size = self.handle()
        if size:
            is_held, band = self._is_hovered or self.isSliderDown(), self._band(start, size)
            painter.fillRect(band, _mixed(theme, _EDGE))  # 3 to 1, which edges need to be seen
            painter.fillRect(band.adjusted(1, 1, -1, -1), _mixed(theme, _HELD if is_held else _HANDLE))
        if self.clusters:
            painter.drawPixmap(0, 0, self._drawn(theme))
        painter.end()

    def _band(self, start: float, size: float) -> QRectF:
        if self.orientation() is Qt.Orientation.Vertical:
            return QRectF(1, start, self.width() - 2, size)
        return QRectF(start, 1, size, self.height() - 2)

    def _drawn(self, theme: Theme) -> QPixmap:
        """The marks, drawn once for each length."""
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatioF() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for cluster in self.clusters:
                paint_mark(painter, cluster.kind, self._place_of(cluster), theme)
            painter.end()
        return self._picture

    def _place_of(self, cluster: Cluster) -> QRectF:
        """Where a mark is drawn: in one of two lanes, or across both."""
        half = current_theme().px(_SIZE_PX) / 2
        is_down, at = self.orientation() is Qt.Orientation.Vertical, cluster.at_px
        at = min(max(at, half), self.length_px - half)
        lane = _LANES.get(cluster.kind)
        thick = current_theme().px(THICK_PX)
        across = (0.0, float(thick)) if lane is None else (thick * lane - half, 2 * half)
        along = (at - half, 2 * half)
        (x, width), (y, height) = (across, along) if is_down else (along, across)
        return QRectF(x, y, width, height)

    def _on_handle(self, at: float) -> bool:
        start, size = self.handle()
        return start <= at <= start + size

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a mark beside the handle leads there; one on the handle may be the beginning of a drag."""
        self._gather()
        at, is_left = self._along(event.position()), event.button() is Qt.MouseButton.LeftButton
        meant = nearest(self.clusters, at) if is_left else None
        if meant is not None and not self._on_handle(at):
            event.accept()
            self.mark_chosen.emit(meant)
            return
        self._pressed = event.position() if meant is not None else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a mark over the handle leads there as well."""
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        if pressed is not None and (event.position() - pressed).manhattanLength() < 3:
            meant = nearest(self.clusters, self._along(pressed))
            if meant is not None:
                self.mark_chosen.emit(meant)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand where a click leads somewhere."""
        super().mouseMoveEvent(event)
        self._gather()
        if not event.buttons():
            is_mark = nearest(self.clusters, self._along(event.position())) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if is_mark else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        """Marks are told in words where the pointer rests; the handle shows that it can be taken."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(self._along(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        if event.type() in _HOVERS:
            self._is_hovered = event.type() is QEvent.Type.Enter
            self.update()
        return super().event(event)

    def words_at(self, at_px: float) -> str:
        """What the marks at *at_px* of the bar stand for; empty where there are none."""
        self._gather()
        return "\n".join(filter(None, (self.tell(each) for each in around(self.clusters, at_px))))


class MarkKeeper(QObject):
    """Keeps the marks of *bars*. *find*: finds them anew, one of each place for each bar, or None to give time.

    Whoever types or runs does not wait for marks: they come a little later, and many of them in slices of time.
    """

    def __init__(self, bars: Sequence[MarkedBar], find: Callable[[], Iterator[Sequence[Mark] | None]]) -> None:
        super().__init__(bars[0])
        self._bars = bars
        self._find = find
        self._found: list[list[Mark]] = []
        self._due: Iterator[Sequence[Mark] | None] = iter(())
        self._delay = QTimer(self, interval=_DELAY_MS, singleShot=True)
        self._delay.timeout.connect(self._on_due)
        self._slices = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._slices.timeout.connect(self._on_slice)

    @Slot()
    def later(self) -> None:
        """Something has changed: find all marks anew, soon."""
        if not self._delay.isActive():
            self._delay.start()

    @Slot()
    def _on_due(self) -> None:
        self._found = [[] for _bar in self._bars]
        self._due = self._find()
        self._on_slice()

    @Slot()
    def _on_slice(self) -> None:
        end = time.perf_counter() + _SLICE_S
        for marks in self._due:
            for found, mark in zip(self._found, marks or (), strict=False):
                found.append(mark)
            if time.perf_counter() > end:
                self._slices.start()
                return
        for bar, found in zip(self._bars, self._found, strict=True):
            bar.set_marks(found)


_HOVERS = frozenset({QEvent.Type.Enter, QEvent.Type.Leave})


def summary_of(marks: Sequence[Mark]) -> str:
    """How many marks there are of each kind, for whoever does not see them."""
    counts = {kind: sum(mark.kind is kind for mark in marks) for kind in sorted(MarkKind, reverse=True)}
    return ", ".join([count_words(kind, count) for kind, count in counts.items() if count])


def count_words(kind: MarkKind, count: int) -> str:
    """*count* marks of *kind*, in words."""
    return _COUNTS[kind](count)


_COUNTS: dict[MarkKind, Callable[[int], str]] = {
    MarkKind.SELECTED: lambda n: ngettext("{count} selected step", "{count} selected steps", n),
    MarkKind.MATCH: lambda n: ngettext("{count} match", "{count} matches", n),
    MarkKind.INFO: lambda n: ngettext("{count} info", "{count} infos", n),
    MarkKind.WARNING: lambda n: ngettext("{count} warning", "{count} warnings", n),
    MarkKind.ERROR: lambda n: ngettext("{count} error", "{count} errors", n),
    MarkKind.BREAKPOINT: lambda n: ngettext("{count} breakpoint", "{count} breakpoints", n),
    MarkKind.BLOCKED: lambda n: ngettext("{count} step blocked", "{count} steps blocked", n),
    MarkKind.FAILED: lambda n: ngettext("{count} step failed", "{count} steps failed", n),
    MarkKind.WAITING: lambda n: ngettext("{count} step waits", "{count} steps wait", n),
    MarkKind.RUNNING: lambda n: ngettext("{count} step is running", "{count} steps are running", n),
}


def _mixed(theme: Theme, share: float) -> QColor:
    """A grey between the ground and muted words."""
    ground, ink = QColor(theme.window), QColor(theme.muted)
    pairs = ((ground.red(), ink.red()), (ground.green(), ink.green()), (ground.blue(), ink.blue()))
    return QColor(*[round(one + (other - one) * share) for one, other in pairs])


_INKS = {
    MarkKind.MATCH: Ink.BLOCKED,
    MarkKind.SELECTED: Ink.ACCENT,
    MarkKind.INFO: severity_ink("info"),
    MarkKind.WARNING: severity_ink("warning"),
    MarkKind.ERROR: severity_ink("error"),
    MarkKind.BREAKPOINT: severity_ink("error"),
    MarkKind.BLOCKED: Ink.BLOCKED,
    MarkKind.FAILED: Ink.FAILED,
    MarkKind.WAITING: Ink.WAITING,
    MarkKind.RUNNING: Ink.ACCENT,
}


def paint_mark(painter: QPainter, kind: MarkKind, area: QRectF, theme: Theme) -> None:
    """Draw the mark of *kind* in *area*, by a shape that no other kind has."""
    color = QColor(theme.color(_INKS[kind]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    _SHAPES[kind](painter, area, color)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _line(painter: QPainter, area: QRectF, color: QColor) -> None:
    """A thin line across the bar."""
    middle = area.center()
    if area.width() > area.height():
        painter.fillRect(QRectF(area.x(), middle.y() - 1, area.width(), 2), color)
    else:
        painter.fillRect(QRectF(middle.x() - 1, area.y(), 2, area.height()), color)


def _frame(painter: QPainter, area: QRectF, color: QColor) -> None:
    """A frame across the bar."""
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(1, 1, -1, -1))


def _ring(painter: QPainter, area: QRectF, color: QColor) -> None:
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(area.adjusted(0.75, 0.75, -0.75, -0.75))


def _disc(painter: QPainter, area: QRectF, _color: QColor) -> None:
    painter.drawEllipse(area)


def _square(painter: QPainter, area: QRectF, _color: QColor) -> None:
    painter.drawRect(area)


def _shape(*points: tuple[float, float]) -> Callable[[QPainter, QRectF, QColor], None]:
    """What draws the polygon through *points*, shares of the area."""

    def draw(painter: QPainter, area: QRectF, _color: QColor) -> None:
        corners = [QPointF(area.x() + x * area.width(), area.y() + y * area.height()) for x, y in points]
        painter.drawPolygon(QPolygonF(corners))

    return draw


def _bars(painter: QPainter, area: QRectF, color: QColor) -> None:
    """Two bars beside each other, as for a pause."""
    third = area.width() / 3
    painter.fillRect(QRectF(area.x(), area.y(), third, area.height()), color)
    painter.fillRect(QRectF(area.right() - third, area.y(), third, area.height()), color)


def _cross(painter: QPainter, area: QRectF, color: QColor) -> None:
    painter.setPen(QPen(color, 2))
    painter.drawLine(area.topLeft(), area.bottomRight())
    painter.drawLine(area.topRight(), area.bottomLeft())


_SHAPES: dict[MarkKind, Callable[[QPainter, QRectF, QColor], None]] = {
    MarkKind.SELECTED: _line,
    MarkKind.MATCH: _frame,
    MarkKind.INFO: _ring,
    MarkKind.WARNING: _shape((0.5, 0), (1, 1), (0, 1)),
    MarkKind.ERROR: _square,
    MarkKind.BREAKPOINT: _disc,
    MarkKind.BLOCKED: _shape((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    MarkKind.FAILED: _cross,
    MarkKind.WAITING: _bars,
    MarkKind.RUNNING: _shape((0, 0), (1, 0.5), (0, 1)),
}
