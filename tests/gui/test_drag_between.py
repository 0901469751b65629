"""Steps that are dragged to another document: copied, or moved with Shift, in the style of the place they go to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import FOUR, LEFT, NONE, CanvasDriver
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.step_mime import mime_of_lines
from workbench.gui.shell.main_window import MainWindow

SHIFT = Qt.KeyboardModifier.ShiftModifier
BOTH = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
NUMBERED = "# Other\n## Main\n### Steps\n1. One\n2. Two\n"
LIST = "id: x\nname: X\nsteps:\n- id: a\n  description: Look\n"
Open = Callable[[str], CanvasDriver]


def drop(target: QWidget, data: QMimeData, at: QPointF, keys: Qt.KeyboardModifier) -> Qt.DropAction:
    """What becomes of *data* where it is dropped on *target*."""
    QApplication.sendEvent(target, QDragEnterEvent(at.toPoint(), BOTH, data, LEFT, keys))
    event = QDropEvent(at, BOTH, data, LEFT, keys)
    QApplication.sendEvent(target, event)
    return event.dropAction() if event.isAccepted() else Qt.DropAction.IgnoreAction


def drag_out_of(canvas: CanvasDriver | CanvasView, at: QPointF, over: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press at *at*, and move until the pointer is over another document."""
    view = canvas.view if isinstance(canvas, CanvasDriver) else canvas
    monkeypatch.setattr(QApplication, "widgetAt", lambda _at: over)
    QTest.mousePress(view.viewport(), LEFT, NONE, at.toPoint())
    QTest.mouseMove(view.viewport(), at.toPoint() + QPointF(30, 30).toPoint())
    QTest.mouseMove(view.viewport(), view.viewport().rect().topRight() + QPointF(40, 30).toPoint())
    QTest.mouseRelease(view.viewport(), LEFT, NONE, at.toPoint())


@pytest.mark.parametrize(("keys", "left"), [(NONE, FOUR), (SHIFT, FOUR.replace("- Beta\n", ""))])
def test_a_step_is_copied_or_moved_to_another_document_with_one_undo_in_each(
    open_canvas: Open, monkeypatch: pytest.MonkeyPatch, keys: Qt.KeyboardModifier, left: str
) -> None:
    source, target = open_canvas(FOUR), open_canvas(NUMBERED)
    dropped: list[Qt.DropAction] = []

    def carry(drag: QDrag, *_actions: object) -> Qt.DropAction:
        dropped.append(drop(target.view.viewport(), drag.mimeData(), QPointF(target.below("One")), keys))
        return dropped[-1]

    monkeypatch.setattr(QDrag, "exec", carry)
    drag_out_of(source, QPointF(source.at("Beta")), target.view.viewport(), monkeypatch)
    assert len(dropped) == 1
    assert target.text == NUMBERED.replace("2. Two", "2. Beta\n3. Two")
    assert target.selected == ["Beta"]
    assert source.text == left
    target.context.documents.undo()
    assert target.text == NUMBERED
    if keys is SHIFT:
        source.context.documents.undo()
    assert source.text == FOUR
    assert not source.context.documents.document.can_undo


def test_what_cannot_stand_there_stays_where_it_is(open_canvas: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = open_canvas(FOUR), open_canvas(NUMBERED)

    def carry(drag: QDrag, *_actions: object) -> Qt.DropAction:
        return drop(target.view.viewport(), drag.mimeData(), QPointF(990, 790), SHIFT)

    monkeypatch.setattr(QDrag, "exec", carry)
    drag_out_of(source, QPointF(source.at("Beta")), target.view.viewport(), monkeypatch)
    assert (source.text, target.text) == (FOUR, NUMBERED)


def test_a_drag_that_comes_back_moves_as_ever(open_canvas: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, other = open_canvas(FOUR), open_canvas(NUMBERED)

    def carry(drag: QDrag, *_actions: object) -> Qt.DropAction:
        monkeypatch.setattr(QDropEvent, "source", lambda _event: canvas.view)
        return drop(canvas.view.viewport(), drag.mimeData(), QPointF(canvas.below("Delta")), NONE)

    monkeypatch.setattr(QDrag, "exec", carry)
    drag_out_of(canvas, QPointF(canvas.at("Beta")), other.view.viewport(), monkeypatch)
    assert canvas.text == FOUR.replace("- Beta\n", "") + "- Beta\n"


def test_resting_on_a_tab_while_dragging_shows_its_document(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("one.md", NUMBERED), ("two.md", FOUR)):
        (tmp_path / name).write_text(text)
        window.files.open_path(tmp_path / name)
    bar, canvas, documents = window.tab_bar, window.centre.canvas, window.context.documents

    def place_of(words: str) -> QPointF:
        steps = documents.snapshot.program.playbooks[0].steps
        place = canvas.state.layout.place_of(next(step.id for step in steps if step.text == words))
        assert place is not None
        return QPointF(canvas.view.mapFromScene(QPointF(place.x + 60, place.y + 20)))

    def carry(drag: QDrag, *_actions: object) -> Qt.DropAction:
        at = bar.tabRect(0).center()
        QApplication.sendEvent(bar, QDragEnterEvent(at, BOTH, drag.mimeData(), LEFT, SHIFT))
        qtbot.waitUntil(lambda: documents.snapshot.text == NUMBERED)
        below = place_of("One") + QPointF(60, 20) * canvas.view.zoom
        return drop(canvas.view.viewport(), drag.mimeData(), below, SHIFT)

    monkeypatch.setattr(QDrag, "exec", carry)
    drag_out_of(canvas.view, place_of("Beta"), bar, monkeypatch)
    assert documents.snapshot.text == NUMBERED.replace("2. Two", "2. Beta\n3. Two")
    assert bar.tabText(1) == "● two.md"
    window.context.actions.trigger("tab.next")
    assert documents.snapshot.text == FOUR.replace("- Beta\n", "")
    documents.undo()
    assert documents.snapshot.text == FOUR


def test_steps_of_a_list_are_no_steps_of_markdown(open_canvas: Open) -> None:
    target = open_canvas(LIST)
    outcome = drop(target.view.viewport(), mime_of_lines("- Alpha\n"), QPointF(target.below("Look")), NONE)
    assert (outcome is not Qt.DropAction.IgnoreAction) == (target.text != LIST)
    assert not target.context.documents.snapshot.program.foreign
