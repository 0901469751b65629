"""Which theme shows: what the person wants, and how the whole application gets it at once."""

from __future__ import annotations

import enum
from dataclasses import fields, replace
from string import Template

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.look.theme import (
    BODY_PX,
    CONTROL_RADIUS_PX,
    DARK,
    HERO_PX,
    ICON_PX,
    LIGHT,
    ROW_PX,
    SECONDARY_PX,
    SMALL_ICON_PX,
    THEME_CHANGE,
    TITLE_PX,
    TOOL_ICON_PX,
    Theme,
    make_current,
    palette_of,
)
from workbench.resources import resource_path, resource_text

_LARGE_TEXT = 1.25


class ThemeChoice(enum.Enum):
    """What the person wants: follow the system, or always the same."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class ThemeController(QObject):
    """Keeps the application in the theme that the person wants; follows the system until told otherwise."""

    def __init__(
        self, choice: ThemeChoice = ThemeChoice.SYSTEM, parent: QObject | None = None, *, scale: float = 1.0
    ) -> None:
        super().__init__(parent)
        self._choice = choice
        self._scale = scale
        self._theme = self._wanted()
        apply_theme(self._theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._update)

    @property
    def theme(self) -> Theme:
        """The theme that was chosen last."""
        return self._theme

    @property
    def choice(self) -> ThemeChoice:
        """What the person asked for."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Follow *choice* from now on."""
        self._choice = choice
        self._update()

    def set_scale(self, scale: float) -> None:
        """Show text at *scale* (1.0 = 13 px body)."""
        self._scale = scale
        self._update()

    @Slot()
    def _update(self) -> None:
        wanted = self._wanted()
        if wanted != self._theme:
            self._theme = wanted
            apply_theme(wanted)

    def _wanted(self) -> Theme:
        is_system_dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        follows = self._choice is ThemeChoice.SYSTEM
        is_dark = is_system_dark if follows else self._choice is ThemeChoice.DARK
        return replace(DARK if is_dark else LIGHT, scale=self._scale * system_text_scale())


def system_text_scale() -> float:
    """How much larger than usual the system shows text; 1.0 for anything near the usual size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    scale = QFontInfo(font).pixelSize() / BODY_PX
    return scale if scale >= _LARGE_TEXT else 1.0


def apply_theme(theme: Theme) -> None:
    """Give the whole application the colours and sizes of *theme*, and tell every widget: see ``THEME_CHANGE``."""
    make_current(theme)
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setFont(theme.body_font())
        application.setPalette(palette_of(theme))
        application.setStyleSheet(stylesheet_of(theme))
        for widget in QApplication.allWidgets():
            QApplication.sendEvent(widget, QEvent(THEME_CHANGE))


def set_role(widget: QWidget, role: str) -> None:
    """Let the style sheet treat *widget* as one of *role*: Qt looks at properties only when a widget is polished."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def stylesheet_of(theme: Theme) -> str:
    """The whole application's stylesheet in the colours and sizes of *theme*."""
    colors = {field.name: getattr(theme, field.name) for field in fields(theme)}
    sizes = {name: f"{theme.px(size_px)}px" for name, size_px in _SIZES_PX.items()}
    pictures = {name: _picture(name, theme) for name in ("tick", "down", "up")}
    return Template(resource_text("themes/window.qss")).substitute(
        colors,
        **sizes,
        **pictures,
        mono=theme.mono_font().family(),
        radius=f"{CONTROL_RADIUS_PX}px",
        indicator_inside=f"{theme.px(_INDICATOR_PX) - 6}px",
        indicator_radius=f"{theme.px(_INDICATOR_PX) // 2}px",
    )


_INDICATOR_PX = 14
_SIZES_PX = {
    "body": BODY_PX,
    "secondary": SECONDARY_PX,
    "title": TITLE_PX,
    "hero": HERO_PX,
    "row": ROW_PX,
    "indicator": _INDICATOR_PX,
    "icon": ICON_PX,
    "small_icon": SMALL_ICON_PX,
    "tool_icon": TOOL_ICON_PX,
    "bar": 10,
    "thin": 6,
}
"""The sizes that grow with the text, by their names in the style sheet."""


def _picture(name: str, theme: Theme) -> str:
    """The file of a small picture for *theme*: stylesheets cannot recolour one."""
    return resource_path(f"themes/{name}-{'dark' if theme.is_dark else 'light'}.svg").as_posix()
