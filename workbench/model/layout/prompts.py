"""Playbooks that are carried out by their text: one box between the title and the end."""

from __future__ import annotations

from workbench.i18n import _
from workbench.model.layout.lines import height_of
from workbench.model.layout.pieces import HALF
from workbench.model.layout.shapes import BLOCK_WIDTH, GAP, Box, Rect, Route, Shape
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Playbook, prompt_id
from workbench.syntax.inline import plain_words

END_HEIGHT = 28.0
_END_WIDTH = 80.0


def end_box(spine: float, top: float) -> Box:
    """The implied end of a playbook."""
    rect = Rect(spine - _END_WIDTH / 2, top, _END_WIDTH, END_HEIGHT)
    return Box(None, Shape.PILL, StepKind.END, rect, _("End"))


def is_one_box(playbook: Playbook) -> bool:
    """Whether *playbook* is drawn as its text."""
    return playbook.is_prompt and not playbook.steps


def prompt_boxes(playbook: Playbook, spine: float, top: float) -> tuple[tuple[Box, ...], tuple[Route, ...]]:
    """The text of *playbook* and its end below; none of either where its steps are drawn."""
    if not is_one_box(playbook):
        return (), ()
    text = playbook.description.strip() or playbook.title
    height, lines = height_of(plain_words(text))
    rect = Rect(spine - HALF, top, BLOCK_WIDTH, height)
    low = top + height
    box = Box(None, Shape.BLOCK, StepKind.STEP, rect, text, lines=lines)
    way = Route(RouteKind.NEXT, ((spine, low), (spine, low + GAP)), prompt_id(playbook))
    return (box, end_box(spine, low + GAP)), (way,)
