"""Everywhere in the window people read words, and no marks of markdown; only the source shows those."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import CanvasDriver
from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.canvas.painting.text_layout import TextFrame, WordInk, fitted
from workbench.gui.look.inline_look import markup_of
from workbench.gui.look.label import WordsLabel
from workbench.gui.look.theming import DARK, LIGHT, Theme
from workbench.gui.outline.outline_model import look_of
from workbench.gui.runs.card import Card, CardKind
from workbench.gui.runs.card_painter import CardPainter, card_words
from workbench.search.document import found_in
from workbench.search.matching import Finder, Query
from workbench.syntax.inline import Stretch, stretches_of

Open = Callable[[str], CanvasDriver]
LINE = "**Knead** the `dough` as in [the recipe](bread.md)"
TEXT = f"""\
# Bread
## Baking
1. {LINE}
2. Wait
"""
SHOWN = "Knead the dough as in the recipe"


def content(canvas: CanvasDriver, words: str) -> BoxContent:
    """What is drawn for the step with *words*."""
    canvas.view.shown.finish()
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.step == canvas.step(words))
    return box.content


def test_a_box_shows_words_with_their_looks(open_canvas: Open) -> None:
    drawn = content(open_canvas(TEXT), LINE)
    assert drawn.text == SHOWN
    assert [each for each in drawn.words if not each.is_plain] == [
        Stretch("Knead", bold=True),
        Stretch("dough", code=True),
        Stretch("the recipe", link="bread.md"),
    ]


def test_the_dots_below_what_is_judged_reach_to_the_end_of_the_words(open_canvas: Open) -> None:
    assert content(open_canvas(TEXT), LINE).judged == (0, len(SHOWN))


def test_words_without_marks_have_no_looks(open_canvas: Open) -> None:
    assert content(open_canvas(TEXT), "Wait").words == ()


def test_a_break_that_was_asked_for_is_one(open_canvas: Open) -> None:
    drawn = content(open_canvas(TEXT.replace("Wait", "Wait<br>an hour")), "Wait<br>an hour")
    assert drawn.text == "Wait\u2028an hour"
    assert drawn.height > content(open_canvas(TEXT), "Wait").height


def test_the_tooltip_tells_what_links_lead_to(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    place = canvas.view.state.layout.place_of(canvas.step(LINE))
    assert place is not None
    words = tooltip_at(canvas.view.state, place.x + 60, place.y + 10)
    assert words.splitlines()[1:] == [SHOWN, "the recipe → bread.md"]


def test_a_screen_reader_hears_the_words(open_canvas: Open) -> None:
    whole = QAccessible.queryAccessibleInterface(open_canvas(TEXT).view)
    names = [whole.child(index).text(QAccessible.Text.Name) for index in range(whole.childCount())]
    assert [SHOWN in name for name in names].count(True) == 1


def test_the_outline_shows_the_words(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    step = canvas.view.state.snapshot.find(canvas.step(LINE))
    assert step is not None
    assert look_of(step).text == SHOWN


@pytest.mark.parametrize("words", ["**Knead**", "knead the dough", "bread.md", "recipe"])
def test_a_search_finds_the_words_as_written_and_as_shown(open_canvas: Open, words: str) -> None:
    canvas = open_canvas(TEXT)
    snapshot = canvas.view.state.snapshot
    found = found_in(Finder(), Query(words), snapshot)
    assert {snapshot.step_at(match.span.start) for match in found.matches} == {canvas.step(LINE)}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    "text", ["**" + "wide words " * 30 + "**", "`" + "x" * 300 + "`", "[" + "a link " * 30 + "](x)", "*重*" * 90]
)
def test_words_that_do_not_fit_end_in_an_ellipsis_within_their_frame(qapp: object, theme: Theme, text: str) -> None:
    words = stretches_of(text)
    ink = WordInk(theme.body_font(), theme, theme.text, None, words)
    shown = "".join([each.text for each in words])
    kept = fitted(shown, TextFrame(0, 0, 150, 190, 54), ink)
    assert kept.endswith("…")
    assert shown.startswith(kept[:-1])
    assert fitted(kept, TextFrame(0, 0, 150, 190, 54), ink) == kept


def test_markup_of_words_shows_foreign_markup_as_text(qapp: object) -> None:
    assert "&lt;h1&gt;" in markup_of(stretches_of("**<h1>** x"), LIGHT)


def test_a_label_shows_marks_as_looks_and_reads_the_words_aloud(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    label = WordsLabel("Add **salt** & <h1>\nand [oil](oil.md)", parent)
    assert label.words == "Add salt & <h1>\nand oil"
    assert label.accessibleName() == label.words
    assert "<b>salt</b>" in label.text()
    assert "&lt;h1&gt;" in label.text()
    assert label.toolTip() == "oil → oil.md"


def test_a_label_without_marks_is_plain_text(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert WordsLabel("2 * 3 < 7", parent).text() == "2 * 3 < 7"


def test_a_card_that_says_something_shows_its_words(qapp: object) -> None:
    assert card_words(Card(CardKind.TOLD, "It is **hot**\nnow", "Main:01")) == "Says (Main:01): It is hot\nnow"


def test_a_card_of_a_call_shows_it_as_it_is(qapp: object) -> None:
    assert card_words(Card(CardKind.CALLED, "heat(**oven**)")) == "Call: heat(**oven**)"


def test_a_card_with_looks_is_as_high_as_its_lines(qapp: object) -> None:
    painter = CardPainter(LIGHT)
    heights = [painter.height(Card(CardKind.TOLD, text), 400) for text in ("hot", "**hot**", "**hot**\ncold\nwarm")]
    assert heights[0] == heights[1] < heights[2]
