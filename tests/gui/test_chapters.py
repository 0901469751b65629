"""The chapters of a procedure in the window: their titles, their numbers, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex

from tests.gui.canvas_driver import CanvasDriver
from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.outline.outline_model import OutlineModel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.run_words import chapter_words
from workbench.model.layout.shapes import Shape
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

Open = Callable[[str], CanvasDriver]
TEXT = """\
# Bread

## Meaning

There is **none**.

## Looking `in` the box

1. Look

## Steps

### Dough

Some words.

1. Mix
2. Knead

### Oven

1. Heat
"""


def titles(canvas: CanvasDriver) -> list[BoxContent]:
    canvas.view.shown.finish()
    return [each.content for each in canvas.view.shown.boxes.values() if each.content.shape is Shape.TITLE]


def test_titles_of_chapters_are_as_they_are_read(open_canvas: Open) -> None:
    assert [(each.number, each.text, each.subtitle) for each in titles(open_canvas(TEXT))] == [
        ("", "Meaning", "not carried out"),
        ("1", "Looking in the box", ""),
        ("2", "Steps", ""),
    ]


def test_what_a_run_goes_through_is_said_in_words() -> None:
    words = chapter_words(derive(SourceText(TEXT)).program)
    assert words == "a run goes through 2 chapters of 3: Looking in the box, Steps"


def test_a_file_with_one_chapter_says_nothing_of_it() -> None:
    assert chapter_words(derive(SourceText("# Bread\n\n## Steps\n\n1. Bake\n")).program) == ""


def test_a_file_that_is_only_read_says_so() -> None:
    text = "# Bread\n\n## Meaning\n\nNone.\n\n## References\n\nNone.\n"
    assert chapter_words(derive(SourceText(text)).program) == "nothing of it is carried out"


def test_the_title_of_the_flowchart_says_what_a_run_goes_through(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "bread.md"
    path.write_text(TEXT, encoding="utf-8")
    window.files.open_path(path)
    assert window.centre.flowchart_detail.startswith("a run goes through 2 chapters of 3")


def numbers(model: OutlineModel, parent: QModelIndex | None = None) -> list[str]:
    """The numbers of all rows, from the top."""
    found, above = [], QModelIndex() if parent is None else parent
    for place in range(model.rowCount(above)):
        index = model.index(place, 0, above)
        row = model.row_at(index)
        found += [row.number()] if row.step is not None else []
        found += numbers(model, index)
    return found


def test_the_outline_counts_as_the_flowchart_does(open_canvas: Open) -> None:
    snapshot = derive(SourceText(TEXT))
    model = OutlineModel(snapshot, open_canvas(TEXT).owner)
    steps = [step for each in snapshot.program.playbooks for root in each.steps for step in root.walk()]
    assert numbers(model) == [snapshot.number(step.id) for step in steps]


def test_groups_fold(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    state = canvas.view.state
    dough, mix = canvas.step("Dough"), canvas.step("Mix")
    canvas.panel.tools.folding.toggle(dough)
    assert state.layout.place_of(mix) == state.layout.place_of(dough)
    assert state.layout.place_of(canvas.step("Heat")) != state.layout.place_of(canvas.step("Oven"))
