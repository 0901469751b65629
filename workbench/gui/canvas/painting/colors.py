"""The colours of the canvas that the theme does not name: mixtures of those it does."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QColor

from workbench.gui.look.theme import Theme
from workbench.model.meaning import StepKind


def edge_color(theme: Theme) -> QColor:
    """The colour of edges: between border and muted, so that lines are seen but do not shout."""
    return blended(theme.muted, theme.window, 0.6)


@lru_cache(maxsize=256)
def blended(first: str, second: str, share: float) -> QColor:
    """*share* of the colour *first*, the rest of *second*. The same object for the same colours: not to be changed."""
    one, other = QColor(first), QColor(second)
    mixed = [
        round(a * share + b * (1 - share))
        for a, b in ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    ]
    return QColor(*mixed)


def overview_color(kind: StepKind, theme: Theme) -> QColor:
    """The colour of a block from afar: its kind, softened by the ground."""
    ground = theme.note if kind is StepKind.NOTE else theme.surface
    return blended(theme.kind_color(kind), ground, 0.55)
