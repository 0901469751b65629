"""The chapters of a procedure in the window: their titles, their numbers, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QAction

from tests.gui.canvas_driver import CanvasDriver
from tests.gui.conftest import Windows
from workbench.disk.places import Places
from workbench.editing.commands import EditText
from workbench.gui.canvas.content.box_content import BoxContent
from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.control.notices import Notice
from workbench.gui.outline.outline_model import OutlineModel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.run_words import chapter_words
from workbench.model.layout.shapes import Shape
from workbench.model.snapshot import derive
from workbench.settings import load_settings
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

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


def said(canvas: CanvasDriver) -> list[tuple[str, bool]]:
    """Which chapters are carried out."""
    return [(each.title, each.is_carried_out) for each in canvas.context.documents.snapshot.program.playbooks]


def chapter_entry(canvas: CanvasDriver, hit: Hit | None = None) -> QAction:
    """What the menu offers for a chapter."""
    menu = canvas.panel.tools.menu.menu(hit)
    return next(action for action in menu.actions() if action.text().startswith("Carry out the chapter"))


def title_hit(canvas: CanvasDriver, title: str) -> Hit:
    """A hit on the title of a chapter."""
    layout = next(each for each in canvas.view.state.layout.playbooks if each.playbook.title == title)
    hit = canvas.view.state.hit(layout.title.rect.x + 5, layout.title.rect.y + 5)
    assert hit is not None
    assert hit.part is HitPart.TITLE
    return hit


def test_the_menu_of_a_title_makes_its_chapter_text(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    entry = chapter_entry(canvas, title_hit(canvas, "Steps"))
    assert (entry.text(), entry.isChecked()) == ("Carry out the chapter “Steps”", True)
    entry.trigger()
    assert said(canvas) == [("Meaning", False), ("Looking `in` the box", True), ("Steps", False)]


def test_the_menu_of_a_step_speaks_of_its_chapter(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("Look")
    assert chapter_entry(canvas).text() == "Carry out the chapter “Looking in the box”"


def test_a_chapter_that_is_only_read_becomes_one_that_is_carried_out(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT.replace("There is **none**.", "- Look it up\n- Write it down"))
    chapter_entry(canvas, title_hit(canvas, "Meaning")).trigger()
    assert said(canvas)[0] == ("Meaning", True)
    canvas.context.documents.execute(EditText((TextEdit(Span(0, 0), "<!-- mine -->\n"),)))
    assert said(canvas)[0] == ("Meaning", True)


def test_a_chapter_without_anything_to_do_stays_text_and_says_why(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    told: list[Notice] = []
    canvas.context.notices.noticed.connect(told.append)
    chapter_entry(canvas, title_hit(canvas, "Meaning")).trigger()
    assert said(canvas)[0] == ("Meaning", False)
    assert [each.text for each in told] == [
        "Nothing in “Meaning” can be carried out: it has no list and no headings of steps."
    ]


def test_what_was_said_of_a_chapter_is_remembered_outside_the_file(
    tmp_path: Path, open_window: Windows, own_places: Places
) -> None:
    path = tmp_path / "bread.md"
    path.write_text(TEXT, "utf-8")
    window = open_window()
    window.context.documents.open(path)
    window.context.kinds.say_of_chapter("Steps", is_done=False)
    assert load_settings(own_places).chapters_of(path) == {"Steps": False}
    window.context.documents.open(path)
    assert [each.is_carried_out for each in window.context.documents.snapshot.program.playbooks] == [False, True, False]
    assert path.read_text("utf-8") == TEXT


def test_what_the_text_says_itself_needs_no_remembering(
    tmp_path: Path, open_window: Windows, own_places: Places
) -> None:
    path = tmp_path / "bread.md"
    path.write_text(TEXT, "utf-8")
    window = open_window()
    window.context.documents.open(path)
    window.context.kinds.say_of_chapter("Steps", is_done=False)
    window.context.kinds.say_of_chapter("Steps", is_done=True)
    assert load_settings(own_places).chapters_of(path) == {}


def test_programs_have_no_chapters_in_their_menu(open_canvas: Open) -> None:
    canvas = open_canvas("# Desk\n## Main\n### Steps\n- Alpha\n")
    canvas.click("Alpha")
    assert not any(action.text().startswith("Carry out") for action in canvas.panel.tools.menu.menu().actions())
