"""The stylesheet of the window, made from the theme's table."""

from __future__ import annotations

from string import Template

from workbench.gui.theme import CONTROL_RADIUS_PX, HERO_PX, ROW_PX, SECONDARY_PX, TITLE_PX, Theme
from workbench.resources import resource_text


def stylesheet_of(theme: Theme) -> str:
    """The whole application's stylesheet in the colours and sizes of *theme*."""
    return Template(resource_text("themes/window.qss")).substitute(
        window=theme.window,
        surface=theme.surface,
        border=theme.border,
        text=theme.text,
        muted=theme.muted,
        accent=theme.accent,
        on_accent=theme.on_accent,
        selection=theme.selection,
        hover=theme.hover,
        note=theme.note,
        failed=theme.failed,
        blocked=theme.blocked,
        secondary=f"{theme.px(SECONDARY_PX)}px",
        title=f"{theme.px(TITLE_PX)}px",
        hero=f"{theme.px(HERO_PX)}px",
        radius=f"{CONTROL_RADIUS_PX}px",
        row=f"{theme.px(ROW_PX)}px",
        bar=f"{theme.px(10)}px",
    )
