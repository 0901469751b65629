"""The colours of bars: by what they are and how they went, by how long they took, or by what models cost in them."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from functools import cache, cached_property

from PySide6.QtGui import QColor

from workbench.gui.look.theming import Ink, Theme
from workbench.gui.timeline.bars.bars import BarKind, BarStatus, BarTable, Tint, is_code, tint_of
from workbench.gui.timeline.bars.columns import Costs
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
