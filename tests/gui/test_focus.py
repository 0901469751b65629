"""Looking at a part of a program, into calls and back out; the zoom keeps what is selected in sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import CanvasDriver
from workbench.editing.commands import EditText, RenamePlaybook
from workbench.gui.canvas.view import folding
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.shell.main_window import MainWindow
from workbench.model.layout.folds import EVERYTHING
from workbench.model.layout.program import layout_program
from workbench.model.layout.shapes import Rect
from workbench.model.program import StepId
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

Open = Callable[[str], CanvasDriver]
CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

TEXT = """# Desk

## Main
### Steps
- Begin
- If $x > 1
  - One
- Otherwise
  - Two
- Pay($x)

## Pay($x)
### Steps
- Take the money
- Send($x)

## Send($x)
### Steps
- Post it
"""


def shown(canvas: CanvasDriver) -> set[str]:
    """The words of everything that is drawn."""
    layout = canvas.panel.state.layout
    placed = layout.visible(Rect(0, 0, layout.width, layout.height))
    return {box.step.text for each in placed for box in each.fragment.boxes if box.step is not None and box.text}


def crumbs(canvas: CanvasDriver) -> list[str]:
    """What the line above the flowchart says, from the left."""
    bar = canvas.panel.bar
    ways = [way.text() for way in bar.ways if not way.isHidden()]
    return [*ways, bar.words.text()] if not bar.isHidden() else []


def test_only_a_path_by_key_and_everything_again(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    everything = shown(canvas)
    assert crumbs(canvas) == []
    canvas.click("One")
    canvas.press(Qt.Key.Key_F, CTRL_ALT)
    assert shown(canvas) == {"Begin", "If $x > 1", "Otherwise", "One", "Pay($x)"}
    assert crumbs(canvas) == ["Main: only the ways to and from “02.01 One”"]
    assert canvas.text == TEXT
    canvas.press(Qt.Key.Key_A, CTRL_ALT)
    assert shown(canvas) == everything


def test_arrows_and_select_all_pass_by_what_is_left_out(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("One")
    canvas.press(Qt.Key.Key_B, CTRL_ALT)
    canvas.press(Qt.Key.Key_Down)
    assert canvas.selected == ["Otherwise"]
    canvas.press(Qt.Key.Key_Down)
    assert canvas.selected == ["Otherwise"]
    canvas.press(Qt.Key.Key_A, CTRL)
    assert canvas.selected == ["If $x > 1", "Otherwise"]


def test_a_click_on_a_stub_shows_what_it_stands_for(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("One")
    canvas.do("view.only-branch")
    assert "Begin" not in shown(canvas)
    canvas.click("Begin")
    assert "Begin" in shown(canvas)
    assert canvas.selected == ["One"]


def test_a_search_that_comes_to_a_step_left_out_says_so_and_shows_it(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    told: list[str] = []
    canvas.context.notices.noticed.connect(lambda notice: told.append(notice.text))
    canvas.click("Begin")
    canvas.do("view.only-playbook")
    assert shown(canvas).isdisjoint({"Post it"})
    canvas.context.selection.reveal((canvas.step("Post it"),), "find")
    assert "Post it" in shown(canvas)
    assert canvas.shows("Post it")
    assert told == ["Step 01 was left out of the view. It is shown now."]


def test_a_run_that_comes_to_a_step_left_out_shows_it(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("One")
    canvas.do("view.only-path")
    canvas.context.selection.show((canvas.step("Two"),), "run")
    assert "Two" in shown(canvas)


def test_diving_into_calls_and_out_again(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("Pay($x)")
    canvas.press(Qt.Key.Key_Return, CTRL)
    assert shown(canvas) == {"Take the money", "Send($x)"}
    canvas.click("Send($x)")
    canvas.press(Qt.Key.Key_Return, CTRL)
    assert (shown(canvas), crumbs(canvas)) == ({"Post it"}, ["Main", "Pay($x)", "Send($x)"])
    canvas.press(Qt.Key.Key_Return, CTRL | SHIFT)
    assert (canvas.selected, crumbs(canvas)) == (["Send($x)"], ["Main", "Pay($x)"])
    QTest.mouseClick(canvas.panel.bar.ways[0], Qt.MouseButton.LeftButton)
    assert canvas.selected == ["Pay($x)"]
    assert "Begin" in shown(canvas)
    assert crumbs(canvas) == []


def test_a_playbook_with_another_name_stays_in_focus(open_canvas: Open) -> None:
    canvas = open_canvas(TEXT)
    canvas.click("Take the money")
    canvas.do("view.only-playbook")
    canvas.context.documents.execute(RenamePlaybook("Pay", "Charge"))
    assert "Begin" not in shown(canvas)
    canvas.context.documents.undo()
    assert "Begin" not in shown(canvas)


def test_what_is_looked_at_is_kept_with_the_file(window: MainWindow, tmp_path: Path) -> None:
    file, other = tmp_path / "a.pb", tmp_path / "b.pb"
    file.write_text(TEXT)
    other.write_text(TEXT.replace("Begin", "Start"))
    context, state = window.context, window.centre.canvas.state
    context.documents.open(file)
    steps = {step.text: step.id for root in context.documents.snapshot.roots if root for step in root.walk()}
    context.selection.select((steps["One"],))
    context.actions.action("view.only-path").trigger()
    words = window.centre.canvas.bar.words.text()
    context.documents.open(other)
    assert state.focus == EVERYTHING
    context.documents.open(file)
    assert (state.focus.playbook, len(state.focus.left_out)) == ("Main", 1)
    assert window.centre.canvas.bar.words.text() == words
    window.centre.canvas.bar.all.click()
    context.documents.open(other)
    context.documents.open(file)
    assert state.focus == EVERYTHING


def test_a_link_to_another_file_leads_back(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.md").write_text("# A\n\n1. Read [b](b.md)\n2. Stop\n")
    (tmp_path / "b.md").write_text("# B\n\n1. Other\n")
    context, canvas = window.context, window.centre.canvas
    context.documents.open(tmp_path / "a.md")
    first = next(root.id for root in context.documents.snapshot.roots if root and root.item)
    context.selection.select((first,))
    context.actions.action("step.open-link").trigger()
    assert context.documents.document.path == tmp_path / "b.md"
    assert [way.text() for way in canvas.bar.ways if not way.isHidden()] == ["a.md: A"]
    context.actions.action("view.leave-call").trigger()
    assert context.documents.document.path == tmp_path / "a.md"
    assert [context.documents.snapshot.step(step).text for step in context.selection.selected] == ["Read [b](b.md)"]
    assert canvas.bar.isHidden()


def test_a_call_of_an_imported_playbook_leads_into_its_file_and_back(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.pb").write_text("# Desk\n\n!import parts.pb\n\n## Main\n### Steps\n- Begin\n- Pay(3)\n")
    send, pay = "## Send\n### Steps\n- Post it\n", "## Pay($x)\n### Steps\n- Take {$x}\n- Send()\n"
    (tmp_path / "parts.pb").write_text(f"{send}\n{pay}")
    context, canvas = window.context, window.centre.canvas
    main, parts = tmp_path / "main.pb", tmp_path / "parts.pb"
    context.tabs.open(main)
    context.selection.select((step_named(window, "Pay(3)"),))
    context.actions.action("step.open-link").trigger()
    qtbot.waitUntil(lambda: context.documents.document.path == parts)
    assert canvas.state.focus.playbook == "Pay"
    context.selection.select((step_named(window, "Send()"),))
    context.actions.action("step.open-link").trigger()
    ways = ["main.pb: Main", "Pay($x)"]
    assert [way.text() for way in canvas.bar.ways if not way.isHidden()] == ways

    context.tabs.open(main)  # another tab, and back
    assert canvas.bar.isHidden()
    context.tabs.open(parts)
    assert [way.text() for way in canvas.bar.ways if not way.isHidden()] == ways
    assert canvas.state.focus.playbook == "Send"
    context.actions.action("view.leave-call").trigger()
    assert (canvas.state.focus.playbook, context.documents.document.path) == ("Pay", parts)
    context.actions.action("view.leave-call").trigger()
    assert context.documents.document.path == main
    assert context.selection.selected == (step_named(window, "Pay(3)"),)
    assert canvas.bar.isHidden()


def step_named(window: MainWindow, words: str) -> StepId:
    """The step with *words* of the document that is shown."""
    roots = (root for root in window.context.documents.snapshot.roots if root)
    return next(step.id for root in roots for step in root.walk() if step.text == words)


@pytest.mark.parametrize("at", [3, 700, 1990])
def test_what_is_selected_stays_in_sight_at_every_zoom(open_canvas: Open, at: int) -> None:
    canvas = open_canvas("# A\n## Main\n### Steps\n" + "".join(f"- Step {number}\n" for number in range(2000)))
    canvas.do("view.fit")
    canvas.click(f"Step {at}")
    assert canvas.selected == [f"Step {at}"]
    for action in ("view.actual-size", "view.fit", "view.zoom-in", "view.zoom-selection"):
        canvas.do(action)
        place, seen = canvas.panel.state.layout.place_of(canvas.step(f"Step {at}")), visible_rect(canvas.view)
        assert place is not None
        assert seen.x <= place.x and place.x + place.width <= seen.x + seen.width
        assert seen.y <= place.y and place.y + place.height <= seen.y + seen.height
    assert canvas.view.zoom == 1.0


def test_many_steps_are_folded_beside_the_window_also_while_somebody_types(
    open_canvas: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "LONG", 0)
    text = "# A\n## Main\n### Steps\n" + "".join(f"- If $x > {at}\n  - Inner {at}\n" for at in range(120))
    canvas = open_canvas(text)
    canvas.do("view.fold-all")
    canvas.context.documents.execute(EditText((TextEdit(Span(len(text), len(text)), "- Last\n"),)))
    state = canvas.panel.state
    qtbot.waitUntil(lambda: len(state.folded) == 120)
    assert "Inner 7" not in shown(canvas)
    assert "Last" in shown(canvas)
    assert state.layout.height == layout_program(state.snapshot, state.folded).height
    canvas.do("view.unfold-all")
    qtbot.waitUntil(lambda: not state.folded)
    assert "Inner 7" in shown(canvas)


def test_a_decision_with_hundreds_of_branches_fits_into_the_window_with_its_name(open_canvas: Open) -> None:
    arms = "".join(f"- Else if $x > {at}\n  - Do it\n" for at in range(300))
    canvas = open_canvas(f"# A\n## Main\n### Steps\n- If $x > 0\n  - Do it\n{arms}- End it\n")
    canvas.do("view.fit")
    seen, layout = visible_rect(canvas.view), canvas.panel.state.layout
    assert seen.x < 0 and layout.width < seen.x + seen.width
    canvas.view.grab()
    assert canvas.view.far.names is not None
    assert [each.words for each in canvas.view.far.names.placed] == ["Main"]
