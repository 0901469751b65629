"""The colours of bars in one theme: the kind's colour, softened where the words must be read on it."""

from __future__ import annotations

from functools import cache

from workbench.gui.look.theme import Theme
from workbench.gui.timeline.bars.bars import BarKind, BarStatus, Tint, tint_of
from workbench.model.meaning import StepKind

_KIND_OF_OTHERS = {
    BarKind.PLAYBOOK: StepKind.CALL,
    BarKind.CALL: StepKind.TELL,
    BarKind.QUESTION: StepKind.ASK,
}
_STATUS_WORDS = {
    BarStatus.RUNNING: "running",
    BarStatus.WAITING: "waiting",
    BarStatus.BLOCKED: "blocked",
    BarStatus.FAILED: "failed",
}
SOFT = 0.26
PLAIN = 0.62


class BarColors:
    """Colours by paint code, as ``#rrggbb``."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.strong = cache(self._strong)
        self.soft = cache(self._soft)
        self.plain = cache(self._plain)

    def _strong(self, code: int) -> str:
        """For edges and for what is too small for words."""
        return self._of(tint_of(code))

    def _soft(self, code: int) -> str:
        """For the face of a bar with words on it."""
        return mixed(self._theme.surface, self._strong(code), SOFT)

    def _plain(self, code: int) -> str:
        """For bars without words."""
        return mixed(self._theme.surface, self._strong(code), PLAIN)

    def _of(self, tint: Tint) -> str:
        if tint.status in _STATUS_WORDS:
            return self._theme.status_color(_STATUS_WORDS[tint.status])
        if tint.status in {BarStatus.STOPPED, BarStatus.SKIPPED}:
            return self._theme.muted
        kind = tint.step_kind if tint.kind is BarKind.STEP else _KIND_OF_OTHERS[tint.kind]
        return self._theme.kind_color(kind)


def mixed(ground: str, color: str, share: float) -> str:
    """*color* over *ground*, covering *share* of it."""
    parts = (
        round(int(ground[at : at + 2], 16) * (1 - share) + int(color[at : at + 2], 16) * share) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02X}" for part in parts)
