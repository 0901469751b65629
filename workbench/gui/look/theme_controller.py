"""Which theme shows: as the person has chosen, or as the system is."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from workbench.gui.look.theming import CONTRAST, DARK, LIGHT, Theme, apply_theme, system_text_scale
from workbench.settings import Settings


class ThemeChoice(enum.Enum):
    """What the person wants: follow the system, or always the same."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class Looks:
    """What the person has chosen of the look: theme, size of text, families of letters, and whether anything moves."""

    choice: ThemeChoice = ThemeChoice.SYSTEM
    scale: float = 1.0
    family: str = ""
    source_family: str = ""
    motion: str = "system"


_AS_THE_SYSTEM = Looks()


def looks_of(settings: Settings) -> Looks:
    """What *settings* says of it."""
    return Looks(ThemeChoice(settings.theme), settings.text_scale, settings.font, settings.source_font, settings.motion)


class ThemeController(QObject):
    """Keeps the application in the look that the person wants; follows the system until told otherwise."""

    def __init__(self, looks: Looks = _AS_THE_SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks = looks
        self._settled = looks
        self._theme = self._wanted()
        apply_theme(self._theme)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._update)
        if hasattr(hints, "accessibility"):  # since Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self._update)

    @property
    def theme(self) -> Theme:
        """The theme that was chosen last."""
        return self._theme

    @property
    def choice(self) -> ThemeChoice:
        """What the person asked for."""
        return self._looks.choice

    def choose(self, choice: ThemeChoice) -> None:
        """Follow *choice* from now on, whatever the settings say, until they say something else."""
        self._looks = replace(self._looks, choice=choice)
        self._update()

    def set_scale(self, scale: float) -> None:
        """Show text at *scale* (1.0 = 13 px body), likewise."""
        self._looks = replace(self._looks, scale=scale)
        self._update()

    @Slot(object)
    def take_settings(self, settings: Settings) -> None:
        """Follow what *settings* says, where it says something else than before."""
        looks = looks_of(settings)
        if looks != self._settled:
            self._looks = self._settled = looks
            self._update()

    @Slot()
    def _update(self) -> None:
        wanted = self._wanted()
        if wanted != self._theme:
            self._theme = wanted
            apply_theme(wanted)

    def _wanted(self) -> Theme:
        looks = self._looks
        theme = _system_theme() if looks.choice is ThemeChoice.SYSTEM else _THEMES[looks.choice]
        scale = looks.scale * system_text_scale()
        theme = replace(theme, family=looks.family, source_family=looks.source_family)
        return replace(theme, scale=scale, moves=_moves(looks.motion))


_THEMES = {ThemeChoice.LIGHT: LIGHT, ThemeChoice.DARK: DARK, ThemeChoice.CONTRAST: CONTRAST}


def _moves(motion: str) -> bool:
    """Whether anything may move by itself: as the person has said, else as the system does."""
    style = QApplication.style()
    if motion != "system" or style is None:
        return motion != "less"
    return style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


def _system_theme() -> Theme:
    """As the system is now: with high contrast where it is told to, where Qt knows of that."""
    hints = QGuiApplication.styleHints()
    wishes = hints.accessibility() if hasattr(hints, "accessibility") else None  # since Qt 6.10
    if wishes is not None and wishes.contrastPreference() is Qt.ContrastPreference.HighContrast:
        return CONTRAST
    return DARK if hints.colorScheme() is Qt.ColorScheme.Dark else LIGHT
