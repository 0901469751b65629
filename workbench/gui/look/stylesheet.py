"""The stylesheet of the window, made from the theme's table."""

from __future__ import annotations

from string import Template

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from workbench.gui.look.theme import (
    CONTROL_RADIUS_PX,
    HERO_PX,
    ICON_PX,
    ROW_PX,
    SECONDARY_PX,
    TITLE_PX,
    Theme,
    ThemeController,
    palette_of,
)
from workbench.resources import resource_path, resource_text


def apply_theme(theme: Theme) -> None:
    """Give the whole application the colours and sizes of *theme*."""
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setFont(theme.body_font())
        application.setPalette(palette_of(theme))
        application.setStyleSheet(stylesheet_of(theme))


class ThemePainter(QObject):
    """Keeps the application in the theme. Made before the panes: they take their own fonts after it."""

    def __init__(self, theme: ThemeController, parent: QObject) -> None:
        super().__init__(parent)
        theme.theme_changed.connect(self._on_theme_changed)
        apply_theme(theme.theme)

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        apply_theme(theme)


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
        indicator=f"{theme.px(14)}px",
        indicator_inside=f"{theme.px(14) - 6}px",
        indicator_radius=f"{theme.px(14) // 2}px",
        tick=_picture("tick", theme),
        down=_picture("down", theme),
        up=_picture("up", theme),
        icon=f"{theme.px(ICON_PX)}px",
        bar=f"{theme.px(10)}px",
    )


def _picture(name: str, theme: Theme) -> str:
    """The file of a small picture for *theme*: stylesheets cannot recolour one."""
    return resource_path(f"themes/{name}-{'dark' if theme.is_dark else 'light'}.svg").as_posix()
