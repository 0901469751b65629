"""The themes: every pair of colours that carries words can be read, and the window follows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.theme_controller import Looks, ThemeChoice, ThemeController
from workbench.gui.look.theming import CONTRAST, DARK, LIGHT, Ink, Theme, apply_theme, current_theme, stylesheet_of
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.kinds import icon_of
from workbench.model.meaning import StepKind
from workbench.resources import resource_path

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK, CONTRAST], ids=["light", "dark", "contrast"])
READABLE = 4.5  # WCAG AA for text
BEST = 7.0  # WCAG AAA
TEXT = (
    '# A\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Go to step 99\n- If $name is odd\n  - Tell user "Hello"\n'
)


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
    assert not icon(icon_of(kind), kind).isNull()


@THEMES
@pytest.mark.parametrize("status", ["running", "done", "failed", "waiting", "blocked", "skipped"])
def test_every_status_can_be_read(theme: Theme, status: str) -> None:
    assert contrast(theme.status_color(status), theme.surface) >= READABLE


@pytest.mark.parametrize("ground", ["window", "surface", "selection", "hover", "note"])
def test_high_contrast_has_seven_to_one_on_every_ground(ground: str) -> None:
    behind = getattr(CONTRAST, ground)
    inks = (*(CONTRAST.color(ink) for ink in (*Ink, *StepKind)), CONTRAST.text)
    assert min(contrast(ink, behind) for ink in inks) >= BEST
    assert contrast(CONTRAST.border, CONTRAST.surface) >= READABLE
    assert contrast(CONTRAST.on_accent, CONTRAST.accent) >= BEST


@THEMES
def test_the_primary_button_can_be_read(theme: Theme) -> None:
    assert contrast(theme.on_accent, theme.accent) >= READABLE


@THEMES
def test_the_stylesheet_has_no_gaps_and_grows_with_the_text(theme: Theme) -> None:
    assert "$" not in stylesheet_of(theme)
    assert "font-size: 12px" in stylesheet_of(theme)


@THEMES
def test_an_icon_takes_the_colour_of_its_ink_in_the_theme_that_shows(theme: Theme, qtbot: QtBot) -> None:
    stop = icon("stop", Ink.FAILED)
    for shown in (LIGHT, DARK, theme):  # the same icon, whatever showed before
        apply_theme(shown)
        image = stop.pixmap(32, 32).toImage()
        pixels = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
        assert {each.name() for each in pixels if each.alpha() > 250} == {shown.failed.lower()}


@pytest.mark.parametrize("mode", [QIcon.Mode.Normal, QIcon.Mode.Disabled])
def test_an_icon_that_is_squeezed_to_nothing_is_still_painted(mode: QIcon.Mode, qtbot: QtBot) -> None:
    assert icon("new").pixmap(QSize(0, 0), mode).width() <= 1
    canvas = QPixmap(10, 10)
    painter = QPainter(canvas)
    icon("new").paint(painter, QRect(0, 0, 5, 0), mode=mode)
    painter.end()


def test_an_icon_that_does_not_exist_is_missed_at_once(qtbot: QtBot) -> None:
    with pytest.raises(FileNotFoundError):
        icon("no-such-drawing")


def test_every_icon_is_drawn_in_the_current_colour_only() -> None:
    for path in resource_path("icons").glob("*.svg"):
        drawing = path.read_text()
        assert path.stem == "workbench" or ("currentColor" in drawing and "#" not in drawing.split(">", 1)[1]), path


class Listener(QWidget):
    """Counts how often it is told that the theme has changed."""

    times = 0

    def take_theme(self) -> None:
        """Count."""
        self.times += 1


def test_every_widget_is_told_of_another_theme_once(qtbot: QtBot) -> None:
    controller = ThemeController(Looks(ThemeChoice.LIGHT))
    outer = Listener()
    qtbot.addWidget(outer)
    shown, hidden = Listener(outer), Listener()
    qtbot.addWidget(hidden)
    outer.show()
    for widget in (outer, shown, hidden):
        widget.times = 0
    controller.choose(ThemeChoice.DARK)
    assert current_theme().is_dark
    assert (outer.times, shown.times, hidden.times) == (1, 1, 1)
    controller.choose(ThemeChoice.DARK)
    assert (outer.times, shown.times, hidden.times) == (1, 1, 1)


def test_a_picture_grows_with_the_text(qtbot: QtBot) -> None:
    controller = ThemeController(Looks(ThemeChoice.LIGHT))
    outer = QWidget()
    qtbot.addWidget(outer)
    picture = Picture(icon("stop"), outer, 20)
    assert picture.sizeHint().width() == 20
    controller.set_scale(2.0)
    assert picture.sizeHint().width() == 40


def test_a_window_that_was_switched_looks_like_one_that_was_made_so(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """Nothing keeps a colour of the theme before: whatever is shown in both themes is the same picture."""
    file = tmp_path / "a.md"
    file.write_text(TEXT, encoding="utf-8")
    window.context.documents.open(file)
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.selection.select((steps[0].id,))
    qtbot.waitUntil(lambda: window.context.documents.snapshot.is_diagnosed)
    for pane in ("outline", "palette", "inspector", "problems"):
        window.panes.bring_forward(pane)
    window.context.theme.choose(ThemeChoice.DARK)
    switched = colors_in(window)
    window.context.theme.choose(ThemeChoice.LIGHT)
    assert colors_in(window) & {DARK.window.lower(), DARK.surface.lower(), DARK.text.lower()} == set()
    window.context.theme.choose(ThemeChoice.DARK)
    assert colors_in(window) == switched
    assert switched & {LIGHT.window.lower(), LIGHT.surface.lower(), LIGHT.text.lower()} == set()


def colors_in(window: MainWindow) -> set[str]:
    """The colours of every fourth pixel."""
    window.centre.canvas.view.shown.finish()
    image = window.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)}


def test_sizes_grow_with_the_text_scale(qtbot: QtBot) -> None:
    controller = ThemeController(Looks(ThemeChoice.LIGHT))
    controller.set_scale(2.0)
    assert controller.theme.px(13) == 26
    assert controller.theme.body_font().pixelSize() == 26
