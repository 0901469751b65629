"""What the colours of the bars mean, in words, below them."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.timeline.bars.bar_colors import HEAT, HEATS, BarColors, Heat, is_with_people
from workbench.gui.timeline.bars.bar_words import cost_text
from workbench.gui.timeline.bars.bars import BarKind, BarStatus, BarTable, Tint, paint_code
from workbench.i18n import N_, _, duration_text

_HEIGHT_PX = 22
_SWATCH_PX = 12
_GAP_PX = 6
_ENTRIES = (
    (Tint(BarKind.PLAYBOOK, BarStatus.DONE), N_("Playbook")),
    (Tint(BarKind.CALL, BarStatus.DONE), N_("Call")),
    (Tint(BarKind.MODEL, BarStatus.DONE), N_("Model")),
    (Tint(BarKind.QUESTION, BarStatus.DONE), N_("Waiting for people")),
    (Tint(BarKind.STEP, BarStatus.RUNNING), N_("Running")),
    (Tint(BarKind.CALL, BarStatus.BLOCKED), N_("Blocked")),
    (Tint(BarKind.CALL, BarStatus.FAILED), N_("Failed")),
)


class Legend(QWidget):
    """Swatches with words; of heat, how far it goes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heat = Heat.NONE
        self._table = BarTable()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Legend of the timeline"))
        self._tell()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, current_theme().px(_HEIGHT_PX))

    def show_heat(self, heat: Heat) -> None:
        """Explain other colours."""
        self._heat = heat
        self._tell()
        self.update()

    def show_table(self, table: BarTable) -> None:
        """Explain the colours of *table*."""
        self._table = table
        self._tell()
        self.update()

    def words(self) -> list[str]:
        """What is said, from left to right."""
        return [words for _codes, words in self._entries()]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """As many entries as there is room for."""
        painter, theme = QPainter(self), current_theme()
        painter.fillRect(self.rect(), QColor(theme.window))
        colors, font = BarColors(theme), theme.secondary_font()
        metrics, side, gap = QFontMetricsF(font), theme.px(_SWATCH_PX), theme.px(_GAP_PX)
        painter.setFont(font)
        x, top = float(gap), (self.height() - side) / 2
        for codes, words in self._entries():
            width = len(codes) * (side if len(codes) == 1 else side / 3)
            if x + width + gap + metrics.horizontalAdvance(words) > self.width():
                break
            for place, code in enumerate(codes):
                box = QRectF(x + place * width / len(codes), top, width / len(codes), side)
                painter.fillRect(box, QColor(colors.plain(code)))
                if code < HEAT and code == _PEOPLE:
                    painter.fillRect(box, QBrush(QColor(theme.color(Ink.PEOPLE)), Qt.BrushStyle.BDiagPattern))
            x += width + gap
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(x, 0, self.width() - x, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            x += metrics.horizontalAdvance(words) + 3 * gap

    def _entries(self) -> Iterator[tuple[tuple[int, ...], str]]:
        """Paint codes, and the words behind them."""
        heats = tuple(range(HEAT, HEAT + HEATS))
        match self._heat:
            case Heat.TIME:
                lasted = duration_text(self._table.end_ns)
                yield heats, _("Time of each bar, from little to {lasted}").format(lasted=lasted)
            case Heat.COST if self._table.costs.total:
                yield heats, _("Cost of each bar, from nothing to {cost}").format(cost=cost_text(self._table.costs))
            case Heat.COST:
                yield (HEAT,), _("No model has cost anything in this run")
        over = _ENTRIES if self._heat is Heat.NONE else _ENTRIES[-2:]
        yield from (((paint_code(tint),), str(words)) for tint, words in over)

    def _tell(self) -> None:
        self.setAccessibleDescription(", ".join(self.words()))


_PEOPLE = next(paint_code(tint) for tint, _words in _ENTRIES if is_with_people(tint))
