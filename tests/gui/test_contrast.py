"""Contrast: everything that carries words or meaning can be seen in every theme, on whatever it stands on."""

from __future__ import annotations

import re
from itertools import product

import pytest
from PySide6.QtGui import QColor, QImage, QPainter, QPalette

from tests.gui.test_theme import BEST, READABLE, THEMES, contrast
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import shown_boxes_in
from workbench.gui.canvas.painting.box_painter import paint_box
from workbench.gui.canvas.painting.outlines import blended, edge_color
from workbench.gui.canvas.painting.overlay import paint_mark
from workbench.gui.control.running.run_marks import MarkStatus, StepMark
from workbench.gui.look.icons import DISABLED_OPACITY
from workbench.gui.look.theming import CONTRAST, Ink, Theme, palette_of
from workbench.gui.timeline.bars.bar_colors import SOFT, mixed
from workbench.model.layout.shapes import Rect
from workbench.model.meaning import StepKind
from workbench.model.snapshot import derive
from workbench.resources import resource_text
from workbench.syntax.text import SourceText

GROUNDS = ("window", "surface", "selection", "hover", "note")
SEEN = 3.0  # WCAG AA for what is drawn
TINT = 0.18
"""How strongly lines are tinted at most: what comes and goes in a difference, and the state of a line."""
HEADER = 28 / 255


def least(theme: Theme) -> float:
    """What words need in *theme*."""
    return BEST if theme is CONTRAST else READABLE


def inks_of(theme: Theme) -> dict[str, str]:
    """Every colour that words or signs are written in, by its name."""
    return {"text": theme.text, **{each.value: theme.color(each) for each in (*Ink, *StepKind)}}


@THEMES
def test_every_ink_can_be_read_on_every_ground(theme: Theme) -> None:
    grounds = {name: getattr(theme, name) for name in GROUNDS}
    pairs = product(inks_of(theme).items(), grounds.items())
    dim = [(ink, on) for (ink, color), (on, behind) in pairs if contrast(color, behind) < least(theme)]
    assert dim == []


@THEMES
def test_words_can_be_read_on_tinted_lines_headers_and_bars(theme: Theme) -> None:
    states = [theme.color(ink) for ink in (Ink.ACCENT, Ink.DONE, Ink.FAILED, Ink.WAITING, Ink.BLOCKED)]
    kinds = [theme.color(kind) for kind in StepKind]
    tints = [mixed(theme.surface, color, TINT) for color in states]
    tints += [mixed(theme.surface, color, HEADER) for color in kinds]
    bars = [mixed(theme.surface, color, SOFT) for color in (*states, *kinds, theme.people, theme.muted)]
    lanes = blended(theme.surface, theme.window, 0.6).name()
    assert min(contrast(theme.text, ground) for ground in (*tints, *bars, lanes)) >= READABLE
    assert min(contrast(theme.muted, ground) for ground in (*tints, lanes)) >= READABLE


@THEMES
def test_edges_rings_and_scroll_bars_can_be_seen(theme: Theme) -> None:
    assert contrast(edge_color(theme).name(), theme.window) >= SEEN
    assert min(contrast(theme.accent, getattr(theme, ground)) for ground in GROUNDS) >= SEEN


@THEMES
def test_what_is_known_by_its_edge_can_be_seen_on_every_ground(theme: Theme) -> None:
    assert min(contrast(theme.edge, getattr(theme, ground)) for ground in GROUNDS) >= SEEN
    for each in (theme.window, theme.surface):
        faded = mixed(each, theme.text, DISABLED_OPACITY)
        assert SEEN <= contrast(faded, each) <= contrast(theme.text, each) / 2


def test_fields_handles_and_chosen_rows_have_such_edges_and_switches_that_are_on_the_accent() -> None:
    rules = [line for line in resource_text("themes/window.qss").splitlines() if not line.startswith("/*")]
    fields = [line for line in rules if line.startswith(("QLineEdit", "QPlainTextEdit, ")) and "border: 1px" in line]
    chosen = [line for line in rules if "::item:selected" in line or line.startswith("QScrollBar::handle {")]
    assert len(fields) == 2
    assert len(chosen) == 4
    assert all("$edge" in line for line in (*fields, *chosen))
    assert "QToolButton:checked { border-bottom-color: $accent; }" in rules


@THEMES
def test_what_cannot_be_done_now_and_what_may_be_written_can_still_be_read(theme: Theme) -> None:
    palette, role = palette_of(theme), QPalette.ColorRole
    for each in (role.WindowText, role.Text, role.ButtonText):
        color = palette.color(QPalette.ColorGroup.Disabled, each).name()
        assert min(contrast(color, ground) for ground in (theme.window, theme.surface)) >= READABLE
    assert contrast(palette.color(role.PlaceholderText).name(), theme.surface) >= READABLE


def test_the_style_sheet_writes_only_in_colours_that_are_held_here() -> None:
    sheet = resource_text("themes/window.qss")
    inks = set(re.findall(r"(?:[{;]\s*|\s)color: (\S+?);", sheet))
    assert inks - {"transparent"} <= {"$text", "$muted", "$accent", "$on_accent", "$failed", "$blocked"}
    # a tab of a narrow dock is its icon
    hidden = [line for line in sheet.splitlines() if re.search(r"[{;]\s*color: transparent;", line)]
    assert all(line.startswith('QTabBar[form="') and "width: $tab_icon" in line for line in hidden)
    on_accent = [line for line in sheet.splitlines() if "color: $on_accent" in line]
    assert all("background: $accent" in line for line in on_accent)
    assert "selection-background-color: $accent; selection-color: $surface" in sheet


@THEMES
def test_selected_source_can_be_read(theme: Theme) -> None:
    assert contrast(theme.surface, theme.accent) >= least(theme)


@THEMES
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("status", [MarkStatus.SKIPPED, MarkStatus.NO, MarkStatus.DONE, MarkStatus.STOPPED])
def test_a_step_that_was_passed_by_is_as_readable_as_before(theme: Theme, status: MarkStatus) -> None:
    state = CanvasState(derive(SourceText("# A\n\n## Main\n\n- Tell user a word\n")))
    everything = Rect(0, 0, state.layout.width, state.layout.height)
    boxes = shown_boxes_in(state.layout, everything, state.severities_of).values()
    box = next(each for each in boxes if each.step is not None)
    pictures = []
    for mark in (None, StepMark(status)):
        image = QImage(int(box.rect.width) + 1, int(box.rect.height) + 1, QImage.Format.Format_ARGB32)
        image.fill(QColor(theme.window))
        painter = QPainter(image)
        paint_box(painter, box.content, theme)
        if mark is not None:
            painter.translate(-box.rect.x, -box.rect.y)
            paint_mark(painter, box, mark, theme, None)
        painter.end()
        pictures.append(image)
    assert pictures[0] == pictures[1]
