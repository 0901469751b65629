"""The colours of bars: by what they are and how they went, by how long they took, or by what models cost in them.

A legend below the bars says in words what they mean.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator
from functools import cache, cached_property

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.look.theming import Ink, Theme, current_theme
from workbench.gui.timeline.bars.bar_words import cost_text
from workbench.gui.timeline.bars.bars import BarKind, BarStatus, BarTable, Tint, is_code, paint_code, tint_of
from workbench.gui.timeline.bars.columns import Costs
from workbench.i18n import N_, _, duration_text
from workbench.model.meaning import StepKind

_KIND_OF_OTHERS = {
    BarKind.PLAYBOOK: StepKind.CALL,
    BarKind.CALL: StepKind.TELL,
    BarKind.ATTEMPT: StepKind.TELL,
    BarKind.JUDGEMENT: StepKind.STEP,
    BarKind.WAIT: StepKind.ASK,
    BarKind.MODEL: StepKind.STEP,
}
_STATUS_WORDS = {
    BarStatus.RUNNING: "running",
    BarStatus.WAITING: "waiting",
    BarStatus.BLOCKED: "blocked",
    BarStatus.FAILED: "failed",
}
SOFT = 0.26  # how much of a colour covers the surface: words must stay readable on a soft face
PLAIN = 0.62
HEATS = 16
HEAT = 256
"""Above all paint codes: the first of the colours by time or cost."""
_COLD_NS = 1000
_CHEAPEST = 1e-4
"""The share of all costs that is as cold as nothing."""
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


class BarColors:
    """Colours by paint code, as ``#rrggbb``."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.strong = cache(self._strong)
        self.soft = cache(self._soft)
        self.plain = cache(self._plain)

    @cached_property
    def table(self) -> list[int]:
        """Those for bars without words, for a picture of paint codes; nothing for 0."""
        codes = (code for code in range(1, 256) if is_code(code))
        return _table({code: QColor(self.plain(code)).rgba() for code in codes})

    @cached_property
    def heat_table(self) -> list[int]:
        """The same for a picture of heats, which count from 1 in it."""
        return _table({heat + 1: QColor(self.plain(HEAT + heat)).rgba() for heat in range(HEATS)})

    def _strong(self, code: int) -> str:
        """For edges and for what is too small for words."""
        if code >= HEAT:
            return mixed(self._theme.surface, self._theme.accent, 0.2 + 0.8 * (code - HEAT) / (HEATS - 1))
        return self._of(tint_of(code))

    def _soft(self, code: int) -> str:
        """For the face of a bar with words on it."""
        return mixed(self._theme.surface, self._strong(code), SOFT)

    def _plain(self, code: int) -> str:
        """For bars without words."""
        return mixed(self._theme.surface, self._strong(code), PLAIN)

    def _of(self, tint: Tint) -> str:
        if is_with_people(tint):
            return self._theme.color(Ink.PEOPLE)
        if tint.status in _STATUS_WORDS:
            return self._theme.status_color(_STATUS_WORDS[tint.status])
        if tint.status in {BarStatus.STOPPED, BarStatus.SKIPPED, BarStatus.NO}:
            return self._theme.muted
        kind = tint.step_kind if tint.kind is BarKind.STEP else _KIND_OF_OTHERS[tint.kind]
        return self._theme.kind_color(kind)


def is_with_people(tint: Tint) -> bool:
    """Whether a bar stands for waiting for a person."""
    if tint.status is BarStatus.WAITING:
        return tint.kind is not BarKind.WAIT
    return tint.kind is BarKind.QUESTION and tint.status not in {BarStatus.FAILED, BarStatus.BLOCKED}


def _table(colors: dict[int, int]) -> list[int]:
    return [colors.get(code, 0) for code in range(256)]


def mixed(ground: str, color: str, share: float) -> str:
    """*color* over *ground*, covering *share* of it."""
    parts = (
        round(int(ground[at : at + 2], 16) * (1 - share) + int(color[at : at + 2], 16) * share) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02X}" for part in parts)


class Heat(enum.Enum):
    """What the colours of bars tell instead of what they are."""

    NONE = "none"
    TIME = "time"
    COST = "cost"


HeatScale = Callable[[float, float, int], int]
"""How hot so many bars are that begin and end then, from 0 to ``HEATS - 1``."""


def scale_of(heat: Heat, table: BarTable) -> HeatScale | None:
    """How hot the bars of *table* are."""
    match heat:
        case Heat.TIME:
            return lambda start_ns, end_ns, count: heat_of((end_ns - start_ns) / max(1, count), table.end_ns)
        case Heat.COST:
            costs = table.costs
            return lambda start_ns, end_ns, count: heat_of_cost(costs.between(start_ns, end_ns) / max(1, count), costs)
        case Heat.NONE:
            return None


def heat_of(took_ns: float, end_ns: int) -> int:
    """How hot what took so long is in a run of *end_ns*: 0 for a microsecond, ``HEATS - 1`` for all of it."""
    share = math.log(max(took_ns, _COLD_NS) / _COLD_NS) / math.log(max(end_ns, 2 * _COLD_NS) / _COLD_NS)
    return min(HEATS - 1, int(share * HEATS))


def heat_of_cost(cost: float, costs: Costs) -> int:
    """How hot what cost so much is among all *costs*: 0 for nothing, ``HEATS - 1`` for all of it."""
    share = cost / costs.total if costs.total else 0.0
    if share <= 0:
        return 0
    return max(1, min(HEATS - 1, int((1 - math.log(share) / math.log(_CHEAPEST)) * HEATS)))


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
