"""Words side by side never overlap, whatever the font: chips of a block, columns of a card, words on edges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication

from workbench.gui.canvas.painting.box_painter import chips_in
from workbench.gui.canvas.painting.route_painter import route_ink
from workbench.gui.canvas.painting.text_layout import sized, small_font
from workbench.gui.look.theming import LIGHT
from workbench.gui.runs.card import Card, CardKind
from workbench.gui.runs.card_painter import CARD_WORDS, CardPainter
from workbench.model.layout.shapes import Route
from workbench.model.meaning import RouteKind

WORDS = st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=30), max_size=6)


@example(chips=["W" * 30, "W" * 30], room_px=20, letter_px=11)
@given(chips=WORDS, room_px=st.integers(0, 400), letter_px=st.integers(6, 40))
def test_chips_stand_side_by_side_and_none_is_forgotten(
    qapp: QApplication, chips: list[str], room_px: int, letter_px: int
) -> None:
    del qapp
    metrics = QFontMetricsF(sized(LIGHT.secondary_font(), letter_px))
    row = list(chips_in(room_px, chips, metrics))
    assert all(left + width <= room_px and metrics.horizontalAdvance(words) < width for left, width, words in row)
    assert all(left + width < following for (left, width, _), (following, _, _) in pairwise(row))
    if len(row) < len(chips) and row:
        assert row[-1][2] == f"+{len(chips) - len(row) + 1}"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("kind", CARD_WORDS)
def test_the_word_of_a_card_stands_beside_its_text(kind: CardKind) -> None:
    assert QFontMetrics(LIGHT.secondary_font()).horizontalAdvance(str(CARD_WORDS[kind])) < CardPainter(LIGHT).words_px


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("step", ["", "Main:01", "Main:01.02.03.04.05.06.07.08"])
@pytest.mark.parametrize("width", [150, 200, 300, 500])
def test_the_text_of_a_card_stands_beside_the_number(step: str, width: int) -> None:
    painter, card = CardPainter(LIGHT), Card(CardKind.TOLD, "Words", step)
    text_px, number_px = painter.text_px(card, width), painter.number_px(card, width)
    number = step.partition(":")[2]
    assert number_px == 0 or number_px >= QFontMetrics(LIGHT.secondary_font()).horizontalAdvance(number)
    assert painter.words_px + text_px + number_px < width or number_px == 0


@pytest.mark.usefixtures("qapp")
def test_the_words_on_an_edge_lie_within_what_is_painted_anew() -> None:
    label = "approved by the reviewer"
    ink = route_ink(Route(RouteKind.NEXT, ((0, 0), (0, 40)), label=label), label)
    right = ink.label_at.x() + QFontMetricsF(small_font(LIGHT)).horizontalAdvance(label)
    assert right <= ink.bounds.x + ink.bounds.width
