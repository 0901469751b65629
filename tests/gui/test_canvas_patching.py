"""A patched scene equals a freshly built one, whatever was edited, folded or scrolled."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.conftest import DATA, examples
from workbench.editing.commands import Command, DeleteSteps, DuplicateSteps, MoveSteps, SetStepText
from workbench.editing.document import Document
from workbench.gui.canvas.content.canvas_state import CanvasState, walk
from workbench.gui.canvas.view.canvas_view import CanvasView, visible_rect
from workbench.gui.control.selection import place_after
from workbench.gui.look.theming import DARK, LIGHT, apply_theme
from workbench.model.program import StepId

TEXT = """# Agent
## Main($x)
### Triggers
- When program starts
### Steps
- Ask user for $name
- If $x > 1
  - Tell user "many"
  - For each $i in $items
    - Help($i)
- Otherwise
  - Tell user "one"
<!-- why -->
- Check everything that has been said so far, word by word, and write down what is missing
- Return $x
### Notes
- Be kind
## Help($i)
### Steps
- $y = $i * 2
- Return $y
"""
Seen = dict[tuple[str, str, int], tuple[float, float, object, float]]


def shown_view(state: CanvasState, size: tuple[int, int] = (700, 500)) -> CanvasView:
    """A canvas on the screen."""
    view = CanvasView(state)
    view.resize(*size)
    view.show()
    QTest.qWaitForWindowExposed(view)
    view.shown.finish()
    return view


def seen(view: CanvasView) -> Seen:
    """What is on the screen: by key, its place, what is drawn, and how sharp."""
    view.shown.finish()
    visible = visible_rect(view)
    return {
        key: (item.pos().x(), item.pos().y(), item.content, item.scale_drawn)
        for key, item in view.shown.items.items()
        if view.shown.boxes[key].rect.meets(visible)
    }


def fresh_view_like(view: CanvasView, document: Document) -> CanvasView:
    """A canvas built from nothing that shows the same part of the same document."""
    state = CanvasState(document.snapshot)
    state.fold(view.state.folded)
    fresh = shown_view(state)
    corner = QPointF(view.horizontalScrollBar().value(), view.verticalScrollBar().value()) / view.zoom
    fresh.look_at(view.zoom, corner, QPointF(0, 0))
    return fresh


def command_for(document: Document, verb: str, first: int, second: int) -> Command:
    """A command on two steps that are picked by number."""
    steps: list[StepId] = [step.id for step in walk(document.snapshot)]
    one, other = steps[first % len(steps)], steps[second % len(steps)]
    match verb:
        case "move":
            return MoveSteps((one,), place_after(document.snapshot, other))
        case "delete":
            return DeleteSteps((one,))
        case "duplicate":
            return DuplicateSteps((one,))
    return SetStepText(one, "Do it, and then wait until it is done" * (1 + second % 3))


VERBS = ["move", "delete", "duplicate", "text", "undo", "fold", "scroll"]
EDIT = st.tuples(st.sampled_from(VERBS), st.integers(0, 40), st.integers(0, 40))


def do(view: CanvasView, document: Document, edit: tuple[str, int, int]) -> None:
    """One edit, fold or scroll, and the patch that follows it."""
    verb, first, second = edit
    steps = [step.id for step in walk(document.snapshot)]
    if verb == "scroll":
        view.verticalScrollBar().setValue(first * 20)
    elif verb == "fold" and steps:
        view.state.fold(view.state.folded ^ {steps[first % len(steps)]})
    elif verb == "undo":
        document.undo()
    elif steps:
        document.execute(command_for(document, verb, first, second))
    view.state.show(document.snapshot)
    view.replace_layout()


@settings(max_examples=examples(25))
@given(edits=st.lists(EDIT, min_size=1, max_size=6), zoom=st.sampled_from([0.5, 1.0, 1.5]))
def test_a_patched_scene_equals_a_freshly_built_one(
    qapp: QApplication, edits: list[tuple[str, int, int]], zoom: float
) -> None:
    document = Document.from_text(TEXT)
    view = shown_view(CanvasState(document.snapshot))
    view.look_at(zoom, QPointF(0, 0), QPointF(0, 0))
    for edit in edits:
        do(view, document, edit)
    fresh = fresh_view_like(view, document)
    assert seen(view) == seen(fresh)
    view.close()
    fresh.close()


def test_an_edit_far_away_changes_no_item(qtbot: QtBot) -> None:
    steps = "".join(f"- Step {number}\n" for number in range(400))
    document = Document.from_text("# A\n## Main\n### Steps\n" + steps)
    view = shown_view(CanvasState(document.snapshot))
    qtbot.addWidget(view)
    before = dict(view.shown.items)
    last = [step.id for step in walk(document.snapshot)][-1]
    document.execute(SetStepText(last, "Other"))
    view.state.show(document.snapshot)
    view.replace_layout()
    assert dict(view.shown.items) == before


def test_only_what_can_be_seen_has_items(qtbot: QtBot) -> None:
    steps = "".join(f"- Step {number}\n" for number in range(2000))
    view = shown_view(CanvasState(Document.from_text("# A\n## Main\n### Steps\n" + steps).snapshot))
    qtbot.addWidget(view)
    view.shown.finish()
    assert 5 < len(view.shown.items) < 40
    view.look_at(0.1, QPointF(0, 0), QPointF(0, 0))
    assert not view.shown.items


def test_a_theme_paints_every_picture_anew(qtbot: QtBot) -> None:
    apply_theme(LIGHT)
    view = shown_view(CanvasState(Document.from_text(TEXT).snapshot))
    qtbot.addWidget(view)
    view.shown.finish()
    light = view.grab().toImage()
    apply_theme(DARK)
    view.shown.finish()
    assert light.pixelColor(5, 5).name() == LIGHT.window.lower()
    assert view.grab().toImage().pixelColor(5, 5).name() == DARK.window.lower()


@pytest.mark.parametrize("name", ["deep-branches.pb", "unicode.pb", "comments.pb", "nested-fences.md"])
def test_hard_files_are_drawn(qtbot: QtBot, name: str) -> None:
    document = Document.open(DATA / "markdown" / name)
    view = shown_view(CanvasState(document.snapshot), size=(1200, 900))
    qtbot.addWidget(view)
    view.shown.finish()
    assert view.shown.items
