"""What the canvas shows besides blocks: empty files, foreign files, the map, run marks, findings, names for readers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import FOUR, LEFT, NESTED, NONE, CanvasDriver
from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.content.shown_boxes import shown_boxes_in
from workbench.gui.canvas.painting.box_painter import words_frame
from workbench.gui.canvas.painting.overlay import tag_area, tag_words
from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.canvas.steps.step_menu import groups_on
from workbench.gui.canvas.view.accessible import CanvasAccessible
from workbench.gui.canvas.view.camera import centre_point, scene_point, zoom_to
from workbench.gui.canvas.view.visible_items import shows_names
from workbench.gui.control.action_spec import Spot
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.notices import Notice
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks, StepMark
from workbench.gui.control.running.run_steps import steps_of_run
from workbench.gui.fixes.operations import offers_on
from workbench.gui.look.theming import DARK, LIGHT, Theme, apply_theme, current_theme
from workbench.gui.words.values import duration_words
from workbench.model.layout.lines import MAX_LINES
from workbench.model.layout.shapes import LINE_HEIGHT, Rect
from workbench.model.meaning import StepKind
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

Open = Callable[[str], CanvasDriver]


@pytest.mark.parametrize("text", ["", "# Agent\n## Main\n### Steps\n"])
def test_a_file_without_steps_offers_to_add_the_first(open_canvas: Open, text: str) -> None:
    canvas = open_canvas(text)
    card = canvas.panel.pages.first_step
    assert card.isVisible()
    QTest.mouseClick(card.button, LEFT)
    field = canvas.panel.tools.inserting.popup.field
    QTest.keyClicks(field, "Look at the logs")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "- Look at the logs\n" in canvas.text
    assert not card.isVisible()


def test_the_map_leads_to_where_it_is_clicked(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR + "".join(f"- Step {number}\n" for number in range(200)))
    minimap = canvas.panel.pages.minimap
    assert minimap.isVisible()
    goal = canvas.panel.state.layout.place_of(canvas.step("Step 150"))
    assert goal is not None
    QTest.mouseClick(minimap, LEFT, NONE, minimap.map_rect(goal).center().toPoint())
    middle = scene_point(canvas.view, centre_point(canvas.view))
    assert abs(middle.y() - goal.y) < 12_000 / 100


def test_the_map_is_used_with_the_keys_and_tells_where_one_is(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR + "".join(f"- Step {number}\n" for number in range(200)))
    canvas.panel.activateWindow()
    minimap, down, before = canvas.panel.pages.minimap, canvas.panel.pages.frame.down, canvas.text
    canvas.do("view.minimap")
    canvas.do("view.go-to-map")  # shows it where it was hidden
    assert minimap.hasFocus()
    told = QAccessible.queryAccessibleInterface(minimap)
    assert told.text(QAccessible.Text.Name) == "Map of the flowchart"
    assert told.text(QAccessible.Text.Value).startswith("Main, 0 to ")
    places = [down.value()]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        QTest.keyClick(minimap, key)
        places.append(down.value())
    assert 0 <= places[0] < places[1] < places[2] < places[3] == down.maximum() > places[4] > places[5] > places[2]
    assert " to 100 %" not in told.text(QAccessible.Text.Value).split(", ")[1]
    picture = minimap.grab().toImage()
    QTest.keyClick(minimap, Qt.Key.Key_Return)  # goes on with what is in the middle
    assert canvas.view.hasFocus()
    (step,) = canvas.selected
    assert canvas.shows(step)
    assert minimap.grab().toImage() != picture  # the ring is gone
    canvas.do("view.go-to-map")
    QTest.keyClick(minimap, Qt.Key.Key_Tab)
    assert canvas.text == before  # Tab inserts steps in the flowchart alone
    canvas.do("view.go-to-map")
    QTest.keyClick(minimap, Qt.Key.Key_Home)
    assert down.value() == 0
    canvas.do("view.fit")
    QTest.keyClick(minimap, Qt.Key.Key_Escape)
    assert canvas.view.hasFocus()


def test_the_map_hides_while_everything_is_in_view(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    noticed: list[Notice] = []
    canvas.context.notices.noticed.connect(noticed.append)
    canvas.do("view.fit")
    assert not canvas.panel.pages.minimap.isVisible()
    canvas.do("view.go-to-map")
    assert [each.text for each in noticed] == ["All of the flowchart is in view, so there is no map of it."]


def test_run_marks_change_what_is_painted(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    before = canvas.view.grab().toImage()
    step = canvas.step("Beta")
    marks = RunMarks({step: StepMark(MarkStatus.FAILED, 1200, "The disk is full")}, frozenset({step}))
    canvas.context.shown.marks_changed.emit(marks)
    assert canvas.view.grab().toImage() != before
    assert tag_words(marks[step], 0) == "The disk is full"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("words", ["Tell", "Tell user a word that is long enough for a second line", "w" * 100])
def test_words_of_a_run_at_the_foot_of_a_block_leave_its_own_words_free(words: str) -> None:
    text = f"# A\n\n## Main\n\n- Tell user {words}\n- If {words}\n  - Tell user {words}\n"
    state = CanvasState(derive(SourceText(text)))
    everything = Rect(0, 0, state.layout.width, state.layout.height)
    boxes = [each for each in shown_boxes_in(state.layout, everything, state.severities_of).values() if each.step]
    assert len(boxes) == 3
    for box in boxes:
        frame = words_frame(box.content, 0)
        taken_px = min(frame.line_limit, MAX_LINES) * LINE_HEIGHT
        end_px = frame.y + max(0.0, frame.height - taken_px) / 2 + taken_px
        assert tag_area(QRectF(0, 0, box.content.width, box.content.height), 50).top() >= end_px + 2


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("status", MarkStatus)
def test_no_mark_covers_the_words_of_a_block(open_canvas: Open, theme: Theme, status: MarkStatus) -> None:
    apply_theme(theme)
    canvas = open_canvas(FOUR)
    step = canvas.step("Beta")
    canvas.view.shown.finish()
    place = canvas.panel.state.layout.place_of(step)
    assert place is not None
    words = QRectF(place.x + 24, place.y + 6, place.width - 30, place.height - 14)
    inner = canvas.view.mapFromScene(words).boundingRect()
    before = canvas.view.viewport().grab(inner).toImage()
    canvas.context.shown.marks_changed.emit(RunMarks({step: StepMark(status)}, frozenset({step})))
    assert canvas.view.viewport().grab(inner).toImage() == before


def test_the_edge_of_a_running_step_moves(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(FOUR)
    step = canvas.step("Beta")
    canvas.context.shown.marks_changed.emit(RunMarks({step: StepMark(MarkStatus.RUNNING)}, frozenset({step})))
    before = canvas.view.look.phase
    qtbot.waitUntil(lambda: canvas.view.look.phase != before)


@pytest.mark.parametrize(("elapsed_ms", "words"), [(40, "40 ms"), (1234, "1.2 s"), (185_000, "3 min 05 s")])
def test_durations_are_words(elapsed_ms: int, words: str) -> None:
    assert duration_words(elapsed_ms) == words


def test_findings_become_badges(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(FOUR.replace("Beta", "go to step 99"))
    step = canvas.step("go to step 99")
    qtbot.waitUntil(lambda: bool(canvas.panel.state.severities_of(step)))
    content = next(box.content for box in canvas.view.shown.boxes.values() if box.step == step)
    assert any(badge.color in {"error", "warning", "info"} for badge in content.badges)


def test_screen_readers_hear_how_steps_relate(open_canvas: Open) -> None:
    canvas = open_canvas(NESTED)
    reader = QAccessible.queryAccessibleInterface(canvas.view)
    assert isinstance(reader, CanvasAccessible)
    names = [reader.child(index).text(QAccessible.Text.Name) for index in range(reader.childCount())]
    assert names == [
        "Step 1 of 3, Alpha",
        "Decision 2 of 3, If $x > 1, 2 steps inside, else the next branch",
        "Step 1 of 2, Beta, in Decision If $x > 1",
        "Step 2 of 2, Gamma, in Decision If $x > 1",
        "Step 3 of 3, Delta",
    ]


def test_a_reader_finds_the_step_at_a_point(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    reader = QAccessible.queryAccessibleInterface(canvas.view)
    at = canvas.view.viewport().mapToGlobal(canvas.at("Gamma"))
    found = reader.childAt(at.x(), at.y())
    assert found.text(QAccessible.Text.Name) == "Step 3 of 4, Gamma"
    assert found.rect().contains(at)


SOURCES = (
    '# Desk\n```python\n@playbook\ndef lookup(order):\n    """Where it is."""\n    return 1\n```\n'
    "## Greet\nexecution_mode: react\n\nBe kind.\n\n## Main\n### Steps\n- One\n"
)


def test_screen_readers_hear_of_prompts_and_functions(open_canvas: Open) -> None:
    canvas = open_canvas(SOURCES)
    reader = QAccessible.queryAccessibleInterface(canvas.view)
    children = [reader.child(index) for index in range(reader.childCount())]
    names = [child.text(QAccessible.Text.Name) for child in children]
    assert names == ["Greet, prompt, Be kind.", "Step 1 of 1, One", "lookup, Python function, Where it is."]
    assert [reader.indexOfChild(child) for child in children] == [0, 1, 2]
    for child in children:
        assert child.isValid()
        assert reader.childAt(child.rect().center().x(), child.rect().center().y()) is child


def test_rows_of_the_palette_are_as_wide_as_a_narrow_pane(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(f"# A\n## {'Long name ' * 12}\n### Steps\n- a\n")
    palette = PalettePanel(canvas.context)
    qtbot.addWidget(palette)
    palette.resize(160, 300)
    palette.show()
    list_ = palette.list
    widths = [list_.visualItemRect(list_.item(row)).width() for row in range(list_.count())]
    assert max(widths) <= list_.viewport().width()


def test_the_palette_inserts_below_the_selection_with_enter(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(FOUR)
    palette = PalettePanel(canvas.context)
    qtbot.addWidget(palette)
    canvas.click("Beta")
    row = next(row for row in range(palette.list.count()) if palette.list.item(row).text() == "End")
    palette.list.setCurrentRow(row)
    QTest.keyClick(palette.list, Qt.Key.Key_Return)
    assert canvas.text == FOUR.replace("- Beta\n", "- Beta\n- End program\n")


def test_a_change_of_theme_keeps_the_view(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    before = scene_point(canvas.view, QPointF(0, 0))
    canvas.do("view.theme-dark")
    assert scene_point(canvas.view, QPointF(0, 0)) == before


def test_a_command_of_the_table_of_actions_needs_no_more_to_be_offered_and_done(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    commands = {spec.id for spec in ACTIONS if spec.command is not None}
    assert commands <= canvas.context.actions.registered()
    operations = {offer.spec.id for offer in offers_on(canvas.context.selection.selected)}  # in a menu of their own
    assert commands <= {spec.id for group in groups_on(Spot.STEP) for spec in group} | operations
    assert commands.isdisjoint(spec.id for group in groups_on(Spot.GROUND) for spec in group)


def test_the_menu_of_a_step_offers_what_it_can_become(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.click("Beta")
    menu = canvas.panel.tools.menu.menu()
    kinds = next(action.menu() for action in menu.actions() if action.text() == "Change kind")
    assert isinstance(kinds, QMenu)
    words = {action.text(): action for action in kinds.actions()}
    assert not words["Step"].isEnabled()
    words["Ask"].trigger()
    assert canvas.text != FOUR
    assert canvas.panel.state.snapshot.step(canvas.context.selection.selected[0]).kind is StepKind.ASK


def test_a_running_step_is_lit_from_afar(open_canvas: Open) -> None:
    canvas = open_canvas(FOUR)
    canvas.view.look_at(0.3, QPointF(0, 0), QPointF(0, 0))
    step = canvas.step("Beta")
    canvas.context.shown.marks_changed.emit(RunMarks({step: StepMark(MarkStatus.FAILED)}, frozenset({step})))
    place = canvas.panel.state.layout.place_of(step)
    assert place is not None
    at = canvas.view.mapFromScene(QPointF(place.x + 100, place.y + 20))
    failed = canvas.context.theme.theme.failed.lower()
    assert canvas.view.viewport().grab().toImage().pixelColor(at).name() == failed


def on_screen(canvas: CanvasDriver) -> QImage:
    """What has been painted to the screen so far."""
    return canvas.panel.screen().grabWindow(canvas.panel.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)


def painted_anew(canvas: CanvasDriver) -> QImage:
    """What the whole pane looks like when all of it is painted."""
    return canvas.panel.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_repainting_only_what_changed_leaves_nothing_outdated(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(NESTED)
    tools, documents = canvas.panel.tools, canvas.context.documents
    for words, act in (
        ("Alpha", partial(canvas.do, "step.duplicate")),
        ("Beta", tools.verbs.delete),
        ("Delta", documents.undo),
        ("If $x > 1", tools.folding.fold_all),
        ("If $x > 1", tools.folding.unfold_all),
        ("Gamma", documents.undo),
    ):
        canvas.context.selection.select((canvas.step(words),))
        act()
        qtbot.wait(300)  # the map comes a little later than the change
        qtbot.waitUntil(lambda: documents.snapshot.is_diagnosed)
        qtbot.waitUntil(lambda: on_screen(canvas) == painted_anew(canvas))


def test_what_was_scrolled_looks_like_what_is_painted_anew(open_canvas: Open) -> None:
    groups = "".join(f"- For each $x in [1, 2]\n  - If $x > {count}\n    - Tell it\n- Next\n" for count in range(60))
    canvas = open_canvas(f"# A\n## Main\n### Steps\n{groups}")
    canvas.view.look_at(1.0, QPointF(0, 2000), QPointF(0, 0))
    for across, down in ((0, 40), (40, 0), (-13, 7), (200, -150), (-300, 300), (0, -40)):
        for bar, by in ((canvas.view.horizontalScrollBar(), across), (canvas.view.verticalScrollBar(), down)):
            bar.setValue(bar.value() + by)
        QApplication.processEvents()
        canvas.view.shown.finish()
        QApplication.processEvents()
        assert on_screen(canvas) == painted_anew(canvas)


def test_names_are_read_from_afar_and_move_with_what_they_name(open_canvas: Open) -> None:
    books = "".join(f"## Playbook {at}\n### Steps\n- Prepare it\n  - One\n  - Two\n- Next\n\n" for at in range(30))
    canvas = open_canvas(f"# A\n{books}")
    canvas.do("view.fit")
    names = canvas.view.far.names
    assert names is not None
    QApplication.processEvents()
    assert on_screen(canvas) == painted_anew(canvas)
    assert [each.words for each in names.placed] == [f"Playbook {at}" for at in range(30)]
    assert all(each.rect.height >= 13 for each in names.placed)
    for across, down in ((0, 40), (40, 0), (-13, 7), (60, -50)):
        for bar, by in ((canvas.view.horizontalScrollBar(), across), (canvas.view.verticalScrollBar(), down)):
            bar.setValue(bar.value() + by)
        QApplication.processEvents()
        assert rows_outdated(canvas) <= 2  # the ends of hairlines are a pixel longer or shorter where they are clipped
    apply_theme(DARK)
    zoom_to(canvas.view, 0.5, centre_point(canvas.view))
    canvas.view.shown.finish()
    QApplication.processEvents()
    assert on_screen(canvas) == painted_anew(canvas)
    assert "Prepare it" in {each.words for each in names.placed}
    zoom_to(canvas.view, 1.0, centre_point(canvas.view))
    assert not shows_names(canvas.view.zoom)


def rows_outdated(canvas: CanvasDriver) -> int:
    """In how many rows of pixels the screen shows something else than it would if all of it were painted."""
    shown, fresh = on_screen(canvas), painted_anew(canvas)
    return sum(bytes(shown.constScanLine(row)) != bytes(fresh.constScanLine(row)) for row in range(shown.height()))


LIST = "id: l\nname: L\nsteps:\n  - id: one\n    description: One\n"


@pytest.mark.parametrize(("text", "titles"), [(LIST, ["Step"]), ("name: CI\non: push\njobs: {}\n", [])])
def test_the_palette_offers_what_the_format_of_the_file_has(open_canvas: Open, text: str, titles: list[str]) -> None:
    canvas = open_canvas(text)
    palette = PalettePanel(canvas.context)
    assert [palette.list.item(row).text() for row in range(palette.list.count())] == titles
    palette.deleteLater()


@pytest.mark.parametrize("width", [400, 620, 1400])
@pytest.mark.parametrize("zoom", [0.3, 1.0])
def test_the_map_and_the_bars_lie_beside_the_flowchart(open_canvas: Open, width: int, zoom: float) -> None:
    canvas = open_canvas(FOUR + "".join(f"- Step {number}\n" for number in range(200)))
    canvas.panel.resize(width, 800)
    zoom_to(canvas.view, zoom, centre_point(canvas.view))
    frame = canvas.panel.pages.frame
    assert frame.minimap.isVisible() == (width > 400)
    around = (frame.minimap, frame.down, frame.across, frame.pinned)
    shown = [each.geometry() for each in around if each.isVisible()]
    assert not any(each.intersects(canvas.view.geometry()) for each in shown)


DEEP = "".join(f"    - Count {number}\n" for number in range(60))
DEEP = f"# Agent\n## Main\n### Steps\n- Begin\n- While $n < 3\n  - For each $ship in $fleet\n{DEEP}- End it\n"


def test_names_that_have_scrolled_away_are_pinned_above_the_flowchart_and_lead_back(open_canvas: Open) -> None:
    canvas = open_canvas(DEEP)
    bar, frame = canvas.panel.pages.frame.pinned, canvas.panel.pages.frame
    canvas.do("view.actual-size")
    assert bar.isVisible()
    assert not bar.crumbs
    place = canvas.panel.state.layout.place_of(canvas.step("Count 30"))
    assert place is not None
    frame.down.setValue(round(place.y))
    assert [each.whole for each in bar.crumbs] == ["Main", "While $n < 3", "For each $ship in $fleet"]
    assert bar.accessibleDescription() == "Main › While $n < 3 › For each $ship in $fleet"
    assert bar.grab().toImage().convertToFormat(QImage.Format.Format_RGB32) != painted_with_nothing(bar.size())
    QTest.mouseClick(bar, LEFT, NONE, bar.crumbs[1].area.center().toPoint())
    assert canvas.selected == ["While $n < 3"]
    assert canvas.shows("While $n < 3")
    frame.down.setValue(round(place.y))
    QTest.mouseClick(bar, LEFT, NONE, bar.crumbs[0].area.center().toPoint())
    assert not bar.crumbs  # the title itself is in view
    frame.down.setValue(round(place.y))
    canvas.panel.resize(330, 800)  # where there is little room, the innermost stays
    assert [bool(each.whole) for each in bar.crumbs] == [True, False, True]
    assert all(bar.rect().contains(each.area.toAlignedRect()) for each in bar.crumbs)


def painted_with_nothing(size: QSize) -> QImage:
    """A bar of *size* that says nothing."""
    ground = QImage(size, QImage.Format.Format_RGB32)
    ground.fill(QColor(current_theme().window))
    return ground


WAITING = "# Agent\n## Main\n### Triggers\n{triggers}\n### Steps\n- Look\n\n## Pay\n### Steps\n- Look\n"


@pytest.mark.parametrize(
    ("trigger", "is_judged"),
    [
        ("When invited to a meeting", False),
        ("At the end of the program", False),
        ("When Pay fails", False),
        ("Before calling Pay", False),
        ("When Delivery fails", True),
        ("When it rains", True),
    ],
)
def test_only_triggers_that_are_judged_are_drawn_so(open_canvas: Open, trigger: str, is_judged: bool) -> None:
    canvas = open_canvas(WAITING.format(triggers=f"- {trigger}"))
    canvas.view.shown.finish()
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.content.text == trigger)
    assert (box.content.judged is not None) == is_judged


def test_a_step_that_is_judged_with_its_list_says_so(open_canvas: Open) -> None:
    canvas = open_canvas("# Agent\n## Main\n### Steps\n- Depending on the mood\n  - Greet\n  - Wait\n")
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.step == canvas.step("Depending on the mood"))
    assert box.content.text == "Depending on the mood - Greet - Wait"
    assert box.content.judged == (0, len(box.content.text))
    assert [badge.icon for badge in box.content.badges] == ["source"]


def test_the_mark_of_a_run_shows_on_the_box_of_a_prompt(open_canvas: Open) -> None:
    canvas = open_canvas("# Agent\n## Main\nexecution_mode: raw\n\nAnswer kindly.\n")
    snapshot = canvas.context.documents.snapshot
    (box,) = (each for each in canvas.view.shown.boxes.values() if each.content.text == "Answer kindly.")
    assert box.step == "prompt:Main" == steps_of_run(snapshot, snapshot, is_of_file=True).prompt_at("Main")
    assert not canvas.panel.pages.first_step.isVisible()
    marks = RunMarks({box.step: StepMark(MarkStatus.RUNNING)}, frozenset({box.step}))
    before = canvas.view.grab().toImage()
    canvas.context.shown.marks_changed.emit(marks)
    assert canvas.view.grab().toImage() != before
    assert marks.latest(frozenset({MarkStatus.RUNNING})) is None
