"""The colours and sizes of the window, one frozen table per theme; which shows, and how all of it gets it at once."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from string import Template
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.words.kinds import KINDS
from workbench.model.meaning import StepKind
from workbench.resources import resource_path, resource_text

BODY_PX = 13
SECONDARY_PX = 12
TITLE_PX = 15
HERO_PX = 24
ROW_PX = 18
ICON_PX = 16
SMALL_ICON_PX = 14
TOOL_ICON_PX = 18
GRID_PX = 8
CONTROL_RADIUS_PX = 6
BLOCK_RADIUS_PX = 8
_LARGE_TEXT = 1.25


class Ink(enum.Enum):
    """A colour by what it is for. What is drawn in an ink changes with the theme."""

    TEXT = "text"
    MUTED = "muted"
    ACCENT = "accent"
    DONE = "done"
    FAILED = "failed"
    WAITING = "waiting"
    BLOCKED = "blocked"
    PEOPLE = "people"


AnyInk = Ink | StepKind
"""A step kind is an ink, too: that of its bar and its icon."""


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours as ``#rrggbb``. *border*: a hairline between things that could be told apart without it. *edge*: of
    what is known by its edge (fields, handles, chosen rows), 3 to 1 on every ground.

    *hover*: behind what the pointer is over. *people*: the time for which a run
    waits for them. *scale*: text size, 1.0 = 13 px body. *family*, *source_family*: of letters, empty for those of the
    system. *moves*: whether anything may move by itself; whatever would move asks this.
    """

    is_dark: bool
    window: str
    surface: str
    border: str
    edge: str
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
    people: str
    kinds: Mapping[StepKind, str]
    scale: float = 1.0
    family: str = ""
    source_family: str = ""
    moves: bool = True

    def kind_color(self, kind: StepKind) -> str:
        """The colour of the bar and icon of steps of *kind*."""
        return self.kinds[kind]

    def color(self, ink: AnyInk) -> str:
        """The colour that *ink* has in this theme."""
        return self.kinds[ink] if isinstance(ink, StepKind) else str(getattr(self, ink.value))

    def status_color(self, status: str) -> str:
        """The colour of a run status."""
        return self.color(status_ink(status))

    def severity_color(self, severity: str) -> str:
        """The colour of a finding."""
        return self.color(severity_ink(severity))

    def px(self, size_px: int) -> int:
        """*size_px* at the text size of the person, for whatever must grow with the words in it."""
        return round(size_px * self.scale)

    def body_font(self) -> QFont:
        """13 px system font, or the person's."""
        return self._sized(_Shown.system_font(), BODY_PX, self.family)

    def secondary_font(self) -> QFont:
        """The same with 12 px."""
        return self._sized(_Shown.system_font(), SECONDARY_PX, self.family)

    def title_font(self) -> QFont:
        """The same with 15 px, semibold."""
        font = self._sized(_Shown.system_font(), TITLE_PX, self.family)
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def mono_font(self) -> QFont:
        """13 px monospace, for source, values and ids."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        return self._sized(font, BODY_PX, self.source_family)

    def _sized(self, font: QFont, size_px: int, family: str) -> QFont:
        font.setPixelSize(self.px(size_px))
        if family:
            # what the family has no letters for is shown in those of the system
            font.setFamilies([family, *font.families()])
        return font


def status_ink(status: str) -> Ink:
    """The ink of a run status: running, next, done, failed, waiting, blocked; muted for any other word."""
    known = {
        "running": Ink.ACCENT,
        "next": Ink.ACCENT,
        "done": Ink.DONE,
        "failed": Ink.FAILED,
        "waiting": Ink.WAITING,
        "blocked": Ink.BLOCKED,
    }
    return known.get(status, Ink.MUTED)


def severity_ink(severity: str) -> Ink:
    """The ink of a finding: error, warning, or info."""
    return {"error": Ink.FAILED, "warning": Ink.BLOCKED}.get(severity, Ink.ACCENT)


LIGHT = Theme(
    is_dark=False,
    window="#F6F7F9",
    surface="#FFFFFF",
    border="#D9DEE6",
    edge="#768190",
    text="#1B2430",
    muted="#52606F",
    accent="#1F5DD0",
    on_accent="#FFFFFF",
    selection="#DCE8FF",
    hover="#ECEFF4",
    note="#FFF7D6",
    done="#17713D",
    failed="#BE2A38",
    waiting="#7145C9",
    blocked="#A84B06",
    people="#B0188A",
    kinds={kind: spec.light for kind, spec in KINDS.items()},
)
DARK = Theme(
    is_dark=True,
    window="#15181D",
    surface="#1C2027",
    border="#343B47",
    edge="#7D899B",
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
    people="#FF8FE0",
    kinds={kind: spec.dark for kind, spec in KINDS.items()},
)
CONTRAST = Theme(
    is_dark=True,
    window="#000000",
    surface="#000000",
    border="#9E9E9E",
    edge="#B8B8B8",
    text="#FFFFFF",
    muted="#D6D6D6",
    accent="#FFD900",
    on_accent="#000000",
    selection="#0A2A66",
    hover="#262626",
    note="#2B2600",
    done="#7CEBA8",
    failed="#FFA6AE",
    waiting="#D5C2FF",
    blocked="#FFBE8A",
    people="#FFB3EA",
    kinds={kind: spec.contrast for kind, spec in KINDS.items()},
)
"""Nothing in it has less contrast than 7 to 1 (WCAG AAA), and every edge can be seen."""


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


class _Shown:
    """What the application shows; there is one application, so there is one of these."""

    theme = LIGHT
    own_font: QFont | None = None
    flash_ms = 0
    moves = True

    @classmethod
    def system_font(cls) -> QFont:
        """The font that the application began with."""
        return QFont(cls.own_font or QGuiApplication.font())


def current_theme() -> Theme:
    """The theme that shows now. Ask while painting, and keep nothing that was made from it beyond a theme change."""
    return _Shown.theme


def make_current(theme: Theme) -> None:
    """Let *theme* be the one that is painted in; see ``theming.apply_theme`` for all that belongs to it."""
    _Shown.theme = theme


@runtime_checkable
class Themed(Protocol):
    """A widget that has made something from the theme: heights, fonts, pictures.

    Qt lays out and paints everything again by itself when the style sheet of the application is replaced. Its own
    ``StyleChange`` would not do for the rest: a widget gets it once per ancestor, and not at all before it was shown.
    """

    def take_theme(self) -> None:
        """Make it anew: another theme shows. Called once for each change."""


def system_text_scale() -> float:
    """How much larger than usual the system shows text; 1.0 for anything near the usual size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    scale = QFontInfo(font).pixelSize() / BODY_PX
    return scale if scale >= _LARGE_TEXT else 1.0


