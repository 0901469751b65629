"""The colours and sizes of the window: one frozen table per theme, and who decides which one shows."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette

from workbench.gui.words.kinds import KINDS
from workbench.model.meaning import StepKind

BODY_PX = 13
SECONDARY_PX = 12
TITLE_PX = 15
HERO_PX = 24
ROW_PX = 18
ICON_PX = 16
GRID_PX = 8
CONTROL_RADIUS_PX = 6
BLOCK_RADIUS_PX = 8
_LARGE_TEXT = 1.25


class ThemeChoice(enum.Enum):
    """What the person wants: follow the system, or always the same."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours as ``#rrggbb``. *hover*: behind what the pointer is over. *scale*: text size, 1.0 = 13 px body."""

    is_dark: bool
    window: str
    surface: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    selection: str
    hover: str
    note: str
    done: str
    failed: str
    waiting: str
    blocked: str
    kinds: Mapping[StepKind, str]
    scale: float = 1.0

    def kind_color(self, kind: StepKind) -> str:
        """The colour of the bar and icon of steps of *kind*."""
        return self.kinds[kind]

    def status_color(self, status: str) -> str:
        """The colour of a run status: running, done, failed, waiting, blocked; muted for any other word."""
        known = {
            "running": self.accent,
            "done": self.done,
            "failed": self.failed,
            "waiting": self.waiting,
            "blocked": self.blocked,
        }
        return known.get(status, self.muted)

    def severity_color(self, severity: str) -> str:
        """The colour of a finding: error, warning, or info."""
        return {"error": self.failed, "warning": self.blocked}.get(severity, self.accent)

    def px(self, size_px: int) -> int:
        """*size_px* at the text size of the person, for whatever must grow with the words in it."""
        return round(size_px * self.scale)

    def body_font(self) -> QFont:
        """13 px system font."""
        return self._sized(QFont(QGuiApplication.font()), BODY_PX)

    def secondary_font(self) -> QFont:
        """12 px system font."""
        return self._sized(QFont(QGuiApplication.font()), SECONDARY_PX)

    def title_font(self) -> QFont:
        """15 px semibold system font."""
        font = self._sized(QFont(QGuiApplication.font()), TITLE_PX)
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def mono_font(self) -> QFont:
        """13 px monospace, for source, values and ids."""
        return self._sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), BODY_PX)

    def _sized(self, font: QFont, size_px: int) -> QFont:
        font.setPixelSize(self.px(size_px))
        return font


LIGHT = Theme(
    is_dark=False,
    window="#F6F7F9",
    surface="#FFFFFF",
    border="#D9DEE6",
    text="#1B2430",
    muted="#5B6777",
    accent="#2563D9",
    on_accent="#FFFFFF",
    selection="#DCE8FF",
    hover="#ECEFF4",
    note="#FFF7D6",
    done="#1B7D45",
    failed="#BE2A38",
    waiting="#7145C9",
    blocked="#A84B06",
    kinds={kind: spec.light for kind, spec in KINDS.items()},
)

DARK = Theme(
    is_dark=True,
    window="#15181D",
    surface="#1C2027",
    border="#343B47",
    text="#E6EAF0",
    muted="#9AA6B6",
    accent="#79A8FF",
    on_accent="#15181D",
    selection="#24365A",
    hover="#272C35",
    note="#3A3420",
    done="#62CE8F",
    failed="#FF8791",
    waiting="#B99BF7",
    blocked="#F2A061",
    kinds={kind: spec.dark for kind, spec in KINDS.items()},
)


def palette_of(theme: Theme) -> QPalette:
    """The Qt palette with the colours of *theme*, for whatever the stylesheet does not reach."""
    role = QPalette.ColorRole
    palette = QPalette()
    for roles, color in (
        ((role.Window, role.Button, role.AlternateBase), theme.window),
        ((role.Base, role.ToolTipBase), theme.surface),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText), theme.text),
        ((role.PlaceholderText,), theme.muted),
        ((role.Highlight,), theme.selection),
        ((role.Link, role.Accent), theme.accent),
        ((role.Mid, role.Dark, role.Midlight, role.Light), theme.border),
    ):
        for each in roles:
            palette.setColor(each, QColor(color))
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.muted))
    return palette


class ThemeController(QObject):
    """Knows which theme shows now; follows the system until told otherwise."""

    theme_changed = Signal(object)  # Theme

    def __init__(self, choice: ThemeChoice = ThemeChoice.SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._scale = 1.0
        self._theme = self._wanted()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    @property
    def theme(self) -> Theme:
        """The theme that shows now."""
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
    def _on_system_changed(self) -> None:
        self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if wanted != self._theme:
            self._theme = wanted
            self.theme_changed.emit(wanted)

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
