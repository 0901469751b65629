"""Words that are being written belong to their document: they are saved, asked about and kept, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.item_rows import ItemRows
from workbench.gui.inspector.steplist_fields import StepListField
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import StepId

PLAYBOOK = "# Desk\n## Main\n### Steps\n- One\n- Two\n"
OTHER = "# Other\n## Main\n### Steps\n- Alpha\n- Beta\n"
ODD = (
    "Wait 10\u00a0km",
    "本人\u3000复核",
    "a  b",
    "a\tb",
    "1\u202f000 units",
    'Tell user "two\u2028lines"',
    "next\u0085line",
    "One \udc80 caf\udce9 more",
    "soft\u00adhyphen and \u200bzero",
)
PLACES = ("inspector", "block")


def path_of(folder: Path, text: str = PLAYBOOK, name: str = "a.md") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def first_step(window: MainWindow) -> StepId:
    return window.context.documents.snapshot.program.playbooks[0].steps[0].id


def field_in(place: str, window: MainWindow, qtbot: QtBot, step: StepId | None = None) -> QPlainTextEdit:
    """The open field with the words of *step* (the first one where None), in *place*."""
    step = first_step(window) if step is None else step
    window.context.selection.select((step,))
    if place == "inspector":
        panel = window.panes.panel("inspector")
        assert isinstance(panel, InspectorPanel)
        panel.page.words.setFocus()
        return panel.page.words
    canvas = window.centre.canvas
    assert isinstance(canvas, CanvasPanel)
    qtbot.waitUntil(lambda: any(box.step == step for box in canvas.view.shown.boxes.values()))
    canvas.tools.writing.edit(step)
    return canvas.tools.writing.editor


def write(field: QPlainTextEdit, qtbot: QtBot, words: str = " mine") -> None:
    field.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(field, words)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_being_written_counts_as_unsaved(place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_path(path_of(tmp_path))
    write(field_in(place, window, qtbot), qtbot)
    assert window.context.documents.file_state.is_dirty
    assert window.isWindowModified()


@pytest.mark.parametrize("place", PLACES)
def test_save_saves_what_is_being_written(place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = path_of(tmp_path)
    window.files.open_path(path)
    write(field_in(place, window, qtbot), qtbot)
    window.context.actions.action("file.save").trigger()
    assert path.read_text(encoding="utf-8") == PLAYBOOK.replace("One", "One mine")
    assert not window.context.documents.file_state.is_dirty


def test_the_key_for_saving_works_in_the_field_over_a_block(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = path_of(tmp_path)
    window.files.open_path(path)
    window.show()
    field = field_in("block", window, qtbot)
    write(field, qtbot)
    qtbot.keyClick(field, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert "One mine" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("place", PLACES)
def test_closing_asks_about_what_is_being_written(place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_path(path_of(tmp_path))
    write(field_in(place, window, qtbot), qtbot)
    window.close()
    assert window.files.guard.dialog is not None


@pytest.mark.parametrize("place", PLACES)
def test_words_of_one_file_never_come_into_another(
    place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = path_of(tmp_path), path_of(tmp_path, OTHER, "b.md")
    window.files.open_path(first)
    field = field_in(place, window, qtbot)
    write(field, qtbot)
    window.context.documents.open(second)
    field.clearFocus()
    assert window.context.documents.snapshot.text == OTHER
    window.context.documents.save()
    assert second.read_text(encoding="utf-8") == OTHER


@pytest.mark.parametrize("place", PLACES)
def test_only_what_was_typed_changes(place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    head = PLAYBOOK.partition("- One")[0]
    path = path_of(tmp_path, head + "".join(f"- {words}\n" for words in ODD))
    window.files.open_path(path)
    for step in window.context.documents.snapshot.program.playbooks[0].steps:
        write(field_in(place, window, qtbot, step.id), qtbot, "!")
    window.context.documents.save()
    assert path.read_bytes() == (head + "".join(f"- {words}!\n" for words in ODD)).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("place", PLACES)
def test_a_field_that_was_only_looked_at_changes_nothing(
    place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.files.open_path(path_of(tmp_path, PLAYBOOK.replace("One", ODD[5])))
    field = field_in(place, window, qtbot)
    field.clearFocus()
    assert not window.context.documents.file_state.is_dirty


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("outside", ["- Two\n", "- Quite other words\n- Two\n"])
def test_words_whose_step_went_away_on_disk_are_kept(
    place: str, outside: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = path_of(tmp_path)
    window.files.open_path(path)
    field = field_in(place, window, qtbot)
    write(field, qtbot)
    path.write_text(PLAYBOOK.replace("- One\n- Two\n", outside), encoding="utf-8")
    window.context.documents.take_from_disk()
    window.context.documents.fields.settle()
    kept = "One mine" in window.context.documents.snapshot.text
    told = [banner.notice.text for banner in window.banners.banners if banner.topic == "left-over"]
    assert kept or "One mine" in "".join(told)


def test_kept_words_can_be_copied(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_path(path_of(tmp_path))
    window.context.documents.fields.left_over.emit("my words")
    next(each for each in window.banners.banners if each.topic == "left-over").buttons[0].click()
    assert QApplication.clipboard().text() == "my words"


def test_words_that_are_refused_stay_in_the_field(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_path(path_of(tmp_path))
    field = field_in("inspector", window, qtbot)
    write(field, qtbot, " <!-- open")
    window.context.documents.fields.settle()
    assert field.toPlainText() == "One <!-- open"
    assert window.context.documents.snapshot.text == PLAYBOOK


def test_a_name_that_is_refused_is_kept(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.files.open_path(path_of(tmp_path))
    canvas = window.centre.canvas
    canvas.tools.naming.rename("Main")
    field = canvas.tools.writing.editor
    field.selectAll()
    qtbot.keyClicks(field, "no # name")
    field.take()
    assert "no # name" in next(each for each in window.banners.banners if each.topic == "left-over").notice.text


LIST = """\
id: l
name: L
steps:
  - id: one
    description: One
    expected_tools: [a]
  - id: two
    description: Two
"""


def open_list_field(window: MainWindow, path: Path, name: str) -> StepListField:
    window.files.open_path(path)
    window.context.selection.select((first_step(window),))
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    return panel.page.fields.fields[name]


def test_save_saves_what_is_being_entered_in_a_field_of_a_step_list(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = path_of(tmp_path, LIST, "l.yaml")
    field = open_list_field(window, path, "expected_tools")
    assert isinstance(field.editor, ItemRows)
    qtbot.keyClicks(field.editor.spare, "b")
    assert window.context.documents.file_state.is_dirty
    window.context.documents.save()
    assert "expected_tools: [a, b]" in path.read_text(encoding="utf-8")


def test_what_cannot_be_read_in_a_field_stays_there_and_is_kept_when_another_file_comes(
    window: MainWindow, tmp_path: Path
) -> None:
    field = open_list_field(window, path_of(tmp_path, LIST, "l.yaml"), "max_tool_calls")
    assert isinstance(field.editor, QLineEdit)
    field.editor.setText("many")
    window.context.documents.save()
    assert field.editor.text() == "many"
    window.context.documents.open(path_of(tmp_path, OTHER, "b.md"))
    assert "max_tool_calls: many" in window.banners.banners[-1].notice.text
    assert window.context.documents.snapshot.text == OTHER