def apply_theme(theme: Theme) -> None:
    """Give the whole application the colours and sizes of *theme*, and tell every widget: see ``Themed``."""
    make_current(theme)
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        return
    if _Shown.own_font is None:
        _Shown.own_font, _Shown.flash_ms = QApplication.font(), QApplication.cursorFlashTime()
    is_other_motion = theme.moves is not _Shown.moves
    if is_other_motion:
        _Shown.moves = theme.moves
        _let_move(is_wanted=theme.moves)
    font, palette, sheet = theme.body_font(), palette_of(theme), stylesheet_of(theme)
    # Qt reads a style sheet anew even when it is the same
    is_other = (application.font(), application.palette(), application.styleSheet()) != (font, palette, sheet)
    if is_other:
        application.setFont(font)
        application.setPalette(palette)
        application.setStyleSheet(sheet)
    if is_other or is_other_motion:
        for widget in QApplication.allWidgets():
            if isinstance(widget, Themed):
                widget.take_theme()


def _let_move(*, is_wanted: bool) -> None:
    """Let Qt slide and fade what opens, and the caret blink, or not."""
    for effect in _EFFECTS:
        QApplication.setEffectEnabled(effect, is_wanted)
    QApplication.setCursorFlashTime(_Shown.flash_ms if is_wanted else 0)


_EFFECTS = (
    *(Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_AnimateCombo),
    *(Qt.UIEffect.UI_AnimateTooltip, Qt.UIEffect.UI_FadeTooltip, Qt.UIEffect.UI_AnimateToolBox),
)


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
    pictures = {name: _picture(name, theme) for name in ("tick", "down", "up", "cross")}
    return _template().substitute(
        colors,
        **sizes,
        **pictures,
        mono=theme.mono_font().family(),
        radius=f"{CONTROL_RADIUS_PX}px",
        indicator_inside=f"{theme.px(_INDICATOR_PX) - 6}px",
        indicator_radius=f"{theme.px(_INDICATOR_PX) // 2}px",
    )


@cache
def _template() -> Template:
    return Template(resource_text("themes/window.qss"))


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
    "tab_icon": SMALL_ICON_PX + 4,
}
"""The sizes that grow with the text, by their names in the style sheet."""


def _picture(name: str, theme: Theme) -> str:
    """The file of a small picture for *theme*: stylesheets cannot recolour one."""
    return resource_path(f"themes/{name}-{'dark' if theme.is_dark else 'light'}.svg").as_posix()
