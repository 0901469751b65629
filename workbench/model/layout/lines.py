"""How many lines words take in a box: an estimate from their letters, the same on every machine."""

from __future__ import annotations

import math

from workbench.model.layout.shapes import LINE_HEIGHT
from workbench.model.program import Step
from workbench.model.showing.words import words_of
from workbench.syntax.inline import has_marks

CHARACTERS_PER_LINE = 28
MAX_LINES = 3
BOX_PADDING = 28.0
_SURELY_LONG = 2_000


def lines_of(step: Step) -> int:
    """How many lines the words of *step* take in a box, at most three: as they are shown, without marks."""
    text = step.shown_text
    if len(text) > _SURELY_LONG or not has_marks(text):
        return text_lines(text)
    shown = "".join([stretch.text for stretch in words_of(step)])
    if "\n" not in shown or shown == text:
        return text_lines(shown)
    return min(MAX_LINES, sum([text_lines(line) for line in shown.split("\n")]))


def text_lines(text: str) -> int:
    """How many lines *text* takes in a box, at most three; wide characters count double."""
    length = len(text)
    if not text.isascii():
        length += sum(character > "\u2e80" for character in text)
    if length <= CHARACTERS_PER_LINE:
        return 1
    return min(MAX_LINES, math.ceil(length / CHARACTERS_PER_LINE))


def height_of(text: str) -> tuple[float, int]:
    """How high a box with nothing but *text* is, and its lines."""
    lines = text_lines(text)
    return BOX_PADDING + lines * LINE_HEIGHT, lines
