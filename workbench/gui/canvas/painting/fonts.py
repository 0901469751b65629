"""The fonts of the canvas: boxes keep their size, so it grows by zoom and not by font."""

from __future__ import annotations

from PySide6.QtGui import QFont

from workbench.gui.look.theme import Theme

SMALL_PX = 11


def sized(font: QFont, size_px: int) -> QFont:
    """*font*, made *size_px* large."""
    font.setPixelSize(size_px)
    return font


def small_font(theme: Theme) -> QFont:
    """For numbers, badges and the words on edges."""
    return sized(theme.secondary_font(), SMALL_PX)
