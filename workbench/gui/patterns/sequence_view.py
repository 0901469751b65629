"""A small flowchart of the tools of a pattern, and the dots of how its runs ended."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.icons import pixmap
from workbench.gui.look.theming import BLOCK_RADIUS_PX, GRID_PX, Ink, current_theme
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, _
from workbench.library.entries import Observation, Outcome, Variant
from workbench.model.meaning import StepKind

_BAR_PX = 4
_ICON_PX = 16
_MOST_DOTS = 40
_OUTCOME_WORDS = {Outcome.SUCCESS: N_("succeeded"), Outcome.FAILURE: N_("failed"), Outcome.PARTIAL: N_("partial")}


def outcome_ink(outcome: Outcome) -> Ink:
    """The ink of how a run ended."""
    return {Outcome.SUCCESS: Ink.DONE, Outcome.FAILURE: Ink.FAILED, Outcome.PARTIAL: Ink.BLOCKED}[outcome]


class SequenceView(QWidget):
    """One variant, drawn as the canvas draws calls: boxes from top to bottom with arrows between."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[tuple[str, int], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_variant(self, variant: Variant | None) -> None:
        """Draw *variant*, nothing for None."""
        tools = variant.tools if variant is not None else ()
        repeats = variant.repeats if variant is not None and len(variant.repeats) == len(tools) else (1,) * len(tools)
        self._steps = tuple(zip(tools, repeats, strict=True))
        self.setAccessibleName(variant.text if variant is not None else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as all boxes and arrows."""
        count = len(self._steps)
        return QSize(180, count * self._box_px + max(0, count - 1) * 2 * GRID_PX + 2)

    @property
    def _box_px(self) -> int:
        return current_theme().px(28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the boxes that are seen."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.body_font())
        pitch = self._box_px + 2 * GRID_PX
        for number, (tool, count) in enumerate(self._steps):
            box = QRectF(0.5, number * pitch + 0.5, min(self.width() - 1, theme.px(280)), self._box_px)
            if box.bottom() + 2 * GRID_PX < event.rect().top() or box.top() > event.rect().bottom():
                continue
            self._box(painter, box, tool, count)
            if number + 1 < len(self._steps):
                self._arrow(painter, box)

    def _box(self, painter: QPainter, box: QRectF, tool: str, count: int) -> None:
        theme = current_theme()
        color = QColor(theme.kind_color(StepKind.CALL))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.surface))
        painter.drawRoundedRect(box, BLOCK_RADIUS_PX, BLOCK_RADIUS_PX)
        painter.fillRect(QRectF(box.left() + 1, box.top() + 6, _BAR_PX, box.height() - 12), color)
        icon = pixmap("tool", color.name(), _ICON_PX, self.devicePixelRatioF())
        painter.drawPixmap(QPointF(box.left() + _BAR_PX + GRID_PX, box.center().y() - _ICON_PX / 2), icon)
        words = box.adjusted(_BAR_PX + _ICON_PX + 2 * GRID_PX, 0, -GRID_PX, 0)
        metrics = painter.fontMetrics()
        if count > 1:
            times = f"×{count}"
            painter.setPen(QColor(theme.muted))
            painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, times)
            words.setRight(words.right() - metrics.horizontalAdvance(times) - GRID_PX)
        painter.setPen(QColor(theme.text))
        name = metrics.elidedText(drawable_line(tool)[:200], Qt.TextElideMode.ElideMiddle, int(words.width()))
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _arrow(self, painter: QPainter, box: QRectF) -> None:
        color = QColor(current_theme().muted)
        x, top, bottom = box.left() + 24, box.bottom(), box.bottom() + 2 * GRID_PX
        painter.setPen(QPen(color, 1))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom - 4))
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(x, bottom), QPointF(x - 4, bottom - 6), QPointF(x + 4, bottom - 6)]))


class OutcomeDots(QWidget):
    """How the last runs ended, oldest at the left: high for worked, low for failed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcomes: tuple[Outcome, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_records(self, newest_first: tuple[Observation, ...]) -> None:
        """Draw the newest of them."""
        self._outcomes = tuple(each.outcome for each in reversed(newest_first[:_MOST_DOTS]))
        words = ", ".join(str(_OUTCOME_WORDS[outcome]) for outcome in self._outcomes)
        self.setAccessibleName(words)
        self.setToolTip(_("Last runs, newest on the right: {words}").format(words=words) if words else "")
        self.setVisible(bool(self._outcomes))
        self.update()

    def sizeHint(self) -> QSize:
        """One row of dots."""
        return QSize(10 * max(1, len(self._outcomes)), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the dots."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        heights = {Outcome.SUCCESS: 5.0, Outcome.PARTIAL: 10.0, Outcome.FAILURE: 15.0}
        for number, outcome in enumerate(self._outcomes):
            painter.setBrush(QColor(theme.color(outcome_ink(outcome))))
            painter.drawEllipse(QPointF(4 + number * 10, heights[outcome]), 3, 3)
