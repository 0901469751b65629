"""The themes: every pair of colours that carries words can be read, and the window follows them."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from workbench.gui.look.icons import icon
from workbench.gui.look.stylesheet import stylesheet_of
from workbench.gui.look.theme import DARK, LIGHT, Theme, ThemeChoice, ThemeController
from workbench.gui.words.kinds import icon_of
from workbench.model.meaning import StepKind
from workbench.resources import resource_path

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
READABLE = 4.5  # WCAG AA for text


def _luminance(color: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    found = QColor(color)
    return 0.2126 * linear(found.redF()) + 0.7152 * linear(found.greenF()) + 0.0722 * linear(found.blueF())


def contrast(first: str, second: str) -> float:
    """The contrast of two colours as WCAG defines it."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@THEMES
@pytest.mark.parametrize("ground", ["window", "surface", "selection", "hover", "note"])
def test_text_can_be_read_on_every_ground(theme: Theme, ground: str) -> None:
    assert contrast(theme.text, getattr(theme, ground)) >= READABLE


@THEMES
@pytest.mark.parametrize("ground", ["window", "surface"])
def test_muted_text_and_the_accent_can_be_read(theme: Theme, ground: str) -> None:
    assert contrast(theme.muted, getattr(theme, ground)) >= READABLE
    assert contrast(theme.accent, getattr(theme, ground)) >= READABLE


@THEMES
@pytest.mark.parametrize("kind", list(StepKind), ids=lambda kind: kind.value)
def test_every_kind_has_a_readable_colour_and_an_icon(theme: Theme, kind: StepKind, qtbot: QtBot) -> None:
    assert contrast(theme.kind_color(kind), theme.surface) >= READABLE
    assert not icon(icon_of(kind), theme.kind_color(kind)).isNull()


@THEMES
@pytest.mark.parametrize("status", ["running", "done", "failed", "waiting", "blocked", "skipped"])
def test_every_status_can_be_read(theme: Theme, status: str) -> None:
    assert contrast(theme.status_color(status), theme.surface) >= READABLE


@THEMES
def test_the_primary_button_can_be_read(theme: Theme) -> None:
    assert contrast(theme.on_accent, theme.accent) >= READABLE


@THEMES
def test_the_stylesheet_has_no_gaps_and_grows_with_the_text(theme: Theme) -> None:
    assert "$" not in stylesheet_of(theme)
    assert "font-size: 12px" in stylesheet_of(theme)


def test_the_icon_takes_the_colour_it_is_asked_for(qtbot: QtBot) -> None:
    image = icon("stop", "#ff0000").pixmap(32, 32).toImage()
    colors = {
        image.pixelColor(x, y).name() for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 250
    }
    assert colors == {"#ff0000"}


def test_every_icon_is_drawn_in_the_current_colour_only() -> None:
    for path in resource_path("icons").glob("*.svg"):
        drawing = path.read_text()
        assert path.stem == "workbench" or ("currentColor" in drawing and "#" not in drawing.split(">", 1)[1]), path


def test_a_choice_of_theme_is_told_once(qtbot: QtBot) -> None:
    controller = ThemeController(ThemeChoice.LIGHT)
    with qtbot.waitSignal(controller.theme_changed):
        controller.choose(ThemeChoice.DARK)
    assert controller.theme.is_dark
    with qtbot.assertNotEmitted(controller.theme_changed):
        controller.choose(ThemeChoice.DARK)


def test_sizes_grow_with_the_text_scale(qtbot: QtBot) -> None:
    controller = ThemeController(ThemeChoice.LIGHT)
    controller.set_scale(2.0)
    assert controller.theme.px(13) == 26
    assert controller.theme.body_font().pixelSize() == 26
